package tournament

import (
	"iter"
	"slices"
	"strconv"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// TaskAct is the kind of the task that carries out an [Act] in the rooms of games.
const TaskAct = "act"

// An Act is what a host does with games that are being played: pause, resume, add time, end, or
// seat another person. Its kind is that of the games' order ([match.Order]). It stays until the
// games' rooms have confirmed it.
type Act struct {
	Number int    `json:"n"` // counts the acts of a tournament
	Kind   string `json:"act"`
	By     string `json:"by,omitempty"`
	Round  int    `json:"round"`
	Board  int    `json:"board,omitempty"`  // 0: every board of the round, up to Boards
	Boards int    `json:"boards,omitempty"` // how many there were
	Player int    `json:"player,omitempty"` // whose time, or who is replaced; 0: both players
	Ms     int64  `json:"ms,omitempty"`     // add
	Person string `json:"person,omitempty"` // replace: who takes the seat
	Left   []int  `json:"left,omitempty"`   // the boards whose games could not be reached so far; none: no try is known

	Recalled int `json:"recalled,omitempty"` // how many rounds had been taken back
}

// An Acting is the body of the task of an act.
type Acting struct {
	Act
	Games []Target `json:"games"` // those that are being played
}

// A Target is a game that an act is about.
type Target struct {
	Room  string `json:"room"`
	Seats []int  `json:"seats"` // whose time, or who is replaced; {0} if the act is about the game
}

const maxActs = 10 // that wait for their rooms

// task returns the ID of the act's task. Another one replaces it once fewer games are left.
func (a *Act) task() string {
	id := TaskAct + "-" + strconv.Itoa(a.Number)
	if len(a.Left) > 0 {
		id += "-" + strconv.Itoa(len(a.Left))
	}
	return id
}

// covers reports whether an act is about a board.
func (a *Act) covers(board int) bool {
	if len(a.Left) > 0 {
		return slices.Contains(a.Left, board)
	}
	return board == a.Board || a.Board == 0 && board <= a.Boards
}

// about reports whether an act is about a board. An act about one player covers the boards of that player
// alone.
func (a *Act) about(b *Board) bool {
	return a.covers(b.Number) && (a.Player == 0 || a.Player == b.First || a.Player == b.Second)
}

// acting returns the games that an act is about.
func (s *State) acting(a Act) Acting {
	list := Acting{Act: a}
	for b, g := range s.reached(a) {
		list.Games = append(list.Games, Target{g.Room, b.seatsOf(a.Player, a.Kind, g)})
	}
	return list
}

// reached returns the games that an act is about, with their boards: those that were open when it was
// decided, and that are being played. There are none of a round that was taken back.
func (s *State) reached(a Act) iter.Seq2[*Board, *Game] {
	return func(yield func(*Board, *Game) bool) {
		if a.Recalled != s.Recalled { // its round is gone, or another one has the number
			return
		}
		for i := range s.Rounds[a.Round-1] {
			b := &s.Rounds[a.Round-1][i]
			if g := b.Running(); a.about(b) && g != nil && g.Acted < a.Number && !yield(b, g) {
				return
			}
		}
	}
}

// arbiter acts on the games of a board, or of every board of a round.
func (d *decision) arbiter() error {
	o := d.order
	whole := o.Board == 0
	switch {
	case !slices.Contains([]string{match.ActPause, match.ActResume, match.ActAdd, match.ActEnd}, o.Act), o.Act == match.ActEnd && whole,
		o.Act == match.ActAdd != (o.Ms > 0), o.Ms > match.MaxAdded:
		return refusal.New(match.CodeBadCommand)
	case o.Round < 1 || o.Round > len(d.Rounds), !whole && d.board(o.Round, o.Board) == nil:
		return refusal.New(CodeNoBoard)
	}
	reason, err := text(o.Reason)
	if err != nil {
		return err
	}
	a := Act{Number: d.Acted + 1, Kind: o.Act, Round: o.Round, Board: o.Board, Ms: o.Ms, Recalled: d.Recalled}
	if whole {
		a.Boards = len(d.Rounds[o.Round-1])
	}
	if whole && o.Round == len(d.Rounds) {
		switch o.Act {
		case match.ActPause:
			d.change.Paused = &a.Boards
		case match.ActResume:
			d.change.Paused = new(int)
		}
	}
	if o.Player != "" {
		p, err := d.subject()
		if err != nil {
			return err
		}
		a.Player = p.Number
	}
	if len(d.acting(a).Games) == 0 {
		return refusal.New(CodeNoBoard)
	}
	d.change.Reason = reason
	return d.act(a)
}

// Running returns the game of a board that is being played, or nil.
func (b *Board) Running() *Game {
	if n := len(b.Games); n > 0 && b.Games[n-1].Opened && b.Games[n-1].Result == "" {
		return &b.Games[n-1]
	}
	return nil
}

// seatsOf returns the seats in a game of the board that an act is about. Player 0 stands for both.
func (b *Board) seatsOf(player int, act string, g *Game) []int {
	switch first := seatOfFirst(g.Swapped); {
	case player == b.First:
		return []int{first}
	case player == b.Second:
		return []int{1 - first}
	case act == match.ActAdd:
		return []int{0, 1}
	}
	return []int{0}
}

// act adds an act to those that wait for their rooms.
func (d *decision) act(a Act) error {
	if len(d.Acts) >= maxActs {
		return refusal.New(CodeFull)
	}
	a.Number, a.By = d.Acted+1, d.by
	d.change.Act = &a
	return nil
}

// holds reports whether an act stops games or lets them go on.
func (a *Act) holds() bool { return a.Kind == match.ActPause || a.Kind == match.ActResume }

// replaces reports whether an act takes the place of an earlier one for the games that both are about, once
// the earlier one has failed to reach them.
func (a *Act) replaces(e *Act) bool {
	return a.holds() && e.holds() && e.Round == a.Round && e.Recalled == a.Recalled
}

// beyond removes the boards that an act is about from a list of boards of its round.
func (s *State) beyond(boards []int, a *Act) []int {
	return slices.DeleteFunc(boards, func(n int) bool {
		b := s.board(a.Round, n)
		return b != nil && a.about(b)
	})
}

// waits reports whether an act waits until the rooms have confirmed an earlier one. Tasks are carried
// out at the same time, so a game could be paused after a host has resumed it, or a seat could go to
// the person who was replaced last. Games that could not be reached keep no other game waiting: the
// later act has replaced the earlier one for them, see [State.hold].
func (a *Act) waits(earlier []Act) bool {
	return slices.ContainsFunc(earlier, func(e Act) bool {
		return e.Round == a.Round && (e.Board == a.Board || e.Board == 0 || a.Board == 0) &&
			(a.holds() && e.holds() && len(e.Left) == 0 || a.Kind == match.ActReplace && e.Kind == match.ActReplace)
	})
}

// hold notes which games a host has paused. An earlier act is not brought any more to the games that it
// has not reached and that the new one is about.
func (s *State) hold(a Act) {
	if !a.holds() {
		return
	}
	kept := s.Acts[:0]
	for _, e := range s.Acts {
		if len(e.Left) > 0 && a.replaces(&e) {
			if e.Left = s.beyond(e.Left, &a); len(e.Left) == 0 {
				continue
			}
		}
		kept = append(kept, e)
	}
	s.Acts = kept
	for _, g := range s.reached(a) {
		g.Paused = a.Kind == match.ActPause
	}
}

// holdRound notes that the games of the last round are paused, if a host has paused it as a whole.
func (s *State) holdRound() {
	round := s.round()
	for i := range round {
		if g := round[i].Running(); g != nil && round[i].Number <= s.Paused {
			g.Paused = true
		}
	}
}

// acted notes that the rooms have confirmed an act, or which of them it did not reach. An act that ends
// games ends those whose rooms are broken without a result, so that the host decides about their boards.
func (d *decision) acted(a Act) error {
	if left := d.boardsOf(a.Round, d.order.Left); len(left) > 0 {
		d.change.Left = &Left{a.Number, left}
	} else {
		d.change.ActDone = a.Number
	}
	if a.Kind != match.ActEnd && a.Kind != match.ActClose {
		return nil
	}
	for b, g := range d.reached(a) {
		if slices.Contains(d.order.Broken, g.Room) {
			row := *b
			row.Games = slices.Clone(b.Games)
			row.Games[len(row.Games)-1].Result = Void
			d.change.Round, d.change.Boards = a.Round, append(d.change.Boards, row)
		}
	}
	return nil
}

// boardsOf returns the boards of a round that have one of these rooms.
func (s *State) boardsOf(round int, rooms []string) (boards []int) {
	if round < 1 || round > len(s.Rounds) || len(rooms) == 0 {
		return nil
	}
	for _, b := range s.Rounds[round-1] {
		if slices.ContainsFunc(b.Games, func(g Game) bool { return slices.Contains(rooms, g.Room) }) {
			boards = append(boards, b.Number)
		}
	}
	return boards
}

// replace gives a player's place to another person who has entered and not played, perhaps the same
// one with another device. Their own row is given up. In the place of a player who has withdrawn, they take
// part.
func (d *decision) replace() error {
	p, other := d.Player(d.order.Player), d.Player(d.order.Other)
	switch {
	case p == nil, other == nil: // nobody gets a place who has not asked for one
		return refusal.New(CodeNotEntered)
	case p == other:
		return machine.ErrNothing
	case d.Stage == Over:
		return refusal.New(CodeClosed)
	case d.hasPlayed(other.Number):
		return refusal.New(CodeEntered)
	case d.Settings.Accounts && !d.order.Account:
		return refusal.New(CodeNeedsAccount)
	case d.opens(p.Number):
		return refusal.New(CodeOpening)
	case other.Paper && d.plays(p.Number):
		return refusal.New(CodeRunning) // they have no device for the seat
	}
	given := d.withdrawn(*other)
	given.ID = "" // the row stays, since numbers have no gaps
	d.put(given)
	row := *p
	if row.Out && (d.Stage == Entry || d.takesPart(p)) {
		row = d.returned(row)
	}
	row.ID, row.Paper = other.ID, other.Paper
	row.Here = other.Here || d.Stage == Running // a person who joins after the start has come
	row.Away = other.Away                       // the room tells it again only when it changes
	d.put(row)
	d.putFormer(Former{p.ID, p.Paper})
	if d.plays(p.Number) {
		board := d.BoardOf(p.Number).Number
		return d.act(Act{Kind: match.ActReplace, Round: len(d.Rounds), Board: board, Player: p.Number, Person: row.ID, Recalled: d.Recalled})
	}
	return nil
}

// plays reports whether a game of a player is being played.
func (s *State) plays(number int) bool {
	b := s.BoardOf(number)
	return b != nil && b.Running() != nil
}

// opens reports whether a game of a player is being opened.
func (s *State) opens(number int) bool {
	b := s.BoardOf(number)
	return b != nil && len(s.unopened([]Board{*b})) > 0
}

// hasPlayed reports whether a player is on a board of any round.
func (s *State) hasPlayed(number int) bool {
	for _, boards := range s.Rounds {
		if slices.ContainsFunc(boards, func(b Board) bool { return b.has(number) }) {
			return true
		}
	}
	return false
}
