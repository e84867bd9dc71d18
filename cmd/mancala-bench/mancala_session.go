package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"mancala/cmd/internal/socketclient"
)

// mancalaSession is the socket of a player or a watcher. It checks the frames: sequence
// numbers have no gaps, plies are in order, and nothing is refused.
//
// It searches frames for fixed texts instead of parsing JSON, because it shares the
// machine with the server.
type mancalaSession struct {
	*socketclient.Client
	series *series
	seat   int                   // -1: a watcher
	choose func(b []byte) string // returns the move to make after a frame

	mu    sync.Mutex // guards rooms, seqs, ply and best: entries and the next game's room come while this one is played
	rooms []string   // followed so far
	seqs  []uint64   // the last sequence number seen in each room

	game  int // the index in rooms of the game that is being played
	ply   int // of that game
	moves int // seen in all games

	over  bool       // the last game has ended, and this session has not begun the next
	begun chan error // receives nil when the game has begun, or why it cannot begin
	live  bool       // the last snapshot was of a game that had begun
	best  string     // the move to make; empty on the other player's turn
	snap  int        // bytes of the answers to subscriptions so far
}

// follow subscribes to the next game of the series.
func (m *mancalaSession) follow() error {
	room, err := m.series.game(len(m.rooms))
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.rooms, m.seqs = append(m.rooms, room), append(m.seqs, 0)
	m.mu.Unlock()
	return m.Write([]byte(`{"t":"sub","room":"` + room + `"}`))
}

// forget ends the subscription of the last game. If games are left before their end, they
// stay open: it then ends the oldest subscription as soon as there are [mostRooms].
func (m *mancalaSession) forget() error {
	old := m.game - 1
	if m.series.driver.short > 0 {
		if old = m.game - mostRooms; old < 0 {
			return nil
		}
	}
	return m.Write([]byte(`{"t":"unsub","room":"` + m.rooms[old] + `"}`))
}

// synced reads one frame, and reports whether it completes the answer to a subscription.
func (m *mancalaSession) synced() (bool, error) {
	b, err := m.Read()
	if err != nil {
		return false, err
	}
	_, err = m.take(b)
	m.snap += len(b)
	return bytes.HasPrefix(b, []byte(`{"t":"sync"`)), err
}

func (m *mancalaSession) ready() error {
	if !m.over {
		return nil
	}
	if m.game == len(m.rooms) {
		if err := m.next(); err != nil {
			return err
		}
		if err := m.forget(); err != nil {
			return err
		}
		if err := m.follow(); err != nil {
			return err
		}
	}
	if m.seat == 0 || m.series.driver.whole {
		return nil
	}
	return m.Write([]byte(`{"t":"cmd","room":"` + m.rooms[m.game] + `","id":"sit","kind":"sit"}`))
}

// next begins the next game of the series. The first player makes the game. If games are whole, the
// second player takes a seat in it. Otherwise next does nothing for the second player: ready follows the
// game and then takes the seat, as in the games that were made before the measured time.
func (m *mancalaSession) next() error {
	if m.seat == 0 {
		return m.series.add(context.Background())
	}
	if !m.series.driver.whole {
		return nil
	}
	room, err := m.series.game(len(m.rooms))
	if err != nil {
		return err
	}
	return m.series.sit(context.Background(), room)
}

func (m *mancalaSession) turn(int) (bool, error) {
	if m.over {
		if err := <-m.begun; err != nil {
			return false, err
		}
		m.over = false
	}
	m.mu.Lock() // an entry that is no move may arrive at any time, such as one about an outage
	defer m.mu.Unlock()
	return m.best != "", nil
}

func (m *mancalaSession) move(n int) error {
	b := make([]byte, 0, 128)
	b = append(append(b, `{"t":"cmd","room":"`...), m.rooms[m.game]...)
	b = strconv.AppendInt(append(b, `","id":"`...), int64(n), 36)
	m.mu.Lock()
	b = strconv.AppendInt(append(b, `","kind":"move","ply":`...), int64(m.ply), 10)
	b = append(append(append(b, `,"move":"`...), m.best...), `"}`...)
	m.mu.Unlock()
	return m.Write(b)
}

func (m *mancalaSession) seen() (int, error) {
	if m.seat < 0 && m.over { // ready is never called for a watcher
		m.over = false
		if err := errors.Join(m.forget(), m.follow()); err != nil {
			return 0, err
		}
	}
	for {
		b, err := m.Read()
		moved := false
		if err == nil {
			moved, err = m.take(b)
		}
		if err != nil {
			m.begin(err)
			return 0, err
		}
		if moved {
			return m.moves - 1, nil
		}
	}
}

// begin tells turn that the game has begun, or why it cannot begin.
func (m *mancalaSession) begin(err error) {
	select {
	case m.begun <- err:
	default:
	}
}

var (
	frameEntry = []byte(`{"t":"ev","room":"`)
	frameSnap  = []byte(`{"t":"snap","room":"`)
	frameSync  = []byte(`{"t":"sync","room":"`)
	frameErr   = []byte(`{"t":"err"`)
	frameGone  = []byte(`{"t":"gone"`)
)

// take processes a frame, and reports whether it was a move of the game that is being
// played.
func (m *mancalaSession) take(b []byte) (moved bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case bytes.HasPrefix(b, frameEntry):
		game, rest := m.which(b[len(frameEntry):])
		seq, rest := number(rest, `,"seq":`)
		if game < 0 || seq != m.seqs[game]+1 {
			return false, fmt.Errorf("an entry is out of order: %s", b)
		}
		m.seqs[game] = seq
		if game == m.game {
			return m.entry(rest)
		}
	case bytes.HasPrefix(b, frameSnap): // perhaps of an earlier entry, and those after it follow
		game, rest := m.which(b[len(frameSnap):])
		if game < 0 {
			return false, fmt.Errorf("a snapshot without a subscription: %s", b)
		}
		m.seqs[game], _ = number(rest, `,"seq":`)
		m.live = bytes.Contains(b, []byte(`"state":"live"`))
	case bytes.HasPrefix(b, frameSync):
		game, rest := m.which(b[len(frameSync):])
		if game < 0 {
			return false, fmt.Errorf("an answer without a subscription: %s", b)
		}
		m.seqs[game], rest = number(rest, `,"seq":`)
		if game == m.game && m.live {
			m.best = m.choose(rest)
			m.begin(nil)
		}
	case bytes.HasPrefix(b, frameErr), bytes.HasPrefix(b, frameGone):
		return false, fmt.Errorf("the server answered %s", b)
	}
	return false, nil
}

// which returns the index of the game whose room b begins with, or -1, and the rest of
// b.
func (m *mancalaSession) which(b []byte) (int, []byte) {
	room, rest, _ := bytes.Cut(b, []byte(`"`))
	for i := len(m.rooms) - 1; i >= 0; i-- {
		if m.rooms[i] == string(room) {
			return i, rest
		}
	}
	return -1, rest
}

// entry processes an entry of the game that is being played, and reports whether it was
// a move.
func (m *mancalaSession) entry(b []byte) (moved bool, err error) {
	m.best = m.choose(b)
	if !bytes.HasPrefix(b, []byte(`,"ev":{"k":"move"`)) {
		if bytes.Contains(b, []byte(`"state":"live"`)) {
			m.begin(nil)
		}
		return false, nil
	}
	_, rest, _ := bytes.Cut(b, []byte(`"move":"`)) // skips "k":"move"
	_, rest, _ = bytes.Cut(rest, []byte(`","ply"`))
	ply, _ := number(rest, `:`)
	if m.ply++; ply != uint64(m.ply) {
		return false, fmt.Errorf("the ply is %d instead of %d: %s", ply, m.ply, b)
	}
	m.moves++
	if bytes.Contains(b, []byte(`"state":"over"`)) || m.ply == m.series.driver.short {
		m.game, m.ply, m.over = m.game+1, 0, true
	}
	return true, nil
}

// choke asks for snapshots of at least size bytes together, and does not read them.
func (m *mancalaSession) choke(size int) error {
	sub := []byte(`{"t":"sub","room":"` + m.rooms[0] + `"}`)
	for range size/m.snap + 1 {
		if err := m.Write(sub); err != nil {
			return err
		}
	}
	return nil
}
