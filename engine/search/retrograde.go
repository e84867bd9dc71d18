package search

import "mancala/engine"

// layer is the working memory for all boards with the same number of seeds.
type layer struct {
	boards []uint32 // numbers of the boards
	first  []uint32 // index in next of each board's first successor
	next   []uint32 // boards after moves that win no seed; see link
	low    []int8   // lower bound by the best move that wins a seed or ends the game
	high   []int8   // upper bound by those moves
}

// unknown is less than any value of a board.
const unknown int8 = -128

// link combines the number of a board within its layer with a flag: whether the same
// seat moves again.
func link(number uint32, same bool) uint32 {
	if same {
		return number<<1 | 1
	}
	return number << 1
}

// solveLayer finds the values of the boards with n seeds. It returns false if again
// told it to stop.
func (e *endings) solveLayer(n int, again func() bool) bool {
	l := layer{}
	place := make([]uint32, e.boards.Count) // place of a board in its layer
	p := e.game.StartWith(0)
	p.Phase, p.Clock, p.Ply = engine.Play, 0, 0
	clear(p.Slots[:])
	e.each(&p, 0, n, func() {
		at := e.index(&p)
		place[at] = uint32(len(l.boards))
		l.boards = append(l.boards, at)
	})
	ok := true
	e.each(&p, 0, n, func() {
		if len(l.first)&4095 == 0 {
			ok = ok && again()
		}
		if ok {
			e.successors(&l, &p, n, place)
		}
	})
	l.first = append(l.first, uint32(len(l.next)))
	return ok && e.iterate(&l, n, again)
}

// each calls do for every way to place left seeds into the pits from i on.
func (e *endings) each(p *engine.Position, i, left int, do func()) {
	if i == e.pits-1 {
		p.Slots[i] = uint8(left)
		do()
		p.Slots[i] = 0
		return
	}
	for n := range left + 1 {
		p.Slots[i] = uint8(n)
		e.each(p, i+1, left-n, do)
	}
	p.Slots[i] = 0
}

// successors adds the results of the moves of p to l.
func (e *endings) successors(l *layer, p *engine.Position, n int, place []uint32) {
	l.first = append(l.first, uint32(len(l.next)))
	low, high := unknown, unknown
	legal := e.game.Legal(p)
	for i := range legal.Len() {
		q := *p
		if err := e.game.Play(&q, nil, legal.At(i), nil); err != nil {
			panic(err) // Legal and Play disagree: a defect that the engine's tests look for
		}
		same := q.Seat == p.Seat
		won := q.Score(0) - q.Score(1)
		left := 0
		for _, k := range q.Slots[:e.pits] {
			left += int(k)
		}
		switch {
		case q.Phase == engine.Over:
			low, high = max(low, int8(won)), max(high, int8(won))
		case left == n:
			l.next = append(l.next, link(place[e.index(&q)], same))
		case same:
			at := e.index(&q)
			low, high = max(low, int8(won)+e.low[at]), max(high, int8(won)+e.high[at])
		default:
			at := e.index(&q)
			low, high = max(low, int8(won)-e.high[at]), max(high, int8(won)-e.low[at])
		}
	}
	l.low, l.high = append(l.low, low), append(l.high, high)
}

// iterate updates the boards of a layer until nothing changes.
func (e *endings) iterate(l *layer, n int, again func() bool) bool {
	least, most := int8(0), int8(0) // least and greatest value of a cycle
	if e.ownSeeds {
		least, most = int8(-n), int8(n)
	}
	low, high := newFilled(len(l.boards), least), newFilled(len(l.boards), most)
	newLow, newHigh := newFilled(len(l.boards), 0), newFilled(len(l.boards), 0)
	round := int32(0)
	for changed := true; changed && (e.limit == 0 || round < e.limit) && round < 1<<16-1; {
		if !again() {
			return false
		}
		changed = false
		round++
		for i := range l.boards {
			a, b := l.low[i], l.high[i]
			for _, to := range l.next[l.first[i]:l.first[i+1]] {
				if j := to >> 1; to&1 != 0 {
					a, b = max(a, low[j]), max(b, high[j])
				} else {
					a, b = max(a, -high[j]), max(b, -low[j])
				}
			}
			newLow[i], newHigh[i] = a, b
			if a != low[i] || b != high[i] {
				changed = true
				e.stableAfter[l.boards[i]] = uint16(round)
			}
		}
		low, newLow, high, newHigh = newLow, low, newHigh, high
	}
	for i, at := range l.boards {
		e.low[at] = low[i]
		e.high[at] = high[i]
	}
	return true
}

func newFilled(n int, with int8) []int8 {
	s := make([]int8, n)
	for i := range s {
		s[i] = with
	}
	return s
}
