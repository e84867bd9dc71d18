package search

import (
	"math/bits"

	"mancala/engine"
	"mancala/engine/search/internal/tablemem"
	"mancala/engine/search/internal/value"
)

// table remembers positions that have been searched, as many as it has room for.
//
// An entry is found by a hash of 64 bits, as repetition is (engine.History). A
// proven entry holds whatever the depth; an estimate only for searches that
// are not deeper. An entry proven at some clock holds for every clock that is not
// later, since there is then more time before no_progress ends the game. So values
// that are exact do not depend on which entries have been kept.
type table struct {
	buckets []bucket
	now     uint8 // the search that writes, for what to forget first
}

const bucketSize = 4 // a cache line

type bucket [bucketSize]entry

type entry struct {
	key    uint64
	value  int16 // seeds still to be won, in parts of a seed; see Searcher.stored
	depth  uint8
	clock  uint8
	move   uint8
	bound  value.Bound
	proven bool
	age    uint8
}

func newTable(memory int64) *table {
	n := uint64(max(memory, tablemem.MinBytes)) / (16 * bucketSize)
	return &table{buckets: make([]bucket, 1<<(bits.Len64(n)-1))}
}

func (t *table) bucket(key uint64) *bucket { return &t.buckets[key&uint64(len(t.buckets)-1)] }

func (t *table) find(key uint64) (entry, bool) {
	b := t.bucket(key)
	for i := range b {
		if b[i].key == key && b[i].bound != value.None {
			return b[i], true
		}
	}
	return entry{}, false
}

// put writes e over the same position, or over what is worth least.
func (t *table) put(e entry) {
	e.age = t.now
	b := t.bucket(e.key)
	to, least := 0, 1<<30
	for i := range b {
		old := &b[i]
		if old.bound != value.None && old.key == e.key {
			if old.proven && !e.proven {
				old.move = e.move
				return
			}
			*old = e
			return
		}
		worth := int(old.depth)
		if old.proven {
			worth += 4
		}
		if old.age == t.now {
			worth += 256
		}
		if old.bound == value.None {
			worth = -1
		}
		if worth < least {
			to, least = i, worth
		}
	}
	b[to] = e
}

// key is what p is found by. Two positions share an entry when the rest of the game
// is the same in both, but for what the stores hold already.
func (s *Searcher) key(p *engine.Position) uint64 {
	k := s.game.Key(p)
	if s.mixStore {
		for side, n := range p.Slots[s.eval.pits : s.eval.pits+s.eval.sides] {
			k = (k ^ uint64(n)<<(8*side)) * 0x9e3779b97f4a7c15
		}
		k ^= uint64(s.me)
	}
	if p.Phase != engine.Play || p.Out != 0 {
		k = (k ^ uint64(p.Phase)<<8 ^ uint64(p.Out)) * 0xd6e8feb86659fd93
	}
	return k ^ k>>32
}

// stored is the part of a value that is not in the stores yet.
func (s *Searcher) stored(p *engine.Position) int32 {
	if s.mixStore {
		return 0
	}
	return s.eval.margin(p, s.team(p), s.me)
}

// recall is what an entry says about p, if that is enough.
func (s *Searcher) recall(e entry, p *engine.Position, depth int, alpha, beta int32) (result, bool) {
	proven := e.proven && (s.cycles.limit == 0 || p.Clock <= int32(e.clock))
	if !proven && (int(e.depth) < depth || beta-alpha > 1) {
		return result{}, false
	}
	v := int32(e.value) + s.stored(p)
	if e.bound == value.Exactly || e.bound == value.AtLeast && v >= beta || e.bound == value.AtMost && v <= alpha {
		return result{v, proven, free}, true
	}
	return result{}, false
}

// remember writes what was found about p.
func (s *Searcher) remember(p *engine.Position, key uint64, depth, at int, alpha, beta int32, r result, move uint8) {
	e := entry{key: key, value: int16(r.value - s.stored(p)), depth: uint8(depth), move: move, bound: value.Exactly}
	switch {
	case r.value >= beta:
		e.bound = value.AtLeast
	case r.value <= alpha:
		e.bound = value.AtMost
	}
	e.clock = uint8(min(p.Clock, 255))
	e.proven = r.proven && min(r.since, s.cycles.dependsOn(p, at)) >= int32(at)
	s.table.put(e)
}
