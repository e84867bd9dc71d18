package chat

import (
	"time"

	"mancala/lobby"
	"mancala/match"
	"mancala/match/machine"
)

// During a game, players and watchers do not read each other's chat. Once the game
// is over, as each reader sees it, the players read the watchers' chat. The watchers
// of a listed game then read the players' chat, and with a delay they read it as
// late as they see the game. The players' chat of an unlisted game stays with its
// seats.

// StreamOf returns the stream that an audience writes to and always reads.
func StreamOf(a machine.Audience) string {
	if a.IsSeat() {
		return lobby.StreamPlayers
	}
	return lobby.StreamWatchers
}

// otherStream returns the stream that readers of this stream do not write to.
func otherStream(stream string) string {
	if stream == lobby.StreamPlayers {
		return lobby.StreamWatchers
	}
	return lobby.StreamPlayers
}

// shared reports whether a finished game's lines of this stream reach the readers of
// the other stream.
func shared(listed bool, stream string) bool { return stream == lobby.StreamWatchers || listed }

// opened returns the stream that the end of a game has opened to the readers of stream
// own, as they see the game. It is empty while there is none.
func opened(own string, game match.Facts) string {
	if other := otherStream(own); game.Over() && shared(game.Listed, other) {
		return other
	}
	return ""
}

// readable returns the streams that a reader of stream own may have read, own first.
// Players may have watched before they sat down.
func readable(own string, game match.Facts) []string {
	other := otherStream(own)
	if other == lobby.StreamWatchers || opened(own, game) == other {
		return []string{own, other}
	}
	return []string{own}
}

// overheard reports whether a line of this stream is shown to the readers of the other
// stream, and after which time. The game is as its players see it. Watchers see it
// late by delay.
func overheard(stream string, game match.Facts, delay time.Duration) (after time.Duration, ok bool) {
	if opened(otherStream(stream), game) != stream {
		return 0, false
	}
	if stream == lobby.StreamWatchers {
		return 0, true
	}
	return delay, true
}

// isPast reports whether a reader who sees the game late by delay may read a line of the
// other stream that was said at a time.
func (c *Chat) isPast(said time.Time, delay time.Duration) bool {
	return !said.After(c.now().Add(-delay))
}

// now returns the time that lines are written and compared with. It is the database's, so
// that a line from another instance is as late as its readers see the game.
func (c *Chat) now() time.Time { return time.UnixMilli(c.Rooms.Now()) }
