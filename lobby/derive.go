package lobby

import (
	"crypto/sha256"
	"strconv"
	"strings"
)

// DerivedRoomID is the ID of a room that follows from something else, the same
// every time: a rematch from the game before it. It looks like one that
// [NewRoomID] made.
func DerivedRoomID(parts ...string) string {
	text := strings.Join(parts, "\n")
	for try := 0; ; try++ {
		sum := sha256.Sum256([]byte(strconv.Itoa(try) + "\n" + text))
		id := make([]byte, roomLen)
		for i := range id {
			id[i] = roomAlphabet[(int(sum[2*i])<<8|int(sum[2*i+1]))%len(roomAlphabet)]
		}
		if ValidRoomID(string(id)) {
			return string(id)
		}
	}
}
