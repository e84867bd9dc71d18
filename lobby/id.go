package lobby

import (
	"crypto/rand"
	"strings"
)

// Rooms are read aloud and typed; players' IDs never are.
const (
	playerAlphabet = "abcdefghijklmnopqrstuvwxyz234567"
	roomAlphabet   = "abcdefghjkmnpqrstuvwxyz23456789" // without 0, 1, i, l, o

	playerLen = 1 + 12 // 60 bits: nobody guesses one, nor do two meet
	roomLen   = 10
)

// NewRoomID makes an ID for a room: 10 characters that cannot be mistaken for
// one another, with at least one digit, so that /{id} is never another page.
func NewRoomID() string {
	for {
		if id := random(roomAlphabet, roomLen); ValidRoomID(id) {
			return id
		}
	}
}

// ValidRoomID says whether [NewRoomID] could have made id.
func ValidRoomID(id string) bool {
	return len(id) == roomLen && only(id, roomAlphabet) && strings.ContainsAny(id, "23456789")
}

func newPlayerID() string { return "p" + random(playerAlphabet, playerLen-1) }

// ValidPlayerID says whether id looks like a player's. Whether there is such a
// player is another question.
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

// random makes n characters. A byte that would favour the first characters of an
// alphabet that does not divide 256 is thrown away.
func random(alphabet string, n int) string {
	limit := 256 / len(alphabet) * len(alphabet)
	out := make([]byte, 0, n)
	buf := make([]byte, 2*n)
	for {
		_, _ = rand.Read(buf) // never fails: the program ends instead
		for _, b := range buf {
			if int(b) < limit {
				if out = append(out, alphabet[int(b)%len(alphabet)]); len(out) == n {
					return string(out)
				}
			}
		}
	}
}
