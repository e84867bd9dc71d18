package newgame_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby"
	"mancala/lobby/bot"
	"mancala/lobby/newgame"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

var errGuest = refusal.New("needs-account")

// hall is everything that a maker needs.
type hall struct {
	taken    int // rooms that are refused because their ID is taken
	ids      []string
	listed   []string
	creation struct {
		match.Settings
		Creator string
		Bots    []string
	}
	guest  bool
	code   string
	until  time.Time // of the code
	noCode error
}

func (h *hall) Begin(_ context.Context, id, kind string, commands ...machine.Command) error {
	h.ids = append(h.ids, id)
	if len(h.ids) <= h.taken {
		return room.ErrTaken
	}
	if kind != match.Kind || len(commands) != 1 || commands[0].Kind != match.KindCreate {
		return errors.New("no match is made")
	}
	return json.Unmarshal(commands[0].Body, &h.creation)
}

func (h *hall) MayRate(context.Context, string) error {
	if h.guest {
		return errGuest
	}
	return nil
}

func (h *hall) Code(context.Context, string) (string, error) { return h.code, h.noCode }

func (h *hall) Invite(_ context.Context, _ string, until time.Time) (string, error) {
	h.code, h.until = "CODE", until
	return h.code, h.noCode
}

// maker returns a maker by which each player may make two games of each kind.
func (h *hall) maker() *newgame.Maker {
	two := func() *lobby.Limiter { return lobby.NewLimiter(lobby.Rate{N: 2, Per: time.Hour}) }
	return &newgame.Maker{
		Rooms: h, Policy: h, Invitations: h, Expiry: 2 * time.Hour, Made: func(id string) { h.listed = append(h.listed, id) }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Limits: newgame.Limits{Games: two(), GamesPerAddress: lobby.NewLimiter(lobby.Rate{}), BotGames: two(), BotGamesPerAddress: lobby.NewLimiter(lobby.Rate{})},
	}
}

func TestGameGetsItsCodeWhenItIsFirstShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hall{}
		m := h.maker()
		id, err := m.Open(t.Context(), "pada", netip.Addr{}, match.Settings{Rules: "oware"})
		if err != nil || !slices.Equal(h.ids, []string{id}) || h.creation.Creator != "pada" || h.creation.Rules != "oware" {
			t.Fatalf("made %q as %+v, %v", id, h.creation, err)
		}
		if h.code != "" {
			t.Errorf("the code %q was made before it was shown", h.code)
		}
		want := time.Now().Add(2 * time.Hour)
		for range 2 {
			if code := m.Code(t.Context(), id); code != "CODE" || !h.until.Equal(want) {
				t.Errorf("the code is %q, valid until %v, want %v", code, h.until, want)
			}
			time.Sleep(time.Minute) // the second time the code is only read
		}
		m.Expiry, h.code = 0, ""
		if want := time.Now().Add(24 * time.Hour); m.Code(t.Context(), id) != "CODE" || !h.until.Equal(want) {
			t.Errorf("without an expiry the code is valid until %v, want %v", h.until, want)
		}
		if h.noCode = errors.New("no database"); m.Code(t.Context(), id) != "" {
			t.Error("there is a code without a database")
		}
	})
}

func TestRoomWhoseIDIsTakenGetsAnother(t *testing.T) {
	h := &hall{taken: 2}
	id, err := h.maker().Open(t.Context(), "pada", netip.Addr{}, match.Settings{})
	if err != nil || len(h.ids) != 3 || h.ids[2] != id || h.ids[0] == id {
		t.Errorf("made %q after %q, %v", id, h.ids, err)
	}
	if !slices.Equal(h.listed, []string{id}) {
		t.Errorf("the lists of games hear of %q, want %q alone", h.listed, id)
	}
	h = &hall{taken: 3}
	if _, err := h.maker().Open(t.Context(), "pada", netip.Addr{}, match.Settings{}); !errors.Is(err, room.ErrTaken) {
		t.Errorf("after three IDs: %v", err)
	}
	if len(h.listed) > 0 {
		t.Errorf("the lists of games hear of %q, which was not made", h.listed)
	}
}

func TestRefusedRatedGameIsNotCounted(t *testing.T) {
	h := &hall{guest: true}
	m := h.maker()
	for range 3 {
		if _, err := m.Open(t.Context(), "pada", netip.Addr{}, match.Settings{Rated: true}); !errors.Is(err, errGuest) {
			t.Fatalf("a guest's rated game: %v", err)
		}
	}
	for range 2 {
		if _, err := m.Open(t.Context(), "pada", netip.Addr{}, match.Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Open(t.Context(), "pada", netip.Addr{}, match.Settings{}); !refusal.Is(err, lobby.CodeSlowDown) {
		t.Errorf("a third game: %v", err)
	}
	if _, err := m.Open(t.Context(), "pben", netip.Addr{}, match.Settings{}); err != nil {
		t.Errorf("another player's game: %v", err)
	}
}

func TestBotsHaveAllOtherSeatsAndDoNotChat(t *testing.T) {
	h := &hall{}
	m := h.maker()
	if _, err := m.AgainstBots(t.Context(), "pada", netip.Addr{}, match.Settings{Rules: "kalah", Chat: "free"}, 2); err != nil {
		t.Fatal(err)
	}
	if want := bot.Table(2, 1); !slices.Equal(h.creation.Bots, want) || h.creation.Chat != "off" || !h.until.IsZero() {
		t.Errorf("the game has the bots %q, chat %q, and a code until %v", h.creation.Bots, h.creation.Chat, h.until)
	}
	if _, err := m.AgainstBots(t.Context(), "pada", netip.Addr{}, match.Settings{}, 2); err != nil {
		t.Error(err)
	}
	if _, err := m.AgainstBots(t.Context(), "pada", netip.Addr{}, match.Settings{}, 2); !refusal.Is(err, lobby.CodeSlowDown) {
		t.Errorf("a third game: %v", err)
	}
}

func TestBotsOfAnUnknownLevelAreRefused(t *testing.T) {
	h := &hall{}
	for name, s := range map[string]match.Settings{"settings": {Rules: "chess"}, "level": {}} {
		level := map[string]int{"settings": 1, "level": 99}[name]
		_, err := h.maker().AgainstBots(t.Context(), "pada", netip.Addr{}, s, level)
		if _, refused := refusal.Of(err); !refused || newgame.CheckBots(s, level) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(h.ids) > 0 {
		t.Errorf("made %q", h.ids)
	}
}
