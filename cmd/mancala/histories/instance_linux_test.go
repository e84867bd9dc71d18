package histories

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

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
	clock           string // the file that says how many seconds its clock is ahead
	cmd             *exec.Cmd
	log             testenv.Logbook // of all runs
}

// start starts the instance, also again, and waits until it is ready.
func (x *instance) start() error {
	path, err := program()
	if err != nil {
		return err
	}
	x.cmd = exec.Command(path, x.args...)
	x.cmd.Env = append(os.Environ(), "MANCALA_TEST_CLOCK="+x.clock)
	x.cmd.Stderr = &x.log
	out, err := x.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := x.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, " is ready: ") {
		_ = x.cmd.Wait()
		x.cmd = nil
		return fmt.Errorf("instance %d printed %q, %w\n%s", x.n, line, err, &x.log)
	}
	return nil
}

// kill kills the instance, as a power cut would.
func (x *instance) kill() {
	if x.cmd != nil {
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait()
		x.cmd = nil
	}
}

// stop asks the instance to shut down, which must succeed.
func (x *instance) stop() error {
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	err := x.cmd.Wait()
	x.cmd = nil
	if err != nil {
		return fmt.Errorf("instance %d did not shut down in order: %w\n%s", x.n, err, x.log.String())
	}
	return nil
}

func (x *instance) signal(sig syscall.Signal) error { return x.cmd.Process.Signal(sig) }

// jump sets how far the instance's wall clock is ahead.
func (x *instance) jump(by time.Duration) error {
	text := fmt.Sprint(int64(by / time.Second))
	if err := os.WriteFile(x.clock, []byte(text), 0o600); err != nil {
		return err
	}
	if err := x.signal(syscall.SIGUSR2); err != nil {
		return err
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if set, _ := os.ReadFile(x.clock + ".set"); string(set) == text {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("the instance has not set its clock")
		}
	}
}
