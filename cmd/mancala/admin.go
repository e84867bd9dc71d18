package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime/debug"
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

func newAdmin(addr string, registry *prometheus.Registry, rooms *room.Registry, others *link, server *web.Server, log *slog.Logger) *admin {
	a := &admin{addr: addr, log: log}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case !a.ready.Load():
			http.Error(w, "starting or draining", http.StatusServiceUnavailable)
		case !rooms.Stats().Healthy:
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
		case others != nil && !others.Healthy():
			http.Error(w, "messages from other instances do not arrive", http.StatusServiceUnavailable)
		default:
			fmt.Fprintln(w, "ready")
		}
	})
	server.Moderation(mux, addr)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	a.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return a
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
