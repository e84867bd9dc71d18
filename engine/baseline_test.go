package engine_test

import (
	"testing"

	"mancala/engine"
)

// handwrittenKalah is Kalah(6,4) without the engine: the baseline for the engine's
// speed. Pits 0–5 and store 6 are South's, pits 7–12 and store 13 are North's.
type handwrittenKalah struct {
	pits [14]uint8
	seat int // 0 South, 1 North
	over bool
	ply  int
}

func newHandwrittenKalah() handwrittenKalah {
	k := handwrittenKalah{}
	for i := range k.pits {
		if i != 6 && i != 13 {
			k.pits[i] = 4
		}
	}
	return k
}

// legal lists the pits that can be lifted.
func (k *handwrittenKalah) legal() (list [6]uint8, n int) {
	for i := range 6 {
		if k.pits[7*k.seat+i] > 0 {
			list[n] = uint8(i)
			n++
		}
	}
	return list, n
}

// play lifts a pit, sows it, captures, and ends the game when a side is empty.
func (k *handwrittenKalah) play(pit int) {
	store, other := 6+7*k.seat, 13-7*k.seat
	at := 7*k.seat + pit
	hand := k.pits[at]
	k.pits[at] = 0
	for hand > 0 {
		if at++; at == 14 {
			at = 0
		}
		if at == other {
			continue
		}
		k.pits[at]++
		hand--
	}
	if own := at - 7*k.seat; own >= 0 && own < 6 && k.pits[at] == 1 && k.pits[12-at] > 0 {
		k.pits[store] += 1 + k.pits[12-at]
		k.pits[at], k.pits[12-at] = 0, 0
	}
	if at != store {
		k.seat = 1 - k.seat
	}
	k.ply++
	south, north := uint8(0), uint8(0)
	for i := range 6 {
		south += k.pits[i]
		north += k.pits[7+i]
	}
	if south == 0 || north == 0 {
		k.over = true
		for i := range 6 {
			k.pits[i], k.pits[7+i] = 0, 0
		}
		k.pits[6] += south
		k.pits[13] += north
	}
}

// handwrittenPlayout is [playout] for the handwritten game.
func handwrittenPlayout(d dice) int {
	k := newHandwrittenKalah()
	for !k.over {
		list, n := k.legal()
		k.play(int(list[d.roll(n)]))
	}
	return k.ply
}

func TestHandwrittenKalahAndEnginePlayTheSameGames(t *testing.T) {
	g := engine.MustCompile("kalah")
	for i := range 1000 {
		k, p, d := newHandwrittenKalah(), g.Start(), dice(i)
		for !k.over {
			list, n := k.legal()
			legal := g.Legal(&p)
			if legal.Len() != n {
				t.Fatalf("playout %d: %d moves by hand, %d in %v", i, n, legal.Len(), p)
			}
			choice := d.roll(n)
			m := legal.At(choice)
			if m.Pit != list[choice] {
				t.Fatalf("playout %d: pit %d by hand, %v in %v", i, list[choice], m, p)
			}
			k.play(int(m.Pit))
			if err := g.Play(&p, nil, m, nil); err != nil {
				t.Fatal(err)
			}
			for pit := range 6 {
				if k.pits[pit] != p.Slots[pit] || k.pits[7+pit] != p.Slots[6+pit] {
					t.Fatalf("playout %d: %v by hand, %v", i, k.pits, p)
				}
			}
			if k.over != (p.Phase == engine.Over) || !k.over && k.seat != int(p.Seat) ||
				int(k.pits[6]) != p.Score(0) || int(k.pits[13]) != p.Score(1) {
				t.Fatalf("playout %d: %+v by hand, %v", i, k, p)
			}
		}
	}
}
