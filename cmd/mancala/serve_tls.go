package main

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"mancala/web/socket"
)

// listen starts to serve, with TLS if the flags ask for it. The address of --redirect
// sends requests without TLS on to TLS.
func (f *serveFlags) listen(server *http.Server, listener net.Listener, public *url.URL, failed chan<- error) error {
	below := socket.Listener(listener)
	onward := sendOn(public)
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

// sendOn redirects a request to the same page with TLS. It refuses forms: their contents
// were already sent without TLS, and the sender should notice that.
func sendOn(public *url.URL) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "Use https.", http.StatusBadRequest)
			return
		}
		host := r.Host
		if public != nil {
			host = public.Host
		} else if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "https://"+host+r.URL.RequestURI(), http.StatusMovedPermanently)
	})
}
