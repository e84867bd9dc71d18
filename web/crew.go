package web

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// crew carries out what goes deep, like asking the database, on goroutines that
// have done so before: a new one would first have to grow its stack, and that was
// a hundredth of all that moves cost.
type crew struct {
	jobs chan func()
	idle atomic.Int32
	done <-chan struct{} // closed when nobody needs to wait for work any more
}

// crewIdle is how many goroutines wait for work at most.
const crewIdle = 8

func newCrew(done <-chan struct{}) *crew { return &crew{jobs: make(chan func()), done: done} }

// do has f called at once, by somebody.
func (c *crew) do(f func()) {
	select {
	case c.jobs <- f:
	default:
		go c.work(f)
	}
}

func (c *crew) work(f func()) {
	for {
		f()
		if c.idle.Add(1) > crewIdle {
			c.idle.Add(-1)
			return
		}
		select {
		case f = <-c.jobs:
			c.idle.Add(-1)
		case <-c.done:
			c.idle.Add(-1)
			return
		}
	}
}

// aside has f called and waits for it. What goes deep (to follow a room asks the
// database) is called this way, because a stack that has grown stays: a
// spectator's goroutine would keep 8 KiB in order to listen.
func (c *crew) aside(f func() error) (err error) {
	var panicked any
	over := make(chan struct{})
	c.do(func() {
		defer close(over)
		defer func() {
			if why := recover(); why != nil {
				panicked = fmt.Sprintf("%v\n%s", why, debug.Stack())
			}
		}()
		err = f()
	})
	<-over
	if panicked != nil {
		panic(panicked) // where the socket's own guard is
	}
	return err
}
