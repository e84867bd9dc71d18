package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/web/webtest"
)

// balancer connects people to instances as a load balancer does. Each person has a
// favourite instance. While that one is out, the other instances take turns.
type balancer struct {
	addrs []string
	out   []atomic.Bool // instances that are not ready
	turn  atomic.Int64
}

func (c *cluster) balancer() *balancer {
	b := &balancer{out: make([]atomic.Bool, len(c.list))}
	for _, i := range c.list {
		b.addrs = append(b.addrs, i.addr)
	}
	return b
}

// person returns a new person with a favourite instance.
func (b *balancer) person(favourite int) *webtest.Person {
	p := webtest.NewPerson("http://mancala.test")
	p.AsPage = true
	p.HTTP.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return b.dial(ctx, network, favourite)
	}}
	return p
}

func (b *balancer) dial(ctx context.Context, network string, favourite int) (net.Conn, error) {
	err := errors.New("all instances are out")
	turn, others := int(b.turn.Load()), len(b.addrs)-1
	for k := range b.addrs {
		i := favourite % len(b.addrs)
		if k > 0 {
			i = (i + 1 + (turn+k)%others) % len(b.addrs)
			b.turn.Add(1)
		}
		if b.out[i].Load() {
			continue
		}
		var conn net.Conn
		if conn, err = new(net.Dialer).DialContext(ctx, network, b.addrs[i]); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// mostRepeats is how often a page is asked for again while the answer is to wait.
const mostRepeats = 10

// get gets a page from an instance that is ready. It waits and asks again where the answer
// tells it to, as clients do.
func (b *balancer) get(ctx context.Context, path string) (string, error) {
	p := b.person(0)
	defer p.Leave()
	for n := 0; ; n++ {
		page, err := p.Get(ctx, path)
		if err != nil {
			return "", err
		}
		if page.Status == http.StatusOK {
			return page.Body, nil
		}
		wait, err := strconv.Atoi(page.Header.Get("Retry-After"))
		if err != nil || page.Status != http.StatusServiceUnavailable || n == mostRepeats {
			return "", fmt.Errorf("GET %s: %d", path, page.Status)
		}
		if err := cli.Pause(ctx, time.Duration(wait)*time.Second); err != nil {
			return "", err
		}
	}
}

// only returns a balancer that knows this instance alone.
func (b *balancer) only(instance int) *balancer {
	return &balancer{addrs: b.addrs[instance : instance+1], out: make([]atomic.Bool, 1)}
}
