package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/socketclient"
)

// lobbyLoad is visitors of the lobby while others make seeks and take them back.
type lobbyLoad struct {
	visitors int
	seekers  int
	changes  float64 // seeks made or taken back per second
	length   time.Duration
}

// measureLobby measures the traffic to visitors who do nothing in the lobby, and its
// cost.
func measureLobby(ctx context.Context, t target, l lobbyLoad) (result, error) {
	d, ok := t.driver.(*mancalaDriver)
	if !ok {
		return result{}, errors.New("only mancala has a lobby")
	}
	var heard atomic.Int64
	var listening sync.WaitGroup
	var mu sync.Mutex
	var all []*socketclient.Client
	defer func() {
		for _, c := range all {
			c.Close()
		}
		listening.Wait()
	}()
	enter := func(cookie string) (*socketclient.Client, error) {
		c, err := d.enterLobby(ctx, cookie)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		all = append(all, c)
		mu.Unlock()
		return c, nil
	}
	seekers := make([]*socketclient.Client, l.seekers)
	err := inParallel(ctx, l.seekers, func(i int) error {
		s := series{driver: d, at: [2]string{d.at(i, 0)}}
		_, err := s.form(ctx, "/seek", nil, 0)
		if err == nil {
			seekers[i], err = enter(s.cookies[0])
		}
		if err == nil {
			listening.Go(func() { drainLobby(seekers[i], nil) })
		}
		return err
	})
	if err != nil {
		return result{}, err
	}
	before := t.proc.rss()
	err = inParallel(ctx, l.visitors, func(int) error {
		c, err := enter("")
		if err == nil {
			listening.Go(func() { drainLobby(c, &heard) })
		}
		return err
	})
	if err != nil {
		return result{}, err
	}
	if err := t.proc.settle(ctx); err != nil {
		return result{}, err
	}
	wait := t.profile(ctx, l.length)
	from, cpu, began := heard.Load(), t.proc.cpu(), time.Now()
	made, err := comeAndGo(ctx, seekers, l)
	if err != nil {
		return result{}, err
	}
	took := time.Since(began)
	r := result{
		Sockets: len(all), Watchers: l.visitors, Took: took, CPU: t.proc.cpu() - cpu, RSS: t.proc.rss(), Changes: made,
		PerVisitor: float64(heard.Load()-from) / float64(l.visitors) / took.Seconds(),
		PerSocket:  (t.proc.rss() - before) / int64(max(1, l.visitors)),
	}
	return r, wait()
}

// enterLobby opens a socket and waits for the snapshot of the lobby.
func (d *mancalaDriver) enterLobby(ctx context.Context, cookie string) (*socketclient.Client, error) {
	header := http.Header{}
	if cookie != "" {
		header.Set("Cookie", cookie)
	}
	c, err := socketclient.Dial(ctx, "ws"+strings.TrimPrefix(d.bases[0], "http")+"/ws", "mancala.v1", header, 0)
	if err == nil {
		err = c.Write([]byte(`{"t":"sub","room":"lobby"}`))
	}
	for err == nil {
		var msg []byte
		if msg, err = c.Read(); err == nil && strings.HasPrefix(string(msg), `{"t":"snap"`) {
			return c, nil
		}
	}
	return nil, err
}

// drainLobby reads until the socket closes. It adds the bytes of all frames to heard, if
// that is not nil.
func drainLobby(c *socketclient.Client, heard *atomic.Int64) {
	for {
		msg, err := c.Read()
		if err != nil {
			return
		}
		if heard != nil {
			heard.Add(int64(len(msg)) + 2)
			if len(msg) > 125 {
				heard.Add(2)
			}
		}
	}
}

// comeAndGo makes seeks and takes them back at the rate of l.changes, and returns how
// many changes it made.
func comeAndGo(ctx context.Context, seekers []*socketclient.Client, l lobbyLoad) (made int, err error) {
	began := time.Now()
	for time.Since(began) < l.length {
		for made < int(l.changes*time.Since(began).Seconds()) {
			c, turn := seekers[made%len(seekers)], made/len(seekers)
			said := `{"t":"cmd","room":"lobby","id":"l%d","kind":"leave"}`
			if turn%2 == 1 {
				said = `{"t":"cmd","room":"lobby","id":"s%d","kind":"seek","key":"k%[1]d","rules":"oware","clock":"5+3"}`
			}
			if err := c.Write(fmt.Appendf(nil, said, made)); err != nil {
				return made, err
			}
			made++
		}
		if err := cli.Pause(ctx, 2*time.Millisecond); err != nil {
			return made, err
		}
	}
	return made, nil
}
