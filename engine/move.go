package engine

import (
	"math/bits"
	"strings"
)

// MoveKind is the kind of ply that a move is.
type MoveKind uint8

const (
	MoveLift   MoveKind = iota // lift an own pit and sow
	MoveGift                   // give one seed from an own pit into the opponent's a
	MovePass                   // legal only when no other move is
	MoveLayOut                 // lay out the seeds
	MoveKeep                   // accept the lay-out
	MoveSwap                   // turn the board round
)

// Way is the direction chosen with a lift.
type Way uint8

const (
	NoWay Way = iota // the rules give no choice of direction
	CCW              // ">", to the player's right
	CW               // "<"

	// SowHouse is added to a way if the own house is sown on where the sowing comes to it ("*"). It has no
	// field of its own, because moves with more than four fields are slow.
	SowHouse Way = 4
)

// String returns the suffix that a direction has in a move's text.
func (w Way) String() string {
	if w&SowHouse != 0 {
		return (w &^ SowHouse).String() + "*"
	}
	switch w {
	case CCW:
		return ">"
	case CW:
		return "<"
	}
	return ""
}

// Move is one ply. Moves are comparable.
type Move struct {
	Kind MoveKind
	Pit  uint8 // 0-based on the mover's side, for lifts and gifts
	Way  Way
	Lay  string // for a lay-out: the seeds of each pit in position order, one byte for each
}

// plain reports whether m lifts a pit and names a direction exactly when choice
// demands one.
func (m Move) plain(choice bool) bool {
	return m.Kind == MoveLift && (m.Way != NoWay) == choice && m.Way <= CW && m.Lay == ""
}

// String returns the text of RULES.md §2.
func (m Move) String() string {
	switch m.Kind {
	case MoveGift:
		return "+" + string(rune('a'+m.Pit))
	case MovePass:
		return "-"
	case MoveKeep:
		return "keep"
	case MoveSwap:
		return "swap"
	case MoveLayOut:
		return m.layoutText()
	}
	return string(rune('a'+m.Pit)) + m.Way.String()
}

func (m Move) layoutText() string {
	var b []byte
	for i := range len(m.Lay) {
		switch {
		case i == 0:
			b = append(b, '=')
		case i == len(m.Lay)/2:
			b = append(b, '/')
		default:
			b = append(b, '.')
		}
		b = append(b, joinInts([]int{int(m.Lay[i])})...)
	}
	return string(b)
}

// LayOut returns the move that puts seeds[i] into pit i, all sides in order. A count
// that no pit can hold makes a move that every game refuses.
func LayOut(seeds []int) Move {
	lay := make([]byte, len(seeds))
	for i, n := range seeds {
		lay[i] = byte(min(max(n, 0), 255))
	}
	return Move{Kind: MoveLayOut, Lay: string(lay)}
}

// ParseMove reads the text of a move (RULES.md §2). It returns false if the text is
// not a move. [Game.Play] decides whether the move is legal.
func ParseMove(s string) (Move, bool) {
	if rest, ok := strings.CutSuffix(s, "*"); ok {
		m, ok := ParseMove(rest)
		m.Way |= SowHouse
		return m, ok && m.Kind == MoveLift && !strings.HasSuffix(rest, "*")
	}
	switch {
	case s == "-":
		return Move{Kind: MovePass}, true
	case s == "keep":
		return Move{Kind: MoveKeep}, true
	case s == "swap":
		return Move{Kind: MoveSwap}, true
	case len(s) == 1 && isPit(s[0]):
		return Move{Pit: s[0] - 'a'}, true
	case len(s) == 2 && isPit(s[0]) && s[1] == '>':
		return Move{Pit: s[0] - 'a', Way: CCW}, true
	case len(s) == 2 && isPit(s[0]) && s[1] == '<':
		return Move{Pit: s[0] - 'a', Way: CW}, true
	case len(s) == 2 && s[0] == '+' && isPit(s[1]):
		return Move{Kind: MoveGift, Pit: s[1] - 'a'}, true
	case strings.HasPrefix(s, "=") && len(s) <= maxPositionText:
		south, north, ok := strings.Cut(s[1:], "/")
		a, okA := parseInts(strings.ReplaceAll(south, ".", ","), maxPits, 0, maxSeeds)
		b, okB := parseInts(strings.ReplaceAll(north, ".", ","), maxPits, 0, maxSeeds)
		if !ok || !okA || !okB || len(a) != len(b) || strings.Contains(s, ",") {
			return Move{}, false
		}
		return LayOut(append(a, b...)), true
	}
	return Move{}, false
}

func isPit(c byte) bool { return 'a' <= c && c <= 'z' }

// Moves is a set of legal moves that needs no allocation. It never holds a lay-out,
// because there are too many of them.
type Moves uint64

// Bits 0–25 are lifts or gifts, by pit; the lifts go in the ordinary direction, or ccw. Bits
// 26–51 are lifts the other way. The flags determine how the bits are read.
const (
	cwShift          = 26
	entryShift       = 52      // bits 52–55: the pits of a row, if seeds are entered; then the lifts of outer pits stand for entries that sow the house
	leftFirst  Moves = 1 << 56 // lists have the lift cw of a pit before the others
	backCCW    Moves = 1 << 57 // with backFlag: the other way is ccw
	backFlag   Moves = 1 << 58 // the other way is against the ordinary direction (backward)
	choiceFlag Moves = 1 << 59
	giftFlag   Moves = 1 << 60
	sidesFlag  Moves = 1 << 61 // keep is bit 0, swap bit 1
	passFlag   Moves = 1 << 62 // pass is bit 0
	moveBits   Moves = 1<<(2*cwShift) - 1
)

// Len returns the number of moves.
func (s Moves) Len() int { return bits.OnesCount64(uint64(s & moveBits)) }

// At returns the i-th move, 0 ≤ i < Len. All lifts in the ordinary direction, or ccw, come
// first, pits in order from a.
func (s Moves) At(i int) Move {
	rest := s & moveBits
	for range i {
		rest &= rest - 1
	}
	return s.move(bits.TrailingZeros64(uint64(rest)))
}

// move returns the move that a bit of the set means. It is small enough to be inlined, since the sets of most
// games have no flags.
func (s Moves) move(bit int) Move {
	if s>>entryShift == 0 {
		return Move{Pit: uint8(bit)}
	}
	return s.flagged(bit)
}

// flagged is move for sets with flags.
func (s Moves) flagged(bit int) Move {
	switch {
	case s&giftFlag != 0:
		return Move{Kind: MoveGift, Pit: uint8(bit)}
	case s&sidesFlag != 0:
		return Move{Kind: MoveKeep + MoveKind(bit)}
	case s&passFlag != 0:
		return Move{Kind: MovePass}
	case s.entry() > 0 && bit%cwShift < s.entry():
		m := s.flagged(bit + s.entry())
		m.Way |= SowHouse
		return m
	case s&choiceFlag == 0 && bit < cwShift:
		return Move{Pit: uint8(bit)}
	case bit < cwShift:
		return Move{Pit: uint8(bit), Way: CCW}
	case s&backCCW != 0:
		return Move{Pit: uint8(bit - cwShift), Way: CCW}
	}
	return Move{Pit: uint8(bit - cwShift), Way: CW}
}

// entry returns the number of pits in a row if the moves of the set enter seeds, otherwise 0.
func (s Moves) entry() int { return int(s >> entryShift & 15) }

// back returns the way of the moves against the ordinary direction, or NoWay if the set has none.
func (s Moves) back() Way {
	switch {
	case s&backFlag == 0:
		return NoWay
	case s&backCCW != 0:
		return CCW
	}
	return CW
}

// bit returns the place of m in the set, and false if the set cannot hold such a
// move.
func (s Moves) bit(m Move) (int, bool) {
	switch {
	case s&giftFlag != 0:
		return int(m.Pit), m.Kind == MoveGift && m.Way == NoWay && m.Pit < cwShift
	case s&sidesFlag != 0:
		return int(m.Kind) - int(MoveKeep), m == Move{Kind: MoveKeep} || m == Move{Kind: MoveSwap}
	case s&passFlag != 0:
		return 0, m == Move{Kind: MovePass}
	case m.Way&SowHouse != 0 && s.entry() > 0 && int(m.Pit) >= s.entry():
		m.Way &^= SowHouse
		bit, ok := s.bit(m)
		return bit - s.entry(), ok && int(m.Pit) < 2*s.entry()
	case s.entry() > 0 && int(m.Pit) < s.entry():
		return 0, false
	case s&backFlag != 0 && m.Way == s.back() && m.plain(true) && m.Pit < cwShift:
		return int(m.Pit) + cwShift, true
	case !m.plain(s&choiceFlag != 0) || m.Pit >= cwShift:
		return 0, false
	case m.Way == CW:
		return int(m.Pit) + cwShift, true
	}
	return int(m.Pit), true
}

// Has reports whether m is in the set.
func (s Moves) Has(m Move) bool {
	bit, ok := s.bit(m)
	return ok && s>>bit&1 != 0 && m.Lay == ""
}

// Append appends the moves to dst, pit by pit. Of one pit, the ordinary direction or ccw comes first;
// in games with options of RULES.md §4 that are newer, a list goes from "<" to ">".
func (s Moves) Append(dst []Move) []Move {
	for pit := range cwShift {
		order := [...]int{pit, pit + cwShift}
		if s&leftFirst != 0 {
			order = [...]int{pit + cwShift, pit}
		}
		for _, bit := range order {
			if s&moveBits>>bit&1 == 0 || pit < s.entry() {
				continue
			}
			dst = append(dst, s.move(bit))
			if sow := bit - s.entry(); sow != bit && s>>sow&1 != 0 {
				dst = append(dst, s.move(sow))
			}
		}
	}
	return dst
}
