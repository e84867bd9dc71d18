package engine

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// maxSlots is enough for every board: four sides of 13 pits, or two of 26, and a
// store for each side. It is a multiple of 8 because slots are also added up as
// words.
const (
	maxSlots = 56
	maxWords = maxSlots / 8
	maxSides = 4
)

// NoSlot is the destination of seeds that count for no side.
const NoSlot = 255

// A Game is a compiled rule set. It does not change, and any number of goroutines may
// share it.
type Game struct {
	rules Rules
	shape Shape

	sides, seats int
	row          int // pits on a side
	pits         int // pits on the board; the stores are the slots after them
	words        int // words of eight slots that hold the pits

	tracks   [maxSides][2]*track // by side and direction (0 ccw, 1 cw)
	opposite [maxSlots]uint8     // the pit opposite; NoSlot if none
	behind   [maxSlots]uint8     // with two rows, the outer pit behind an inner one; otherwise NoSlot
	sideOf   [maxSlots]uint8     // the side of each pit and store

	// Sets of slots, one bit for each slot.
	allPits   uint64
	sidePits  [maxSides]uint64
	crossPits [maxSides]uint64 // pits from which a side captures across
	countPits [maxSides]uint64 // pits that a side may capture by count

	// Pits that may carry each mark.
	claimPits, housePits, blockPits uint64
	house                           [2]uint8 // the slot that is a house at the start, by side; NoSlot if none

	counts    numbers // of seeds that capture
	sowCounts numbers // of seeds that are captured in passing

	// The options in the form in which every ply needs them.
	anyPit                              bool  // every own pit with minLift seeds is a candidate
	minLift                             uint8 // seeds that a pit needs for anyPit
	plain                               bool  // every own pit with seeds is a legal move, in the only direction
	rightmost, liftTwo, singles         bool  // liftTwo: a pit needs two seeds; singles: if no pit has two, single seeds may be lifted
	choice                              bool  // the player chooses the direction
	feedMust, feedGive                  bool
	cw, skipOrigin, relay, reverses     bool // cw: every sowing is clockwise; relay: an occupied last pit is lifted; reverses: each lap goes the other way
	laps, relayNext                     bool // laps: a sowing may have several; relayNext: the pit after the last one is lifted
	odd                                 bool // a lap is not plain, so it is sown seed by seed
	keepFirst, secondRound              bool
	backPits                            uint64 // of a side's pits, those that may be lifted against the direction
	crossCapture, countCapture          bool
	gapCapture                          bool
	crossOccupied                       bool // a last seed among others captures across
	sowsCaptured                        bool // captured seeds stay in play, so that positions come back over captures
	grandSlam, slamForbidden            bool // grandSlam: capturing every seed has a rule of its own
	againStore, againCapture, againHome bool
	recordsSown                         bool // the slots sown in a ply must be recorded
	canRepeat                           bool
	endSideEmpty, endLone, endMajority  bool
	mustCapture, fromHead, blocks       bool
	endRowEmpty                         bool
	noProgress, repetition              int32
	endAtMost, endTotal                 int
	claim                               int  // the number of seeds that claims a pit; 0: none
	claimTwins                          bool // both sides may claim the pit with the same letter
}

// numbers is a set of numbers of seeds, one bit for each.
type numbers [4]uint64

func (s *numbers) add(n int) {
	if n <= maxSeeds {
		s[n>>6] |= 1 << (n & 63)
	}
}

func (s *numbers) has(n uint8) bool { return s[n>>6]>>(n&63)&1 != 0 }

// A track is the ring of slots that one side sows along in one direction.
type track struct {
	length  int
	round   int                 // seeds in a full round: one less if the origin is skipped
	skipped uint64              // 1 if the origin is skipped
	slots   [2 * maxSlots]uint8 // the ring twice, so that a lap needs no wrapping
	index   [maxSlots]uint8     // index of a slot on the ring

	// prefix[k] is what a sowing of the first k slots adds to the board: one byte for
	// each slot, from word low on. A sowing of r seeds after index i adds
	// prefix[i+1+r] - prefix[i+1]. So a sowing of any length is one subtraction and
	// one addition for each word.
	prefix [2*maxSlots + 1][maxWords]uint64
	low    int // the first word that holds a slot of the ring
	words  int // number of words that hold slots of the ring
}

// Compile checks rules (RULES.md §6) and prepares what a move needs: tracks,
// opposites, sets of pits. The error is always a [*RulesError].
func Compile(r Rules) (*Game, error) {
	if c := r.check(); c != nil {
		return nil, c.Err()
	}
	return compile(r)
}

// compile compiles rules that have passed [Rules.check]. It refuses those whose first position is over.
func compile(r Rules) (*Game, error) {
	g := &Game{
		rules: r,
		shape: Shape{Sides: uint8(r.Sides), Partners: uint8(r.Partners), Pits: uint8(r.PitsPerSide())},
		sides: r.Sides, seats: r.Seats(), row: r.PitsPerSide(), pits: r.Sides * r.PitsPerSide(),

		anyPit:        r.Start == StartAny && r.Feed != FeedGive && !r.MustCapture,
		minLift:       1,
		liftTwo:       r.Lift != LiftAny,
		singles:       r.Lift == LiftTwoFirst,
		choice:        r.Direction == DirectionChoice,
		rightmost:     r.Start == StartRightmost,
		feedMust:      r.Feed == FeedMust,
		feedGive:      r.Feed == FeedGive,
		cw:            r.Direction == DirectionCW,
		skipOrigin:    r.SkipOrigin,
		relay:         r.Relay == RelaySame || r.Relay == RelayReverse,
		reverses:      r.Relay == RelayReverse,
		laps:          r.Relay != RelayNone,
		relayNext:     r.Relay == RelayNext,
		odd:           r.KeepFirst || r.SecondRound != SecondRoundAll || len(r.SowCounts) > 0 || r.Relay == RelayNext || r.CrossAt == CrossAtOccupied || r.Claim > 0,
		keepFirst:     r.KeepFirst,
		secondRound:   r.SecondRound == SecondRoundOpponent,
		crossCapture:  r.Capture.across() && r.CrossAt == CrossAtEmpty,
		crossOccupied: r.CrossAt == CrossAtOccupied,
		sowsCaptured:  r.Captured != CapturedWon,
		countCapture:  r.Capture.byCount(),
		gapCapture:    r.Capture == CaptureGap,
		grandSlam:     r.GrandSlam != GrandSlamCapture,
		slamForbidden: r.GrandSlam == GrandSlamForbidden,
		againStore:    slices.Contains(r.Again, AgainStore),
		againCapture:  slices.Contains(r.Again, AgainCapture),
		againHome:     slices.Contains(r.Again, AgainHome),
		canRepeat:     r.Repetition > 0 && (!r.EndsByItself() || r.Feed == FeedGive),
		endSideEmpty:  slices.Contains(r.End, EndRuleSideEmpty),
		endLone:       slices.Contains(r.End, EndRuleLoneSeed),
		endMajority:   slices.Contains(r.End, EndRuleMajority),
		endRowEmpty:   slices.Contains(r.End, EndRuleRowEmpty),
		mustCapture:   r.MustCapture,
		fromHead:      r.Captured == CapturedHead,
		blocks:        r.Block,
		repetition:    int32(r.Repetition),
		noProgress:    int32(r.NoProgress),
		endAtMost:     r.EndAtMost,
		endTotal:      r.EndTotal,
		claim:         r.Claim,
		claimTwins:    !slices.Contains(r.ClaimBan, ClaimBanTwin),
	}
	if g.liftTwo {
		g.minLift = 2
	}
	g.odd = g.odd || g.endRowEmpty // it is tested after each lap
	g.plain = g.anyPit && !g.liftTwo && !g.choice && !g.laps && !g.slamForbidden && !g.feedMust
	g.recordsSown = r.CrossNeeds != CrossNeedsNothing || g.againHome
	g.words = (g.pits + 7) / 8
	for _, n := range r.Counts {
		g.counts.add(n)
	}
	for n := 2; r.CountEven && n <= maxSeeds; n += 2 {
		g.counts.add(n)
	}
	for _, n := range r.SowCounts {
		g.sowCounts.add(n)
	}
	for i := range r.Backward {
		g.backPits |= 1<<i | 1<<(g.row-1-i)&^(1<<r.Pits-1) // a column's outer and inner pit, or its only pit
	}
	g.layBoard()
	for side := range g.sides {
		ring := g.ring(side)
		g.tracks[side][0] = newTrack(ring, r.SkipOrigin)
		slices.Reverse(ring)
		g.tracks[side][1] = newTrack(ring, r.SkipOrigin)
	}
	if p := g.Start(); p.Phase == Over {
		return nil, &RulesError{Control: "seeds", Reason: fmt.Sprintf("make a first position that is over already (%s): nothing to play", p.End)}
	}
	return g, nil
}

// MustCompile is [Compile] for rules that are known to be valid, such as the rows of
// [Systems]. It reads text as [ParseRules] does, and panics if the text is refused.
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

// Rules returns the rule set. The caller must not change its slices.
func (g *Game) Rules() Rules { return g.rules }

// Shape returns the shape of the board.
func (g *Game) Shape() Shape { return g.shape }

// Seats returns the number of seats that take turns.
func (g *Game) Seats() int { return g.seats }

// Side returns the side on which a seat plays (RULES.md §1): seat mod sides.
func (g *Game) Side(s Seat) int { return int(s) & (g.sides - 1) } // sides are 2 or 4

// layBoard fills in the owner and the opposite of each pit (RULES.md §1).
func (g *Game) layBoard() {
	for i := range g.opposite {
		g.opposite[i], g.behind[i], g.sideOf[i] = NoSlot, NoSlot, NoSlot
	}
	inner := 0 // first pit of a side that faces another
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
	g.layHouses()
	for side := range g.sides {
		g.countPits[side] = g.allPits
		if g.rules.CountSide == CountSideOpponent {
			g.countPits[side] &^= g.sidePits[side]
		}
		if g.rules.CountSpare == CountSpareFirst {
			g.countPits[side] &^= 1 << g.firstOfOpponent(side)
		}
		if g.rules.Claim > 0 {
			g.claimPits |= g.sidePits[side]
			if slices.Contains(g.rules.ClaimBan, ClaimBanLast) {
				g.claimPits &^= 1 << (side*g.row + g.row - 1)
			}
		}
	}
}

// firstOfOpponent returns the opponent's pit that the direction reaches first.
func (g *Game) firstOfOpponent(side int) int {
	if g.cw {
		return (2-side)*g.row - 1
	}
	return (1 - side) * g.row
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

func newTrack(ring []uint8, skipOrigin bool) *track {
	t := &track{length: len(ring), round: len(ring), low: int(slices.Min(ring) / 8)}
	if skipOrigin {
		t.round, t.skipped = t.round-1, 1
	}
	t.words = int(slices.Max(ring)/8) + 1 - t.low
	for k := range 2 * len(ring) {
		slot := ring[k%len(ring)]
		t.slots[k] = slot
		t.prefix[k+1] = t.prefix[k]
		t.prefix[k+1][int(slot/8)-t.low] += 1 << (slot % 8 * 8)
	}
	for i, slot := range ring {
		t.index[slot] = uint8(i)
	}
	return t
}

// occupied returns the set of pits with at least one seed. Bits of stores have no
// meaning.
func (g *Game) occupied(p *Position) uint64 {
	set := nonZero(load(&p.Slots, 0)) | nonZero(load(&p.Slots, 1))<<8 // enough for most boards
	for w := 2; w < g.words; w++ {
		set |= nonZero(load(&p.Slots, w)) << (8 * w)
	}
	return set
}

// plural returns the set of slots on a side's track that hold at least two seeds.
func (g *Game) plural(p *Position, side int) uint64 {
	track := g.tracks[side][0]
	var set uint64
	for w := track.low; w < track.low+track.words; w++ {
		set |= nonZero(load(&p.Slots, w)>>1&0x7f7f7f7f7f7f7f7f) << (8 * w)
	}
	return set
}

// nonZero returns one bit for each byte of x that is not 0.
func nonZero(x uint64) uint64 {
	const low7, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	return ((x&low7 + low7 | x) & high) >> 7 * 0x0102040810204080 >> 56
}

// load reads the w-th group of eight slots as one number, one byte for each slot.
func load(slots *[maxSlots]uint8, w int) uint64 {
	return binary.LittleEndian.Uint64(slots[8*w : 8*w+8])
}

// save writes what load reads.
func save(slots *[maxSlots]uint8, w int, x uint64) {
	binary.LittleEndian.PutUint64(slots[8*w:8*w+8], x)
}
