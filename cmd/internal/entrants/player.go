package entrants

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"mancala/lobby/tournament"
	"mancala/web/webtest"
)

// player is a person who plays. They follow the tournament's room, find their board in its entries,
// and make random moves in their game.
type player struct {
	line
	event  *Event
	number int
	here   bool // they have seen themselves in the list
	random *rand.Rand

	board tournament.Board // their last one
	room  string           // of the game that they play or have just played

	// Of this game.
	ply     int
	legal   []string // moves that they may make now
	over    bool
	ended   time.Time // when they saw the end; zero if its result is counted
	seated  bool
	asking  string // the ID of the move that was not answered
	asked   webtest.Turn
	planned *time.Timer // of the next move
}

// takes takes a frame. Called with mu held.
func (p *player) takes(f frame) error {
	if f.room == p.event.id {
		return p.pairing(f)
	}
	if f.room != p.room {
		return nil
	}
	d, err := f.details()
	if err != nil {
		return err
	}
	switch f.kind {
	case "snap":
		p.ply, p.over, p.legal = d.Snap.Ply, p.over || d.Snap.State == "over", nil
	case "ev":
		if d.Entry.Kind == "move" {
			p.ply = d.Entry.Ply
		}
		p.over, p.legal = p.over || d.Entry.Set.State == "over", nil
		p.answered(d.ID)
	}
	if p.asking != "" && d.ID == p.asking {
		if f.kind != "err" {
			p.event.acknowledge(p.room, p.asked)
		}
		p.asking = ""
	}
	if d.You != nil {
		p.legal = nil
		for _, m := range d.You.Legal {
			p.legal = append(p.legal, m.Move)
		}
	}
	if f.kind == "sync" && !p.seated {
		p.seated = true
		p.event.seated.Add(1)
	}
	if p.over && p.ended.IsZero() && p.current() != nil {
		p.ended = time.Now()
	}
	p.sitDown()
	p.plan()
	return nil
}

// plan makes the next move after some thinking. Called with mu held.
func (p *player) plan() {
	if p.over || len(p.legal) == 0 || p.asking != "" || p.planned != nil {
		return
	}
	if p.event.Think == 0 {
		p.move()
		return
	}
	think := time.Duration(p.random.Int64N(2 * int64(p.event.Think)))
	p.planned = time.AfterFunc(think, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.planned = nil
		p.move()
	})
}

func (p *player) move() {
	if p.over || len(p.legal) == 0 || p.asking != "" || p.ctx.Err() != nil {
		return
	}
	p.asked = webtest.Turn{Ply: p.ply, Move: p.legal[p.random.IntN(len(p.legal))]}
	p.asking = p.say(p.room, "move", map[string]any{"ply": p.asked.Ply, "move": p.asked.Move})
}

// current returns the player's game if its result is not counted yet, or nil.
func (p *player) current() *tournament.Game {
	if g := slices.IndexFunc(p.board.Games, func(g tournament.Game) bool { return g.Room == p.room }); g >= 0 && p.board.Games[g].Result == "" {
		return &p.board.Games[g]
	}
	return nil
}

// findNumber looks for the player's row in a list of players.
func (p *player) findNumber(text []byte) {
	at := bytes.LastIndex(text, []byte(`,"id":"`+p.id+`"`))
	if at > 0 {
		_, _ = fmt.Sscanf(string(text[bytes.LastIndexByte(text[:at], '{'):at]), `{"n":%d`, &p.number)
	}
}

// pairing takes an entry or a snapshot of the tournament. Called with mu held.
func (p *player) pairing(f frame) error {
	switch f.kind {
	case "sync":
		if p.number == 0 {
			return fmt.Errorf("player %s is not in the list", p.id)
		}
		if !p.here {
			p.here = true
			p.event.entered.Add(1)
			if p.event.CheckIn {
				p.say(f.room, tournament.KindHere, nil)
			}
		}
		return nil
	case "snap", "ev":
		if p.number == 0 {
			p.findNumber(f.text)
		}
	default:
		return nil
	}
	if f.kind == "ev" && bytes.Contains(f.text, []byte(`,"opened":{`)) {
		return p.opening(f)
	}
	var one, other tournament.Board
	first := lastObject(f.text, "first", p.number, &one)
	switch second := lastObject(f.text, "second", p.number, &other); {
	case second > first:
		p.board = other
	case first >= 0:
		p.board = one
	default:
		return nil
	}
	if p.room != "" && !p.ended.IsZero() && p.current() == nil {
		p.event.counted(time.Since(p.ended))
		p.ended = time.Time{}
	}
	p.sitDown()
	return nil
}

// opening takes an entry after which games can be played.
func (p *player) opening(f frame) error {
	d, err := f.details()
	if err != nil || d.Entry.Opened == nil {
		return err
	}
	if n := len(p.board.Games); n > 0 && slices.Contains(d.Entry.Opened.Boards, p.board.Number) {
		p.board.Games[n-1].Opened = true
		p.sitDown()
	}
	return nil
}

// sitDown begins the player's next game, unless a move of the one before was not answered yet.
func (p *player) sitDown() {
	n := len(p.board.Games)
	if n == 0 || !p.board.Games[n-1].Opened || p.board.Games[n-1].Room == p.room || p.asking != "" {
		return
	}
	if p.room != "" {
		p.unfollow(p.room)
	}
	if p.planned != nil && p.planned.Stop() {
		p.planned = nil
	}
	p.room, p.ply, p.legal, p.over, p.ended, p.seated = p.board.Games[n-1].Room, 0, nil, false, time.Time{}, false
	p.follow(p.room)
}
