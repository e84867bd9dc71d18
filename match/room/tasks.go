package room

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"mancala/match/deadline"
	"mancala/match/machine"
)

// Task is a machine's task on its way to a handler.
type Task struct {
	machine.Task
	Room     string
	RoomKind string
}

// Handler carries out one kind of task. It must be idempotent by room and task
// ID: after an error, a restart or a takeover it is called again. The object
// that it returns (or nil) becomes the fields, beside "task", of the
// [machine.KindDone] command. It is called on a goroutine of its own, and ctx
// ends when the task is closed otherwise or the room ends.
type Handler func(ctx context.Context, t Task) (json.RawMessage, error)

const (
	retryFirst       = time.Second
	retryMost        = time.Minute
	retryQuarantined = time.Hour // while the task needs a room in quarantine, which only another release can run
)

// syncTasks starts the tasks that the machine has opened, and stops those that it has
// closed.
func (o *owner) syncTasks() {
	r := o.room
	var open []machine.Task
	if r.guard("tasks", func() { open = r.machine.Tasks() }) != nil {
		return
	}
	if len(open) == 0 && len(o.tasks) == 0 {
		return
	}
	wanted := make(map[string]bool, len(open))
	for _, t := range open {
		wanted[t.ID] = true
		if _, running := o.tasks[t.ID]; running {
			continue
		}
		ctx, cancel := context.WithCancel(r.registry.ctx)
		if o.tasks == nil {
			o.tasks = make(map[string]context.CancelFunc)
		}
		o.tasks[t.ID] = cancel
		work := Task{Task: t, Room: r.id, RoomKind: r.kind}
		r.registry.group.Go(func() { o.carryOut(ctx, work) })
	}
	for id, cancel := range o.tasks {
		if !wanted[id] {
			cancel()
			delete(o.tasks, id)
		}
	}
}

func (o *owner) stopTasks() {
	for id, cancel := range o.tasks {
		cancel()
		delete(o.tasks, id)
	}
}

// carryOut does one task until an entry has closed it: that is when ctx ends.
func (o *owner) carryOut(ctx context.Context, t Task) {
	r := o.room
	handler := r.registry.tasks[t.Kind]
	if handler == nil {
		// The wiring is wrong. The task stays open for a release that has a
		// handler.
		r.registry.log.Error("room: no handler for a task", "room", r.id, "task", t.ID, "kind", t.Kind)
		r.registry.watch.task(t.Kind, errors.New("no handler"))
		return
	}
	failures := map[bool]int{} // each kind of failure has its own waits: by a quarantine, by anything else
	for try := 0; ctx.Err() == nil; try++ {
		result, err := callHandler(ctx, handler, t)
		if err == nil {
			err = o.answer(ctx, t, result)
		}
		if ctx.Err() != nil && err != nil {
			return // closed or ended meanwhile: not the handler's fault
		}
		r.registry.watch.task(t.Kind, err)
		if err != nil {
			r.registry.log.Warn("room: task failed, trying again", "room", r.id, "task", t.ID, "kind", t.Kind, "try", try, "err", err)
		}
		quarantined, most := errors.Is(err, ErrQuarantined), retryMost
		if quarantined {
			most = retryQuarantined
		}
		_ = deadline.Wait(ctx, backoff(failures[quarantined], retryFirst, most))
		failures[quarantined]++
	}
}

func callHandler(ctx context.Context, h Handler, t Task) (result json.RawMessage, err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("room: handler of %q panicked: %v", t.Kind, why)
		}
	}()
	return h(ctx, t)
}

// answer sends the command that closes the task. Unlike a client it waits for a place
// in the inbox.
func (o *owner) answer(ctx context.Context, t Task, result json.RawMessage) error {
	r := o.room
	id, err := json.Marshal(t.ID)
	if err != nil {
		return err
	}
	body := append([]byte(`{"task":`), id...)
	switch result = bytes.TrimSpace(result); {
	case len(result) == 0 || string(result) == "{}":
		body = append(body, '}')
	case result[0] == '{' && json.Valid(result):
		body = append(append(body, ','), result[1:]...)
	default:
		return fmt.Errorf("room: handler of %q gave %.40q, not a JSON object", t.Kind, result)
	}
	q := r.registry.newRequest()
	q.command = machine.Command{ID: machine.KindDone + ":" + t.ID, Kind: machine.KindDone, Body: body}
	q.internal = true
	if err := r.postInTurn(ctx, q); err != nil {
		return err
	}
	// Not for ctx: the entry itself ends it, and that is success.
	_, err = r.wait(context.Background(), q)
	return err
}

// backoff doubles from first to most. It is partly random, so that calls that failed
// together do not come back together.
func backoff(try int, first, most time.Duration) time.Duration {
	d := most
	if try < 16 {
		d = min(first<<try, most)
	}
	return d/2 + rand.N(d/2+1)
}
