package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/crypto/acme/autocert"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web"
	"mancala/web/socket"
)

// serveFlags are the flags of serve. Each can also be given in the environment:
// --public-url as MANCALA_PUBLIC_URL.
type serveFlags struct {
	addr, admin, database        string
	full                         bool
	publicURL, domain, cert, key string
	certCache, proxies           string
	idle                         time.Duration
	sockets                      socket.Config
	limits                       web.Limits
	logLevel                     string
	drain                        time.Duration
}

func (f *serveFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.addr, "addr", ":8080", "address to serve on")
	fs.StringVar(&f.admin, "admin", "localhost:8081", "address for metrics, health and profiles; empty: none")
	fs.StringVar(&f.database, "database", "mancala.db", "file that keeps everything; memory: keeps it until the end")
	fs.BoolVar(&f.full, "full-sync", false, "wait for the disk at every commit, to survive the death of the machine")
	fs.StringVar(&f.publicURL, "public-url", "", "address under which people reach this service, for links")
	fs.StringVar(&f.domain, "domain", "", "serve HTTPS for this domain, with certificates fetched automatically")
	fs.StringVar(&f.certCache, "cert-cache", "mancala-certs", "folder for those certificates")
	fs.StringVar(&f.cert, "tls-cert", "", "serve HTTPS with this certificate file")
	fs.StringVar(&f.key, "tls-key", "", "its private key")
	fs.StringVar(&f.proxies, "trusted-proxies", "", "networks (10.0.0.0/8,…) whose X-Forwarded-For is believed")
	fs.DurationVar(&f.limits.Expiry, "never-started", 24*time.Hour, "after which a game that nobody came to ends")
	fs.DurationVar(&f.idle, "idle-guest", 180*24*time.Hour, "after which a guest who stays away is forgotten")
	fs.IntVar(&f.sockets.ReadLimit, "max-message", 16<<10, "bytes of one message from a client")
	fs.Float64Var(&f.sockets.Messages, "message-rate", 20, "messages a second from one socket")
	fs.IntVar(&f.sockets.MessageBurst, "message-burst", 60, "messages at once from one socket")
	fs.IntVar(&f.sockets.Backlog, "socket-backlog", 64<<10, "bytes that may wait for one slow reader")
	fs.IntVar(&f.sockets.Sockets, "max-sockets", 50_000, "sockets of this instance")
	fs.IntVar(&f.sockets.PerAddress, "sockets-per-address", 500, "sockets of one address; a school may share one")
	f.limits = web.Limits{
		Rooms: lobby.Rate{N: 120, Per: time.Hour}, Guests: lobby.Rate{N: 600, Per: time.Hour},
		Chat: lobby.Rate{N: 30, Per: time.Minute}, Requests: lobby.Rate{N: 600, Per: 10 * time.Second},
	}
	fs.TextVar(&f.limits.Rooms, "limit-games", f.limits.Rooms, "games that one visitor, or one address, may make")
	fs.TextVar(&f.limits.Guests, "limit-guests", f.limits.Guests, "new guests from one address")
	fs.TextVar(&f.limits.Chat, "limit-chat", f.limits.Chat, "lines of chat of one visitor")
	fs.TextVar(&f.limits.Requests, "limit-requests", f.limits.Requests, "HTTP requests of one address")
	fs.StringVar(&f.logLevel, "log", "info", "what to log: debug, info, warn, error")
	fs.DurationVar(&f.drain, "drain", 10*time.Second, "time to leave in good order")
}

// runServe serves until ctx ends, then hands over in good order.
func runServe(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	var f serveFlags
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.register(fs)
	if err := fromEnvironment(fs, os.LookupEnv); err != nil {
		return err
	}
	words, err := parseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return fmt.Errorf("%w: serve takes no %.40q", errUsage, words[0])
	}
	return f.serve(ctx, out, errOut)
}

// fromEnvironment takes MANCALA_ADDR for --addr and so on; flags win.
func fromEnvironment(fs *flag.FlagSet, lookup func(string) (string, bool)) error {
	var err error
	fs.VisitAll(func(f *flag.Flag) {
		name := "MANCALA_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v, ok := lookup(name); ok && err == nil {
			if setErr := fs.Set(f.Name, v); setErr != nil {
				err = fmt.Errorf("%w: %s: %w", errUsage, name, setErr)
			}
		}
	})
	return err
}

// serve wires the service together, from the database up, and takes it apart in
// the other order.
func (f *serveFlags) serve(ctx context.Context, out, errOut io.Writer) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return fmt.Errorf("%w: --log: %w", errUsage, err)
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
	people, err := lobby.Open(ctx, store.tables, lobby.Options{GuestIdle: f.idle})
	if err != nil {
		return err
	}

	// Whatever ends it, the house ends after the last word to the sockets.
	houseCtx, stopHouse := context.WithCancel(context.Background())
	metrics := web.NewMetrics(registry)
	var ready atomic.Pointer[web.Server] // rooms may wake up before it is there
	house, err := room.Start(houseCtx, room.Config{
		Self: "i" + strings.ToLower(rand.Text()), Journal: store.rooms,
		Kinds: map[string]func(string) machine.Machine{web.KindMatch: func(string) machine.Machine { return match.New() }},
		Tasks: web.Tasks(ready.Load), Observe: metrics.Observer(), Log: log,
	})
	if err != nil {
		stopHouse()
		return err
	}
	defer house.Wait()
	defer stopHouse()

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
	metrics.Watch(house, sockets)
	server, err := web.New(web.Config{
		House: house, Sockets: sockets, Lobby: people,
		PublicURL: public, LocalURL: lan, Secure: f.tls() || public != nil && public.Scheme == "https",
		TrustedProxies: proxies, Limits: f.limits, Log: log, Version: version(),
	}, metrics)
	if err != nil {
		listener.Close()
		return err
	}
	ready.Store(server)

	admin := newAdmin(f.admin, registry, house, log)
	if err := admin.start(); err != nil {
		listener.Close()
		return err
	}
	main := &http.Server{
		Handler: server.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 2)
	if err := f.listen(main, listener, failed); err != nil {
		listener.Close()
		return err
	}
	keepCtx, stopKeep := context.WithCancel(ctx)
	defer stopKeep()
	go people.Keep(keepCtx, func(err error) { log.Warn("lobby: sweep failed", "err", err) })

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
	drainCtx, cancel := context.WithTimeout(context.Background(), f.drain)
	defer cancel()
	err = errors.Join(err, ignoreDeadline(house.Drain(drainCtx)), ignoreDeadline(sockets.Shutdown(drainCtx)))
	err = errors.Join(err, ignoreDeadline(main.Shutdown(drainCtx)))
	server.Close()
	admin.stop(drainCtx)
	return err
}

// ignoreDeadline: running out of time to say goodbye loses nothing, the journal
// has it all.
func ignoreDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

func (f *serveFlags) tls() bool { return f.domain != "" || f.cert != "" }

// network reads the flags about addresses.
func (f *serveFlags) network() (*url.URL, []netip.Prefix, error) {
	var public *url.URL
	text := f.publicURL
	if text == "" && f.domain != "" {
		text = "https://" + f.domain
	}
	if text != "" {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			return nil, nil, fmt.Errorf("%w: --public-url must be like https://play.example", errUsage)
		}
		public = u
	}
	if f.domain != "" && f.cert != "" {
		return nil, nil, fmt.Errorf("%w: --domain fetches certificates, --tls-cert brings one: give only one of them", errUsage)
	}
	if (f.cert == "") != (f.key == "") {
		return nil, nil, fmt.Errorf("%w: --tls-cert and --tls-key belong together", errUsage)
	}
	var proxies []netip.Prefix
	for text := range strings.SplitSeq(f.proxies, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		p, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); err != nil && addrErr == nil {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%w: --trusted-proxies: %w", errUsage, err)
		}
		proxies = append(proxies, p)
	}
	return public, proxies, nil
}

// listen starts to serve, with TLS if it is asked for.
func (f *serveFlags) listen(server *http.Server, listener net.Listener, failed chan<- error) error {
	below := socket.Listener(listener)
	switch {
	case f.domain != "":
		manager := &autocert.Manager{Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(f.domain), Cache: autocert.DirCache(f.certCache)}
		below = tls.NewListener(below, manager.TLSConfig())
	case f.cert != "":
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return err
		}
		below = tls.NewListener(below, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	}
	go func() {
		if err := server.Serve(below); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	return nil
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
