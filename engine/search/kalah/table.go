package kalah

import (
	"math/bits"

	"mancala/engine/search/internal/tablemem"
	"mancala/engine/search/internal/value"
	"mancala/engine/tuning"
)

// table is a transposition table. An entry holds the whole board, so two boards are never
// mistaken for each other. A proof stays true whatever else the table holds: a value never
// depends on the size of the table.
//
// There are two layouts of entries: one for proofs, one for the look-ahead.
type table struct {
	buckets []bucket
}

// entry holds the mover's pits in the low 48 bits of the first word and the opponent's in
// those of the second. In the layout for proofs, the bits above hold the two bounds, a byte
// each, the best pit, and the seeds on the board, which are the entry's importance.
type entry [2]uint64

type bucket [4]entry // 64 bytes

const (
	boardBits       = 48
	boardMask       = 1<<boardBits - 1
	noPit     uint8 = 127
)

// buckets returns the number of buckets in a table of memory bytes.
func buckets(memory int64) int { return int(max(memory, tablemem.MinBytes) / 64) }

func newTable(buckets int) *table {
	t := &table{buckets: make([]bucket, buckets)}
	tuning.HugePages(t.buckets)
	return t
}

func (t *table) wipe() { tablemem.Wipe(t.buckets) }

func (e entry) low() int    { return int(int8(e[0] >> 48)) }
func (e entry) high() int   { return int(int8(e[0] >> 56)) }
func (e entry) best() uint8 { return uint8(e[1] >> 48) }
func (e entry) seeds() int  { return int(e[1] >> 56) }

func (t *table) bucket(own, other uint64) *bucket {
	h := (own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(other*0xd6e8feb86659fd93, 32)) * 0x9fb21c651e98df25
	at, _ := bits.Mul64(h, uint64(len(t.buckets))) // h scaled down to the number of buckets
	return &t.buckets[at]
}

func (b *bucket) find(own, other uint64) (e entry, ok bool) {
	for i := range b {
		if b[i][0]&boardMask == own && b[i][1]&boardMask == other {
			return b[i], true
		}
	}
	return entry{}, false
}

// putBounds overwrites the entry of the same board, an empty one, or the one with the
// fewest seeds.
func (b *bucket) putBounds(own, other uint64, low, high int, best uint8, left int) {
	to, least := 0, 256
	for i := range b {
		if b[i][0]&boardMask == own && b[i][1]&boardMask == other {
			to = i
			break
		}
		if worth := b[i].seeds(); worth < least {
			to, least = i, worth
		}
	}
	b[to] = entry{
		own | uint64(uint8(low))<<48 | uint64(uint8(high))<<56,
		other | uint64(best)<<48 | uint64(left)<<56,
	}
}

// In the layout for the look-ahead, an entry holds a value in parts of a seed above the
// mover's pits. Above the opponent's pits it holds how the value was found: depth, bound,
// best pit, whether it is proven, and the search that wrote it.
const (
	depthAt, boundAt, moveAt, provenAt, ageAt = 48, 55, 57, 60, 61

	maxDepth      = 127
	unknownMove   = 7
	provenIsWorth = 4 // plies of depth, when entries are compared for replacement
)

func (e entry) value() int32       { return int32(int16(e[0] >> 48)) }
func (e entry) depth() int         { return int(e[1] >> depthAt & 127) }
func (e entry) bound() value.Bound { return value.Bound(e[1] >> boundAt & 3) }
func (e entry) proven() bool       { return e[1]>>provenAt&1 != 0 }
func (e entry) age() uint8         { return uint8(e[1] >> ageAt) }

func (e entry) move() uint8 {
	if m := uint8(e[1] >> moveAt & 7); m != unknownMove {
		return m
	}
	return noPit
}

// answers reports whether the entry makes a search to this depth needless.
func (e entry) answers(depth int, alpha, beta int32) bool {
	if !e.proven() && (e.depth() < depth || beta-alpha > 1) {
		return false
	}
	b, v := e.bound(), e.value()
	return b == value.Exactly || b == value.AtLeast && v >= beta || b == value.AtMost && v <= alpha
}

// putValue overwrites the entry of the same board, or the least valuable one. A proven
// value is kept.
func (b *bucket) putValue(own, other uint64, v int32, depth int, bound value.Bound, best uint8, proven bool, generation uint8) {
	how := uint64(min(depth, maxDepth))<<depthAt | uint64(bound)<<boundAt | uint64(best&7)<<moveAt | uint64(generation)<<ageAt
	if proven {
		how |= 1 << provenAt
	}
	to, least := 0, 1<<30
	for i := range b {
		e := b[i]
		if e[0]&boardMask == own && e[1]&boardMask == other {
			if e.proven() && !proven {
				b[i][1] = e[1]&^(7<<moveAt) | uint64(best&7)<<moveAt
				return
			}
			to = i
			break
		}
		worth := e.depth()
		if e.proven() {
			worth += provenIsWorth
		}
		if e.age() == generation {
			worth += 256
		}
		if worth < least {
			to, least = i, worth
		}
	}
	b[to] = entry{own | uint64(uint16(v))<<48, other | how}
}
