package search

import (
	"math/bits"

	"mancala/engine"
	"mancala/engine/search/internal/tablemem"
	"mancala/engine/search/internal/value"
)

// table is the transposition table: it remembers as many positions as it can hold.
//
// An entry is found by a hash of 64 bits, as repetition is (engine.History). A proven
// entry holds at every depth, an estimate only for searches that are not deeper. An
// entry proven at some clock holds for every earlier clock too, because there are
// then more plies before no_progress ends the game. So exact values do not depend on
// which entries were kept.
type table struct {
	buckets []bucket
	now     uint8 // number of the search, which decides what is overwritten first
}

const bucketSize = 4 // entries, 64 bytes

type bucket [bucketSize]entry

type entry struct {
	key    uint64
	value  int16 // margin still to be won, in parts of a seed; see Searcher.storedMargin
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

// put overwrites the entry of the same position, or the least valuable one. A proven
// entry is kept.
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

// key returns the hash by which p is found. Two positions share an entry if the rest
// of the game is the same in both; the seeds in the stores may differ.
func (s *Searcher) key(p *engine.Position) uint64 {
	k := s.game.Key(p)
	if s.storesMatter {
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

// storedMargin returns the part of a value that the table leaves out: the margin in
// the stores.
func (s *Searcher) storedMargin(p *engine.Position) int32 {
	if s.storesMatter {
		return 0
	}
	return s.eval.margin(p, s.team(p), s.me)
}

// answerFrom returns what an entry says about p, and whether that answers the search.
func (s *Searcher) answerFrom(e entry, p *engine.Position, depth int, alpha, beta int32) (result, bool) {
	proven := e.proven && (s.cycles.limit == 0 || p.Clock <= int32(e.clock))
	if !proven && (int(e.depth) < depth || beta-alpha > 1) {
		return result{}, false
	}
	v := int32(e.value) + s.storedMargin(p)
	if e.bound == value.Exactly || e.bound == value.AtLeast && v >= beta || e.bound == value.AtMost && v <= alpha {
		return result{v, proven, independent}, true
	}
	return result{}, false
}

// store writes the result for p into the table.
func (s *Searcher) store(p *engine.Position, key uint64, depth, at int, alpha, beta int32, r result, move uint8) {
	e := entry{key: key, value: int16(r.value - s.storedMargin(p)), depth: uint8(depth), move: move, bound: value.Exactly}
	switch {
	case r.value >= beta:
		e.bound = value.AtLeast
	case r.value <= alpha:
		e.bound = value.AtMost
	}
	e.clock = uint8(min(p.Clock, 255))
	e.proven = r.proven && min(r.dependsOn, s.cycles.dependsOn(p, at)) >= int32(at)
	s.table.put(e)
}
