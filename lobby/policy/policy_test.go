package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"testing"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/policy"
	"mancala/lobby/seeks"
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
	graph, err := social.Open(t.Context(), db, people.People)
	if err != nil {
		t.Fatal(err)
	}
	w := &town{TB: t, rooms: lobbytest.NewRooms(), id: lobbytest.Guests(t, people.People, names...)}
	w.Policy = &policy.Policy{Rooms: w.rooms, People: people.People, Games: people.Games, Social: graph}
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

// waiting is the state of the lobby.
type waiting struct{ state seeks.State }

func (w *waiting) State(_ context.Context, look func(*seeks.State)) error {
	look(&w.state)
	return nil
}

// order returns a player's order to the lobby with the facts that the policy adds.
func (w *town) order(name, kind string, o seeks.Order) (full seeks.Order) {
	w.Helper()
	body, err := w.Order(w.Context(), w.id[name], netip.Addr{}, kind, o)
	if err == nil {
		err = json.Unmarshal(body, &full)
	}
	if err != nil {
		w.Fatal(err)
	}
	return full
}

func TestChildMayDeclineAChallengeButNotAcceptIt(t *testing.T) {
	w := newTown(t, "Ada")
	w.Orders, w.Waiting = lobby.NewLimiter(lobby.Rate{}), new(waiting)
	if _, err := w.People.SetPrefs(t.Context(), w.id["Ada"], lobby.Prefs{"kids": "on"}); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]refusal.Code{seeks.KindDecline: "", seeks.KindAccept: "no-strangers"} {
		_, err := w.Order(t.Context(), w.id["Ada"], netip.Addr{}, kind, seeks.Order{Seek: game})
		w.expect(kind, err, want)
	}
}

func TestOnlyAnAcceptanceTakesItsFactsFromTheSeekItNames(t *testing.T) {
	w := newTown(t, "Ada", "Ben", "Cleo")
	w.Orders = lobby.NewLimiter(lobby.Rate{})
	if err := w.Social.Block(t.Context(), w.id["Ada"], w.id["Ben"]); err != nil {
		t.Fatal(err)
	}
	foreign, blitz := seeks.GameID(w.id["Cleo"], "k"), seeks.Game{Rules: "kalah", Clock: "5+3"}
	w.Waiting = &waiting{seeks.State{Waits: []seeks.Wait{
		{ID: seeks.GameID(w.id["Ada"], "k"), Player: w.id["Ada"], Pool: true, Game: blitz},
		{ID: foreign, Player: w.id["Cleo"], Game: seeks.Game{Rules: "oware", Clock: "none"}},
	}}}
	for _, kind := range []string{seeks.KindFind, seeks.KindSeek, seeks.KindChallenge} {
		o := w.order("Ben", kind, seeks.Order{Key: "b", Seek: foreign, To: w.id["Cleo"], Game: blitz})
		if !slices.Equal(o.Facts.Apart, []string{w.id["Ada"]}) {
			t.Errorf("%s: kept apart from %q, want Ada", kind, o.Facts.Apart)
		}
	}
	if o := w.order("Ben", seeks.KindAccept, seeks.Order{Seek: foreign}); len(o.Facts.Apart) > 0 {
		t.Errorf("a player who accepts Cleo's seek is kept apart from %q", o.Facts.Apart)
	}
}
