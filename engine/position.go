package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Seat is a player's place in the turn order, from 0.
type Seat uint8

// Phase is the kind of ply that may come next.
type Phase uint8

const (
	Play Phase = iota
	Setup
	Swapping
	Over
)

var phaseNames = [...]string{Play: "play", Setup: "setup", Swapping: "swap", Over: "over"}

func (p Phase) String() string { return phaseNames[p] }

// Shape is the number of sides, of seats sharing a side, and of pits on a side.
type Shape struct{ Sides, Partners, Pits uint8 }

// SeatName returns a seat's name in positions: S N, S E N W, or S1 N1 S2 N2.
func (s Shape) SeatName(seat Seat) string {
	switch {
	case s.Sides == 4:
		return string("SENW"[seat%4])
	case s.Partners == 2:
		return string("SN"[seat%2]) + strconv.Itoa(int(seat/2)+1)
	}
	return string("SN"[seat%2])
}

// Store returns the slot of a side's store.
func (s Shape) Store(side int) int { return int(s.Sides)*int(s.Pits) + side }

// Slot returns the slot of pit i (a = 0) of a side.
func (s Shape) Slot(side, i int) int { return side*int(s.Pits) + i }

// Position is a board and the seat to move. It is a value: a copy is a snapshot, and
// playing on a copy leaves the original unchanged. It holds neither the rules nor the
// earlier positions ([History]).
//
// Slots holds every pit in the order of the position text (RULES.md §2), then every
// store. Slots beyond the shape are 0.
type Position struct {
	Slots [maxSlots]uint8
	Shape Shape
	Seat  Seat
	Phase Phase
	End   End   // why the game is over; the text does not contain it, so it is empty for a position read as over
	Out   uint8 // seats that have left a game of four (RULES.md §7.9), one bit each; the text does not contain it
	Marks Marks `json:",omitzero"`
	Clock int32 // plies since the last seed was won
	Ply   int32 // plies played
}

// Start returns the first position. South moves first, or lays out.
func (g *Game) Start() Position {
	p := Position{Shape: g.shape}
	if g.rules.Opening != OpeningFixed {
		p.Phase = Setup
		return p
	}
	for side := range g.sides {
		for i := range g.row {
			p.Slots[side*g.row+i] = uint8(g.rules.SeedsIn(i))
		}
		if g.rules.Reserve > 0 {
			p.Slots[g.pits+side] = uint8(g.rules.Reserve)
		}
		if g.housePits != 0 && p.Slots[g.house[side]] > 0 {
			p.Marks.House[side] = g.house[side] + 1
		}
	}
	g.end(&p, nil, noMover, nil)
	return p
}

// StartWith is Start with another seat to begin or to lay out (RULES.md §10).
func (g *Game) StartWith(seat Seat) Position {
	p := g.Start()
	p.Seat = seat % Seat(g.seats)
	return p
}

// String returns the six fields of RULES.md §2.
func (p Position) String() string {
	b := make([]byte, 0, 128)
	b = p.appendBoard(b)
	b = append(b, ' ')
	b = append(b, p.Shape.SeatName(p.Seat)...)
	b = append(b, ' ')
	b = append(b, p.Phase.String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Clock), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.Ply), 10)
	return string(b)
}

// appendBoard appends the first two fields, pits and stores.
func (p *Position) appendBoard(b []byte) []byte {
	sides, row := int(p.Shape.Sides), int(p.Shape.Pits)
	marked := p.Marks != Marks{}
	for side := range sides {
		for i := range row {
			switch {
			case i > 0:
				b = append(b, ',')
			case side > 0:
				b = append(b, '/')
			}
			marks := ""
			if marked {
				marks = p.Marks.Of(side*row + i)
			}
			if marks != "x" {
				b = appendSeeds(b, p.Slots[side*row+i])
			}
			b = append(b, marks...)
		}
	}
	for side := range sides {
		b = append(b, " /"[min(side, 1)])
		b = appendSeeds(b, p.Slots[sides*row+side])
	}
	return b
}

// appendSeeds is strconv.AppendUint with a fast path for small numbers: every move
// writes all numbers of a board.
func appendSeeds(b []byte, n uint8) []byte {
	switch {
	case n < 10:
		return append(b, '0'+n)
	case n < 100:
		return append(b, '0'+n/10, '0'+n%10)
	}
	return strconv.AppendUint(b, uint64(n), 10)
}

// Checksum returns the FNV-1a hash (32 bits) of the position's first two fields as
// text (ARCHITECTURE.md §5). It does not allocate.
func (p *Position) Checksum() uint32 {
	var buf [4*maxSlots + 8]byte // three digits and a separator for each slot, and the marks
	h := uint32(2166136261)
	for _, c := range p.appendBoard(buf[:0]) {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// Score returns the number of seeds that a side has won.
func (p *Position) Score(side int) int { return int(p.Slots[p.Shape.Store(side)]) }

// Scores returns the number of seeds that each side has won, in side order.
func (p *Position) Scores() []int {
	out := make([]int, p.Shape.Sides)
	for side := range out {
		out[side] = p.Score(side)
	}
	return out
}

// Leaders lists the sides with the highest score. One side has won; two or more share
// a draw (RULES.md §7.9).
func (p *Position) Leaders() []int {
	var out []int
	for side, n := range p.Scores() {
		switch {
		case len(out) == 0 || n > p.Score(out[0]):
			out = []int{side}
		case n == p.Score(out[0]):
			out = append(out, side)
		}
	}
	return out
}

// maxPositionText bounds the text that Parse reads. Every valid position is shorter.
const maxPositionText = 400

// maxCount bounds the clock and ply fields.
const maxCount = 1_000_000_000

// Parse reads a position (RULES.md §2) and applies the end rules to it at once. It
// refuses a text of the wrong shape, more than 250 seeds, and a phase or a mark that the
// rules do not have.
func (g *Game) Parse(text string) (Position, error) {
	p, err := g.parse(text)
	if err != nil {
		return Position{}, fmt.Errorf("engine: position %.80q: %w", text, err)
	}
	if p.Phase == Play {
		g.end(&p, nil, noMover, nil)
	}
	return p, nil
}

func (g *Game) parse(text string) (Position, error) {
	p := Position{Shape: g.shape}
	if len(text) > maxPositionText {
		return p, errors.New("is too long")
	}
	fields := strings.Split(text, " ")
	if len(fields) != 6 {
		return p, errors.New("must have six fields with one space between them")
	}
	if err := g.parseBoard(&p, fields[0], fields[1]); err != nil {
		return p, err
	}
	if !g.parseSeat(&p, fields[2]) {
		return p, fmt.Errorf("has no seat %.10q", fields[2])
	}
	phase := slices.Index(phaseNames[:], fields[3])
	if phase < 0 {
		return p, fmt.Errorf("has no phase %.10q", fields[3])
	}
	p.Phase = Phase(phase)
	if p.Phase == Setup && g.rules.Opening == OpeningFixed || p.Phase == Swapping && g.rules.Swap == SwapNone {
		return p, fmt.Errorf("is in a phase %q that these rules don't have", p.Phase)
	}
	if p.Phase == Over && p.Marks.Blocked != 0 {
		return p, errors.New("is over and has a blocked pit")
	}
	if p.Phase == Setup && g.occupied(&p)&g.allPits != 0 {
		return p, errors.New("has seeds on the board before the lay-out")
	}
	total := 0
	for _, n := range p.Slots {
		total += int(n)
	}
	if p.Phase == Setup {
		total += g.rules.Total // the player who lays out holds these seeds
	}
	if total > maxSeeds {
		return p, fmt.Errorf("has more than %d seeds", maxSeeds)
	}
	for i, at := range []*int32{&p.Clock, &p.Ply} {
		n, ok := parseInt(fields[4+i])
		if !ok || n < 0 || n > maxCount {
			return p, errors.New("must have a clock and a ply of 0 or more")
		}
		*at = int32(n)
	}
	return p, nil
}

// parseBoard reads the pits and the stores.
func (g *Game) parseBoard(p *Position, pitsText, storesText string) error {
	sides := strings.Split(pitsText, "/")
	if len(sides) != g.sides {
		return fmt.Errorf("must have %d sides", g.sides)
	}
	for side, text := range sides {
		numbers, err := g.parseMarks(&p.Marks, side, text)
		if err != nil {
			return err
		}
		pits, ok := parseInts(numbers, g.row, 0, maxSeeds)
		if !ok || len(pits) != g.row {
			return fmt.Errorf("must have %d pits with 0 to %d seeds on each side", g.row, maxSeeds)
		}
		for i, n := range pits {
			p.Slots[side*g.row+i] = uint8(n)
		}
	}
	if !g.claimTwins && g.twins(p.Marks.Claimed[0], p.Marks.Claimed[1]) {
		return errors.New("has two claimed pits with one letter")
	}
	stores := strings.Split(storesText, "/")
	if len(stores) != g.sides {
		return fmt.Errorf("must have %d stores", g.sides)
	}
	for side, text := range stores {
		n, ok := parseInt(text)
		if !ok || n < 0 || n > maxSeeds {
			return fmt.Errorf("must have 0 to %d seeds in each store", maxSeeds)
		}
		p.Slots[g.pits+side] = uint8(n)
	}
	return nil
}

func (g *Game) parseSeat(p *Position, text string) bool {
	for s := range Seat(g.seats) {
		if g.shape.SeatName(s) == text {
			p.Seat = s
			return true
		}
	}
	return false
}

// Turned returns the position as it is for the players of a side: that side comes first, as South's does.
func (p Position) Turned(side int) Position {
	out, sides, row := p, int(p.Shape.Sides), int(p.Shape.Pits)
	from := func(to int) int { return (to + side) % sides }
	for to := range sides {
		for i := range row {
			out.Slots[p.Shape.Slot(to, i)] = p.Slots[p.Shape.Slot(from(to), i)]
		}
		out.Slots[p.Shape.Store(to)] = p.Slots[p.Shape.Store(from(to))]
	}
	seats := sides * int(p.Shape.Partners)
	out.Seat = Seat((int(p.Seat) + seats - side) % seats)
	out.Out = 0
	for seat := range seats {
		out.Out |= p.Out >> seat & 1 << ((seat + seats - side) % seats)
	}
	mark := func(m uint8) uint8 { // the slot and 1 of the pit after the turn
		if m == 0 {
			return 0
		}
		slot := int(m) - 1
		return uint8(p.Shape.Slot((slot/row+sides-side)%sides, slot%row) + 1)
	}
	for to := range min(sides, 2) {
		out.Marks.Claimed[to], out.Marks.House[to] = mark(p.Marks.Claimed[from(to)%2]), mark(p.Marks.House[from(to)%2])
	}
	out.Marks.Blocked = mark(p.Marks.Blocked)
	return out
}
