package socket

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// ping asks the peer for a sign of life, or closes the socket if it still owes
// one. A reader that lags is not asked: its ping would wait behind its backlog
// and measure that, and the flusher has a deadline for it already.
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
	// Random, so that a client can't answer before it was asked; never 0.
	s.pingID, s.pingAt = rand.Uint64()|1, now
	b := appendHeader(make([]byte, 0, 10), finPing, 8)
	s.write(binary.LittleEndian.AppendUint64(b, s.pingID))
}

// ponged takes the answer to a ping. Both ends of the measurement are stamped
// here; what a client can do is to answer late, never to have been faster.
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
	// Smoothed like TCP's round trip (RFC 6298), for one late packet
	// is not yet a slow line.
	if old := s.rtt.Load(); old != 0 {
		sample = old + (sample-old)/4
	}
	s.rtt.Store(sample)
}
