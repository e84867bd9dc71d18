package socket

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// ping sends a ping, or closes the socket if the last ping is still unanswered after
// PongTimeout. It skips a reader that lags. That ping would wait behind the backlog
// and measure the backlog, and the flusher already has a deadline for this reader.
func (s *Socket) ping() {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || !s.free() {
		return
	}
	if s.pingID != 0 {
		if now.Sub(s.pingAt) >= s.set.config.PongTimeout {
			s.closeLocked(NoPong, "")
		}
		return
	}
	// Random, so that a client cannot answer before the ping is sent; never 0.
	s.pingID, s.pingAt = rand.Uint64()|1, now
	b := appendHeader(make([]byte, 0, 10), finPing, 8)
	s.write(binary.LittleEndian.AppendUint64(b, s.pingID))
}

// ponged handles the answer to a ping. The server takes both times of the
// measurement. So a client can answer late, but cannot appear faster than it is.
func (s *Socket) ponged(_ context.Context, payload []byte) {
	if len(payload) != 8 {
		return
	}
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pingID == 0 || binary.LittleEndian.Uint64(payload) != s.pingID {
		return
	}
	s.pingID = 0
	sample := max(int64(now.Sub(s.pingAt)), 1)
	// Smoothed like TCP's round trip (RFC 6298), because a single late packet does
	// not make a slow line.
	if old := s.rtt.Load(); old != 0 {
		sample = old + (sample-old)/4
	}
	s.rtt.Store(sample)
}
