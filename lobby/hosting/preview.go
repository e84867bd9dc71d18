package hosting

import (
	"context"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/lobby/tournament/foresight"
	"mancala/match/refusal"
	"mancala/match/room"
)

// A Preview is the next round as it would start now. Its readers share it, and must not change it.
type Preview struct {
	Seq      uint64              `json:"seq"` // of the state that it was made of
	Round    int                 `json:"round"`
	Pairings [][2]int            `json:"pairings"`           // by number; 0: a bye
	Breaches []tournament.Breach `json:"breaches,omitempty"` // the pairings that break a rule

	// Outlook is set if not all rounds can be paired.
	Outlook *Outlook `json:"outlook,omitempty"`

	// Why no legal pairing is left. Pairings are then a proposal that breaks rules.
	Code refusal.Code `json:"code,omitempty"`
}

// An Outlook says how far a tournament can be paired, see [foresight.Outlook].
type Outlook struct {
	Last    int  `json:"last"`    // the last round that was paired in every trial
	Certain bool `json:"certain"` // no trial reached the last round
}

// Preview returns the next round for a host. It refuses as the start would, unless no legal pairing is
// left. A large round takes a second, so only one is made at a time, and once after each entry.
func (h *Hosting) Preview(ctx context.Context, id, host string) (*Preview, error) {
	s, err := h.cachedFor(ctx, id, host)
	if err != nil {
		return nil, err
	}
	h.cache.pairing.Lock()
	defer h.cache.pairing.Unlock()
	if err := ctx.Err(); err != nil { // the host has not waited for their turn
		return nil, err
	}
	if s.preview == nil && s.refused == nil {
		s.preview, s.refused = preview(s.state, s.seq)
	}
	return s.preview, s.refused
}

func preview(s *tournament.State, seq uint64) (*Preview, error) {
	round, pairings, err := s.Preview()
	p := &Preview{Seq: seq, Round: round, Pairings: pairings}
	switch code := lobby.CodeOf(err); {
	case err == nil:
		p.Outlook = outlook(s)
	case code == tournament.CodeNoPairing:
		p.Round, p.Code, p.Pairings = len(s.Rounds)+1, code, s.Fallback()
		if p.Breaches, err = s.Breaches(p.Pairings); err != nil {
			return nil, err
		}
	default:
		return nil, err
	}
	return p, nil
}

// Check returns the next round with the pairings of a host, and those of them that break a rule.
func (h *Hosting) Check(ctx context.Context, id, host string, pairings [][2]int) (*Preview, error) {
	s, err := h.cachedFor(ctx, id, host)
	if err != nil {
		return nil, err
	}
	h.cache.pairing.Lock()
	defer h.cache.pairing.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	breaches, err := s.state.Breaches(pairings)
	if err != nil {
		return nil, err
	}
	return &Preview{Seq: s.seq, Round: len(s.state.Rounds) + 1, Pairings: pairings, Breaches: breaches}, nil
}

// cachedFor is cached for what only hosts may see.
func (h *Hosting) cachedFor(ctx context.Context, id, host string) (*cachedState, error) {
	s, err := h.cached(ctx, id)
	if err == nil && !s.state.IsHost(host) {
		err = refusal.New(tournament.CodeNotHost)
	}
	return s, err
}

// foreseen is the number of players up to which the rest of a tournament is tried out. More
// players run out of opponents only with very many rounds, and trying takes long.
const foreseen = 32

// outlook returns how far a Swiss can be paired, or nil if all its rounds can.
func outlook(s *tournament.State) *Outlook {
	n := 0
	for _, p := range s.Players {
		if !p.Out {
			n++
		}
	}
	if s.Settings.Format != tournament.Swiss || n > foreseen {
		return nil
	}
	tried := *s
	tried.Settings.Rounds = max(len(s.Rounds)+1, min(s.Settings.Rounds, n+1)) // n+1 rounds are always too many
	var o foresight.Outlook
	if o = tried.Outlook(); o.Safe() {
		return nil
	}
	return &Outlook{o.Last, o.Stuck == o.Trials}
}

// MostLogged is how many entries or lines a log shows at most.
const MostLogged = 500

// History returns a tournament as a host sees it, and the entries of its room, oldest first.
func (h *Hosting) History(ctx context.Context, id, host string) (*Hall, []*room.Published, error) {
	hall, err := h.Look(ctx, id, host)
	switch {
	case err != nil:
		return nil, nil, err
	case !hall.Host:
		return nil, nil, refusal.New(tournament.CodeNotHost)
	}
	entries, err := h.Rooms.Entries(ctx, id, host)
	return hall, entries, err
}
