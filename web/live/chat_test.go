package live

import (
	"slices"
	"testing"

	"mancala/lobby"
)

func TestStreamIsNotCountedAsEmptyByALookBeforeALine(t *testing.T) {
	h := &hub{id: "k3v9qa2mxy"}
	srv := &Live{hubs: map[string]*hub{h.id: h}}
	before := h.quiet.lines
	srv.said(h)
	if h.knowQuiet(lobby.StreamPlayers, before); srv.KnowsQuiet(h.id, lobby.StreamPlayers) {
		t.Error("a look from before the line made the stream count as empty")
	}
	next := &hub{id: h.id}
	srv.hubs[h.id] = next // as if the room had ended and been loaded again
	next.knowQuiet(lobby.StreamPlayers, 0)
	srv.said(h)
	if slices.Contains(next.quiet.known, lobby.StreamPlayers) {
		t.Error("a line said by way of the old hub is not known to the new one")
	}
}
