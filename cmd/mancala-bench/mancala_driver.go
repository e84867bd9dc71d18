package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// mancalaDriver plays Kalah on a server of ours, the way a browser would: games
// and seats come of forms, everything else of the socket.
type mancalaDriver struct {
	bases    []string // http://host:port of each instance that people are spread over
	together bool     // both players of a game are on the same
	client   *http.Client
	short    int // plies of a game after which the next begins; 0: all of them

	mu      sync.Mutex
	series  map[string]*series // by the room they begin with
	watched int                // spectators so far
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

// series is the games that two players play one after the other: where a hub has
// one room without end, a game of ours is over at some time.
type series struct {
	driver  *mancalaDriver
	cookies [2]string
	at      [2]string // the instance on which each player is

	mu    sync.Mutex
	rooms []string
	more  chan struct{} // closed when there is one more room
}

// gamePlies is about how long a game is that is played the way [quietestMove] does:
// Kalah with ten seeds in a pit, since with four it would be over after twenty
// plies and the figures would be about beginning games. mostRooms is how many
// rooms a socket may follow, nearly.
const (
	gamePlies = 140
	mostRooms = 15
)

// at is the instance on which a player of game n is: one after the other begins
// games, and the players of a game are on different ones if there are several.
func (d *mancalaDriver) at(n, seat int) string {
	if d.together {
		seat = 0
	}
	return d.bases[(n+seat)%len(d.bases)]
}

func (d *mancalaDriver) room(ctx context.Context, n, moves int) (string, error) {
	s := &series{driver: d, at: [2]string{d.at(n, 0), d.at(n, 1)}, more: make(chan struct{})}
	for range min(1+moves/gamePlies, mostRooms) {
		if err := s.add(ctx); err != nil {
			return "", err
		}
	}
	// Only the first game begins now: in one with a clock the first move must
	// come soon. The second player of the others sits down when it is time.
	_, err := s.form(ctx, "/"+s.rooms[0]+"/sit", nil, 1)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	d.series[s.rooms[0]] = s
	d.mu.Unlock()
	return s.rooms[0], nil
}

// add makes one more game, of which player 0 is the creator and has a seat.
func (s *series) add(ctx context.Context) error {
	where, err := s.form(ctx, "/new", url.Values{"rules": {"kalah"}, "options": {"seeds=10"}, "clock": {"5+3"}, "start": {"creator"}}, 0)
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

// game returns the room of game i, and waits for it to be made.
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
			return "", errors.New("nobody makes the next game")
		}
	}
}

// form posts a form as one of the players and returns where it leads. The
// server says who they are when they act for the first time.
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
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection is used again
	if resp.StatusCode == http.StatusTooManyRequests {
		return "", fmt.Errorf("POST %s: %s; start the server with --limit-games off --limit-games-per-address off --limit-guests off --limit-requests off --message-rate 1e6 --message-burst 1000000 --sockets-per-address 50000", path, resp.Status)
	}
	for _, c := range resp.Cookies() {
		s.cookies[player] = c.Name + "=" + c.Value
	}
	where := resp.Header.Get("Location")
	switch {
	case resp.StatusCode == http.StatusTemporaryRedirect && where != path: // again, with the cookie
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

// open opens a socket at an instance that follows the first games of the series.
func (s *series) open(ctx context.Context, at string, seat, games, recv int) (session, error) {
	header := http.Header{}
	if seat >= 0 {
		header.Set("Cookie", s.cookies[seat])
	}
	c, err := dialWebSocket(ctx, "ws"+strings.TrimPrefix(at, "http")+"/ws", "mancala.v1", header, recv)
	if err != nil {
		return nil, err
	}
	m := &mancalaSession{wsClient: c, series: s, seat: seat, begun: make(chan error, 1)}
	for range games {
		err := m.follow()
		for done := false; err == nil && !done; {
			done, err = m.synced()
		}
		if err != nil {
			c.close()
			return nil, err
		}
	}
	<-m.begun // the first game has
	return m, nil
}
