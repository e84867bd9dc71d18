package account

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match/refusal"
	"mancala/match/room"
)

// place is a database with a lobby. Each instance has its own Accounts.
type place struct {
	*testing.T
	db lobby.DB
	ms atomic.Int64
}

func newPlace(t *testing.T, db lobby.DB) *place {
	p := &place{T: t, db: db}
	p.ms.Store(time.Now().UnixMilli())
	return p
}

// with runs a test with each database.
func with(t *testing.T, test func(*place)) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) { test(newPlace(t, db)) })
}

func (p *place) now() time.Time          { return time.UnixMilli(p.ms.Load()) }
func (p *place) advance(d time.Duration) { p.ms.Add(d.Milliseconds()) }

// instance is a server on the database.
type instance struct {
	*place
	*Accounts
	people *lobby.People
}

func (p *place) instance() *instance {
	p.Helper()
	l, err := lobby.Open(p.Context(), p.db, lobby.Options{})
	p.must(err)
	a, err := Open(p.Context(), p.db, l.People, Options{Now: p.now, HashMemory: 64})
	p.must(err)
	return &instance{p, a, l.People}
}

func (p *place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// refused fails the test unless err is a refusal with this code. An empty code means no
// error.
func (p *place) refused(what string, err error, code refusal.Code) {
	p.Helper()
	if refusal.Is(err, code) || err == nil && code == "" {
		return
	}
	p.Errorf("%s: %v, want %q", what, err, code)
}

const secret = "seven green turtles"

func (i *instance) account(name string) (player string, codes []string) {
	i.Helper()
	g, err := i.people.Guest(i.Context())
	i.must(err)
	codes, err = i.Create(i.Context(), g.ID, name, secret)
	i.must(err)
	return g.ID, codes
}

func TestPasswordSignsInToItsAccountOnly(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, _ := i.account("Ada")
		for _, name := range []string{"Ada", "ada", " A.D.A "} {
			if got, err := i.ByPassword(p.Context(), name, secret); got != ada || err != nil {
				p.Errorf("%q signs in as %q, %v", name, got, err)
			}
		}
		for _, tt := range [][2]string{{"Ada", secret + " "}, {"Ada", ""}, {"Ben", secret}, {"", secret}, {strings.Repeat("x", 1<<20), secret}, {"Ada", strings.Repeat("x", 1<<20)}} {
			_, err := i.ByPassword(p.Context(), tt[0], tt[1])
			p.refused("sign in as "+tt[0][:min(9, len(tt[0]))], err, CodeSignIn)
		}

		here, err := i.Begin(p.Context(), ada, "here")
		p.must(err)
		_, err = i.Begin(p.Context(), ada, "there")
		p.must(err)
		p.must(i.SetPassword(p.Context(), here, "Ada", "eight blue turtles"))
		_, err = i.ByPassword(p.Context(), "Ada", secret)
		p.refused("the old password", err, CodeSignIn)
		_, err = i.ByPassword(p.Context(), "Ada", "eight blue turtles")
		p.must(err)
		if list, err := i.Sessions(p.Context(), ada); err != nil || len(list) != 1 || list[0].ID != here.ID {
			p.Errorf("after a new password the sessions are %v, %v", list, err)
		}
	})
}

// Only an option of tests makes hashes cheap. A cheap hash stays valid, as one of an earlier
// release with another cost does.
func TestPasswordsAreHashedAtTheFullCost(t *testing.T) {
	with(t, func(p *place) {
		cheap := p.instance()
		ada, _ := cheap.account("Ada")
		full, err := Open(p.Context(), p.db, cheap.people, Options{})
		p.must(err)
		ben, err := cheap.people.Guest(p.Context())
		p.must(err)
		_, err = full.Create(p.Context(), ben.ID, "Ben", secret)
		p.must(err)
		for player, cost := range map[string]string{ada: "m=64,t=2,p=1", ben.ID: "m=47104,t=2,p=1"} {
			hash, err := full.passwordOf(p.Context(), player)
			p.must(err)
			ok, err := full.checks(p.Context(), player, secret)
			if p.must(err); !ok || !strings.HasPrefix(hash, "$argon2id$v=19$"+cost+"$") {
				p.Errorf("%s: %t, want a password at the cost %s", hash, ok, cost)
			}
		}
	})
}

// A keyboard may produce é as one character or as two.
func TestPasswordIsTheSameHoweverAccentsAreTyped(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		g, err := i.people.Guest(p.Context())
		p.must(err)
		_, err = i.Create(p.Context(), g.ID, "Ada", "un caf\u00e9 cr\u00e8me")
		p.must(err)
		if got, err := i.ByPassword(p.Context(), "Ada", "un cafe\u0301 cre\u0300me"); got != g.ID || err != nil {
			p.Errorf("signs in as %q, %v", got, err)
		}
	})
}

func TestUnsafePasswordsAreRefused(t *testing.T) {
	p := newPlace(t, nil)
	a := &Accounts{gate: newGate()}
	for password, want := range map[string]refusal.Code{
		"": CodePasswordShort, "short one": CodePasswordShort, "ééééééééé": CodePasswordShort, strings.Repeat("ab cd ef ", 40): CodePasswordLong,
		"password12": CodePasswordWeak, "P4$$w0rd2024!": CodePasswordWeak, "1234567890": CodePasswordWeak, "qwertyuiop": CodePasswordWeak, "aaaaaaaaaaaa": CodePasswordWeak,
		"abcabcabcabc": CodePasswordWeak, "iloveyou1990": CodePasswordWeak, "sunshine-dragon": CodePasswordWeak, "Adalovelace1": CodePasswordWeak,
		"qwerty123456": CodePasswordWeak, "mancala2026": CodePasswordWeak, "1qaz2wsx3edc": CodePasswordWeak, "9876543210": CodePasswordWeak,
		"dragon sunshine football monkey": "", secret: "", "correct horse battery": "", "k7#fQ9!xT2": "", "これはとても長い合言葉です": "",
	} {
		_, err := a.hashNew(p.Context(), password, "Ada Lovelace")
		p.refused(password, err, want)
	}
}

// Only a few passwords are checked at once. A request that comes while [maxWaiting] others wait
// or are checked is refused. All others get their turn.
func TestFewPasswordsAreCheckedAtOnce(t *testing.T) {
	g := newGate()
	hold, started := make(chan struct{}), make(chan struct{}, 2*maxWaiting)
	var wg sync.WaitGroup
	var most, now, busy atomic.Int32
	for range 2 * maxWaiting {
		wg.Go(func() {
			err := g.pass(t.Context(), func() {
				n := now.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				started <- struct{}{}
				<-hold
				now.Add(-1)
			})
			if refusal.Is(err, room.CodeBusy) {
				if busy.Add(1) == maxWaiting { // all requests beyond the bound were refused
					close(hold)
				}
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if busy.Load() != maxWaiting || int(most.Load()) > cap(g.slots) || len(started) != maxWaiting {
		t.Errorf("%d were sent away, %d at once, %d served", busy.Load(), most.Load(), len(started))
	}
	if err := g.pass(t.Context(), func() {}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// The cost of an attempt must not reveal whether a name exists: every attempt comes to
// the gate before the expensive work.
func TestUnknownNamesCostTheSame(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		i.account("Ada")
		without, err := i.people.Guest(p.Context())
		p.must(err)
		_, err = i.people.Upgrade(p.Context(), without.ID, "Ben", func(lobby.Tx) error { return nil })
		p.must(err)
		ctx, cancel := context.WithCancel(p.Context())
		i.gate.slots = nil // no check gets a slot
		waits := func(name string) {
			p.Helper()
			done := make(chan error)
			go func() {
				_, err := i.ByPassword(ctx, name, "not "+secret)
				done <- err
			}()
			for i.gate.waiting.Load() == 0 {
				select {
				case err := <-done:
					p.Fatalf("%q was answered without work: %v", name, err)
				case <-time.After(time.Millisecond):
				}
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				p.Errorf("%q: %v", name, err)
			}
			ctx, cancel = context.WithCancel(p.Context())
		}
		for _, name := range []string{"Ada", "Ben", "Nobody", "", "<b>", strings.Repeat("x", 1<<20)} {
			waits(name)
		}
		cancel()
	})
}

func TestRecoveryCodeWorksOnce(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, codes := i.account("Ada")
		ben, _ := i.account("Ben")
		if slices.Sort(codes); len(slices.Compact(codes)) != 8 || len(codes[0]) != 19 {
			p.Errorf("the codes are %q", codes)
		}
		_, err := i.ByCode(p.Context(), "Ben", codes[0])
		p.refused("another's code", err, CodeSignIn)
		_, err = i.ByCode(p.Context(), "Nobody", codes[0])
		p.refused("a code of no player", err, CodeSignIn)
		typed := strings.ToLower(strings.ReplaceAll(codes[0], "-", " "))
		if got, err := i.ByCode(p.Context(), "ada", typed); got != ada || err != nil {
			p.Errorf("by code: %q, %v", got, err)
		}
		_, err = i.ByCode(p.Context(), "Ada", codes[0])
		p.refused("once more", err, CodeSignIn)
		if n, err := i.CodesLeft(p.Context(), ada); n != 7 || err != nil {
			p.Errorf("%d codes are left, %v", n, err)
		}
		again, err := i.RenewCodes(p.Context(), ada)
		p.must(err)
		_, err = i.ByCode(p.Context(), "Ada", codes[1])
		p.refused("an old code", err, CodeSignIn)

		var in atomic.Int32 // counts the successes of concurrent requests with one code
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				if _, err := i.ByCode(p.Context(), "Ada", again[0]); err == nil {
					in.Add(1)
				}
			})
		}
		wg.Wait()
		if in.Load() != 1 {
			p.Errorf("%d signed in with one code", in.Load())
		}
		p.must(i.Forget(p.Context(), ada))
		if n, err := i.CodesLeft(p.Context(), ada); n != 0 || err != nil {
			p.Errorf("of who is forgotten %d codes are left, %v", n, err)
		}
		if n, err := i.CodesLeft(p.Context(), ben); n != 8 || err != nil {
			p.Errorf("the other has %d codes, %v", n, err)
		}
	})
}

// A change of password ends all access that another person may have gained with the old
// one: at once on this instance, and on other instances after their next poll.
func TestChangeOfPasswordEndsSessionsTokensAndHandovers(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		ada, _ := i.account("Ada")
		ben, _ := i.account("Ben")
		here, err := i.Begin(p.Context(), ada, "here")
		p.must(err)
		there, err := i.Begin(p.Context(), ada, "there")
		p.must(err)
		bens, err := i.Begin(p.Context(), ben, "Ben's")
		p.must(err)
		token, err := i.MakeToken(p.Context(), ada, "bot", []string{"play"})
		p.must(err)
		bensToken, err := i.MakeToken(p.Context(), ben, "bot", []string{"play"})
		p.must(err)
		offer, err := i.Offer(p.Context(), ada, here.ID)
		p.must(err)
		bensOffer, err := i.Offer(p.Context(), ben, bens.ID)
		p.must(err)
		for _, i := range []*instance{i, other} { // caches the session
			_, err = i.Session(p.Context(), there.ID, ada)
			p.must(err)
		}
		shown, err := i.Token(p.Context(), token)
		p.must(err)
		var here1, there1 []string // the IDs that each instance passed on
		i.WhenEnded(func(ids []string) { here1 = append(here1, ids...) })
		other.WhenEnded(func(ids []string) { there1 = append(there1, ids...) })
		p.must(other.Poll(p.Context()))
		there1 = nil
		p.advance(time.Second)

		_, err = i.ByPassword(p.Context(), "Ada", secret)
		p.must(err)
		p.refused("a password that cannot be", i.SetPassword(p.Context(), here, "Ada", "short"), CodePasswordShort)
		if _, err := i.Token(p.Context(), token); err != nil {
			p.Errorf("after a refusal the token is %v", err)
		}
		before, err := i.PasswordSet(p.Context(), ada)
		p.must(err)
		p.must(i.SetPassword(p.Context(), here, "Ada", "eight blue turtles"))
		p.must(other.Poll(p.Context()))
		if after, err := other.PasswordSet(p.Context(), ada); after <= before || err != nil {
			p.Errorf("the password was set at %d, before that at %d, %v", after, before, err)
		}
		if at, err := other.PasswordSet(p.Context(), "nobody"); at != 0 || err != nil {
			p.Errorf("the password of no player was set at %d, %v", at, err)
		}
		want := []string{there.ID, shown.ID}
		slices.Sort(want)
		for _, told := range [][]string{here1, there1} {
			if slices.Sort(told); !slices.Equal(told, want) {
				p.Errorf("told of %q, want %q", told, want)
			}
		}
		for _, i := range []*instance{i, other} {
			_, err = i.Session(p.Context(), here.ID, ada)
			p.must(err)
			_, err = i.Session(p.Context(), there.ID, ada)
			p.refused("the other session", err, CodeNoSession)
			_, err = i.Token(p.Context(), token)
			p.refused("the token", err, CodeToken)
			_, err = i.Offered(p.Context(), offer)
			p.refused("the hand-over", err, CodeHandover)
			_, err = i.Accept(p.Context(), offer)
			p.refused("the hand-over, accepted", err, CodeHandover)

			_, err = i.Session(p.Context(), bens.ID, ben)
			p.must(err)
			_, err = i.Token(p.Context(), bensToken)
			p.must(err)
			_, err = i.Offered(p.Context(), bensOffer)
			p.must(err)
		}
	})
}
