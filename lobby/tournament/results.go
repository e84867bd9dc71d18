package tournament

import (
	"slices"

	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Results of boards and games. First and second are the board's players, also in the second
// game, in which the second one moves first.
const (
	FirstWins      = "first"
	SecondWins     = "second"
	Drawn          = "draw"
	FirstUnplayed  = "first-unplayed" // the first player wins, since the second one did not come
	SecondUnplayed = "second-unplayed"
	Neither        = "neither" // neither player came; both lose
	Bye            = "bye"     // of a board with one player
	Void           = "void"    // of a game that does not count; the host decides what follows
)

// results are those that a host can give a board.
var results = []string{FirstWins, SecondWins, Drawn, FirstUnplayed, SecondUnplayed, Neither}

// A Report says how the game in a room has ended. The room sends it.
type Report struct {
	Room string `json:"room"`
	match.Report
}

// report counts the result of a game. A game is counted once, and not after the host has set
// the result of its board.
func (d *decision) report() error {
	r := d.order.Report
	if r == nil {
		return refusal.New(match.CodeBadCommand)
	}
	old := d.board(r.Round, r.Board)
	if old == nil || r.Game < 1 || r.Game > len(old.Games) || old.Games[r.Game-1].Room != r.Room {
		return refusal.New(CodeNoBoard)
	}
	if old.ByHost || old.Games[r.Game-1].Result != "" {
		return machine.ErrNothing
	}
	b := *old
	b.Games = slices.Clone(old.Games)
	g := &b.Games[r.Game-1]
	g.Result, g.Reason = resultOf(r, g.Swapped), r.Reason
	scores := r.Scores
	if d.Settings.BySeeds && len(r.Awarded) == 2 {
		scores = r.Awarded // otherwise a player with a lead would win by not coming to the second game
	}
	if first := seatOfFirst(g.Swapped); g.Result != Void && len(scores) == 2 {
		g.Seeds = scores[first] - scores[1-first]
		b.Seeds += g.Seeds
	}
	switch {
	case g.Result == Void: // the host decides
	default:
		d.settle(r.Round, &b)
		again := d.Settings.Format != Knockout && b.Result == "" && g.Result != Void
		if again && len(b.Games) < d.Settings.Games {
			b.Games = append(b.Games, Game{Room: d.gameID(r.Round, b.Number, len(b.Games)+1), Swapped: true})
		}
	}
	d.putBoard(r.Round, b)
	return nil
}

// seatOfFirst returns the seat of the board's first player in a game.
func seatOfFirst(swapped bool) int {
	if swapped {
		return 1
	}
	return 0
}

// resultOf returns the result of a game for its board's players.
func resultOf(r *Report, swapped bool) string {
	first := seatOfFirst(swapped)
	won, lost := slices.Contains(r.Winners, first), slices.Contains(r.Winners, 1-first)
	switch {
	case won && lost:
		return Drawn
	case won && r.Played:
		return FirstWins
	case won:
		return FirstUnplayed
	case lost && r.Played:
		return SecondWins
	case lost:
		return SecondUnplayed
	case r.Played:
		return Void
	}
	return Neither
}

// settle sets the result of a board whose games are over.
func (b *Board) settle(games int, bySeeds bool) {
	var won [2]int
	played := false
	for _, g := range b.Games {
		switch g.Result {
		case "", Void:
			return
		case FirstWins, FirstUnplayed:
			won[0]++
		case SecondWins, SecondUnplayed:
			won[1]++
		}
		played = played || g.Result == FirstWins || g.Result == SecondWins || g.Result == Drawn
	}
	if len(b.Games) < games && (played || b.Games[0].Result == Drawn) {
		return // the next game decides
	}
	if !played { // the player who did not come to the first game is not waited for again
		b.Result = b.Games[len(b.Games)-1].Result
		return
	}
	if bySeeds {
		won = [2]int{b.Seeds}
	}
	switch {
	case won[0] > won[1]:
		b.Result = FirstWins
	case won[0] < won[1]:
		b.Result = SecondWins
	default:
		b.Result = Drawn
	}
}

// setResult gives a board the result that the host enters, or with an empty one takes the host's
// result away. Games that are not over refuse it, so that no result is given twice.
func (d *decision) setResult() error {
	o := d.order
	old := d.board(o.Round, o.Board)
	switch {
	case old == nil || old.Second == 0:
		return refusal.New(CodeNoBoard)
	case o.Result != "" && !slices.Contains(results, o.Result):
		return refusal.New(match.CodeBadCommand)
	case slices.ContainsFunc(old.Games, func(g Game) bool { return g.Result == "" }):
		return refusal.New(CodeRunning)
	case old.Result == o.Result, o.Result == "" && !old.ByHost: // games decide by themselves
		return machine.ErrNothing
	}
	reason, err := text(o.Reason)
	if err == nil && o.Result != "" && d.Settings.Format == Knockout {
		err = d.bracketResult(o)
	}
	if err != nil {
		return err
	}
	b := *old
	last := len(d.Rounds)
	kept := slices.ContainsFunc(old.Was, func(w Was) bool { return w.Paired == last })
	if o.Round < last && !kept {
		b.Was = append(slices.Clone(old.Was), Was{last, old.Result})
	}
	b.Forfeit = d.Settings.Format == Knockout && slices.Contains([]string{FirstUnplayed, SecondUnplayed, Neither}, o.Result)
	if b.Result, b.ByHost = o.Result, o.Result != ""; b.ByHost {
		d.putBoard(o.Round, b)
	} else if err := d.clear(o.Round, b); err != nil {
		return err
	}
	d.change.Reason = reason
	before := Change{Round: o.Round, Boards: []Board{*old}}
	if d.change.Due != nil { // without this result the round is not over
		before.Due = new(int64)
	}
	d.undoable(KindResult, before)
	return nil
}

// clear puts a board back to what its games say, after the host's result is gone: without games it
// waits for a result. The results of earlier rounds stay, since later rounds were paired from them.
func (d *decision) clear(round int, b Board) error {
	switch n := len(b.Games); {
	case d.Stage == Over:
		return refusal.New(CodeClosed)
	case round < len(d.Rounds):
		return refusal.New(CodePaired)
	case n == 0 || b.Games[n-1].Result == Void:
	default:
		b.Games = slices.Clone(b.Games)
		d.settle(round, &b)
	}
	if d.pairedSince(&b) {
		return refusal.New(CodePaired)
	}
	d.putBoard(round, b)
	if b.Result == "" && d.Due != 0 && !d.InWaves() {
		d.change.Due = new(int64) // the round is not over any more
	}
	return nil
}

// pairedSince reports whether a player of an open board of an arena or a class has a later board: they would be
// on two at once.
func (s *State) pairedSince(b *Board) bool {
	return s.InWaves() && b.Result == "" && slices.ContainsFunc(s.round(), func(other Board) bool {
		return other.Number > b.Number && (other.has(b.First) || other.has(b.Second))
	})
}

// board returns a board of a round, or nil.
func (s *State) board(round, number int) *Board {
	if round < 1 || round > len(s.Rounds) || number < 1 || number > len(s.Rounds[round-1]) {
		return nil
	}
	return &s.Rounds[round-1][number-1]
}

// putBoard replaces a board. When it is the last one of the round to end, the next round
// becomes due. A correction makes nothing due: the host may have stopped the countdown.
func (d *decision) putBoard(round int, b Board) {
	d.change.Round, d.change.Boards = round, []Board{b}
	if round != len(d.Rounds) || b.Result == "" || d.board(round, b.Number).Result != "" {
		return
	}
	boards := slices.Clone(d.round())
	boards[b.Number-1] = b
	if due := d.dueAfter(round, boards); due > 0 {
		d.change.Due = &due
	}
}
