package redisbus

import (
	"context"
	"errors"
	"net/url"

	"github.com/redis/go-redis/v9"

	"mancala/match/bus"
)

// server carries the messages. It is a Redis server or a Cluster. The interface keeps the
// types of the client library out of [Bus]: every package in whose types they occur compiles
// 1,500 methods of that library again, which takes the compiler a second of CPU.
type server interface {
	// publish sends messages, without the marks, and returns how many Redis did not take.
	publish(ctx context.Context, list []message) (lost int)
	// inbox returns the messages of a channel from now on. It closes as [bus.Bus] says, and when the
	// connection is lost.
	inbox(ctx context.Context, channel string) (<-chan []byte, error)
	close() error
}

// dial prepares the client that a URL asks for, without a connection.
func dial(address string) (server, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the URL is not an address of a Redis server") // the error of Parse would show the password
	}
	switch query := u.Query(); {
	case query.Has("master_name"):
		o, err := redis.ParseFailoverURL(address)
		if err != nil {
			return nil, err
		}
		o.MaxRetries = -1 // a message that may have been sent must not be sent again
		return single{redis.NewFailoverClient(o)}, nil
	case query.Has("addr"):
		o, err := redis.ParseClusterURL(address)
		if err != nil {
			return nil, err
		}
		o.MaxRetries = -1
		return cluster{redis.NewClusterClient(o)}, nil
	default:
		o, err := redis.ParseURL(address)
		if err != nil {
			return nil, err
		}
		o.MaxRetries = -1
		return single{redis.NewClient(o)}, nil
	}
}

// single is one Redis server. With Sentinels it is the master that they choose.
type single struct{ client *redis.Client }

func (s single) publish(ctx context.Context, list []message) int {
	p := s.client.Pipeline()
	return publish(ctx, p, p.Publish, list)
}

func (s single) inbox(ctx context.Context, channel string) (<-chan []byte, error) {
	return inbox(ctx, s.client.Subscribe(ctx, channel))
}

func (s single) close() error { return s.client.Close() }

// cluster sends a message only to the node that has the channel.
type cluster struct{ client *redis.ClusterClient }

func (c cluster) publish(ctx context.Context, list []message) int {
	p := c.client.Pipeline()
	lost := publish(ctx, p, p.SPublish, list)
	if lost > 0 {
		c.reload(ctx)
	}
	return lost
}

func (c cluster) inbox(ctx context.Context, channel string) (<-chan []byte, error) {
	messages, err := inbox(ctx, c.client.SSubscribe(ctx, channel))
	if err != nil {
		c.reload(ctx)
	}
	return messages, err
}

func (c cluster) close() error { return c.client.Close() }

// reload makes the client ask which node has which channels. By itself it keeps believing
// in a dead master as long as it only listens.
func (c cluster) reload(ctx context.Context) { c.client.ReloadState(ctx) }

// publishing adds a command to a pipeline, PUBLISH or SPUBLISH.
type publishing func(ctx context.Context, channel string, data any) *redis.IntCmd

// publish sends messages in a pipeline and returns how many Redis did not take.
func publish(ctx context.Context, p redis.Pipeliner, command publishing, list []message) (lost int) {
	for _, m := range list {
		if m.mark == nil {
			command(ctx, m.channel, m.data)
		}
	}
	if p.Len() == 0 {
		return 0
	}
	results, err := p.Exec(ctx)
	if err == nil {
		return 0
	}
	for _, r := range results {
		if r.Err() != nil {
			lost++
		}
	}
	return lost
}

// inbox waits until a subscription is confirmed.
func inbox(ctx context.Context, sub *redis.PubSub) (<-chan []byte, error) {
	if _, err := sub.ReceiveTimeout(ctx, timeout); err != nil {
		_ = sub.Close()
		return nil, err
	}
	messages := make(chan []byte, bus.Backlog)
	go receive(ctx, sub, messages)
	return messages, nil
}

// receive passes messages on until the connection fails or ctx ends.
func receive(ctx context.Context, sub *redis.PubSub, messages chan<- []byte) {
	defer close(messages)
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
		case messages <- []byte(m.Payload):
		default:
			return // the reader is too far behind
		}
	}
}
