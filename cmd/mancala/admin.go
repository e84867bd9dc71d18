package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"mancala/match/room"
	"mancala/web"
)

// admin serves operators on a separate address, which the public must not reach:
// metrics, health, profiles and moderation.
type admin struct {
	addr   string
	server *http.Server
	ready  atomic.Bool
	log    *slog.Logger
}

func newAdmin(addr string, names []string, registry *prometheus.Registry, rooms *room.Registry, others *link, server *web.Server, log *slog.Logger) *admin {
	a := &admin{addr: addr, log: log}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	unready := func() (why string) {
		switch {
		case !a.ready.Load():
			return "starting or draining"
		case !rooms.Stats().Healthy:
			return "the database does not answer"
		case others != nil && !others.Healthy():
			return "messages from other instances do not arrive"
		}
		return ""
	}
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := unready(); why != "" {
			http.Error(w, why, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	mux.HandleFunc("GET /balance", func(w http.ResponseWriter, _ *http.Request) {
		if unready() != "" {
			http.Error(w, "send no new clients", http.StatusNotFound)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	server.ModerationRoutes(mux)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	a.server = &http.Server{Handler: onlyNamed(mux, addr, names), ReadHeaderTimeout: 10 * time.Second}
	return a
}

// onlyNamed serves requests to an address or to a name of the admin address. A page of
// another site, open in a browser on this machine, could otherwise read everything there
// through a host name of its own that it points at this machine.
func onlyNamed(next http.Handler, addr string, names []string) http.Handler {
	if own, _, err := net.SplitHostPort(addr); err == nil && own != "" {
		names = append(names[:len(names):len(names)], own)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !named(r.Host, names) {
			http.Error(w, "This is reached by an IP address, by a name without a dot, or by the names in --admin and --admin-names.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// named reports whether a request's host is an IP address, a name without a dot, or one of
// these names. A name without a dot, such as the names in a container network, cannot be
// owned by an outsider. A request without a host, such as a load balancer's check, comes
// from no browser.
func named(host string, names []string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	_, err = netip.ParseAddr(name)
	return err == nil || !strings.Contains(name, ".") || slices.ContainsFunc(names, func(own string) bool { return strings.EqualFold(own, name) })
}

// start begins to serve, unless the address is empty.
func (a *admin) start() error {
	if a.addr == "" {
		return nil
	}
	listener, err := net.Listen("tcp", a.addr)
	if err != nil {
		return fmt.Errorf("--admin: %w", err)
	}
	go func() {
		if err := a.server.Serve(listener); err != http.ErrServerClosed {
			a.log.Error("the admin address failed", "err", err)
		}
	}()
	return nil
}

func (a *admin) stop(ctx context.Context) { _ = a.server.Shutdown(ctx) } // a scrape that is cut off does no harm

// version returns the program's version from its build information.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
