// Package push tells players by Web Push that it is their turn in a game of days, while no
// page of theirs is open.
//
// A browser that may be told has a subscription: an address at its maker's push service,
// and keys. Messages are encrypted for it (RFC 8291) and signed with the service's own key
// (RFC 8292). A subscription comes from a client, and may be hostile. So endpoint.go decides
// which addresses are called.
//
// A turn is a row of a table. So it survives the instance that saw it, and the instances
// share the work: one of them claims the row and sends. If it dies, another one claims the
// row later and sends again, and the message replaces the first by its topic.
//
//	push.go           what the service is made of
//	key.go            the key of the service
//	subscriptions.go  who may be told, and on which devices
//	turns.go          the turns of which players may have to be told
//	work.go           what happens when a turn is due
//	send.go           one message; endpoint.go: where it may go
//	sweep.go          what is deleted once an hour
package push

import (
	"cmp"
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"sync"
	"time"

	"mancala/lobby"
)

// Push is the service on one instance. Its methods are safe from any goroutine.
type Push struct {
	db     lobby.DB
	opt    Options
	key    key
	client *http.Client
	notes  chan note

	mu    sync.Mutex
	count func(Outcome) // set by Keep
}

// Options change how the service works. The zero Options are the usual ones.
type Options struct {
	// Contact is how a push service reaches the operator: an address of mail, or a URL that
	// begins with https:. Messages name it.
	Contact string

	// These are for tests.
	Now      func() time.Time
	Roots    *x509.CertPool
	Resolver *net.Resolver
	Dial     func(ctx context.Context, network, address string) (net.Conn, error) // in place of the guarded dialer
	Answer   time.Duration                                                        // how long a push service may take; 0: answerTime
	Ask      time.Duration                                                        // how long other instances may take; 0: askTime
	Look     time.Duration                                                        // between two looks for turns that are due; 0: lookEvery
	Settle   time.Duration                                                        // between a move and its message; 0: afterMove
}

// Outcome is what came of a message, for the metrics.
type Outcome string

// The outcomes.
const (
	Sent    Outcome = "sent"    // the push service has taken it
	Failed  Outcome = "failed"  // it has not
	Gone    Outcome = "gone"    // the subscription had ended, and was deleted
	Dropped Outcome = "dropped" // too many turns at once: a turn was not noted
)

// Outcomes are all of them.
var Outcomes = []Outcome{Sent, Failed, Gone, Dropped}

var schema = []string{`
CREATE TABLE push_keys (
	id      BIGINT PRIMARY KEY, -- 1
	secret  TEXT NOT NULL,      -- hex
	created BIGINT NOT NULL
);

CREATE TABLE push_subscriptions (
	device   TEXT PRIMARY KEY, -- a hash of the endpoint
	player   TEXT NOT NULL,
	session  TEXT NOT NULL,    -- the session or token with which it was made; empty for a guest
	endpoint TEXT NOT NULL,
	p256dh   TEXT NOT NULL,
	auth     TEXT NOT NULL,
	lang     TEXT NOT NULL,
	made     BIGINT NOT NULL,
	failures INTEGER NOT NULL, -- in a row
	failing  BIGINT NOT NULL   -- since when; 0: the last message was taken
);
CREATE INDEX push_subscriptions_of ON push_subscriptions (player);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session);

CREATE TABLE push_turns (
	room    TEXT PRIMARY KEY,
	player  TEXT NOT NULL,
	turn    TEXT NOT NULL,
	seq     BIGINT NOT NULL,   -- an entry of the room after which the turn had begun
	ends    BIGINT NOT NULL,   -- when the turn ends by itself, or 0
	remind  BIGINT NOT NULL,   -- when to remind the player, or 0
	step    INTEGER NOT NULL,  -- see turns.go
	tries   INTEGER NOT NULL,  -- of this step that no push service has taken
	due     BIGINT NOT NULL,   -- when to act; 0: nothing is left to do
	expires BIGINT NOT NULL    -- when the row is of no use any more
);
CREATE INDEX push_turns_due ON push_turns (due) WHERE due > 0;
CREATE INDEX push_turns_of ON push_turns (player);
CREATE INDEX push_turns_expires ON push_turns (expires);
`}

// Open migrates the tables, registers them for the removal of deleted players, and reads or
// makes the key.
func Open(ctx context.Context, db lobby.DB, people *lobby.People, opt Options) (*Push, error) {
	if err := db.Migrate(ctx, "push", schema); err != nil {
		return nil, err
	}
	people.WhenForgotten(
		lobby.DeleteSome("push_subscriptions", "device", "player = $1 ORDER BY device"),
		lobby.DeleteSome("push_turns", "room", "player = $1 ORDER BY room"),
	)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.Answer, opt.Ask = cmp.Or(opt.Answer, answerTime), cmp.Or(opt.Ask, askTime)
	opt.Look, opt.Settle = cmp.Or(opt.Look, lookEvery), cmp.Or(opt.Settle, afterMove)
	p := &Push{db: db, opt: opt, notes: make(chan note, maxNotes)}
	p.client = p.newClient()
	return p, p.openKey(ctx)
}

func (p *Push) countWith(f func(Outcome)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = f
}

// counted tells the metrics what came of a message.
func (p *Push) counted(o Outcome) {
	p.mu.Lock()
	count := p.count
	p.mu.Unlock()
	if count != nil {
		count(o)
	}
}
