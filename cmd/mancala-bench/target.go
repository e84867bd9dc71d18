package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"mancala/match/daemon"
)

// target is a server under load.
type target struct {
	driver  driver
	proc    process   // of all its instances
	admins  []string  // their admin addresses, as far as they are known
	many    bool      // it is several instances
	with    *backends // what they share, and
	cluster *cluster  // they themselves, if we have started them; may be nil
	saveTo  string    // where to write a profile of the measured time, if it is wanted
	stop    func()
}

// yardsticks are the servers hidden in this program.
var yardsticks = map[string]func(ctx context.Context, out io.Writer) error{
	"hub":       serveHub,
	"transport": serveTransport,
}

// unlimited are flags of serve without which one address could not play a
// hundred games at full speed.
var unlimited = []string{
	"--limit-games", "off", "--limit-games-per-address", "off", "--limit-guests", "off", "--limit-requests", "off", "--limit-seeks", "off", "--limit-bot-games", "off", "--limit-bot-games-per-address", "off",
	"--message-rate", "1e6", "--message-burst", "1000000", "--sockets-per-address", "50000",
}

// startsServer reports whether start starts the server's program.
func (p plan) startsServer(name string) bool {
	switch name {
	case "hub", "transport", "target":
		return false
	case "one", "together", "apart":
		return len(p.targets) == 0
	}
	return true
}

// start makes a server ready to be measured.
func (p plan) start(ctx context.Context, name string) (target, error) {
	switch name {
	case "hub", "transport":
		c, err := startSelf(ctx, p.errOut, name)
		if err != nil {
			return target{}, err
		}
		return target{driver: hubDriver{"ws://" + c.addr + "/ws"}, proc: c.process(), stop: c.stop}, nil
	case "target":
		pid := p.pid
		if pid == 0 {
			pid = listenerPID(p.target) // 0 if there is none: then there are times, but no costs
		}
		t := target{driver: newMancalaDriver(p.target), saveTo: p.profile, stop: func() {}}
		if pid != 0 {
			t.proc.pids = []int{pid}
		}
		if p.admin != "" {
			t.admins = []string{p.admin}
		}
		return t, nil
	case "one", "together", "apart":
		return p.startSpread(ctx, name)
	}
	program, err := p.program.find(ctx)
	if err != nil {
		return target{}, err
	}
	admin, err := daemon.FreeAddr()
	if err != nil {
		return target{}, err
	}
	database, clean := "memory:", func() {}
	if name == "sqlite" {
		dir, err := os.MkdirTemp("", "mancala-bench-")
		if err != nil {
			return target{}, err
		}
		database, clean = filepath.Join(dir, "mancala.db"), func() { _ = os.RemoveAll(dir) }
	}
	c, err := startChild(ctx, p.errOut, program, append([]string{
		"serve", "--addr", "127.0.0.1:0", "--admin", admin, "--database", database, "--log", "warn",
	}, unlimited...)...)
	if err != nil {
		clean()
		return target{}, err
	}
	return target{
		driver: newMancalaDriver("http://" + c.addr), proc: c.process(), admins: []string{admin}, saveTo: p.profile,
		stop: func() { c.stop(); clean() },
	}, nil
}

// profile writes a CPU profile of the next while to a file, if one is wanted, of
// the other instances to files of similar names, and returns a function that
// waits for it.
func (t target) profile(ctx context.Context, d time.Duration) func() error {
	if t.saveTo == "" {
		return func() error { return nil }
	}
	done := make(chan error, len(t.admins))
	for i, admin := range t.admins {
		file := t.saveTo
		if i > 0 {
			file += fmt.Sprintf(".%d", i)
		}
		go func() {
			text, err := ask(ctx, admin, fmt.Sprintf("/debug/pprof/profile?seconds=%d", max(1, int(d.Seconds()))))
			if err == nil {
				err = os.WriteFile(file, text, 0o600)
			}
			done <- err
		}()
	}
	return func() (err error) {
		for range t.admins {
			err = errors.Join(err, <-done)
		}
		return err
	}
}
