package match

import (
	"fmt"
	"strings"
	"time"

	"mancala/engine"
)

// Record returns the match as text that people keep and other programs read
// (RULES.md §2): its records, with an empty line between them.
func (m *Match) Record(name func(player string) string) string {
	var texts []string
	for _, rec := range m.Records(name) {
		texts = append(texts, rec.String())
	}
	return strings.Join(texts, "\n")
}

// Records returns a game record for each round. name returns the display name of a
// player.
func (m *Match) Records(name func(player string) string) (list []*engine.Record) {
	if m.began == 0 {
		return nil
	}
	var before engine.Standing
	for i := range m.round {
		r := pastRound{m.firstSeat, m.moves, m.lay}
		if i < len(m.past) {
			r = m.past[i]
		}
		rec := &engine.Record{Tags: m.tags(name), Moves: r.texts()}
		start := m.rules.game.StartWith(r.firstSeat)
		if m.rules.rules.Match == engine.MatchDifference {
			rec.Tags = append(rec.Tags, engine.Tag{Name: "Round", Value: fmt.Sprint(i + 1)},
				engine.Tag{Name: "Match", Value: before.MatchTag(m.rules.rules)})
		}
		if r.firstSeat != 0 {
			rec.Tags = append(rec.Tags, engine.Tag{Name: "Start", Value: start.String()})
		}
		var ended *result
		if i < len(m.rounds) {
			ended = &m.rounds[i]
			if len(ended.Winners) > 0 {
				before = standingAfter(before, *ended)
			}
		} else {
			ended = m.result
		}
		m.conclude(rec, ended)
		list = append(list, rec)
	}
	return list
}

// tags returns the tags that every round has.
func (m *Match) tags(name func(string) string) []engine.Tag {
	tags := []engine.Tag{{Name: "Rules", Value: m.rules.system}}
	if m.rules.options != "" {
		tags = append(tags, engine.Tag{Name: "Options", Value: m.rules.options})
	}
	shape := m.rules.game.Shape()
	for seat, p := range m.seats {
		tags = append(tags, engine.Tag{Name: shape.SeatTag(engine.Seat(seat)), Value: plainName(name(p))})
	}
	return append(tags, engine.Tag{Name: "Date", Value: time.UnixMilli(m.began).UTC().Format(time.DateOnly)})
}

// conclude adds to a record how its round ended; ended is nil while the round goes
// on. A game without a winner has no result.
func (m *Match) conclude(rec *engine.Record, ended *result) {
	if rec.Result = "*"; ended == nil || len(ended.Winners) == 0 {
		return
	}
	switch {
	case len(rec.Tags) > 0 && ended == m.result && m.rules.rules.Match == engine.MatchDifference:
		// The match ended in the middle of this round. The round's own score is on
		// the board; the scores of the result are gains.
		p := m.pos
		if ended.Reason == engine.ByResign && len(ended.Winners) == 1 {
			m.rules.game.ResignRound(&p, engine.Seat(1-ended.Winners[0]))
		}
		rec.Result = p.ResultText()
	default:
		rec.Result = joinScores(ended.Scores)
	}
	rec.Tags = append(rec.Tags, engine.Tag{Name: "Result", Value: rec.Result}, engine.Tag{Name: "Termination", Value: ended.Reason})
	if ended.cutShort() && len(ended.Winners) == 1 {
		tag := m.rules.game.Shape().SeatTag(engine.Seat(ended.Winners[0]))
		if m.rules.rules.Partners == 2 {
			tag = strings.TrimRight(tag, "12") // the side
		}
		rec.Tags = append(rec.Tags, engine.Tag{Name: "Winner", Value: tag})
	}
	if len(m.left) > 0 {
		var left []string
		for _, l := range m.left {
			left = append(left, fmt.Sprintf("%s %d", m.rules.game.Shape().SeatTag(l.seat), l.ply))
		}
		rec.Tags = append(rec.Tags, engine.Tag{Name: "Left", Value: strings.Join(left, ", ")})
	}
}

func (r pastRound) texts() []string {
	out := make([]string, len(r.moves))
	for i, c := range r.moves {
		out[i] = unpackMove(c, r.lay).String()
	}
	return out
}

func joinScores(scores []int) string {
	out := make([]string, len(scores))
	for i, n := range scores {
		out[i] = fmt.Sprint(n)
	}
	return strings.Join(out, "-")
}

// plainName removes the characters that a tag line cannot hold.
func plainName(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c == '\uFFFD' {
			return -1
		}
		return c
	}, s)
}
