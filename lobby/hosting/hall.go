package hosting

import (
	"context"
	"encoding/json"
	"slices"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
	"mancala/match/room"
)

// A Hall is a tournament as a person sees it.
type Hall struct {
	ID    string
	Seq   uint64 // a socket of this page subscribes since here
	Now   int64  // ms: the room's time
	State tournament.State

	// Names are the players' and hosts' names by ID. No two players have the same: the second one is
	// "Ada 2". Where the settings ask for it, others than the hosts get initials.
	Names map[string]string
	// Deleted are the deleted players and hosts, in the order of their numbers. See [lobby.CallDeleted].
	Deleted []string
	Host    bool               // the person is a host
	Me      *tournament.Player // their row; nil if they have not entered
}

// Look returns a tournament as a person sees it. It refuses with [CodeNoTournament] if there is
// none.
func (h *Hosting) Look(ctx context.Context, id, person string) (*Hall, error) {
	hall, err := h.look(ctx, id, person)
	if err != nil {
		return nil, err
	}
	if hall.Host {
		h.keep(ctx, hall)
	}
	hall.Names, hall.Deleted, err = h.names(ctx, hall)
	return hall, err
}

// keep keeps the players without devices until their tournament is over: they are guests who never come
// themselves, and would be swept as idle. Only hosts' visits keep them, so that they go with a tournament that
// nobody looks after.
func (h *Hosting) keep(ctx context.Context, hall *Hall) {
	var guests []string
	for _, p := range hall.State.Players {
		if p.Paper && p.ID != "" && hall.State.Stage != tournament.Over {
			guests = append(guests, p.ID)
		}
	}
	if err := h.People.Keep(ctx, guests); err != nil {
		lobby.Warn(h.Log, "hosting: players without devices not kept", err, "room", hall.ID) // the next visit does it
	}
}

// look is Look without names, with a state of its own.
func (h *Hosting) look(ctx context.Context, id, person string) (*Hall, error) {
	view, err := h.view(ctx, id, person)
	if err != nil {
		return nil, err
	}
	hall := &Hall{ID: id, Seq: view.Seq, Now: view.Now}
	if err := json.Unmarshal(view.Snapshot, &hall.State); err != nil {
		return nil, wrap(err, "read")
	}
	if hall.State.Stage == tournament.Deleted {
		return nil, refusal.New(CodeNoTournament)
	}
	hall.Host = hall.State.IsHost(person)
	hall.Me = hall.State.Player(person)
	return hall, nil
}

// view returns the room of a tournament.
func (h *Hosting) view(ctx context.Context, id, person string) (room.View, error) {
	if !lobby.ValidRoomID(id) {
		return room.View{}, refusal.New(CodeNoTournament)
	}
	view, err := h.Rooms.View(ctx, id, person)
	if refusal.Is(err, room.CodeNoRoom) || err == nil && view.Kind != tournament.Kind {
		err = refusal.New(CodeNoTournament)
	}
	return view, err
}

// names returns the names that a person sees, and who of the players and hosts is deleted.
func (h *Hosting) names(ctx context.Context, hall *Hall) (names map[string]string, deleted []string, err error) {
	var ids []string
	for _, p := range hall.State.Players {
		if p.ID != "" {
			ids = append(ids, p.ID)
		}
	}
	names, deleted, err = h.People.NamesAndDeleted(ctx, append(ids, hall.State.Hosts...))
	if err != nil {
		return nil, nil, err
	}
	var whole map[string]string
	if hall.State.Settings.Initials && (hall.Host || hall.Me != nil) {
		if whole, err = h.Index.wholeNames(ctx, hall.ID); err != nil {
			return nil, nil, err
		}
	}
	shown := make([]string, len(ids))
	for i, id := range ids {
		switch mayKnow := hall.Host || hall.Me != nil && hall.Me.ID == id; {
		case mayKnow && whole[id] != "":
			shown[i] = whole[id]
		case hall.State.Settings.Initials && !mayKnow && !slices.Contains(deleted, id):
			shown[i] = initials(names[id])
		default:
			shown[i] = names[id]
		}
	}
	for i, name := range lobby.Distinct(shown) {
		names[ids[i]] = name
	}
	return names, deleted, nil
}
