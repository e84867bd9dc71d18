package tournament

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"mancala/match/machine"
)

// Kind is the kind of room that runs a Tournament.
const Kind = "tournament"

// Tournament is the machine. Make it with [New] and apply its entries.
type Tournament struct {
	state   State
	id      string
	bound   bound
	players []string // what Players returns
}

var (
	_ machine.NoSecrets    = (*Tournament)(nil)
	_ machine.Staged       = (*Tournament)(nil)
	_ machine.Checkpointer = (*Tournament)(nil)
)

// New returns a tournament without entries. The IDs of its games derive from its room's ID.
func New(room string) *Tournament { return &Tournament{id: room} }

// NoSecrets implements [machine.NoSecrets]. A host's preview of the next pairings is not part
// of the state.
func (t *Tournament) NoSecrets() {}

// Audience implements [machine.Machine]. A tournament has no seats.
func (t *Tournament) Audience(string) machine.Audience { return machine.Watchers }

// Players implements [machine.Machine]. It returns the hosts, and the players who are not
// out and have a device.
func (t *Tournament) Players() []string { return t.players }

// State implements [machine.Staged].
func (t *Tournament) State() string { return string(t.state.Stage) }

// AppendPublic implements [machine.Machine]. It appends the kind, the author and the [Change]
// without the reason, which only hosts read, in the log.
func (t *Tournament) AppendPublic(b []byte, e machine.Entry, _ machine.Audience) []byte {
	if bytes.Contains(e.Body, []byte(`"reason"`)) {
		var c Change
		if err := json.Unmarshal(e.Body, &c); err == nil && c.Reason != "" {
			c.Reason = ""
			e.Body = encode(c)
		}
	}
	text, err := json.Marshal(struct {
		Kind   string          `json:"k"`
		At     int64           `json:"at"`
		By     string          `json:"by,omitempty"`
		Change json.RawMessage `json:"change"`
	}{e.Kind, e.At, e.By, e.Body})
	if err != nil {
		panic(err) // the body is a change that was encoded before
	}
	return append(b, text...)
}

// AppendPrivate implements [machine.Machine].
func (t *Tournament) AppendPrivate(b []byte, _ machine.Audience) []byte { return b }

// snapshot is what [Tournament.Snapshot] returns.
type snapshot struct {
	Kind string `json:"kind"`
	*State
}

// Snapshot implements [machine.Machine].
func (t *Tournament) Snapshot(machine.Audience) []byte { return encode(snapshot{Kind, &t.state}) }

// errUnknown quarantines a room whose entry this release cannot understand.
var errUnknown = errors.New("tournament: unknown entry")

// Apply implements [machine.Machine].
func (t *Tournament) Apply(e machine.Entry) error {
	if _, ok := commands[e.Kind]; !ok || e.Version > newest {
		return errUnknown
	}
	var c Change
	if err := json.Unmarshal(e.Body, &c); err != nil {
		return err
	}
	byHost := t.state.IsHost(e.By)
	if !reads(e, &c) || !t.state.Fold(&c, e.At) {
		return errUnknown
	}
	t.bound.count(e, &c, byHost)
	t.seat()
	return nil
}

// seat sets players. Readers keep the old list, so it makes another one.
func (t *Tournament) seat() {
	t.players = slices.Clone(t.state.Hosts)
	for _, p := range t.state.Players {
		if !p.Paper && !p.Out && !slices.Contains(t.state.Hosts, p.ID) {
			t.players = append(t.players, p.ID)
		}
	}
}

// Wake implements [machine.Machine].
func (t *Tournament) Wake() time.Time {
	due := t.state.Due
	if t.state.InWaves() {
		due = t.state.nextWave()
	}
	if end := t.state.EndOfRound(); end > 0 && (due == 0 || end < due) {
		due = end
	}
	if due == 0 {
		return time.Time{}
	}
	return time.UnixMilli(due)
}

// checkpoint is a [State] with the version of its form.
type checkpoint struct {
	Version int   `json:"version"`
	State   State `json:"state"`
	Bound   bound `json:"bound,omitzero"`
	Games   bool  `json:"games,omitempty"` // each game tells whether it is paused; the release before knows only State.Paused
}

// Checkpoint implements [machine.Checkpointer].
func (t *Tournament) Checkpoint() ([]byte, error) {
	return json.Marshal(checkpoint{State: t.state, Bound: t.bound, Games: true})
}

// LoadCheckpoint implements [machine.Checkpointer].
func (t *Tournament) LoadCheckpoint(text []byte) error {
	var c checkpoint
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	if c.Version != 0 {
		return errUnknown
	}
	if !c.Games {
		c.State.holdRound()
	}
	t.state, t.bound = c.State, c.Bound
	t.seat()
	return nil
}

// encode returns a value of this package as JSON.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings, numbers and lists always encode
	}
	return text
}
