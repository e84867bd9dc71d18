package chat

import (
	"slices"
	"sync"

	"mancala/lobby"
)

// quiet caches which streams of a room have no line, so that new readers cost no
// database query. Every new Streams starts with an empty cache. Lines are only said
// through a Streams, whose clients follow the room.
type quiet struct {
	mu    sync.Mutex // no other lock is taken while it is held
	lines int        // said, or tried, during this cache's life
	known []string
}

// forget empties the cache: a line was said.
func (q *quiet) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lines++
	q.known = nil
}

// Unfollowed records that the streams have no line, because no client has followed the room
// before. It is called before the first client does.
func (s *Streams) Unfollowed() {
	for _, stream := range []string{lobby.StreamPlayers, lobby.StreamWatchers} {
		s.quiet.learn(stream, 0)
	}
}

// look reports whether a stream is known to be empty. lines is for [quiet.learn].
func (q *quiet) look(stream string) (lines int, empty bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lines, slices.Contains(q.known, stream)
}

// learn records that a stream was found empty. lines is the count of lines before the
// database was read. If a line came since, the result may be older than that line and
// is ignored.
func (q *quiet) learn(stream string, lines int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lines == lines && !slices.Contains(q.known, stream) {
		q.known = append(q.known, stream)
	}
}
