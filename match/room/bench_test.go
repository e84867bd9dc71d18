package room

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"

	"mancala/match/journal"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
)

// counter is the smallest machine that a room can run, so that what is measured
// is the room.
type counter struct{ n int }

var (
	oneUp       = json.RawMessage(`{"pit":3,"drops":[4,5,6,7],"captured":0,"clock":[178000,180000],"next":1}`)
	counterForm = []byte(`{"k":"move","pit":3,"drops":[4,5,6,7],"captured":0,"clock":[178000,180000],"next":1}`)
	twoPlayers  = []string{"ann", "bob"}
)

func (c *counter) Decide(cmd machine.Command, _ time.Time) (machine.Entry, error) {
	if machine.Internal(cmd.Kind) {
		return machine.Entry{}, machine.ErrNothing
	}
	return machine.Entry{Kind: "move", Body: oneUp}, nil
}
func (c *counter) Apply(machine.Entry) error { c.n++; return nil }
func (c *counter) AppendPublic(b []byte, _ machine.Entry, _ machine.Audience) []byte {
	return append(b, counterForm...)
}
func (c *counter) Snapshot(machine.Audience) []byte                  { return counterForm }
func (c *counter) AppendPrivate(b []byte, _ machine.Audience) []byte { return b }
func (c *counter) Wake() time.Time                                   { return time.Time{} }
func (c *counter) Tasks() []machine.Task                             { return nil }
func (c *counter) Players() []string                                 { return twoPlayers }
func (c *counter) Audience(player string) (a machine.Audience) {
	switch player {
	case "ann":
		return 0
	case "bob":
		return 1
	}
	return machine.Watchers
}

// idleFollower follows and looks at every entry as a hub does.
type idleFollower struct{}

func (idleFollower) Entry(p *Published) {
	var b [256]byte
	p.AppendPublic(b[:0], 0)
	p.AppendPublic(b[:0], 1)
}
func (idleFollower) Note(Note)  {}
func (idleFollower) Gone(error) {}

func benchRegistry(b *testing.B) (*Registry, func()) {
	b.Helper()
	return benchRegistryOn(b, memjournal.New())
}

func benchRegistryOn(b *testing.B, j journal.Journal) (*Registry, func()) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h, err := Start(ctx, Config{
		Self: "bench", Journal: j, Log: noLog,
		Kinds: map[string]func(string) machine.Machine{"counter": func(string) machine.Machine { return new(counter) }},
	})
	if err != nil {
		b.Fatal(err)
	}
	return h, func() { cancel(); h.Wait() }
}

func benchRoom(b *testing.B, reg *Registry, id string) *Following {
	b.Helper()
	ctx := context.Background()
	if err := reg.Create(ctx, id, "counter", machine.Command{ID: "1", By: "ann", Kind: "move"}); err != nil {
		b.Fatal(err)
	}
	f, err := reg.Follow(ctx, id, idleFollower{})
	if err != nil {
		b.Fatal(err)
	}
	f.Join("ann")
	f.Join("bob")
	return f
}

// BenchmarkCommand is one command through one room: from Do to its answer, with
// a journal in memory and two players who see it.
func BenchmarkCommand(b *testing.B) {
	h, stop := benchRegistry(b)
	defer stop()
	f := benchRoom(b, h, "r1")
	ids := make([]string, 1024)
	for i := range ids {
		ids[i] = fmt.Sprint("command-", i)
	}
	ctx := context.Background()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := f.Do(ctx, machine.Command{ID: ids[i%len(ids)], By: twoPlayers[i&1], Kind: "move"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommandsInManyRooms has a hundred rooms at work at once.
func BenchmarkCommandsInManyRooms(b *testing.B) {
	h, stop := benchRegistry(b)
	defer stop()
	list := make(chan *Following, 100)
	for i := range cap(list) {
		list <- benchRoom(b, h, fmt.Sprint("r", i))
	}
	ids := make([]string, 1024)
	for i := range ids {
		ids[i] = fmt.Sprint("command-", i)
	}
	ctx := context.Background()
	b.ReportAllocs()
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		f := <-list
		for i := 0; pb.Next(); i++ {
			if _, err := f.Do(ctx, machine.Command{ID: ids[i%len(ids)], By: twoPlayers[i&1], Kind: "move"}); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkResumeAsWatcher is a watcher who comes back, with a snapshot.
func BenchmarkResumeAsWatcher(b *testing.B) {
	h, stop := benchRegistry(b)
	defer stop()
	f := benchRoom(b, h, "r1")
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Resume(ctx, "eve", 0, nil, func(*Resume) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLiveRoom reports the memory of a live room that two players follow and that does
// nothing, after some moves; without what the journal keeps, and with the smallest machine
// there is.
func BenchmarkLiveRoom(b *testing.B) {
	for _, moves := range []int{0, 40} {
		b.Run(fmt.Sprint("moves=", moves), func(b *testing.B) {
			b.ReportMetric(liveRoom(b, moves), "B/room")
		})
	}
}

func liveRoom(b *testing.B, moves int) float64 {
	const rooms = 2000
	ctx := context.Background()
	h, stop := benchRegistry(b)
	defer stop()
	list := make([]*Following, rooms)
	for i := range list {
		list[i] = benchRoom(b, h, fmt.Sprint("r", i))
	}
	for n := range moves {
		for _, f := range list {
			if _, err := f.Do(ctx, machine.Command{ID: fmt.Sprint("c", n), By: twoPlayers[n&1], Kind: "move"}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, f := range list {
		_ = f.room.call(ctx, func(r *Room) error {
			r.quiet.busy, r.quiet.trimAt = false, time.Now() // as if enough time had passed
			return nil
		})
	}
	with := resident()
	runtime.KeepAlive(list)
	clear(list)
	if err := h.Drain(ctx, nil); err != nil {
		b.Fatal(err)
	}
	return float64(with-resident()) / rooms
}

// resident is heap and stacks in use, after the stacks have shrunk.
func resident() int64 {
	for range 4 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
