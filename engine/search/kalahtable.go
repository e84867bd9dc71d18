package search

import "math/bits"

// kalahTable remembers boards of kalah. An entry holds the whole board, so that no
// other can be taken for it, and what is proven about its value: a value never depends
// on the size of the table.
type kalahTable struct {
	buckets []kalahBucket
}

// kalahEntry is the mover's pits in the low 48 bits of the first word, those of the
// other in the second; above them the bounds, a byte each, the best pit and how
// much depends on the entry: the seeds on the board.
type kalahEntry [2]uint64

type kalahBucket [4]kalahEntry // a cache line

const (
	boardBits       = 48
	boardMask       = 1<<boardBits - 1
	noPit     uint8 = 127
)

// kalahBuckets is how many of them there are to be in a table of so many bytes.
func kalahBuckets(memory int64) int { return int(max(memory, minMemory) / 64) }

func newKalahTable(buckets int) *kalahTable {
	t := &kalahTable{buckets: make([]kalahBucket, buckets)}
	hugePages(t.buckets)
	return t
}

func (e kalahEntry) low() int    { return int(int8(e[0] >> 48)) }
func (e kalahEntry) high() int   { return int(int8(e[0] >> 56)) }
func (e kalahEntry) best() uint8 { return uint8(e[1] >> 48) }
func (e kalahEntry) seeds() int  { return int(e[1] >> 56) }

func (t *kalahTable) bucket(own, other uint64) *kalahBucket {
	h := (own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(other*0xd6e8feb86659fd93, 32)) * 0x9fb21c651e98df25
	at, _ := bits.Mul64(h, uint64(len(t.buckets))) // h scaled down to their number
	return &t.buckets[at]
}

func (b *kalahBucket) find(own, other uint64) (e kalahEntry, ok bool) {
	for i := range b {
		if b[i][0]&boardMask == own && b[i][1]&boardMask == other {
			return b[i], true
		}
	}
	return kalahEntry{}, false
}

// put writes over the same board, an empty entry, or the one with the fewest seeds.
func (b *kalahBucket) put(own, other uint64, low, high int, best uint8, left int) {
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
	b[to] = kalahEntry{
		own | uint64(uint8(low))<<48 | uint64(uint8(high))<<56,
		other | uint64(best)<<48 | uint64(left)<<56,
	}
}

// When one looks ahead, an entry holds a value in parts of a seed above the mover's pits,
// and above those of the other how it was found: depth, bound, best pit, whether it is
// proven, and in which search.
const (
	depthAt, boundAt, moveAt, provenAt, ageAt = 48, 55, 57, 60, 61

	maxDepth      = 127
	unknownMove   = 7
	provenIsWorth = 4 // plies, for what to forget first
)

func (e kalahEntry) value() int32 { return int32(int16(e[0] >> 48)) }
func (e kalahEntry) depth() int   { return int(e[1] >> depthAt & 127) }
func (e kalahEntry) bound() bound { return bound(e[1] >> boundAt & 3) }
func (e kalahEntry) proven() bool { return e[1]>>provenAt&1 != 0 }
func (e kalahEntry) age() uint8   { return uint8(e[1] >> ageAt) }

func (e kalahEntry) move() uint8 {
	if m := uint8(e[1] >> moveAt & 7); m != unknownMove {
		return m
	}
	return noPit
}

// enough says whether the entry answers a search.
func (e kalahEntry) enough(depth int, alpha, beta int32) bool {
	if !e.proven() && (e.depth() < depth || beta-alpha > 1) {
		return false
	}
	b, v := e.bound(), e.value()
	return b == exactly || b == atLeast && v >= beta || b == atMost && v <= alpha
}

// note writes over the same board, or over what is worth least. What is proven stays.
func (b *kalahBucket) note(own, other uint64, value int32, depth int, bound bound, best uint8, proven bool, now uint8) {
	how := uint64(min(depth, maxDepth))<<depthAt | uint64(bound)<<boundAt | uint64(best&7)<<moveAt | uint64(now)<<ageAt
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
		if e.age() == now {
			worth += 256
		}
		if worth < least {
			to, least = i, worth
		}
	}
	b[to] = kalahEntry{own | uint64(uint16(value))<<48, other | how}
}
