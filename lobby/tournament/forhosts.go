package tournament

import "encoding/json"

// ForHosts reports whether a person's command is one that only hosts send. A program needs its
// owner's leave for that. A command that cannot be read is none, since the room refuses it.
func ForHosts(kind, by string, body []byte) bool {
	c, known := commands[kind]
	var o Order
	switch {
	case !known || c.from == byServer, len(body) > 0 && json.Unmarshal(body, &o) != nil:
		return false
	case c.from == byPlayer:
		return o.Player != "" && o.Player != by || o.Bye == HalfBye
	case kind == KindSettings:
		return o.Settings != nil // games have a command of this kind, too
	}
	return true
}
