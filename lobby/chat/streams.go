package chat

import (
	"mancala/lobby"
	"mancala/match/machine"
)

// During a game, players and watchers do not read each other's chat. Once the game
// is over, as each reader sees it, the players read the watchers' chat. The watchers
// of a listed game then read the players' chat, and with a delay they read it as
// late as they see the game. The players' chat of an unlisted game stays with its
// seats.

// Shared reports whether a finished game's lines of this stream reach the readers of
// the other stream.
func Shared(listed bool, stream string) bool { return stream == lobby.StreamWatchers || listed }

// OtherStream returns the stream that readers of this stream do not write to.
func OtherStream(stream string) string {
	if stream == lobby.StreamPlayers {
		return lobby.StreamWatchers
	}
	return lobby.StreamPlayers
}

// StreamOf returns the stream of an audience.
func StreamOf(a machine.Audience) string {
	if a.IsSeat() {
		return lobby.StreamPlayers
	}
	return lobby.StreamWatchers
}
