package policy_test

import (
	"errors"
	"testing"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/policy"
	"mancala/lobby/social"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// town has a policy, rooms without a registry, and some guests.
type town struct {
	testing.TB
	*policy.Policy
	rooms *lobbytest.Rooms
	id    map[string]string // of the guests, by name
}

func newTown(t *testing.T, names ...string) *town {
	t.Helper()
	db := lobbytest.Memory(t)
	people, err := lobby.Open(t.Context(), db, lobby.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ties, err := social.Open(t.Context(), db, people.People)
	if err != nil {
		t.Fatal(err)
	}
	w := &town{TB: t, rooms: lobbytest.NewRooms(), id: lobbytest.Guests(t, people.People, names...)}
	w.Policy = &policy.Policy{Rooms: w.rooms, People: people.People, Games: people.Games, Social: ties}
	return w
}

// expect fails the test unless an action is refused with a code, or succeeds if want is
// empty.
func (w *town) expect(what string, err error, want refusal.Code) {
	w.Helper()
	code, refused := refusal.Of(err)
	if err != nil && !refused || code != want {
		w.Errorf("%s: got %v, want %q", what, err, want)
	}
}

const game = "k3v9qa2mx1"

func TestHintIsForThePlayerOnTurnAmongBots(t *testing.T) {
	w := newTown(t, "Ada", "Ben")
	ada := w.id["Ada"]
	if err := w.MayHint(t.Context(), game, ada); !errors.Is(err, room.ErrNoRoom) {
		t.Errorf("in no room: %v", err)
	}
	w.rooms.Open(t, game, match.Creation{Settings: match.Settings{Rules: "oware", Start: "creator"}, Creator: ada, Bots: []string{match.BotID(1, 1)}})
	w.expect("on turn", w.MayHint(t.Context(), game, ada), "")
	w.expect("a watcher", w.MayHint(t.Context(), game, w.id["Ben"]), "no-hints")
	w.rooms.Says(t, game, ada, match.KindMove, `{"ply":0,"move":"a"}`)
	w.expect("the bot is on turn", w.MayHint(t.Context(), game, ada), "no-hint")
	w.rooms.Says(t, game, ada, match.KindResign, `{}`)
	w.expect("over", w.MayHint(t.Context(), game, ada), "no-hint")
	const ofTwo = "k3v9qa2mx2"
	w.rooms.Open(t, ofTwo, match.Creation{Settings: match.Settings{Rules: "oware"}, Seats: []string{ada, w.id["Ben"]}})
	w.expect("beside a person", w.MayHint(t.Context(), ofTwo, ada), "no-hints")
}

func TestBotsBesideIsFalseForAGameOfOne(t *testing.T) {
	bot := match.BotID(3, 1)
	for _, tt := range []struct {
		name  string
		seats []string
		want  bool
	}{
		{"no player", nil, false},
		{"one player", []string{"ada"}, false},
		{"one bot", []string{"ada", bot}, true},
		{"three bots", []string{"ada", bot, match.BotID(3, 2), match.BotID(3, 3)}, true},
		{"a person", []string{"ada", "ben"}, false},
		{"a person and bots", []string{"ada", bot, "ben", bot}, false},
	} {
		if got := policy.BotsBeside(&match.Public{Seats: tt.seats}, "ada"); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestSeatBesideABlockedPlayerIsRefused(t *testing.T) {
	w := newTown(t, "Ada", "Ben", "Cleo")
	w.rooms.Open(t, game, match.Creation{Settings: match.Settings{Rules: "oware"}, Creator: w.id["Ada"]})
	if err := w.Social.Block(t.Context(), w.id["Ada"], w.id["Ben"]); err != nil {
		t.Fatal(err)
	}
	sit := func(name string) error { return w.MayCommand(t.Context(), game, w.id[name], match.KindSit, false) }
	w.expect("a blocked player", sit("Ben"), "seat-kept")
	w.expect("another player", sit("Cleo"), "")
	w.expect("no game", w.MayCommand(t.Context(), "k3v9qa2mx9", w.id["Ben"], match.KindSit, false), "no-room") // as the command would be
}

func TestGuestsPlayNoRatedGames(t *testing.T) {
	w := newTown(t, "Ada")
	rate := func(rated bool) error {
		return w.MayCommand(t.Context(), game, w.id["Ada"], match.KindSettings, rated)
	}
	w.expect("rated", rate(true), "needs-account")
	w.expect("casual", rate(false), "")
}
