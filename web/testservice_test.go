package web

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"mancala/engine/search/review"
	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/analysis"
	"mancala/lobby/bot"
	"mancala/lobby/effects"
	"mancala/lobby/hosting"
	"mancala/lobby/lessons"
	"mancala/lobby/memdb"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/puzzles"
	"mancala/lobby/rating"
	"mancala/lobby/rulebook"
	"mancala/lobby/searchpool"
	"mancala/lobby/seeks"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/room"
	"mancala/match/testenv"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// patience is how long a test waits for an expected event. It is long because
// only a slow machine needs it: failures are reported at once.
const patience = 5 * time.Minute

// service is a whole server in this process, on a real port, with everything in
// memory. It is shut down in the same order as the program. Then no goroutine
// of it may be left.
type service struct {
	testing.TB
	*Server
	ctx      context.Context
	base     string
	registry *prometheus.Registry
	rooms    *room.Registry
	people   []*webtest.Person
	tabs     []*webtest.Client
	ahead    atomic.Int64 // how far the accounts' clock is ahead
	tables   *tables      // the tables of the lobby
	rows     *countedRows // the journal of the rooms
}

// countedRows is a journal that counts reads of one or two rows. An owner makes such a read
// when a client claims an entry that the room does not know. The journal can be away: then
// no sign of life is written, and no room is found.
type countedRows struct {
	journal.Journal
	few  atomic.Int64
	away atomic.Bool
}

func (c *countedRows) Alive(ctx context.Context, self string) (time.Time, error) {
	if c.away.Load() {
		return time.Time{}, journal.ErrUnavailable
	}
	return c.Journal.Alive(ctx, self)
}

func (c *countedRows) Room(ctx context.Context, id string) (journal.Room, error) {
	if c.away.Load() {
		return journal.Room{}, journal.ErrUnavailable
	}
	return c.Journal.Room(ctx, id)
}

func (c *countedRows) Read(ctx context.Context, id string, after uint64, limit int) ([]journal.Row, error) {
	if limit <= 2 {
		c.few.Add(1)
	}
	return c.Journal.Read(ctx, id, after, limit)
}

// tables can refuse all writes, or all reads, for a while.
type tables struct {
	lobby.DB
	nowhere      *sql.DB
	away, unread atomic.Bool
}

func (t *tables) Reader() *sql.DB {
	if t.unread.Load() {
		return t.nowhere
	}
	return t.DB.Reader()
}

// nowhere is a database that cannot be reached.
type nowhere struct{ driver.Connector }

func (nowhere) Connect(context.Context) (driver.Conn, error) { return nil, journal.ErrUnavailable }

func (t *tables) Write(ctx context.Context, fn func(lobby.Tx) error) error {
	if t.away.Load() {
		return journal.ErrUnavailable
	}
	return t.DB.Write(ctx, fn)
}

// later moves the accounts' clock forward.
func (s *service) later(d time.Duration) { s.ahead.Add(int64(d)) }

// TestMain checks that the tests together leave no goroutine. Each service
// checks its own.
func TestMain(m *testing.M) {
	testenv.AtOnce(4)
	before := runtime.NumGoroutine()
	code := m.Run()
	if code == 0 && !holds(func() bool { return runtime.NumGoroutine() <= before }) {
		fmt.Fprintf(os.Stderr, "%d goroutines, %d before the tests:\n", runtime.NumGoroutine(), before)
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		code = 1
	}
	os.Exit(code)
}

// beside lets a test run in parallel with others, because services share
// nothing. Subtests run one after another, because their test may rely on their
// order.
func beside(t testing.TB) {
	alone, ok := t.(*testing.T)
	if !ok || strings.Contains(t.Name(), "/") {
		return
	}
	if _, already := besides.LoadOrStore(t, true); already {
		return
	}
	t.Cleanup(func() { besides.Delete(t) })
	alone.Parallel()
}

var besides sync.Map // the tests that run in parallel

// serve starts a service. From here on the test runs in parallel with others.
// change may change the settings.
func serve(t testing.TB, change ...func(*site.Config, *socket.Config)) *service {
	t.Helper()
	return serveWith(t, push.Options{}, change...)
}

// serveWith is serve with a push service. Without one, no player is told of their turn.
func serveWith(t testing.TB, pushes push.Options, change ...func(*site.Config, *socket.Config)) *service {
	t.Helper()
	beside(t)
	// The goroutines that this one starts get the same label, and so do theirs.
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("test", t.Name())))
	before, _ := goroutines(t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	s := &service{TB: t, ctx: ctx, registry: prometheus.NewRegistry()}
	said := new(testenv.Logbook)
	log := slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelWarn}))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server said:\n%s", said)
		}
	})

	db, err := memdb.Open()
	s.must(err)
	s.tables = &tables{DB: lobby.On(db), nowhere: sql.OpenDB(nowhere{})}
	people, err := lobby.Open(ctx, s.tables, lobby.Options{})
	s.must(err)
	accounts, err := account.Open(ctx, s.tables, people.People, account.Options{
		Now:        func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) },
		HashMemory: 64, // with the race detector a hash takes a second, and much longer on a busy machine
	})
	s.must(err)
	graph, err := social.Open(ctx, lobby.On(db), people.People)
	s.must(err)
	ratings, err := rating.Open(ctx, lobby.On(db), people.People)
	s.must(err)
	reports, err := moderation.Open(ctx, lobby.On(db), people.People, moderation.Options{})
	s.must(err)
	shows, err := showcase.Open(ctx, lobby.On(db), people)
	s.must(err)
	book, err := rulebook.Open(ctx, lobby.On(db), people)
	s.must(err)
	events, err := hosting.OpenIndex(t.Context(), lobby.On(db), people.People)
	s.must(err)
	learnt, err := lessons.Open(ctx, lobby.On(db), people.People)
	s.must(err)
	puzzleStore, err := puzzles.Open(ctx, lobby.On(db), people, puzzles.Options{}) // without a pool none are made
	s.must(err)
	metrics := site.NewMetrics(s.registry)
	searches := searchpool.New(searchpool.Options{Observe: metrics.ObserveSearches()})
	metrics.WatchSearches(searches)
	var server *Server
	pushed, err := push.Open(ctx, lobby.On(db), people.People, pushes)
	s.must(err)
	accounts.WhenEnded(func(ids []string) { s.must(pushed.Ended(ctx, ids)) })
	roomsCtx, stop := context.WithCancel(context.Background())
	s.rows = &countedRows{Journal: memjournal.New()}
	rooms, err := seeks.Journal(ctx, s.rows)
	s.must(err)
	s.rooms, err = room.Start(roomsCtx, room.Config{
		Self: "test", Journal: rooms, Tasks: Tasks(func() *Server { return server }),
		Unseen:  Unseen(func() *Server { return server }),
		Awaits:  pushed.Note,
		Kinds:   effects.Kinds(),
		Observe: metrics.Observer(), Log: log, Grace: patience,
	})
	s.must(err)

	analyses, err := analysis.Open(ctx, lobby.On(db), people, analysis.Options{
		Self: "test", Pool: searches, Games: s.rooms, Budget: review.Budget{Nodes: 500, Memory: 1 << 18}, // a quick search
	})
	s.must(err)

	// A test sends messages faster than any person, and on a busy machine it may read none for long.
	sockets := socket.Config{
		Messages: 10_000, MessageBurst: 10_000, PongTimeout: patience, DrainTimeout: patience,
		CloseGrace: 100 * time.Millisecond, Logger: log,
	}
	c := site.Config{
		Rooms: s.rooms, Lobby: people, Accounts: accounts, Social: graph, Ratings: ratings, Moderation: reports, Showcase: shows, Rulebook: book, Events: events, Lessons: learnt, Puzzles: puzzleStore, Push: pushed,
		Analyses: analyses, Bots: bot.New(searches, 0), Searches: searches, Log: log, Version: "test", Expiry: time.Hour,
	}
	for _, f := range change {
		f(&c, &sockets)
	}
	c.Sockets = socket.NewSet(sockets)
	metrics.Watch(s.rooms, c.Sockets)
	metrics.WatchReports(reports)
	server, err = New(c, metrics)
	s.must(err)
	s.Server = server
	var telling sync.WaitGroup
	tellingCtx, stopTelling := context.WithCancel(ctx)
	if pushes.Roots != nil {
		telling.Go(func() { pushed.Keep(tellingCtx, server.PushServices()) })
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	s.must(err)
	s.base = "http://" + listener.Addr().String()
	main := &http.Server{Handler: server.Handler(), ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go func() { _ = main.Serve(socket.Listener(listener)) }()

	t.Cleanup(func() {
		stopTelling()
		telling.Wait()
		for _, c := range s.tabs {
			c.Close()
		}
		for _, p := range s.people {
			p.Leave()
		}
		ctx, cancelLeave := context.WithTimeout(context.Background(), patience)
		defer cancelLeave()
		s.must(s.rooms.Drain(ctx, nil))
		s.must(c.Sockets.Shutdown(ctx))
		s.must(main.Shutdown(ctx))
		server.Close()
		s.must(analyses.Close())
		stop()
		s.rooms.Wait()
		searches.Close()
		people.Close()
		s.must(s.tables.nowhere.Close())
		s.must(db.Close())
		cancel()
		if n, _ := server.live.Stats(); n > 0 {
			t.Errorf("%d hubs are left", n)
		}
		if _, n := server.live.Stats(); n > 0 {
			t.Errorf("%d visitors are left in the lobby", n)
		}
		s.leaks(before)
	})
	return s
}

func (s *service) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// leaks fails the test if it has more goroutines than before.
func (s *service) leaks(before int) {
	s.Helper()
	var n int
	var stacks string
	for wait := time.Millisecond; wait < patience; wait *= 2 { // the wait doubles because a profile stops all goroutines
		if n, stacks = goroutines(s.TB); n <= before {
			return
		}
		<-time.After(wait)
	}
	s.Errorf("%d goroutines, %d before:\n%s", n, before, stacks)
}

// goroutines returns how many goroutines a test has, and their stacks.
func goroutines(t testing.TB) (n int, stacks string) {
	var profile strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&profile, 1)  // a Builder never fails
	_, groups, _ := strings.Cut(profile.String(), "\n") // the first line is the total of all tests
	for same := range strings.SplitSeq(groups, "\n\n") {
		var count int
		if !strings.Contains(same, fmt.Sprintf(`"test":%q`, t.Name())) {
			continue
		}
		if _, err := fmt.Sscanf(same, "%d @", &count); err != nil {
			t.Errorf("%v in the profile of goroutines:\n%s", err, same)
		}
		n += count
		stacks += same + "\n\n"
	}
	return n, stacks
}

// eventually fails the test unless cond becomes true.
func (s *service) eventually(what string, cond func() bool) {
	s.Helper()
	if !holds(cond) {
		s.Errorf("%s did not come true", what)
	}
}

// holds waits until cond is true or patience has passed, and reports whether
// cond is true.
func holds(cond func() bool) bool {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		if cond() {
			return true
		}
	}
	return cond()
}

// person returns a new person.
func (s *service) person() *webtest.Person {
	p := webtest.NewPerson(s.base)
	s.people = append(s.people, p)
	return p
}

// open opens a game in a tab and waits until the game is shown.
func (s *service) open(p *webtest.Person, roomID string) *webtest.Client {
	s.Helper()
	c := p.Open(roomID)
	s.tabs = append(s.tabs, c)
	s.must(c.Ready(s.ctx))
	return c
}

// game makes a game with these settings ("rules=kalah&clock=5+3", as a form)
// and fills its seats. It returns one tab for each seat, in the order of the
// seats.
func (s *service) game(settings string) (string, []*webtest.Client) {
	s.Helper()
	form, err := url.ParseQuery(strings.ReplaceAll(settings, "+", "%2B"))
	s.must(err)
	form.Set("start", "creator")
	ada := s.person()
	id, err := ada.Make(s.ctx, form)
	s.must(err)
	tabs := []*webtest.Client{s.open(ada, id)}
	for {
		full := false
		tabs[0].Look(func(g *webtest.Game) {
			shape := g.Numbers("shape")
			full = len(g.Texts("seats")) > 0 || shape[0]*shape[1] == len(tabs)
		})
		if full {
			break
		}
		p := s.person()
		s.must(p.Sit(s.ctx, id))
		tabs = append(tabs, s.open(p, id))
	}
	return id, s.bySeat(tabs)
}

// bySeat waits until the game has begun and sorts the tabs by seat.
func (s *service) bySeat(tabs []*webtest.Client) []*webtest.Client {
	s.Helper()
	sorted := make([]*webtest.Client, len(tabs))
	for _, c := range tabs {
		// A client learns its seat slightly before the entry that assigns it.
		s.must(c.Until(s.ctx, "a seat in a game that has begun", func(g *webtest.Game) bool {
			return g.As >= 0 && g.Text("state") != "waiting"
		}))
		c.Look(func(g *webtest.Game) { sorted[g.As] = c })
	}
	return sorted
}

// counted returns the value of a counter or gauge, or how many values a histogram has observed. With a
// label it counts what has this label.
func (s *service) counted(name, label string) float64 {
	s.Helper()
	families, err := s.registry.Gather()
	s.must(err)
	total := 0.0
	for _, f := range families {
		if f.GetName() != "mancala_"+name {
			continue
		}
		for _, m := range f.GetMetric() {
			if label == "" || len(m.GetLabel()) > 0 && m.GetLabel()[0].GetValue() == label {
				total += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
			}
		}
	}
	return total
}

// move makes a ply in a tab when its seat is on turn.
func (s *service) move(c *webtest.Client, move string) {
	s.Helper()
	var ply int
	s.must(c.Until(s.ctx, "my turn", func(g *webtest.Game) bool {
		ply = g.Number("ply")
		return g.Number("turn") == g.As && len(g.Legal) > 0
	}))
	s.must(c.Must(s.ctx, "move", map[string]any{"ply": ply, "move": move}))
}

// refused fails the test unless a command is refused with this code.
func (s *service) refused(c *webtest.Client, code, kind string, fields map[string]any) {
	s.Helper()
	f, err := c.Do(s.ctx, kind, fields)
	s.must(err)
	if f.T != "err" || f.Code != code {
		s.Errorf("%s %v was answered with %s, want %s", kind, fields, f.Raw, code)
	}
}

// bare opens a socket without the behaviour of a client.
func (s *service) bare(p *webtest.Person, header http.Header) *websocket.Conn {
	s.Helper()
	conn, err := p.Dial(s.ctx, header)
	s.must(err)
	s.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// behind makes this server trust the forwarded address from any local peer.
func behind(c *site.Config, _ *socket.Config) {
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

// effectOf returns the handler of a kind of task.
func effectOf(s *service, kind string) room.Handler {
	return Tasks(func() *Server { return s.Server })[kind]
}
