// Package redisbus carries messages between instances through Redis: a single server,
// a server with Sentinel, or a Cluster.
//
// Each inbox is a channel. Messages to all instances gather while the pipeline before
// them runs, so one round trip carries many. No message is sent twice, and no sender
// waits: while Redis is away, messages are lost and counted.
package redisbus

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"mancala/match/bus"
)

var _ bus.Bus = (*Bus)(nil)

// Options selects the Redis server and its settings.
type Options struct {
	// URL is redis://user:password@host:port/0, rediss:// or unix://. With
	// ?addr=host:port for each further node it is a Cluster. With ?master_name=… the
	// nodes are Sentinels.
	URL string
	// Prefix stands before the names of all channels; empty means "mancala:".
	Prefix string
	// Log receives the messages of the client library, which has one logger for the
	// whole process; nil drops them.
	Log *slog.Logger
}

const (
	maxQueue = 1 << 16 // messages that wait for the pipeline before them
	maxBytes = 64 << 20
	pipeline = 1024            // messages in one pipeline
	timeout  = 2 * time.Second // for one pipeline, which is lost after that
)

// Bus is a [bus.Bus]. Its methods are safe from any goroutine.
type Bus struct {
	server server
	prefix string
	lost   atomic.Int64

	ctx  context.Context // ends with Close
	stop context.CancelFunc
	done chan struct{}
	wake chan struct{} // the queue has messages; capacity 1

	mu    sync.Mutex
	queue []message
	bytes int
}

// message waits to be sent. A message without a channel is a mark: the sender of the mark
// is closed when all messages before it were sent.
type message struct {
	channel string
	data    []byte
	mark    chan struct{}
}

// Open prepares a bus. Whether Redis can be reached shows only in use. The caller
// closes the bus.
func Open(opt Options) (*Bus, error) {
	server, err := dial(opt.URL)
	if err != nil {
		return nil, fmt.Errorf("redisbus: open: %w", err)
	}
	b := &Bus{server: server, prefix: cmp.Or(opt.Prefix, "mancala:"), done: make(chan struct{}), wake: make(chan struct{}, 1)}
	redis.SetLogger(clientLogger{opt.Log})
	b.ctx, b.stop = context.WithCancel(context.Background())
	go b.run()
	return b, nil
}

// clientLogger is the logger of the client library.
type clientLogger struct{ log *slog.Logger }

func (t clientLogger) Printf(_ context.Context, format string, args ...any) {
	if t.log != nil {
		t.log.Debug("redisbus: " + fmt.Sprintf(format, args...))
	}
}

// Close sends the waiting messages, if Redis can be reached, and ends the bus.
func (b *Bus) Close() error {
	b.stop()
	<-b.done
	return b.server.close()
}

// Lost returns the number of messages that could not be handed to Redis.
func (b *Bus) Lost() int64 { return b.lost.Load() }

// Send implements [bus.Bus].
func (b *Bus) Send(ctx context.Context, to bus.Instance, msg []byte) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("redisbus: send to %s: %w", to, err)
	}
	b.put(message{channel: b.prefix + string(to), data: msg})
	return nil
}

// put adds a message to the queue, or counts it as lost if the queue is full.
func (b *Bus) put(m message) {
	b.mu.Lock()
	full := len(b.queue) >= maxQueue || b.bytes+len(m.data) > maxBytes
	if full && m.mark == nil {
		b.lost.Add(1)
	} else {
		b.queue = append(b.queue, m)
		b.bytes += len(m.data)
	}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run sends the queue, again and again.
func (b *Bus) run() {
	defer close(b.done)
	for {
		select {
		case <-b.wake:
			b.flush()
		case <-b.ctx.Done():
			b.flush()
			return
		}
	}
}

func (b *Bus) flush() {
	b.mu.Lock()
	queue := b.queue
	b.queue, b.bytes = nil, 0
	b.mu.Unlock()
	for len(queue) > 0 {
		n := min(len(queue), pipeline)
		b.send(queue[:n])
		queue = queue[n:]
	}
}

func (b *Bus) send(list []message) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	b.lost.Add(int64(b.server.publish(ctx, list)))
	for _, m := range list {
		if m.mark != nil {
			close(m.mark)
		}
	}
}

// Inbox implements [bus.Bus]. The channel also closes when the connection is lost,
// because the reader must learn that it has missed messages.
func (b *Bus) Inbox(ctx context.Context, self bus.Instance) (<-chan []byte, error) {
	// Messages that were sent before are not for this inbox, so they must have left
	// the queue.
	mark := make(chan struct{})
	b.put(message{mark: mark})
	select {
	case <-mark:
	case <-b.ctx.Done():
		return nil, fmt.Errorf("redisbus: inbox of %s: %w", self, b.ctx.Err())
	case <-ctx.Done():
		return nil, fmt.Errorf("redisbus: inbox of %s: %w", self, ctx.Err())
	}
	messages, err := b.server.inbox(ctx, b.prefix+string(self))
	if err != nil {
		return nil, fmt.Errorf("redisbus: inbox of %s: %w", self, err)
	}
	return messages, nil
}
