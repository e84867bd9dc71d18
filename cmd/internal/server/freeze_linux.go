package server

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// Freeze stops the process where it is, and waits until all of its threads have stopped. On a
// busy machine they run on for a while after the signal has been sent, and answer requests.
func (p *Process) Freeze() error {
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for {
		// The status is left for those who wait for the end of the process.
		err := unix.Waitid(unix.P_PID, p.Pid(), nil, unix.WSTOPPED|unix.WNOWAIT, nil)
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait until the process has stopped: %w", err)
		}
	}
}
