package histories

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"mancala/cmd/internal/server"
	"mancala/cmd/mancala/proxytest"
	"mancala/match/testenv"
)

// instance is the real program, with networks to Redis and PostgreSQL that can fail. It
// keeps its addresses over restarts.
type instance struct {
	n               int
	addr, admin     string
	redis, postgres *proxytest.Proxy
	args            []string
	clock           string          // the file that says how many seconds its clock is ahead
	run             *server.Process // nil while it does not run
	log             testenv.Logbook // of all runs
}

// start starts the instance, also again, and waits until it is ready.
func (x *instance) start() error {
	path, err := program.Path(context.Background()) // it outlives this test
	if err != nil {
		return err
	}
	cmd := exec.Command(path, x.args...)
	cmd.Env = append(os.Environ(), "MANCALA_TEST_CLOCK="+x.clock)
	cmd.Stderr = &x.log
	run, err := server.Start(cmd)
	if err != nil {
		return fmt.Errorf("instance %d: %w\n%s", x.n, err, &x.log)
	}
	x.run = run
	return nil
}

// kill kills the instance, as a power cut would.
func (x *instance) kill() {
	if x.run != nil {
		x.run.Kill()
		x.run = nil
	}
}

// endsWith kills the instance at the end of a test.
func (x *instance) endsWith(t testing.TB) {
	t.Cleanup(x.kill)
}

// stop asks the instance to shut down, which must succeed.
func (x *instance) stop() error {
	err := x.run.Stop()
	x.run = nil
	if err != nil {
		return fmt.Errorf("instance %d did not shut down in order: %w\n%s", x.n, err, x.log.String())
	}
	return nil
}

// freeze stops the instance where it is. When it returns, the instance runs no thread.
func (x *instance) freeze() error { return x.run.Freeze() }

func (x *instance) signal(sig syscall.Signal) error { return x.run.Signal(sig) }

// jump sets how far the instance's wall clock is ahead.
func (x *instance) jump(by time.Duration) error {
	text := fmt.Sprint(int64(by / time.Second))
	if err := os.WriteFile(x.clock, []byte(text), 0o600); err != nil {
		return err
	}
	if err := x.signal(syscall.SIGUSR2); err != nil {
		return err
	}
	for deadline := time.Now().Add(wellWithin); ; time.Sleep(time.Millisecond) {
		if set, _ := os.ReadFile(x.clock + ".set"); string(set) == text {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("the instance has not set its clock")
		}
	}
}
