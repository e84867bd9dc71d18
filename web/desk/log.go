package desk

import (
	"encoding/json"
	"net/http"
	"slices"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/machine"
	"mancala/match/room"
	"mancala/web/messages"
	"mancala/web/pages"
)

// A logLine is an entry of a tournament in words.
type logLine struct {
	Seq    uint64 `json:"seq"`
	At     int64  `json:"at"`
	Kind   string `json:"kind"`
	By     string `json:"by"` // a name; empty: the service
	Words  string `json:"words"`
	Reason string `json:"reason,omitempty"`
}

// log answers with who did what, the latest first.
func (srv *Pages) log(w http.ResponseWriter, r *http.Request) error {
	me, _ := srv.WhoIs(w, r)
	hall, entries, err := srv.Hosting.History(r.Context(), r.PathValue("id"), me)
	if err != nil {
		return err
	}
	lobby.CallDeleted(hall.Names, hall.Deleted, srv.Catalog(r).T("player.deleted"))
	words := logWords{srv.Catalog(r), hall}
	lines := []logLine{}
	for _, e := range slices.Backward(entries) {
		if len(lines) == hosting.MostLogged {
			break
		}
		if line, ok := words.line(e); ok {
			lines = append(lines, line)
		}
	}
	return srv.Answer(w, http.StatusOK, map[string]any{"lines": lines})
}

// logWords puts the entries of a tournament into words.
type logWords struct {
	*messages.Catalog
	hall *hosting.Hall
}

// line returns an entry in words. ok is false for entries that concern no person, as that a game
// was opened.
func (l logWords) line(e *room.Published) (line logLine, ok bool) {
	var c tournament.Change
	if json.Unmarshal(e.Entry.Body, &c) != nil {
		return line, false
	}
	line = logLine{Seq: e.Seq, At: e.Entry.At, Kind: e.Entry.Kind, By: l.hall.Names[e.Entry.By], Reason: c.Reason}
	line.Words = l.words(e.Entry.Kind, &c)
	return line, line.Words != ""
}

// words returns what an entry did. It is empty for entries without a text.
func (l logWords) words(kind string, c *tournament.Change) string {
	switch kind {
	case tournament.KindReport, tournament.KindResult:
		if len(c.Boards) == 1 && c.Boards[0].Result != "" {
			b := c.Boards[0]
			return l.T("desk.log.result", "round", c.Round, "board", b.Number, "what", l.result(&b))
		}
		if len(c.Boards) == 1 && kind == tournament.KindResult {
			return l.T("desk.log.cleared", "round", c.Round, "board", c.Boards[0].Number)
		}
		return ""
	case tournament.KindStart:
		if c.Round == 0 {
			return l.T("desk.log.go-on")
		}
		return l.T("desk.log.start", "round", c.Round)
	case machine.KindWake:
		if c.Closed > 0 {
			return l.T("desk.log.closed", "round", c.Closed)
		}
		if c.Stage == tournament.Running {
			return l.T("desk.log.start", "round", c.Round)
		}
		return ""
	case tournament.KindArbiter:
		return l.act(c)
	case tournament.KindAnnounce:
		return l.T("desk.log.announce", "text", c.Text)
	case tournament.KindImport:
		if len(c.Past) > 0 {
			return l.T("desk.log.import.rounds", "n", len(c.Players), "rounds", len(c.Past))
		}
		return l.T("desk.log.import", "n", len(c.Players))
	case tournament.KindAbsent:
		return l.T("desk.log."+kind, "n", len(c.Players))
	}
	if kind == tournament.KindJoin && len(c.Players) == 1 && c.Players[0].Paper {
		kind = "add" // only a host enters players without a device
	}
	key := "desk.log." + kind
	if !l.Has(key) {
		return ""
	}
	name := ""
	if len(c.Players) > 0 {
		name = l.name(c.Players[0].Number)
	}
	return l.T(key, "name", name)
}

func (l logWords) name(number int) string { return pages.PlayerName(l.Catalog, l.hall, number) }

// act returns what a host did with games that are being played.
func (l logWords) act(c *tournament.Change) string {
	if c.Act == nil {
		return ""
	}
	a := c.Act
	where := l.T("desk.log.all")
	if a.Board > 0 {
		where = l.T("desk.log.board", "board", a.Board)
	}
	key := "desk.log.act." + a.Kind
	if own := "desk.class.log.act." + a.Kind; l.hall.State.Settings.Format == tournament.Class && l.Has(own) { // as [deskPage.Say] does
		key = own
	}
	return l.T(key, "where", where, "n", a.Ms/1000)
}

// result returns the result of a board in words.
func (l logWords) result(b *tournament.Board) string {
	return l.T("desk.result."+b.Result, "first", l.name(b.First), "second", l.name(b.Second))
}
