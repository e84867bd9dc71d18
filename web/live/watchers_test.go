package live

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/presence"
	"mancala/lobby/workers"
	"mancala/match"
	"mancala/match/journal/memjournal"
	"mancala/match/room"
	"mancala/web/site"
)

// spreading sends to done when the hub has told the other instances something.
type spreading struct {
	*hub
	done chan struct{}
}

func (s spreading) Spread(kind string, body json.RawMessage) {
	s.hub.Spread(kind, body)
	select {
	case s.done <- struct{}{}:
	default:
	}
}

// The room may report the number of watchers as soon as it is followed, before the
// hub knows that it follows.
func TestWatchersAreCountedBeforeTheHubFollows(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	rooms, err := room.Start(ctx, room.Config{
		Self: "test", Journal: memjournal.New(), Kinds: effects.Kinds(),
		Grace: 5 * time.Minute, // a busy machine may stop the test for seconds
	})
	if err != nil {
		t.Fatal(err)
	}
	w := workers.New()
	t.Cleanup(func() {
		if err := rooms.Drain(context.Background(), nil); err != nil {
			t.Error(err)
		}
		w.Close()
		cancel()
		rooms.Wait()
	})
	const id = "k3v9qa2mxy"
	if err := rooms.Create(ctx, id, match.Kind, match.Creation{Settings: match.Settings{Rules: "kalah"}, Creator: "pada"}.Command("create")); err != nil {
		t.Fatal(err)
	}
	s := &site.Site{Config: site.Config{Rooms: rooms}, Lobby: &lobby.Lobby{}}
	s.Workers, s.Presence = w, presence.New(presence.Config{Rooms: rooms, Workers: w}, gamelist.NewPages(w))
	h := newHub(&Live{Site: s, hubs: map[string]*hub{}}, id)
	told := make(chan struct{}, 1)
	h.roll = s.Presence.NewRoll(spreading{h, told})
	h.Note(room.Note{Kind: room.NoteWatching, Body: json.RawMessage(`{"count":1}`)})
	h.follow()
	defer h.following.Close()
	<-told
}
