// Package redisbus carries messages between instances through Redis: a single server,
// a server with Sentinel, or a Cluster.
//
// Each inbox is a channel. Messages to all instances gather while the pipeline before
// them runs, so one round trip carries many. No message is sent twice, and no sender
// waits: while Redis is away, messages are lost and counted.
package redisbus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
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
	client  redis.UniversalClient
	prefix  string
	sharded bool // with a Cluster, a message goes only to the node that has the channel
	lost    atomic.Int64

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
	b := &Bus{prefix: opt.Prefix, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	if b.prefix == "" {
		b.prefix = "mancala:"
	}
	u, err := url.Parse(opt.URL)
	if err != nil {
		return nil, errors.New("redisbus: the URL is not an address of a Redis server") // the error of Parse would show the password
	}
	switch query := u.Query(); {
	case query.Has("master_name"):
		o, err := redis.ParseFailoverURL(opt.URL)
		if err != nil {
			return nil, fmt.Errorf("redisbus: open: %w", err)
		}
		o.MaxRetries = -1 // a message that may have been sent must not be sent again
		b.client = redis.NewFailoverClient(o)
	case query.Has("addr"):
		o, err := redis.ParseClusterURL(opt.URL)
		if err != nil {
			return nil, fmt.Errorf("redisbus: open: %w", err)
		}
		o.MaxRetries = -1
		b.client, b.sharded = redis.NewClusterClient(o), true
	default:
		o, err := redis.ParseURL(opt.URL)
		if err != nil {
			return nil, fmt.Errorf("redisbus: open: %w", err)
		}
		o.MaxRetries = -1
		b.client = redis.NewClient(o)
	}
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
	return b.client.Close()
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
	p := b.client.Pipeline()
	for _, m := range list {
		switch {
		case m.mark != nil:
		case b.sharded:
			p.SPublish(ctx, m.channel, m.data)
		default:
			p.Publish(ctx, m.channel, m.data)
		}
	}
	if p.Len() > 0 {
		results, err := p.Exec(ctx)
		if err != nil {
			for _, r := range results {
				if r.Err() != nil {
					b.lost.Add(1)
				}
			}
			b.reloadCluster()
		}
	}
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
	sub := b.subscribe(ctx, b.prefix+string(self))
	if _, err := sub.ReceiveTimeout(ctx, timeout); err != nil { // the confirmation of the subscription
		_ = sub.Close()
		b.reloadCluster()
		return nil, fmt.Errorf("redisbus: inbox of %s: %w", self, err)
	}
	ch := make(chan []byte, bus.Backlog)
	go receive(ctx, sub, ch)
	return ch, nil
}

// reloadCluster makes the client of a Cluster ask which node has which channels. By
// itself the client keeps believing in a dead master as long as it only listens.
func (b *Bus) reloadCluster() {
	if c, ok := b.client.(*redis.ClusterClient); ok {
		c.ReloadState(b.ctx)
	}
}

func (b *Bus) subscribe(ctx context.Context, channel string) *redis.PubSub {
	if b.sharded {
		return b.client.SSubscribe(ctx, channel)
	}
	return b.client.Subscribe(ctx, channel)
}

// receive passes messages on until the connection fails or ctx ends.
func receive(ctx context.Context, sub *redis.PubSub, ch chan<- []byte) {
	defer close(ch)
	forget := context.AfterFunc(ctx, func() { _ = sub.Close() })
	defer func() {
		if forget() {
			_ = sub.Close()
		}
	}()
	for {
		got, err := sub.ReceiveTimeout(ctx, 0)
		if err != nil {
			return
		}
		m, ok := got.(*redis.Message)
		if !ok {
			if s, is := got.(*redis.Subscription); is && s.Kind == "sunsubscribe" {
				return // another node has the channel now
			}
			continue
		}
		select {
		case ch <- []byte(m.Payload):
		default:
			return // the reader is too far behind
		}
	}
}
