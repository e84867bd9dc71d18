package lobby

import (
	"crypto/rand"
	"strings"
)

// IDs of rooms are read aloud and typed; IDs of players never are.
const (
	playerAlphabet = "abcdefghijklmnopqrstuvwxyz234567"
	roomAlphabet   = "abcdefghjkmnpqrstuvwxyz23456789" // without 0, 1, i, l, o

	playerLen = 1 + 12 // 60 bits: an ID cannot be guessed, and a collision is improbable
	roomLen   = 10
)

// NewRoomID returns a new ID for a room. It has 10 characters that readers cannot
// confuse, with at least one digit. So /{id} is never the path of another page.
func NewRoomID() string {
	for {
		if id := random(roomAlphabet, roomLen); ValidRoomID(id) {
			return id
		}
	}
}

// ValidRoomID reports whether [NewRoomID] could have made id.
func ValidRoomID(id string) bool {
	return len(id) == roomLen && only(id, roomAlphabet) && strings.ContainsAny(id, "23456789")
}

func newPlayerID() string { return "p" + random(playerAlphabet, playerLen-1) }

// ValidPlayerID reports whether id has the form of a player's ID. It does not check
// whether the player exists.
func ValidPlayerID(id string) bool {
	return len(id) == playerLen && id[0] == 'p' && only(id[1:], playerAlphabet)
}

func only(s, alphabet string) bool {
	for i := range len(s) {
		if strings.IndexByte(alphabet, s[i]) < 0 {
			return false
		}
	}
	return true
}

// random returns n random characters. It discards bytes that would favour the first
// characters of an alphabet whose length does not divide 256.
func random(alphabet string, n int) string {
	limit := 256 / len(alphabet) * len(alphabet)
	out := make([]byte, 0, n)
	buf := make([]byte, 2*n)
	for {
		_, _ = rand.Read(buf) // never fails: the program would end instead
		for _, b := range buf {
			if int(b) < limit {
				if out = append(out, alphabet[int(b)%len(alphabet)]); len(out) == n {
					return string(out)
				}
			}
		}
	}
}
