package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"mancala/match/testenv"
)

// target is a server under load.
type target struct {
	driver  driver
	proc    process   // of all instances
	admins  []string  // the known admin addresses of the instances
	many    bool      // there are several instances
	with    *backends // nil unless the instances were started here
	cluster *cluster  // nil unless the instances were started here
	saveTo  string    // the file for a profile of the measured time; empty: none
	stop    func()
}

// yardsticks are the servers to compare with. Each prints its address and serves until ctx ends.
var yardsticks = map[string]func(ctx context.Context, out io.Writer) error{
	"hub":       serveHub,
	"transport": serveTransport,
}

// unlimited are the flags of serve that lift its limits. With the limits one address
// could not play a hundred games at full speed.
var unlimited = []string{
	"--limit-games", "off", "--limit-games-per-address", "off", "--limit-guests", "off", "--limit-requests", "off", "--limit-seeks", "off", "--limit-bot-games", "off", "--limit-bot-games-per-address", "off", "--limit-replays", "off",
	"--message-rate", "1e6", "--message-burst", "1000000", "--sockets-per-address", "50000",
}

// startsServer reports whether start starts the server's program for this name.
func (p plan) startsServer(name string) bool {
	switch name {
	case "hub", "transport", "target":
		return false
	case "one", "together", "apart":
		return len(p.targets) == 0
	}
	return true
}

// start starts the server of this name, unless it runs already.
func (p plan) start(ctx context.Context, name string) (target, error) {
	switch name {
	case "hub", "transport":
		c, err := startSelf(ctx, p.errOut, name)
		if err != nil {
			return target{}, err
		}
		return target{driver: hubDriver{"ws://" + c.Addr + "/ws"}, proc: c.process(), stop: c.Kill}, nil
	case "target":
		pid := p.pid
		if pid == 0 {
			pid = listenerPID(p.target) // 0 if it is not found: then no CPU and memory are measured
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
	admin, err := testenv.FreeAddr()
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
		driver: newMancalaDriver("http://" + c.Addr), proc: c.process(), admins: []string{admin}, saveTo: p.profile,
		stop: func() { c.Kill(); clean() },
	}, nil
}

// profile begins to record a CPU profile of each instance for d, if a profile is wanted.
// The files of further instances have a number at the end of their names. It returns a
// function that waits for the files.
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
