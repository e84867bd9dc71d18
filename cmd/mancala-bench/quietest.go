package main

import (
	"bytes"
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
	_, b, _ = bytes.Cut(b, []byte(`"you":{"legal":[`))
	best, least := "", 0
	for {
		var ok bool
		if _, b, ok = bytes.Cut(b, []byte(`{"m":"`)); !ok {
			return best
		}
		name, rest, _ := bytes.Cut(b, []byte(`"`))
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
}
