package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"mancala/lobby"
	"mancala/lobby/showcase"
	"mancala/match"
	"mancala/match/journal"
	"mancala/match/machine"
)

// mould is a game that was played once. The games of a simulated year are copies of moulds
// with other players.
type mould struct {
	title, system string
	parts         []part
}

// part is what is written of a game at one time, until it sleeps.
type part struct {
	rows []journal.Row
	wake time.Duration // after the game began: when it goes on; 0: it is over
}

// A mould's players, and what the IDs of its commands begin with. All have the length of real
// ones.
var mouldPlayers = [2]string{"pAAAAAAAAAAA", "pBBBBBBBBBBB"}

const mouldCommands = "CCCCCCCCCC"

// The kinds of games. Of four games two are played to the end, one is given up after some
// moves, and one gets no second player.
const (
	mouldPlayed = iota
	mouldClocked
	mouldGivenUp
	mouldAlone
	mouldKinds
)

// makeMoulds plays some games of each kind. Kind k is at the places k, k + mouldKinds, …
func makeMoulds() (list []*mould, err error) {
	for n := range uint64(16) {
		for kind := range mouldKinds {
			m, err := makeMould(kind, []string{"kalah", "oware", "oware-abapa", "pressman"}[n%4], rand.New(rand.NewPCG(n, uint64(kind))))
			if err != nil {
				return nil, fmt.Errorf("game %d of kind %d: %w", n, kind, err)
			}
			list = append(list, m)
		}
	}
	return list, nil
}

// maker plays a mould.
type maker struct {
	m     *match.Match
	began time.Time
	now   time.Time
	rows  []journal.Row
	n     int // commands so far
}

func makeMould(kind int, system string, r *rand.Rand) (*mould, error) {
	began := time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)
	k := &maker{m: match.New(), began: began, now: began}
	settings := match.Settings{Rules: system, Clock: "none", Listed: r.IntN(4) == 0}
	if kind == mouldClocked {
		settings.Clock = "5+3"
	}
	create := match.Creation{Settings: settings, Creator: mouldPlayers[0]}
	if err := k.do(create.Command(mouldCommands + "-0")); err != nil {
		return nil, err
	}
	if kind != mouldAlone {
		k.now = k.now.Add(20 * time.Second)
		if err := k.do(k.command(match.KindSit, mouldPlayers[1], "")); err != nil {
			return nil, err
		}
		plies := 400
		if kind == mouldGivenUp {
			plies = 4 + r.IntN(12)
		}
		for range plies {
			if ended, err := k.move(r); err != nil || ended {
				if err != nil {
					return nil, err
				}
				break
			}
		}
	}
	made := &mould{system: system}
	public, err := k.public()
	if err != nil {
		return nil, err
	}
	made.title = public.Title
	for {
		s := part{rows: k.rows}
		if wake := k.m.Wake(); !wake.IsZero() {
			s.wake = wake.Sub(began)
		}
		made.parts, k.rows = append(made.parts, s), nil
		if s.wake == 0 {
			return made, nil
		}
		k.now = began.Add(s.wake)
		if err := k.do(machine.Command{ID: "wake", Kind: machine.KindWake}); err != nil {
			return nil, err
		}
	}
}

func (k *maker) public() (*match.Public, error) {
	return match.ReadPublic("mould", k.m.Snapshot(machine.Watchers))
}

func (k *maker) command(kind, by, body string) machine.Command {
	k.n++
	return machine.Command{ID: fmt.Sprintf("%s-%x", mouldCommands, k.n), Kind: kind, By: by, Body: json.RawMessage(body)}
}

// do carries out a command and adds its row.
func (k *maker) do(c machine.Command) error {
	e, err := k.m.Decide(c, k.now)
	if err != nil {
		return err
	}
	e.At, e.By, e.Command = k.now.UnixMilli(), c.By, c.ID
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	k.rows = append(k.rows, journal.Row{Epoch: 1, Key: c.By + "\n" + c.ID, Data: data})
	return k.m.Apply(e)
}

// move makes a random move, and reports whether the game has ended.
func (k *maker) move(r *rand.Rand) (ended bool, err error) {
	public, err := k.public()
	if err != nil || public.Over() {
		return true, err
	}
	k.now = k.now.Add(time.Second + time.Duration(r.IntN(8000))*time.Millisecond)
	for _, pit := range r.Perm(6) {
		body := fmt.Sprintf(`{"move":"%c","ply":%d}`, 'a'+rune(pit), public.Ply)
		for _, by := range mouldPlayers {
			if k.do(k.command(match.KindMove, by, body)) == nil {
				return false, nil
			}
		}
	}
	return false, k.do(k.command(match.KindResign, mouldPlayers[0], "")) // none of the usual moves is possible
}

// cast returns the rows of a part for other players, numbered after the given one.
func (s *part) cast(after uint64, players [2]string, commands string) []journal.Row {
	rows := make([]journal.Row, len(s.rows))
	names := strings.NewReplacer(mouldPlayers[0], players[0], mouldPlayers[1], players[1], mouldCommands, commands)
	for i, row := range s.rows {
		data := bytes.ReplaceAll(row.Data, []byte(mouldPlayers[0]), []byte(players[0]))
		data = bytes.ReplaceAll(data, []byte(mouldPlayers[1]), []byte(players[1]))
		data = bytes.ReplaceAll(data, []byte(mouldCommands), []byte(commands))
		rows[i] = journal.Row{Seq: after + uint64(i) + 1, Epoch: row.Epoch, Key: names.Replace(row.Key), Data: data}
	}
	return rows
}

const (
	dayBatch   = 200 // guests and games that are written together
	dayWriters = 16  // rooms that are written at a time
)

// word returns n characters that look random and differ for each number and purpose.
func word(n int, purpose uint64, number int) string {
	r := rand.New(rand.NewPCG(uint64(number), purpose))
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijkmnpqrstuvwxyz23456789"[r.IntN(32)]
	}
	return string(b)
}

// come lets n guests come, each of whom begins a game with the guest before.
func (y *year) come(ctx context.Context, n int) error {
	first := y.made
	y.made += n
	guests := make([]string, n)
	err := y.tables.DB.Write(ctx, func(tx lobby.Tx) error {
		for i := range guests {
			guests[i] = "p" + word(11, 1, first+i)
			if _, err := tx.Exec("INSERT INTO players (id, name, created, seen) VALUES ($1, $2, $3, $3)", guests[i], "Guest "+word(6, 2, first+i), y.now.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	games := make([]*begun, n)
	for i := range games {
		games[i] = &begun{mould: y.moulds[(first+i)%len(y.moulds)], number: first + i, players: [2]string{guests[i], y.last}}
		if y.last == "" {
			games[i].players[1] = guests[n-1]
		}
		y.last = guests[i]
	}
	err = inParallel(ctx, dayWriters, func(k int) error {
		for i := k; i < n; i += dayWriters {
			g := games[i]
			s := &g.mould.parts[0]
			line := journal.Room{ID: g.room(), Kind: match.Kind}
			if s.wake > 0 {
				line.Wake = y.now.Add(s.wake)
			}
			if err := y.store.journal.Create(ctx, line, s.cast(0, g.players, g.commands())...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return y.note(ctx, games)
}

func (g *begun) room() string     { return word(9, 3, g.number) + "7" }
func (g *begun) commands() string { return word(len(mouldCommands), 4, g.number) }
func (g *begun) over() bool       { return g.mould.parts[g.part].wake == 0 }

// note writes down how games stand, with what belongs to them.
func (y *year) note(ctx context.Context, games []*begun) error {
	list := make([]lobby.Game, len(games))
	var shown []showcase.Game
	for i, g := range games {
		state := "live"
		if g.over() {
			state = "over"
			delete(y.going, g.room())
		} else {
			y.going[g.room()] = g
		}
		list[i] = lobby.Game{
			Room: g.room(), Title: g.mould.title, State: state, Ended: g.over(), Updated: y.now, System: g.mould.system,
			In: []lobby.Part{{Player: g.players[0], Seat: 0}, {Player: g.players[1], Seat: 1}}, Listed: g.number%8 == 0,
		}
		if list[i].Listed {
			shown = append(shown, showcase.Game{Room: g.room(), System: g.mould.system, Title: g.mould.title, Clock: "none", Seats: g.players[:], Over: g.over(), Ply: 20, At: y.now})
		}
	}
	if err := y.lobby.Games.Put(ctx, list...); err != nil {
		return err
	}
	if err := y.showcase.Put(ctx, shown...); err != nil {
		return err
	}
	for _, g := range games {
		if g.part == 0 && !g.over() {
			if _, err := y.lobby.Invitations.Invite(ctx, g.room(), y.now.Add(24*time.Hour)); err != nil {
				return err
			}
		}
		if g.part == 0 && g.over() && g.number%5 == 0 {
			for _, player := range g.players {
				if _, err := y.lobby.Lines.Say(ctx, lobby.Line{Room: g.room(), Stream: lobby.StreamPlayers, Player: player, Text: "well played, " + player}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// wake lets the games go on whose time has come, as the service does: a room is claimed, its
// rows are appended, and it sleeps again.
func (y *year) wake(ctx context.Context) error {
	for {
		due, err := y.store.journal.Due(ctx, y.now, dayBatch)
		if err != nil || len(due) == 0 {
			return err
		}
		games := make([]*begun, len(due))
		var mu sync.Mutex
		err = inParallel(ctx, dayWriters, func(k int) error {
			for i := k; i < len(due); i += dayWriters {
				mu.Lock()
				g := y.going[due[i].ID]
				mu.Unlock()
				if g == nil {
					return fmt.Errorf("room %s is due and unknown", due[i].ID)
				}
				if err := y.proceed(ctx, due[i], g); err != nil {
					return err
				}
				games[i] = g
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := y.note(ctx, games); err != nil {
			return err
		}
	}
}

// proceed writes the next part of a game.
func (y *year) proceed(ctx context.Context, line journal.Room, g *begun) error {
	owned, err := y.store.journal.Claim(ctx, line.ID, "year", line.Epoch)
	if err != nil {
		return err
	}
	before := g.mould.parts[g.part].wake
	g.part++
	s := &g.mould.parts[g.part]
	for _, row := range s.cast(owned.Seq, g.players, g.commands()) {
		row.Epoch = owned.Epoch
		if err := y.store.journal.Append(ctx, line.ID, row, time.Time{}); err != nil {
			return err
		}
	}
	var wake time.Time
	if s.wake > 0 {
		wake = line.Wake.Add(s.wake - before)
	}
	return y.store.journal.Release(ctx, line.ID, "year", owned.Epoch, wake)
}
