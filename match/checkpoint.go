package match

import (
	"encoding/json"
	"errors"
	"fmt"
)

// checkpointVersion is the version of the checkpoints that this release reads and writes. A
// release raises it if it changes the state, what Apply makes of an entry, or how positions
// are compared ([engine.Game.Key]). A test holds it against recorded journals.
const checkpointVersion = 1

// checkpoint is a match as of an entry, with everything that its methods depend on.
type checkpoint struct {
	Version int                        `json:"v"`
	Rules   [4]string                  `json:"rules"` // the names of the rule set
	History []uint64                   `json:"history"`
	State   map[string]json.RawMessage `json:"state"`
}

// stored returns the parts of the state that a checkpoint holds as they are, by name.
//
// The part "event" is only there in a game of a tournament. So a release that does not know such
// games reads the checkpoints of all others.
func (s *state) stored() map[string]any {
	parts := map[string]any{
		"stage": &s.stage, "start": &s.start, "forOthers": &s.forOthers, "plain": &s.plain, "chat": &s.chat, "rated": &s.rated,
		"counted": &s.counted, "listed": &s.listed, "behind": &s.behind, "rematches": &s.rematches,
		"extras": &s.extras, "at": &s.at, "began": &s.began, "expires": &s.expires, "unmoved": &s.unmoved,
		"controlKind": &s.control.kind, "controlBase": &s.control.base, "controlInc": &s.control.inc, "controlText": &s.control.text,
		"creator": &s.creator, "secret": &s.secret, "sitters": &s.sitters, "youngest": &s.youngest, "seats": &s.seats,
		"pos": &s.pos, "firstSeat": &s.firstSeat, "moves": &s.moves, "lay": &s.lay,
		"lastSeat": &s.last.seat, "lastMove": &s.last.move, "lastTrace": &s.last.trace, "made": &s.made,
		"clock": &s.clock, "run": &s.run, "due": &s.due, "lag": &s.lag,
		"holdSince": &s.hold.since, "holdUntil": &s.hold.until, "holdGrace": &s.hold.grace, "credit": &s.credit,
		"offers": &s.offers, "drawn": &s.drawn, "asked": &s.asked, "gone": &s.gone, "left": &s.left,
		"round": &s.round, "standing": &s.standing, "rounds": &s.rounds, "past": &s.past, "result": &s.result,
		"ratings": &s.ratings, "rematch": &s.rematch,
	}
	if s.event != nil {
		parts["event"] = s.event
	}
	return parts
}

// Checkpoint implements [machine.Checkpointer].
func (m *Match) Checkpoint() ([]byte, error) {
	if m.rules == nil {
		return nil, errors.New("match: a checkpoint before the first entry")
	}
	r := m.rules
	c := checkpoint{checkpointVersion, [4]string{r.system, r.options, r.title, r.canonical}, m.hist.Since(&m.pos), map[string]json.RawMessage{}}
	for name, at := range m.stored() {
		var err error
		if c.State[name], err = json.Marshal(at); err != nil {
			return nil, fmt.Errorf("match: checkpoint, %s: %w", name, err)
		}
	}
	return json.Marshal(c)
}

// LoadCheckpoint implements [machine.Checkpointer].
func (m *Match) LoadCheckpoint(data []byte) error {
	var c checkpoint
	if err := json.Unmarshal(data, &c); err != nil {
		return fmt.Errorf("match: checkpoint: %w", err)
	}
	if c.Version != checkpointVersion {
		return fmt.Errorf("match: this release does not read a checkpoint of version %d", c.Version)
	}
	var f fold
	if c.State["event"] != nil {
		f.event = new(tournamentPart)
	}
	parts := f.stored()
	if len(c.State) != len(parts) {
		return fmt.Errorf("match: a checkpoint with %d parts, not %d", len(c.State), len(parts))
	}
	for name, at := range parts {
		if err := json.Unmarshal(c.State[name], at); err != nil {
			return fmt.Errorf("match: checkpoint, %s: %w", name, err)
		}
	}
	var err error
	if f.rules, err = rulesets.get(c.Rules[0], c.Rules[1], c.Rules[2], c.Rules[3]); err != nil {
		return err
	}
	f.hist = f.rules.game.RestoreHistory(c.History)
	if err := f.people(); err != nil {
		return err
	}
	if f.pos.Shape != f.rules.game.Shape() || f.onTurn() >= f.rules.game.Seats() || int(f.stage) >= len(stageNames) || int(f.start) >= len(startNames) || int(f.chat) >= len(chatNames) {
		return errors.New("match: a checkpoint that does not fit its rules")
	}
	m.state = f.state
	m.here = m.present()
	return nil
}

// Parts of the state whose fields encoding/json does not see are lists in a checkpoint.

func (o offer) MarshalJSON() ([]byte, error) { return json.Marshal([]any{o.what, o.seat, o.yes}) }

func (o *offer) UnmarshalJSON(data []byte) error { return readList(data, &o.what, &o.seat, &o.yes) }

func (l leaver) MarshalJSON() ([]byte, error) { return json.Marshal([]any{l.seat, l.ply}) }

func (l *leaver) UnmarshalJSON(data []byte) error { return readList(data, &l.seat, &l.ply) }

func (r pastRound) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{r.firstSeat, r.moves, r.lay})
}

func (r *pastRound) UnmarshalJSON(data []byte) error {
	return readList(data, &r.firstSeat, &r.moves, &r.lay)
}

// readList reads a JSON list of exactly these values.
func readList(data []byte, values ...any) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != len(values) {
		return fmt.Errorf("a list of %d values, not %d", len(list), len(values))
	}
	for i, v := range values {
		if err := json.Unmarshal(list[i], v); err != nil {
			return err
		}
	}
	return nil
}
