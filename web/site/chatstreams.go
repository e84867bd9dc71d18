package site

import (
	"mancala/match/machine"
)

// While a game goes on, players and watchers do not hear each other. Once it is
// over, as each of them sees it, the players hear the watchers. The watchers of a
// listed game hear the players; with a delay they hear them as late as they see them.
// What the players of an unlisted game say stays with its seats.

// Shared reports whether a finished game's lines of this stream reach the readers of
// the other stream.
func Shared(listed bool, stream string) bool { return stream == StreamWatchers || listed }

func OtherStream(stream string) string {
	if stream == StreamPlayers {
		return StreamWatchers
	}
	return StreamPlayers
}

// Chat goes beside the room: it has streams of its own, for the players and for
// the watchers, and never a number of the match.
const (
	StreamPlayers  = "players"
	StreamWatchers = "watchers"
)

func StreamOf(a machine.Audience) string {
	if a.IsSeat() {
		return StreamPlayers
	}
	return StreamWatchers
}
