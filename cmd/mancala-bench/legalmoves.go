package main

import (
	"bytes"
	"iter"
	"math/rand/v2"
)

// number returns the number after the key that b may begin with, and the rest of b.
func number(b []byte, key string) (n uint64, rest []byte) {
	b = bytes.TrimPrefix(b, []byte(key))
	for len(b) > 0 && b[0] >= '0' && b[0] <= '9' {
		n, b = 10*n+uint64(b[0]-'0'), b[1:]
	}
	return n, b
}

// quietestMove returns the legal move of a frame that makes the game last longest: it
// lifts the fewest seeds and captures none. It returns "" if the frame has no legal
// moves.
func quietestMove(b []byte) string {
	best, least := "", 0
	for name, rest := range legalMoves(b) {
		_, lifted, _ := bytes.Cut(rest, []byte(`[["lift",`))
		_, lifted, _ = bytes.Cut(lifted, []byte(`,`))
		seeds, _ := number(lifted, "")
		cost := 2*int(seeds) + 1
		if end := bytes.IndexByte(rest, '}'); end >= 0 {
			if bytes.Contains(rest[:end], []byte(`"take"`)) || bytes.Contains(rest[:end], []byte(`"end"`)) {
				cost += 100
			}
			if bytes.Contains(rest[:end], []byte(`"again"`)) {
				cost--
			}
		}
		if best == "" || cost < least {
			best, least = string(name), cost
		}
	}
	return best
}

// randomMoves returns a function that returns one of the legal moves of a frame at random,
// or "" if the frame has no legal moves.
func randomMoves(random *rand.Rand) func(b []byte) string {
	return func(b []byte) string {
		var move []byte
		n := 0
		for name := range legalMoves(b) {
			if n++; random.IntN(n) == 0 {
				move = name
			}
		}
		return string(move)
	}
}

// legalMoves returns the name of each legal move of a frame, and the frame after the name.
func legalMoves(b []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, rest []byte) bool) {
		_, b, ok := bytes.Cut(b, []byte(`"you":{"legal":[`))
		for ok {
			if _, b, ok = bytes.Cut(b, []byte(`{"m":"`)); !ok {
				return
			}
			if name, rest, _ := bytes.Cut(b, []byte(`"`)); !yield(name, rest) {
				return
			}
		}
	}
}
