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
	"mancala/engine/tuning"
	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/lobby/bot"
	"mancala/lobby/downtime"
	"mancala/lobby/effects"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/puzzles"
	"mancala/lobby/searchpool"
	"mancala/lobby/seeks"
	"mancala/lobby/workers"
	"mancala/match/room"
	"mancala/web"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/static"
)

// serve builds this instance from the database up, serves until ctx ends, and takes the
// instance down in the opposite order.
func (f *serveFlags) serve(ctx context.Context, out, errOut io.Writer) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return fmt.Errorf("%w: --log: %w", cli.ErrUsage, err)
	}
	log := slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: level}))
	public, proxies, err := f.network()
	if err != nil {
		return err
	}
	var loading sync.WaitGroup
	defer loading.Wait()
	loading.Go(func() { _, _ = static.LoadAssets() }) // beside the database; web.New gets the result, or the error
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	db, err := openDatabase(ctx, f.database, f.full, registry)
	if err != nil {
		return err
	}
	defer db.close()
	people, err := openPeople(ctx, db.tables, lobby.Options{GuestIdle: f.idle, ChatKept: kept(f.keepChat), GamesKept: f.keep, Rooms: db.rooms}, moderation.Options{Kept: kept(f.keepReports)}, push.Options{Contact: f.contact(public)})
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}
	defer people.lobby.Close()
	roomJournal, err := seeks.Journal(ctx, db.rooms)
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}

	metrics := site.NewMetrics(registry)
	self := "i" + strings.ToLower(rand.Text())
	defer db.announceStop(self, log) // runs after the last renewal of this instance's leases
	roomsConfig := room.Config{
		Self: self, Journal: roomJournal, Kinds: effects.Kinds(), Observe: metrics.Observer(), Log: log,
	}
	searches := searchpool.New(searchpool.Options{Observe: metrics.ObserveSearches()})
	searches.RaiseThreads()
	metrics.WatchSearches(searches)
	defer searches.Close()
	var others *link // nil without other instances
	known, err := downtime.Open(ctx, db.tables)
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}
	roomsConfig.Downtime, roomsConfig.Hearing = known, known
	if f.redis != "" {
		if others, err = openLink(f.redis, self, registry, log); err != nil {
			return err
		}
		defer others.close()
		roomsConfig.Link = others
	}
	var ready atomic.Pointer[web.Server] // rooms may wake up before the web server exists
	roomsConfig.Tasks, roomsConfig.Unseen = web.Tasks(ready.Load), web.Unseen(ready.Load)
	roomsConfig.Awaits = people.push.Note
	defer people.storeTurns(log) // runs when no room is left
	// The rooms outlive ctx: they end after the last message to the sockets.
	roomsCtx, stopRooms := context.WithCancel(context.Background())
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

	analyses, err := analysis.Open(ctx, db.tables, people.lobby, analysis.Options{Self: self, Pool: searches, Games: rooms, Kept: kept(f.keepAnalyses)})
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}
	defer analyses.Close()

	puzzleStore, err := puzzles.Open(ctx, db.tables, people.lobby, puzzles.Options{Pool: searches, Games: rooms, Listed: people.lobby.Games, Log: log})
	if err != nil {
		return explain(err, "database "+withoutSecrets(f.database))
	}
	defer puzzleStore.Close()

	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	local, lan := addresses(listener.Addr(), f.tls())
	f.sockets.Logger = log
	if public != nil {
		f.sockets.Hosts = []string{public.Scheme + "://" + public.Host}
	}
	sockets := socket.NewSet(f.sockets)
	metrics.Watch(rooms, sockets)
	metrics.WatchReports(people.moderation)
	server, err := web.New(site.Config{
		Rooms: rooms, Sockets: sockets, Lobby: people.lobby, Accounts: people.accounts, Social: people.social, Ratings: people.ratings, Moderation: people.moderation, Showcase: people.showcase, Rulebook: people.rulebook, Events: people.events, Lessons: people.lessons, Puzzles: puzzleStore, Push: people.push, Analyses: analyses, Bots: bot.New(searches, f.botPause), Searches: searches,
		PublicURL: public, LocalURL: lan, Secure: f.tls() || public != nil && public.Scheme == "https",
		TrustedProxies: proxies, Limits: f.limits, Expiry: f.expiry, Log: log, Version: version(),
	}, metrics)
	if err != nil {
		return err
	}
	people.endDevices(log) // after web.New, so that a slow database does not keep the sockets of an ended session open
	ready.Store(server)

	admin := newAdmin(f.admin, strings.Split(f.adminNames, ","), registry, rooms, others, server, log)
	if err := admin.start(); err != nil {
		return err
	}
	main := &http.Server{
		Handler: server.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		// These are for pages only: a socket has none after its upgrade.
		ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 2)
	if err := f.listen(main, listener, public, failed); err != nil {
		return err
	}
	var group sync.WaitGroup
	keepCtx, stopKeep := context.WithCancel(ctx)
	defer group.Wait()
	defer stopKeep()
	people.keep(keepCtx, &group, log)
	group.Go(func() { people.push.Keep(keepCtx, server.PushServices()) })
	people.rouseIdle(keepCtx, &group, rooms, log)
	group.Go(func() { tuning.LimitGarbage(keepCtx) })
	group.Go(func() {
		db.rooms.Keep(keepCtx, func(err error) { log.Warn("journal: rooms that sleep for good could not be folded", "err", err) })
	})
	group.Go(func() {
		workers.Hourly(keepCtx, analyses.Sweep, func(err error) { log.Warn("analysis: the sweep failed", "err", err) })
	})
	group.Go(func() {
		analyses.Keep(keepCtx, func(err error) { log.Warn("analysis: waiting analyses could not be continued", "err", err) })
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
	case <-db.lost:
		err = errors.New("another server has taken over the database")
	}
	admin.ready.Store(false)
	return errors.Join(err, f.leave(rooms, sockets, main, server, admin))
}

// leave shuts this instance down in good order. Clients move to other instances, if there
// are any. Rooms are stored and released. Sockets are told when to come back. Requests
// that have begun are answered.
func (f *serveFlags) leave(rooms *room.Registry, sockets *socket.Set, main *http.Server, server *web.Server, admin *admin) error {
	ctx, cancel := context.WithTimeout(context.Background(), f.drain)
	defer cancel()
	// The rooms get a part of the time, so that there is time left for the sockets.
	forRooms := f.drain / 2
	var pace *rate.Limiter
	if f.redis != "" {
		// With other instances the clients go first. They open their games there, and
		// those instances then take the rooms as soon as they are released.
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
		_ = main.Close() // ends the requests that are still being answered
	}
	server.Close()
	admin.stop(ctx)
	return err
}

// gently returns a pace at which n clients or rooms leave within this time, or sooner if
// they are few. Each of them costs the other instances some milliseconds. If all left at
// once, no player of the whole service could play for a second or two.
func gently(within time.Duration, n int) *rate.Limiter {
	const apart = 4 * time.Millisecond
	pace := max(1/apart.Seconds(), float64(n)/max(within, apart).Seconds())
	together := max(10, int(pace*.02)) // allows to catch up after 20 ms without progress
	return rate.NewLimiter(rate.Limit(pace), together)
}

// ignoreDeadline returns nil for an expired deadline: a shutdown that runs out of time
// loses nothing, because the journal has everything.
func ignoreDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// addresses returns the address of the server on this machine, and its address in the
// local network. The second is empty if there is no such network, or if the server
// listens on one address only.
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
