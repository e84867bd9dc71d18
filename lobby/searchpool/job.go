package searchpool

import (
	"context"
	"net/netip"
	"time"
)

// Kind is the purpose of a job. Kinds are in the order of their priority.
type Kind uint8

const (
	Move     Kind = iota // of a bot
	Hint                 // a player waits for one
	Drawing              // some frames of a moving picture; a person waits for it
	Analysis             // a position of a game or a step of a puzzle; a person waits for many positions
	kinds
)

// Kinds are the names of all kinds, as in metrics.
var Kinds = [kinds]string{"move", "hint", "drawing", "analysis"}

func (k Kind) String() string { return Kinds[k] }

// Job describes a search and the person who waits for it.
type Job struct {
	Kind    Kind
	Who     string        // the person who waits: people take turns
	Address netip.Addr    // the person's address; the zero Addr is not counted
	Budget  time.Duration // the longest time that it may run; 0: [DefaultBudget]
}

// DefaultBudget is the budget of a job that sets none.
const DefaultBudget = 5 * time.Second

// Options are the limits of a pool. A zero means the default.
type Options struct {
	Workers    int // default: the number of processors, one fewer where priorities cannot be lowered
	Queue      int // jobs that may wait; default 1,000
	PerPerson  int // jobs of one person and kind that may wait; default 8
	PerAddress int // jobs from one [address.Network] that may wait; default 64; for one [address.Site] up to [address.PerSite] times as many
	Observe    Observer
}

// Observer gets the events that metrics count. Its functions may be nil. They are called
// from many goroutines and must return at once.
type Observer struct {
	Began func(k Kind, waited time.Duration)
	Ended func(k Kind, took time.Duration)
	Busy  func(k Kind) // refused
}

// queued is a job in the queue, and later on a worker.
type queued struct {
	Job
	ctx   context.Context
	work  func(context.Context)
	since time.Time
	done  chan error // buffered for one error: no worker waits for the caller
}

func (w *queued) end(err error) { w.done <- err }
