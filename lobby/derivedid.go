package lobby

import (
	"crypto/sha256"
	"strconv"
	"strings"
)

// DerivedRoomID returns the ID of a room that is derived from something else, such as a
// rematch from the game before it. The same parts always give the same ID. It has the
// form of an ID from [NewRoomID].
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
