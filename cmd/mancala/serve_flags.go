package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"mancala/cmd/internal/cli"
	"mancala/web/site"
	"mancala/web/socket"
)

// serveFlags are the flags of serve. Each can also be given in the environment:
// --public-url as MANCALA_PUBLIC_URL.
type serveFlags struct {
	addr, admin, database, redis string
	adminNames                   string
	full                         bool
	publicURL, domain, cert, key string
	pushContact                  string
	certCache, acme, redirect    string
	proxies                      string
	idle, expiry                 time.Duration
	keep                         time.Duration // 0: for ever
	keepChat, keepReports        time.Duration // 0: for ever
	keepAnalyses                 time.Duration // 0: for ever
	sockets                      socket.Config
	limits                       site.Limits
	logLevel                     string
	drain, botPause              time.Duration
}

func (f *serveFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.addr, "addr", ":8080", "address to serve on")
	fs.StringVar(&f.admin, "admin", "localhost:8081", "address for metrics, health, profiles and moderation, which the public must not reach; empty: none")
	fs.StringVar(&f.adminNames, "admin-names", "", "host names (metrics.example.org,…) by which operators reach --admin, besides addresses, names without a dot and the name in --admin")
	fs.StringVar(&f.database, "database", defaultDatabase, "file for all data, postgres://… for a database server, or \"memory:\" to store nothing")
	fs.StringVar(&f.redis, "redis", "", "redis://… or rediss://… for messages between the instances of one service, which all have the same postgres://…; ?addr= for each further node of a Cluster, ?master_name= with Sentinels")
	fs.BoolVar(&f.full, "full-sync", false, "wait for the disk at every commit, so that a power failure loses nothing")
	fs.StringVar(&f.publicURL, "public-url", "", "public address of this service, for links")
	fs.StringVar(&f.domain, "domain", "", "serve HTTPS for this domain, with certificates fetched automatically")
	fs.StringVar(&f.certCache, "cert-cache", "mancala-certs", "folder for the certificates of --domain")
	fs.StringVar(&f.acme, "acme-directory", autocert.DefaultACMEDirectory, "address of the authority that issues the certificates of --domain")
	fs.StringVar(&f.cert, "tls-cert", "", "serve HTTPS with this certificate file")
	fs.StringVar(&f.key, "tls-key", "", "the private key of --tls-cert")
	fs.StringVar(&f.redirect, "redirect", "", "with HTTPS: address that redirects to HTTPS, such as :80")
	fs.StringVar(&f.proxies, "trusted-proxies", "", "networks (10.0.0.0/8,…) whose X-Forwarded-For is trusted")
	fs.StringVar(&f.pushContact, "push-contact", "", "how the push services of browsers reach you if messages about turns misbehave: an e-mail address or an https:// address; empty: the public address")
	f.limits.Register(fs)
	fs.DurationVar(&f.expiry, "never-started", 24*time.Hour, "time after which a game ends if no second player has come, or if it has no clock and no move was made")
	fs.DurationVar(&f.idle, "idle-guest", 180*24*time.Hour, "time after which an inactive guest is deleted")
	fs.DurationVar(&f.keep, "keep", 0, "time after which a finished game is deleted if none of its people has an account, with its chat and its analysis; 0: never")
	fs.DurationVar(&f.keepChat, "keep-chat", 90*24*time.Hour, "time after which the chat of a finished game is deleted; 0: never")
	fs.DurationVar(&f.keepReports, "keep-reports", 365*24*time.Hour, "time after which players' reports that were dealt with, and the log of what was done, are deleted; 0: never")
	fs.DurationVar(&f.keepAnalyses, "keep-analyses", 365*24*time.Hour, "time after which the analysis of a game is deleted; players can have it made again; 0: never")
	fs.IntVar(&f.sockets.ReadLimit, "max-message", 16<<10, "largest message from a client, in bytes")
	fs.Float64Var(&f.sockets.Messages, "message-rate", 20, "messages per second from one socket; a long message counts as several")
	fs.IntVar(&f.sockets.MessageBurst, "message-burst", 60, "messages in a burst from one socket")
	fs.IntVar(&f.sockets.Backlog, "socket-backlog", 64<<10, "bytes that may wait for one slow client")
	fs.IntVar(&f.sockets.Sockets, "max-sockets", 50_000, "open sockets of this instance")
	fs.IntVar(&f.sockets.PerAddress, "sockets-per-address", 500, "open sockets of one address; a school may share one")
	fs.DurationVar(&f.botPause, "bot-pause", 500*time.Millisecond, "shortest pause of a bot before its move, so that people see the board; each seed of the last sowing adds a quarter of it, up to six times the pause; 0: no pause")
	fs.StringVar(&f.logLevel, "log", "info", "what to log: debug, info, warn, error")
	fs.DurationVar(&f.drain, "drain", 10*time.Second, "time to shut down in good order")
}

// runServe serves until ctx ends, and then shuts down in good order.
func runServe(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	var f serveFlags
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.register(fs)
	if err := fromEnvironment(fs, os.LookupEnv); err != nil {
		return err
	}
	words, err := cli.ParseFlags(fs, args, io.Discard) // a mistyped flag gives one line instead of all flags
	if errors.Is(err, flag.ErrHelp) {
		serveHelp(fs, out)
	}
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return fmt.Errorf("%w: serve takes no %.40q", cli.ErrUsage, words[0])
	}
	if err := f.check(); err != nil {
		return err
	}
	return f.serve(ctx, out, errOut)
}

// serveHelp prints all flags.
func serveHelp(fs *flag.FlagSet, out io.Writer) {
	fmt.Fprint(out, "mancala serve [flags] serves the whole product until it is interrupted.\n\n"+
		"Each flag can also be set as an environment variable, --public-url as MANCALA_PUBLIC_URL.\nThe command line has precedence.\n\n")
	cli.PrintFlags(out, fs)
}

// fromEnvironment sets each flag from its variable, such as --addr from MANCALA_ADDR. It
// must be called before the command line is parsed, which has precedence.
func fromEnvironment(fs *flag.FlagSet, lookup func(string) (string, bool)) error {
	var err error
	fs.VisitAll(func(f *flag.Flag) {
		name := "MANCALA_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v, ok := lookup(name); ok && err == nil {
			if setErr := fs.Set(f.Name, v); setErr != nil {
				err = fmt.Errorf("%w: %s=%.60q: %w", cli.ErrUsage, name, v, setErr)
			}
		}
	})
	return err
}

// check refuses values with which the service could not work.
func (f *serveFlags) check() error {
	for name, n := range map[string]float64{
		"max-message": float64(f.sockets.ReadLimit), "message-rate": f.sockets.Messages, "message-burst": float64(f.sockets.MessageBurst),
		"socket-backlog": float64(f.sockets.Backlog), "max-sockets": float64(f.sockets.Sockets), "sockets-per-address": float64(f.sockets.PerAddress),
		"never-started": f.expiry.Seconds(), "idle-guest": f.idle.Seconds(), "drain": f.drain.Seconds(),
	} {
		if !(n > 0) {
			return fmt.Errorf("%w: --%s must be more than 0", cli.ErrUsage, name)
		}
	}
	for name, d := range map[string]time.Duration{"keep": f.keep, "keep-chat": f.keepChat, "keep-reports": f.keepReports, "keep-analyses": f.keepAnalyses} {
		if d < 0 {
			return fmt.Errorf("%w: --%s must not be less than 0", cli.ErrUsage, name)
		}
	}
	if f.redis != "" && !isPostgres(f.database) {
		return fmt.Errorf("%w: --redis joins instances that share a --database postgres://…", cli.ErrUsage)
	}
	if c := strings.TrimPrefix(f.pushContact, "mailto:"); c != "" && !strings.HasPrefix(c, "https://") && (!strings.Contains(c, "@") || strings.ContainsAny(c, " <>,:/")) {
		return fmt.Errorf("%w: --push-contact takes an address like admin@play.example or https://play.example/contact", cli.ErrUsage)
	}
	if strings.ContainsAny(f.domain, ", /:") {
		return fmt.Errorf("%w: --domain takes one name, like play.example", cli.ErrUsage)
	}
	return nil
}

// kept returns a time of a flag as the packages take it. 0 in a flag is for ever; in their
// options 0 is the default, and a time below 0 is for ever.
func kept(d time.Duration) time.Duration {
	if d == 0 {
		return -1
	}
	return d
}

// contact returns how push services reach the operator. Without an address of this service they get
// one that leads nowhere: some of them refuse messages without a contact.
func (f *serveFlags) contact(public *url.URL) string {
	switch {
	case f.pushContact != "":
		return f.pushContact
	case public != nil && public.Scheme == "https":
		return public.Scheme + "://" + public.Host
	}
	return "nobody@mancala.invalid"
}

// tls reports whether the service has HTTPS itself.
func (f *serveFlags) tls() bool { return f.domain != "" || f.cert != "" }

// network returns the public address, or nil, and the trusted networks.
func (f *serveFlags) network() (*url.URL, []netip.Prefix, error) {
	var public *url.URL
	text := f.publicURL
	if text == "" && f.domain != "" {
		text = "https://" + f.domain
	}
	if text != "" {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			return nil, nil, fmt.Errorf("%w: --public-url must be like https://play.example", cli.ErrUsage)
		}
		public = u
	}
	if f.domain != "" && f.cert != "" {
		return nil, nil, fmt.Errorf("%w: --domain fetches certificates, --tls-cert brings one: give only one of them", cli.ErrUsage)
	}
	if (f.cert == "") != (f.key == "") {
		return nil, nil, fmt.Errorf("%w: --tls-cert and --tls-key belong together", cli.ErrUsage)
	}
	if f.redirect != "" && !f.tls() {
		return nil, nil, fmt.Errorf("%w: --redirect leads to HTTPS: give --domain or --tls-cert as well", cli.ErrUsage)
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
			return nil, nil, fmt.Errorf("%w: --trusted-proxies: %w", cli.ErrUsage, err)
		}
		proxies = append(proxies, p)
	}
	return public, proxies, nil
}
