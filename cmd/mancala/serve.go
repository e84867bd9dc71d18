package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/time/rate"

	"mancala/cmd/internal/cli"
	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/bot"
	"mancala/lobby/searchpool"
	"mancala/lobby/seeks"
	"mancala/match/room"
	"mancala/web"
	"mancala/web/socket"
)

// serve wires the service together, from the database up, and takes it apart in
// the other order.
func (f *serveFlags) serve(ctx context.Context, out, errOut io.Writer) error {
	hugeHeap()
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return fmt.Errorf("%w: --log: %w", cli.ErrUsage, err)
	}
	log := slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: level}))
	public, proxies, err := f.network()
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	store, err := openStore(ctx, f.database, f.full, registry)
	if err != nil {
		return err
	}
	defer store.close()
	people, err := openPeople(ctx, store.tables, lobby.Options{GuestIdle: f.idle})
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}
	roomJournal, err := seeks.Journal(ctx, store.rooms)
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}

	// Whatever ends it, the registry of rooms ends after the last word to the sockets.
	roomsCtx, stopRooms := context.WithCancel(context.Background())
	metrics := web.NewMetrics(registry)
	self := "i" + strings.ToLower(rand.Text())
	defer store.bye(self, log) // after the registry's last sign of life
	roomsConfig := room.Config{
		Self: self, Journal: roomJournal, Kinds: web.Kinds(), Observe: metrics.Observer(), Log: log,
	}
	thinkers := searchpool.New(searchpool.Options{Observe: metrics.Thinking()})
	thinkers.RaiseThreads()
	metrics.WatchThinkers(thinkers)
	defer thinkers.Close()
	var others *link // nil: there are none
	if f.redis != "" {
		if others, err = openLink(f.redis, self, registry, log); err != nil {
			stopRooms()
			return err
		}
		defer others.close()
		roomsConfig.Link = others
	}
	var ready atomic.Pointer[web.Server] // rooms may wake up before it is there
	roomsConfig.Tasks, roomsConfig.Unseen = web.Tasks(ready.Load), web.Unseen(ready.Load)
	rooms, err := room.Start(roomsCtx, roomsConfig)
	if err != nil {
		stopRooms()
		return err
	}
	defer rooms.Wait()
	defer stopRooms()
	if others != nil {
		others.run(rooms)
	}

	analyses, err := analysis.Open(ctx, store.tables, people.lobby, analysis.Options{Self: self, Pool: thinkers, Games: rooms})
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}
	defer analyses.Close()

	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	local, lan := addresses(listener.Addr(), f.tls())
	f.sockets.Logger = log
	if public != nil {
		f.sockets.Hosts = []string{public.Scheme + "://" + public.Host}
	}
	sockets := socket.NewSet(f.sockets)
	metrics.Watch(rooms, sockets)
	metrics.WatchDesk(people.desk)
	server, err := web.New(web.Config{
		Rooms: rooms, Sockets: sockets, Lobby: people.lobby, Accounts: people.accounts, Social: people.ties, Ratings: people.ratings, Desk: people.desk, Showcase: people.stage, Analyses: analyses, Bots: bot.New(thinkers, f.botPause),
		PublicURL: public, LocalURL: lan, Secure: f.tls() || public != nil && public.Scheme == "https",
		TrustedProxies: proxies, Limits: f.limits, Log: log, Version: version(),
	}, metrics)
	if err != nil {
		listener.Close()
		return err
	}
	ready.Store(server)

	admin := newAdmin(f.admin, registry, rooms, others, server, log)
	if err := admin.start(); err != nil {
		listener.Close()
		return err
	}
	main := &http.Server{
		Handler: server.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		// Of pages only: an upgrade to a socket ends these.
		ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 2)
	if err := f.listen(main, listener, public, failed); err != nil {
		listener.Close()
		return err
	}
	var group sync.WaitGroup
	keepCtx, stopKeep := context.WithCancel(ctx)
	defer group.Wait()
	defer stopKeep()
	people.keep(keepCtx, &group, log)
	group.Go(func() { limitGarbage(keepCtx) })
	group.Go(func() {
		analyses.Keep(keepCtx, func(err error) { log.Warn("analysis: not taken up", "err", err) })
	})

	admin.ready.Store(true)
	fmt.Fprintf(out, "mancala %s is ready: %s", version(), local)
	if lan != "" && lan != local {
		fmt.Fprintf(out, " and, in this network, %s", lan)
	}
	fmt.Fprintln(out)

	select {
	case <-ctx.Done():
		log.Info("draining")
	case err = <-failed:
	case <-store.lost:
		err = errors.New("another server has taken the database over")
	}
	admin.ready.Store(false)
	return errors.Join(err, f.leave(rooms, sockets, main, server, admin))
}

// leave takes the service down in good order: people go to other instances, if
// there are any, rooms are written down and given up, sockets are told when to come
// back, and pages are answered to the last.
func (f *serveFlags) leave(rooms *room.Registry, sockets *socket.Set, main *http.Server, server *web.Server, admin *admin) error {
	ctx, cancel := context.WithTimeout(context.Background(), f.drain)
	defer cancel()
	// However long rooms take, there is time left to say goodbye to sockets.
	forRooms := f.drain / 2
	var pace *rate.Limiter
	if f.redis != "" {
		// Where there are other instances people go first, and look at their
		// games from there: their rooms are then theirs for the asking.
		people, cancelPeople := context.WithTimeout(ctx, f.drain/2)
		sockets.HandOver(people, gently(f.drain*4/10, sockets.Stats().Open))
		cancelPeople()
		forRooms = f.drain * 4 / 10
		pace = gently(forRooms*6/10, int(rooms.Stats().Live))
	}
	ending, cancelRooms := context.WithTimeout(ctx, forRooms)
	defer cancelRooms()
	err := errors.Join(ignoreDeadline(rooms.Drain(ending, pace)), ignoreDeadline(sockets.Shutdown(ctx)))
	if shutErr := main.Shutdown(ctx); shutErr != nil {
		err = errors.Join(err, ignoreDeadline(shutErr))
		_ = main.Close() // cuts off who is still being answered
	}
	server.Close()
	admin.stop(ctx)
	return err
}

// gently is a pace at which n come away within this time, and sooner if they are
// few. Whoever comes away costs the other instances some milliseconds: with all of
// them at once nobody could play for a second or two, not even those who stay.
func gently(within time.Duration, n int) *rate.Limiter {
	const apart = 4 * time.Millisecond
	pace := max(1/apart.Seconds(), float64(n)/max(within, apart).Seconds())
	together := max(10, int(pace*.02)) // so that 20 ms in which we did nothing can be made up for
	return rate.NewLimiter(rate.Limit(pace), together)
}

// ignoreDeadline: running out of time to say goodbye loses nothing, the journal
// has it all.
func ignoreDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// addresses are where to find the server: on this machine, and in its network
// (empty if it has none, or if it listens on one address alone).
func addresses(bound net.Addr, secure bool) (local, lan string) {
	scheme := "http"
	if secure {
		scheme = "https"
	}
	tcp, ok := bound.(*net.TCPAddr)
	if !ok {
		return bound.String(), ""
	}
	if !tcp.IP.IsUnspecified() {
		return fmt.Sprintf("%s://%s", scheme, tcp), ""
	}
	local = fmt.Sprintf("%s://localhost:%d", scheme, tcp.Port)
	all, err := net.InterfaceAddrs()
	if err != nil {
		return local, ""
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsPrivate() {
			return local, fmt.Sprintf("%s://%s", scheme, net.JoinHostPort(n.IP.String(), fmt.Sprint(tcp.Port)))
		}
	}
	return local, ""
}
