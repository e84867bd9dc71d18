package engine

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// maxSlots is room for every board: four sides of 13 pits, or two of 26, and a
// store for each; a multiple of 8, since slots are also added up as words.
const (
	maxSlots = 56
	maxWords = maxSlots / 8
	maxSides = 4
)

// NoSlot is where seeds go that count for nobody.
const NoSlot = 255

// A Game is a rule set made ready to be played. It does not change and may be
// shared by any number of goroutines.
type Game struct {
	rules Rules
	shape Shape

	sides, seats int
	row          int // pits on a side
	pits         int // pits on the board; the stores are the slots after them
	words        int // words that hold the slots in use

	tracks   [maxSides][2]*track // by side and direction (0 ccw, 1 cw)
	opposite [maxSlots]uint8     // the pit faced; NoSlot if none
	behind   [maxSlots]uint8     // two rows: the outer pit behind an inner one; else NoSlot
	sideOf   [maxSlots]uint8     // of pits and stores

	// Sets of slots, a bit each.
	allPits   uint64
	sidePits  [maxSides]uint64
	crossPits [maxSides]uint64 // from which a side captures across

	counts [4]uint64 // numbers that capture, a bit each

	// What is asked at every ply, answered once.
	countCapture, crossCapture          bool
	relay, turns                        bool // turns: the direction changes at each lap
	marks                               bool // what was sown in the ply must be remembered
	canRepeat                           bool
	refusable                           bool // a move may turn out illegal once it is played
	endSideEmpty, endLone, endMajority  bool
	againStore, againCapture, againHome bool
	noProgress, repetition              int32
	endAtMost                           int
}

// A track is the ring that one side sows along in one direction.
type track struct {
	length int
	slots  [2 * maxSlots]uint8 // the ring twice, so that a lap needs no wrapping
	index  [maxSlots]uint8     // of a slot on the ring
	// prefix[k*words+w] is word w of what a sowing of the first k slots adds to
	// the board, one byte for each slot. A sowing of r seeds after index i adds
	// prefix[i+1+r] - prefix[i+1]: sowing is a subtraction and an addition of
	// words, whatever r is.
	prefix []uint64
	full   [maxWords]uint64 // one seed in each slot of the ring
}

// Compile checks rules (§6) and prepares what a move needs: tracks, opposites,
// sets. The error is always a [*RulesError].
func Compile(r Rules) (*Game, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	g := &Game{
		rules: r,
		shape: Shape{Sides: uint8(r.Sides), Partners: uint8(r.Partners), Pits: uint8(r.PitsPerSide())},
		sides: r.Sides, seats: r.Seats(), row: r.PitsPerSide(), pits: r.Sides * r.PitsPerSide(),

		countCapture: r.Capture == CaptureCount,
		crossCapture: r.Capture == CaptureCross,
		relay:        r.Relay != RelayNone,
		turns:        r.Relay == RelayReverse,
		canRepeat:    r.Repetition > 0 && !(r.endsByItself() && r.Feed != FeedGive),
		endSideEmpty: slices.Contains(r.End, EndRuleSideEmpty),
		endLone:      slices.Contains(r.End, EndRuleLoneSeed),
		endMajority:  slices.Contains(r.End, EndRuleMajority),
		againStore:   slices.Contains(r.Again, AgainStore),
		againCapture: slices.Contains(r.Again, AgainCapture),
		againHome:    slices.Contains(r.Again, AgainHome),
		repetition:   int32(r.Repetition),
		noProgress:   int32(r.NoProgress),
		endAtMost:    r.EndAtMost,
	}
	g.marks = r.CrossNeeds != CrossNeedsNothing || g.againHome
	g.refusable = g.relay || r.Feed == FeedMust || r.GrandSlam == GrandSlamForbidden
	g.words = (g.pits + g.sides + 7) / 8
	for _, n := range r.Counts {
		if n <= maxSeeds {
			g.counts[n>>6] |= 1 << (n & 63)
		}
	}
	g.layBoard()
	for side := range g.sides {
		ring := g.ring(side)
		g.tracks[side][0] = newTrack(ring, g.words)
		slices.Reverse(ring)
		g.tracks[side][1] = newTrack(ring, g.words)
	}
	if p := g.Start(); p.Phase == Over {
		return nil, &RulesError{Control: "seeds", Reason: fmt.Sprintf("make a first position that is over already (%s): nothing to play", p.End)}
	}
	return g, nil
}

// MustCompile is Compile for rules known to be valid, such as the rows of
// [Systems]; text is as for [ParseRules].
func MustCompile(text string) *Game {
	r, err := ParseRules(text)
	if err == nil {
		var g *Game
		if g, err = Compile(r); err == nil {
			return g
		}
	}
	panic(err)
}

// Rules returns the rule set. Its slices must not be changed.
func (g *Game) Rules() Rules { return g.rules }

// Shape returns the shape of the board.
func (g *Game) Shape() Shape { return g.shape }

// Seats is how many seats take turns.
func (g *Game) Seats() int { return g.seats }

// Side is the side on which a seat plays (§1).
func (g *Game) Side(s Seat) int { return int(s) % g.sides }

// layBoard fills in who owns and who faces which pit (§1).
func (g *Game) layBoard() {
	for i := range g.opposite {
		g.opposite[i], g.behind[i], g.sideOf[i] = NoSlot, NoSlot, NoSlot
	}
	inner := 0 // first pit from which one captures across
	if g.rules.Rows == 2 {
		inner = g.rules.Pits
	}
	for side := range g.sides {
		facing := (side + g.sides/2) % g.sides
		g.sideOf[g.pits+side] = uint8(side)
		for i := range g.row {
			slot := side*g.row + i
			g.sideOf[slot] = uint8(side)
			g.sidePits[side] |= 1 << slot
			g.allPits |= 1 << slot
			if i < inner {
				continue // outer pits face nothing
			}
			g.crossPits[side] |= 1 << slot
			if g.rules.Rows == 1 {
				g.opposite[slot] = uint8(facing*g.row + g.row - 1 - i)
			} else {
				g.opposite[slot] = uint8(facing*g.row + 3*g.rules.Pits - 1 - i)
				g.behind[slot] = uint8(facing*g.row + i - g.rules.Pits)
			}
		}
	}
}

// ring lists the slots that a side sows into, counter-clockwise.
func (g *Game) ring(side int) []uint8 {
	var ring []uint8
	for s := range g.sides {
		if g.rules.Rows == 2 && s != side {
			continue
		}
		for i := range g.row {
			ring = append(ring, uint8(s*g.row+i))
		}
		if g.rules.Store && s == side {
			ring = append(ring, uint8(g.pits+s))
		}
	}
	return ring
}

func newTrack(ring []uint8, words int) *track {
	t := &track{length: len(ring), prefix: make([]uint64, (2*len(ring)+1)*words)}
	for k := range 2 * len(ring) {
		slot := ring[k%len(ring)]
		t.slots[k] = slot
		copy(t.prefix[(k+1)*words:(k+2)*words], t.prefix[k*words:])
		t.prefix[(k+1)*words+int(slot/8)] += 1 << (slot % 8 * 8)
	}
	for i, slot := range ring {
		t.index[slot] = uint8(i)
		t.full[slot/8] += 1 << (slot % 8 * 8)
	}
	return t
}

// occupied is the set of slots with at least one seed.
func (g *Game) occupied(p *Position) uint64 {
	if g.words == 2 {
		return nonZero(load(&p.Slots, 0)) | nonZero(load(&p.Slots, 1))<<8
	}
	var set uint64
	for w := range g.words {
		set |= nonZero(load(&p.Slots, w)) << (8 * w)
	}
	return set
}

// plural is the set of slots with at least two seeds.
func (g *Game) plural(p *Position) uint64 {
	var set uint64
	for w := range g.words {
		set |= nonZero(load(&p.Slots, w)>>1&0x7f7f7f7f7f7f7f7f) << (8 * w)
	}
	return set
}

// nonZero gathers a bit for each byte of x that is not 0.
func nonZero(x uint64) uint64 {
	const low7, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	return ((x&low7 + low7 | x) & high) >> 7 * 0x0102040810204080 >> 56
}

// load reads the w-th group of eight slots as one number, a byte each.
func load(slots *[maxSlots]uint8, w int) uint64 {
	return binary.LittleEndian.Uint64(slots[8*w : 8*w+8])
}

// save writes it back.
func save(slots *[maxSlots]uint8, w int, x uint64) {
	binary.LittleEndian.PutUint64(slots[8*w:8*w+8], x)
}
