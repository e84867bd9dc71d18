package tournament

import (
	"bytes"
	"encoding/json"
	"slices"

	"mancala/match/machine"
)

// OpenedBoards are boards of a round whose last games can be played now.
type OpenedBoards struct {
	Round  int   `json:"round"`
	Boards []int `json:"boards"`
}

// Opened are boards of a round whose last games can be played now, and the numbers of those who play.
type Opened struct {
	OpenedBoards
	Players []int
}

// unranked are the kinds of entries that change no standings.
var unranked = []string{KindHere, KindBye, KindForbid, KindAllow, KindWait, KindExtend, KindArbiter, KindAnnounce, KindHost}

// MayRank reports whether the standings can be others after an entry. [OpenedBy] tells of further entries that
// change none.
func MayRank(e machine.Entry) bool { return !slices.Contains(unranked, e.Kind) }

// OpenedBy returns the boards whose last games can be played after an entry, if the entry changes nothing
// else. Otherwise it returns nil. The rows of these boards then follow from the state before the entry: their
// last games are opened, and have as many acts as the tournament ([State.Acted]). No standings change.
func OpenedBy(e machine.Entry) *Opened {
	if e.Kind != machine.KindDone {
		return nil
	}
	var c Change
	if json.Unmarshal(e.Body, &c) != nil || len(c.Boards) == 0 {
		return nil
	}
	// All other tasks change more than boards, and the entry of a later release may do so.
	if only := (Change{Round: c.Round, Boards: c.Boards}); !bytes.Equal(encode(only), e.Body) {
		return nil
	}
	o := &Opened{OpenedBoards: OpenedBoards{Round: c.Round}}
	for _, b := range c.Boards {
		o.Boards = append(o.Boards, b.Number)
		o.Players = append(o.Players, b.First, b.Second)
	}
	return o
}
