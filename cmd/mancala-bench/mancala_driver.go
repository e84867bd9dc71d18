package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"mancala/cmd/internal/socketclient"
)

// mancalaDriver plays Kalah on mancala as a browser does: it posts forms for games and
// seats, and uses a socket for everything else.
type mancalaDriver struct {
	bases    []string // http://host:port of each instance that clients are spread over
	together bool     // both players of a game are on the same instance
	client   *http.Client
	short    int  // plies of a game before the next one begins; 0: the whole game
	whole    bool // games as people play them: of the usual length, and each made when the one before has ended

	mu      sync.Mutex
	series  map[string]*series // by the first room of each
	watched int                // watchers so far
}

func newMancalaDriver(bases ...string) *mancalaDriver {
	for i, base := range bases {
		bases[i] = strings.TrimSuffix(base, "/")
	}
	return &mancalaDriver{
		bases: bases, series: map[string]*series{},
		client: &http.Client{
			Timeout:       30 * time.Second,
			Transport:     &http.Transport{MaxIdleConnsPerHost: 32},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// series is the games that two players play one after the other. It stands for one room
// of a hub, which never ends.
type series struct {
	driver  *mancalaDriver
	n       int       // the number of the room of a hub
	cookies [2]string // of each player
	at      [2]string // the instance of each player

	mu    sync.Mutex
	rooms []string
	more  chan struct{} // closed, and replaced, when a room is added
}

// gamePlies is the usual length of a game of quietest moves in Kalah with ten seeds in a
// pit. With four seeds a game would end after about twenty plies, and the results would
// mostly measure how games begin.
//
// mostRooms is slightly below the number of rooms that one socket may follow.
const (
	gamePlies = 140
	mostRooms = 15
)

// at returns the instance of a player of game n. The games are spread over all instances,
// and the players of a game are on different instances unless d.together is set.
func (d *mancalaDriver) at(n, seat int) string {
	if d.together {
		seat = 0
	}
	return d.bases[(n+seat)%len(d.bases)]
}

func (d *mancalaDriver) room(ctx context.Context, n, moves int) (string, error) {
	s := &series{driver: d, n: n, at: [2]string{d.at(n, 0), d.at(n, 1)}, more: make(chan struct{})}
	games := min(1+moves/gamePlies, mostRooms)
	if d.whole {
		games = 1
	}
	for range games {
		if err := s.add(ctx); err != nil {
			return "", err
		}
	}
	// Only the first game begins now, because a game with a clock needs its first move
	// soon. The second player sits down in the other games when their time comes.
	if err := s.sit(ctx, s.rooms[0]); err != nil {
		return "", err
	}
	d.mu.Lock()
	d.series[s.rooms[0]] = s
	d.mu.Unlock()
	return s.rooms[0], nil
}

// add makes one more game. Player 0 creates it and has a seat.
func (s *series) add(ctx context.Context) error {
	fields := url.Values{"rules": {"kalah"}, "clock": {"5+3"}, "start": {"creator"}}
	if !s.driver.whole {
		fields.Set("options", "seeds=10")
	}
	where, err := s.form(ctx, "/new", fields, 0)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rooms = append(s.rooms, strings.TrimPrefix(where, "/"))
	close(s.more)
	s.more = make(chan struct{})
	return nil
}

// sit gives player 1 the other seat of a game.
func (s *series) sit(ctx context.Context, room string) error {
	_, err := s.form(ctx, "/"+room+"/sit", nil, 1)
	return err
}

// game waits until game i has been made and returns its room.
func (s *series) game(i int) (string, error) {
	deadline := time.After(10 * time.Second)
	for {
		s.mu.Lock()
		if i < len(s.rooms) {
			defer s.mu.Unlock()
			return s.rooms[i], nil
		}
		more := s.more
		s.mu.Unlock()
		select {
		case <-more:
		case <-deadline:
			return "", errors.New("the next game was not made in time")
		}
	}
}

// form posts a form as one of the players and returns the address that it leads to. The
// server gives the player a cookie with the first answer.
func (s *series) form(ctx context.Context, path string, fields url.Values, player int) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.at[player]+path, strings.NewReader(fields.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if s.cookies[player] != "" {
		req.Header.Set("Cookie", s.cookies[player])
	}
	resp, err := s.driver.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection can be reused
	if resp.StatusCode == http.StatusTooManyRequests {
		return "", fmt.Errorf("POST %s: %s; start the server with %s", path, resp.Status, strings.Join(unlimited, " "))
	}
	for _, c := range resp.Cookies() {
		s.cookies[player] = c.Name + "=" + c.Value
	}
	where := resp.Header.Get("Location")
	switch {
	case resp.StatusCode == http.StatusTemporaryRedirect && where != path: // post again with the cookie
		return s.form(ctx, where, fields, player)
	case resp.StatusCode != http.StatusSeeOther:
		return "", fmt.Errorf("POST %s: %s", path, resp.Status)
	}
	return where, nil
}

func (d *mancalaDriver) join(ctx context.Context, room string, seat int) (session, error) {
	d.mu.Lock()
	s := d.series[room]
	d.mu.Unlock()
	return s.open(ctx, s.at[seat], seat, len(s.rooms), 0)
}

func (d *mancalaDriver) watch(ctx context.Context, room string, recv int) (session, error) {
	d.mu.Lock()
	s := d.series[room]
	at := d.bases[d.watched%len(d.bases)]
	d.watched++
	d.mu.Unlock()
	return s.open(ctx, at, -1, 1, recv)
}

// open opens a socket at an instance that follows the first games of the series. seat is
// -1 for a watcher.
func (s *series) open(ctx context.Context, at string, seat, games, recv int) (session, error) {
	header := http.Header{}
	if seat >= 0 {
		header.Set("Cookie", s.cookies[seat])
	}
	c, err := socketclient.Dial(ctx, "ws"+strings.TrimPrefix(at, "http")+"/ws", "mancala.v1", header, recv)
	if err != nil {
		return nil, err
	}
	m := &mancalaSession{Client: c, series: s, seat: seat, choose: quietestMove, begun: make(chan error, 1)}
	if s.driver.whole {
		m.choose = randomMoves(rand.New(rand.NewPCG(uint64(s.n), uint64(seat))))
	}
	for range games {
		err := m.follow()
		for done := false; err == nil && !done; {
			done, err = m.synced()
		}
		if err != nil {
			c.Close()
			return nil, err
		}
	}
	<-m.begun // the first game
	return m, nil
}
