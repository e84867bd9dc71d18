package histories

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // "pgx" for database/sql

	"mancala/cmd/internal/history"
	"mancala/cmd/mancala/proxytest"
	"mancala/match/bus/redistest"
	"mancala/match/journal/pgjournal"
	"mancala/match/testenv"
)

const places = 3 // instances

// service is three instances behind a load balancer, with their servers.
type service struct {
	*testing.T
	rec       *history.Recorder
	redis     *redistest.Server
	instances []*instance
	disk      string // the small disk of the first PostgreSQL; empty if there is none

	// The load balancer knows of each instance whether it takes new connections.
	open [places]atomic.Bool

	mu       sync.Mutex
	postgres *testenv.Postgres // the one that accepts writes
	lines    []*line
}

// line is the way of one person to the service, through the load balancer.
type line struct {
	s       *service
	proxy   *proxytest.Proxy
	home    int
	current atomic.Int32

	mu   sync.Mutex
	show history.Place // whose line it is now
}

// fast are flags that lift the limits for clients that are faster than people.
var fast = []string{
	"--message-rate", "100000", "--message-burst", "100000",
	"--limit-games", "off", "--limit-games-per-address", "off", "--limit-guests", "off", "--limit-requests", "off",
}

// startService starts the servers and the instances. They end with the test.
func startService(t *testing.T, number uint64) *service {
	t.Helper()
	s := &service{T: t, rec: history.NewRecorder(number)}
	var err error
	if s.redis, err = redistest.Start(); err != nil {
		testenv.SkipOrFail(t, err)
	}
	t.Cleanup(s.redis.Remove)
	s.startPostgres()
	dir := t.TempDir()
	for n := range places {
		x := &instance{
			n: n, addr: testenv.Addr(t), admin: testenv.Addr(t), clock: filepath.Join(dir, fmt.Sprint("clock", n)),
			redis: proxytest.New(t, s.redis.Address), postgres: proxytest.New(t, func() (string, string) { return s.primary().Address() }),
		}
		database := s.primary().URLVia(x.postgres.Addr(), "postgres") + fmt.Sprint("&application_name=", n)
		x.args = append([]string{"--addr", x.addr, "--admin", x.admin, "--database", database, "--redis", "redis://" + x.redis.Addr()}, fast...)
		x.endsWith(t)
		s.open[n].Store(true)
		s.instances = append(s.instances, x)
	}
	var starting sync.WaitGroup
	for _, x := range s.instances {
		starting.Go(func() {
			if err := x.start(); err != nil {
				t.Error(err)
			}
		})
	}
	if starting.Wait(); t.Failed() {
		t.FailNow()
	}
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for n := range places {
		group.Go(func() { s.check(ctx, n) })
	}
	group.Go(func() { s.noteOwners(ctx) })
	group.Go(func() { s.rec.NoteLags(ctx) })
	t.Cleanup(func() {
		cancel()
		group.Wait()
	})
	return s
}

// startPostgres starts the first PostgreSQL, on a small disk where this process may mount
// one.
func (s *service) startPostgres() {
	dir, err := testenv.TempDir("postgres")
	if err != nil {
		s.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		s.Fatal(err)
	}
	user := info.Sys().(*syscall.Stat_t)
	options := fmt.Sprintf("size=%d,uid=%d,gid=%d,mode=0700", diskSize, user.Uid, user.Gid)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err == nil {
		s.disk = dir
		s.Cleanup(func() {
			if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
				s.Error(err)
			}
			_ = os.Remove(dir)
		})
	}
	if s.postgres, err = testenv.StartPostgresIn(dir, "fsync=off", "shared_buffers=32MB", "min_wal_size=2MB", "max_wal_size=16MB"); err != nil {
		testenv.SkipOrFail(s, err)
	}
	s.Cleanup(func() { s.primary().Remove() })
}

func (s *service) primary() *testenv.Postgres {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.postgres
}

// newLine returns a line for a person who lives near an instance.
func (s *service) newLine(home int) *line {
	l := &line{s: s, home: home}
	l.current.Store(int32(home))
	l.show.Instance = -1
	l.proxy = proxytest.New(s, l.choose)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, l)
	return l
}

// choose returns the instance to which the load balancer sends a new connection. It changes
// the instance only if that takes no connections.
func (l *line) choose() (network, address string) {
	n := int(l.current.Load())
	for range places {
		if l.s.open[n].Load() {
			l.move(n)
			break
		}
		n = (n + 1) % places
	}
	return "tcp", l.s.instances[l.current.Load()].addr
}

func (l *line) move(to int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int(l.current.Swap(int32(to))) != to && l.show.Instance >= 0 {
		l.show.Instance = to
		l.s.rec.Put(l.show)
	}
}

// enter notes that the person uses the line for a room from now on. leave notes the end.
func (l *line) enter(p history.Place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.show = p
	l.show.Instance = int(l.current.Load())
	l.s.rec.Put(l.show)
}

func (l *line) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.show.Instance = -1
	l.s.rec.Put(l.show)
}

// drop ends the connections of the line. The next ones go where choose says.
func (l *line) drop() {
	l.proxy.Cut()
	l.proxy.Heal()
}

// linesAt returns the lines that lead to an instance now.
func (s *service) linesAt(n int) (list []*line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lines {
		if int(l.current.Load()) == n {
			list = append(list, l)
		}
	}
	return list
}

// sendHome gives all people new connections to the instances near them.
func (s *service) sendHome() {
	for n := range places {
		for _, l := range s.linesAt(n) {
			if l.home != n && s.open[l.home].Load() {
				l.move(l.home)
				l.drop()
			}
		}
	}
}

// check is the load balancer's check of an instance (OPERATIONS.md, "Set up the load
// balancer"). An instance that does not answer for four seconds, or refuses the connection
// twice, loses its sockets.
func (s *service) check(ctx context.Context, n int) {
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	last, dead := time.Now(), false
	for refused := 0; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		r, err := client.Get("http://" + s.instances[n].admin + "/balance")
		if err == nil {
			_ = r.Body.Close()
			last, refused, dead = time.Now(), 0, false
			s.open[n].Store(r.StatusCode == http.StatusOK)
			continue
		}
		if time.Since(began) < time.Second {
			refused++
		}
		if !dead && (refused >= 2 || time.Since(last) >= 4*time.Second) {
			dead = true
			s.open[n].Store(false)
			for _, l := range s.linesAt(n) {
				l.drop()
			}
		}
	}
}

const wellWithin = 4 * time.Minute // a machine that is busy with other tests is slow to start and to sign

// wellAgain waits until every instance takes new connections.
func (s *service) wellAgain(after string) {
	for deadline := time.Now().Add(wellWithin); ; {
		well := true
		for n := range places {
			well = well && s.open[n].Load()
		}
		if well {
			return
		}
		if time.Now().After(deadline) {
			s.Errorf("%v after %q the instances are ready: %v %v %v", wellWithin, after, s.open[0].Load(), s.open[1].Load(), s.open[2].Load())
			return
		}
		s.linger(50 * time.Millisecond)
	}
}

// linger waits while a fault lasts.
func (s *service) linger(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.Context().Done():
	}
}

// noteOwners records the owners of all rooms. The connection of an instance's signs of life
// has its number as a name.
func (s *service) noteOwners(ctx context.Context) {
	numbers := map[string]int{}
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		_ = s.query(ctx, "SELECT i.id, a.application_name FROM instances i JOIN pg_stat_activity a ON a.pid = i.backend", func(scan func(...any) error) error {
			var id string
			var n int
			err := scan(&id, &n)
			numbers[id] = n
			return err
		})
		_ = s.query(ctx, "SELECT id, epoch, owner FROM rooms WHERE kind = 'match' AND owner <> ''", func(scan func(...any) error) error {
			var room, owner string
			var epoch uint64
			err := scan(&room, &epoch, &owner)
			if n, known := numbers[owner]; known && err == nil {
				s.rec.Own(history.Owner{Room: room, Epoch: epoch, Instance: n})
			}
			return err
		})
	}
}

// query reads rows of the primary, which may be away.
func (s *service) query(ctx context.Context, query string, row func(scan func(...any) error) error) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	db, err := sql.Open("pgx", s.primary().URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// journal reads the rows of the rooms that clients have used.
func (s *service) journal(h *history.History) (history.Journal, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := pgjournal.Open(ctx, pgjournal.Options{URL: s.primary().URL("postgres"), Connections: 2})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rooms := history.Journal{}
	for _, p := range h.Places {
		if _, known := rooms[p.Room]; known {
			continue
		}
		if rooms[p.Room], err = db.Read(ctx, p.Room, 0, 0); err != nil {
			return nil, err
		}
	}
	return rooms, nil
}
