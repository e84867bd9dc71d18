package event

import (
	"slices"

	"mancala/lobby/tournament"
	"mancala/web/pages"
)

// meView is what a player needs to know. The script computes the same (static/event/news.js).
type meView struct {
	Said    string   // what they do now
	Need    string   // what they need in their game
	Next    string   // what comes then
	Room    string   // their game, while it is played
	CheckIn bool     // they can check in
	Leave   bool     // they can withdraw
	Byes    []int    // the rounds for which they can ask for a bye, or give it back
	Out     []string // for each round to come that they sit out, that they do
}

// me returns what the person needs to know as a player. It is nil for others.
func (v *view) me(standings []tournament.Standing) *meView {
	s, p := &v.State, v.Me
	if p == nil {
		return nil
	}
	m := &meView{}
	running := s.Stage == tournament.Running
	m.Leave = !p.Out && s.Stage != tournament.Over
	m.CheckIn = m.Leave && !p.Here && s.Stage == tournament.Entry
	switch {
	case s.IsSubstitute(p) && s.Stage != tournament.Over:
		m.Said = v.t("live.me.substitute")
	case p.Out && s.Stage != tournament.Over:
		m.Said = v.t("live.me.out")
	case s.Stage == tournament.Entry && p.Here:
		m.Said = v.t("live.me.here")
	case s.Stage == tournament.Entry:
		m.Said = v.t("live.me.in")
	case s.Stage == tournament.Over:
		m.Said = v.final(p.Number, standings)
	default:
		m.Said, m.Room = v.now(p)
		m.Need = pages.Needs(v.c, v.Hall, v.known)
	}
	if running {
		m.Next = v.next()
	}
	if s.Settings.Format == tournament.Swiss && m.Leave {
		for round := len(s.Rounds) + 1; round <= s.Settings.Rounds; round++ {
			m.Byes = append(m.Byes, round)
			switch p.Byes[round] {
			case tournament.ZeroBye:
				m.Out = append(m.Out, v.t("live.me.unpaired", "n", round))
			case tournament.HalfBye:
				m.Out = append(m.Out, v.t("live.me.half", "n", round))
			}
		}
	}
	return m
}

// final returns a player's place and points in words.
func (v *view) final(number int, standings []tournament.Standing) string {
	for _, row := range standings {
		if row.Number == number {
			if v.State.Settings.Format == tournament.Knockout {
				return v.t("live.me.finish", "place", row.Place, "of", len(standings))
			}
			return v.t("live.me.final", "place", row.Place, "of", len(standings), "n", v.c.Tenths(row.Points))
		}
	}
	return v.t("live.me.over")
}

// now returns what a player does in the round that runs, and the room of their game.
func (v *view) now(p *tournament.Player) (said, room string) {
	s := &v.State
	round := len(s.Rounds)
	b := s.BoardOf(p.Number)
	if b == nil || v.waves() && b.Result != "" {
		switch {
		case v.waves() && s.Ends > 0 && v.Now >= s.Ends:
			return v.t("live.me.timeup"), ""
		case v.waves() && s.Due == 0:
			return v.t("live.me.stopped"), ""
		case v.waves():
			return v.live("me.waiting"), ""
		case p.Joined > round:
			return v.t("live.me.joined", "n", p.Joined), ""
		case p.Byes[round] == tournament.HalfBye:
			return v.t("live.me.half", "n", round), ""
		case s.Settings.Format == tournament.Knockout:
			return v.t("live.me.knocked"), ""
		}
		return v.t("live.me.unpaired", "n", round), ""
	}
	other := v.name(b.First + b.Second - p.Number)
	switch {
	case b.Result == tournament.Bye:
		return v.t("live.me.bye", "n", round), ""
	case b.Result != "":
		return v.t("live.me."+outcome(b, p.Number), "name", other), ""
	case b.Paper:
		return v.t("live.me.paper", "name", other, "board", b.Number), ""
	}
	if g := b.Running(); g != nil {
		room = g.Room
	}
	return v.t("live.me.game", "name", other, "board", b.Number), room
}

// next returns what comes after the round that runs.
func (v *view) next() string {
	s := &v.State
	switch {
	case v.waves():
		return ""
	case s.Due > v.Now:
		return v.t("live.next.due", "n", len(s.Rounds)+1, "time", clockTime(s.Due-v.Now))
	case slices.ContainsFunc(s.Rounds[len(s.Rounds)-1], func(b tournament.Board) bool { return b.Result == "" }):
		return v.roundEnds()
	case len(s.Rounds) >= s.Total():
		return v.t("live.next.last")
	}
	return v.t("live.next.host", "n", len(s.Rounds)+1)
}

// roundEnds returns when the round that is played ends, in words.
func (v *view) roundEnds() string {
	const day = 24 * 3_600_000
	switch left := v.State.EndOfRound() - v.Now; {
	case left <= 0:
		return ""
	case left >= 3*day/2:
		return v.t("live.next.ends.days", "n", (left+day/2)/day)
	default:
		return v.t("live.next.ends", "time", clockTime(left))
	}
}

// outcome returns the key of the text for a board that is over, for one of its players.
func outcome(b *tournament.Board, number int) string {
	first := b.First == number
	switch b.Result {
	case tournament.Drawn:
		return "drawn"
	case tournament.Neither:
		return "neither"
	case tournament.FirstWins:
		return map[bool]string{true: "won", false: "lost"}[first]
	case tournament.SecondWins:
		return map[bool]string{true: "lost", false: "won"}[first]
	case tournament.FirstUnplayed:
		return map[bool]string{true: "walkover", false: "missed"}[first]
	}
	return map[bool]string{true: "missed", false: "walkover"}[first]
}
