package main

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"mancala/web/socket"
)

// listen starts to serve, with TLS if the flags ask for it. The address of --redirect
// sends requests without TLS on to TLS.
func (f *serveFlags) listen(server *http.Server, listener net.Listener, public *url.URL, failed chan<- error) error {
	below := socket.Listener(listener)
	onward := sendOn(public, portOf(listener.Addr()))
	switch {
	case f.domain != "":
		manager := f.certificates()
		if f.redirect != "" {
			onward = manager.HTTPHandler(onward) // the authority may check the domain there
		}
		below = tls.NewListener(below, manager.TLSConfig())
	case f.cert != "":
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return err
		}
		below = tls.NewListener(below, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}})
	}
	serve := func(server *http.Server, on net.Listener) {
		if err := server.Serve(on); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}
	if f.redirect != "" {
		plain, err := net.Listen("tcp", f.redirect)
		if err != nil {
			return err
		}
		short := &http.Server{
			Handler: onward, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
			MaxHeaderBytes: 16 << 10, ErrorLog: server.ErrorLog,
		}
		server.RegisterOnShutdown(func() { _ = short.Close() })
		go serve(short, plain)
	}
	go serve(server, below)
	return nil
}

// certificates returns a manager that fetches and stores the certificates of the domain.
func (f *serveFlags) certificates() *autocert.Manager {
	return &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(f.domain), Cache: autocert.DirCache(f.certCache),
		Client: &acme.Client{DirectoryURL: f.acme, UserAgent: "mancala/" + version()},
	}
}

// sendOn redirects a request to the same page with TLS, at a port of this machine. It refuses forms: their
// contents were already sent without TLS, and the sender should notice that.
func sendOn(public *url.URL, port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "Use https.", http.StatusBadRequest)
			return
		}
		host := hostWithTLS(r, port)
		if public != nil {
			host = public.Host
		}
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "https://"+host+r.URL.RequestURI(), http.StatusMovedPermanently)
	})
}

// hostWithTLS returns the host of a request, with the port at which the visitor reaches TLS. If the visitor's
// port is not the one on which the request came in, a router or a container maps the ports, and how it maps the
// one for TLS is not known here. The visitor is then sent to the usual port.
func hostWithTLS(r *http.Request, port string) string {
	name, visited, err := net.SplitHostPort(r.Host)
	if err != nil {
		name, visited = strings.Trim(r.Host, "[]"), "80"
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); !ok || portOf(local) != visited {
		port = "443"
	}
	return strings.TrimSuffix(net.JoinHostPort(name, port), ":443")
}

// portOf returns the port of an address, or an empty text if it has none.
func portOf(a net.Addr) string {
	_, port, _ := net.SplitHostPort(a.String())
	return port
}
