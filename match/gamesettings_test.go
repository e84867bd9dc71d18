package match

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/match/refusal"
)

// TestGameWaitsForTheYoungest: the player who reports being the youngest has the first seat. The
// game waits until a player does.
func TestGameWaitsForTheYoungest(t *testing.T) {
	type step struct {
		by, kind string
		want     refusal.Code
	}
	for _, tt := range []struct {
		name, rules string
		forOthers   bool
		steps       []step
		seats       string // "" if the game still waits
	}{
		{"the friend, when both are there", "kalah", false, []step{{"p1", KindSit, ""}, {"p1", KindYoungest, ""}}, "p1 p0"},
		{"the creator, when both are there", "kalah", false, []step{{"p1", KindSit, ""}, {"p0", KindYoungest, ""}}, "p0 p1"},
		{"said before the friend came", "kalah", false, []step{{"p0", KindYoungest, ""}, {"p1", KindSit, ""}}, "p0 p1"},
		{"said twice", "kalah", false, []step{{"p0", KindYoungest, ""}, {"p0", KindYoungest, "nothing"}, {"p1", KindSit, ""}}, "p0 p1"},
		{"no player has claimed it", "kalah", false, []step{{"p1", KindSit, ""}, {"p2", KindSit, CodeNoSeat}, {"p2", KindYoungest, CodeNotPlaying}}, ""},
		{"the youngest has left again", "kalah", false, []step{{"p0", KindYoungest, ""}, {"p0", KindStand, ""}, {"p1", KindSit, ""}, {"p0", KindSit, ""}}, ""},
		{"for two others", "kalah", true, []step{{"p1", KindSit, ""}, {"p2", KindSit, ""}, {"p0", KindYoungest, CodeNotPlaying}, {"p2", KindYoungest, ""}}, "p2 p1"},
		{"of four the last who says it", "basic-four", false, []step{{"p1", KindSit, ""}, {"p1", KindYoungest, ""}, {"p2", KindSit, ""},
			{"p2", KindYoungest, ""}, {"p3", KindSit, ""}, {"p3", KindYoungest, CodeNotWaiting}}, "p2 p0 p1 p3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := newTable(t, Creation{Settings: Settings{Rules: tt.rules, Start: "youngest", ForOthers: tt.forOthers}, Creator: "p0"})
			for _, s := range tt.steps {
				if got := code(tb.cmd(s.by, s.kind, "")); got != s.want {
					t.Fatalf("%s %s: %q, want %q", s.by, s.kind, got, s.want)
				}
			}
			if got := strings.Join(tb.m.seats, " "); got != tt.seats {
				t.Errorf("seats %q, want %q", got, tt.seats)
			}
		})
	}
	tb := newTable(t, Creation{Settings: Settings{Start: "creator"}, Creator: "p0"})
	if got := code(tb.cmd("p0", KindYoungest, "")); got != CodeNotAsked {
		t.Errorf("in a game that the creator starts: %q", got)
	}
	tb.must("p0", KindSettings, `{"start":"youngest"}`)
	tb.must("p0", KindYoungest, "")
	if tb.shown()["youngest"] != "p0" {
		t.Errorf("the snapshot shows %v", tb.shown()["youngest"])
	}
	tb.must("p0", KindSettings, `{"start":"friend"}`)
	if y, there := tb.shown()["youngest"]; there {
		t.Errorf("it decides nothing any more, and the snapshot shows %v", y)
	}
}

// TestAssistsAndChatAreKeptForTheNextGame: both are set, shown, changed and kept for the next game.
func TestAssistsAndChatAreKeptForTheNextGame(t *testing.T) {
	tb := newTable(t, Creation{Creator: "p0"})
	if s := tb.shown(); s["assists"] != true || s["chat"] != "free" {
		t.Fatalf("by default assists %v, chat %v", s["assists"], s["chat"])
	}
	tb.must("p0", KindSettings, `{"assists":false,"chat":"presets"}`)
	if s := tb.shown(); s["assists"] != false || s["chat"] != "presets" {
		t.Errorf("after a change assists %v, chat %v", s["assists"], s["chat"])
	}
	for body, want := range map[string]refusal.Code{
		`{"assists":false}`: "nothing", `{"chat":"presets"}`: "nothing", `{"chat":""}`: CodeBadSettings, `{"chat":"loud"}`: CodeBadSettings,
		`{"assists":"no"}`: CodeBadCommand, `{"assists":null}`: CodeBadCommand,
	} {
		if got := code(tb.cmd("p0", KindSettings, body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	tb.must("p1", KindSit, "")
	next := New()
	e, err := next.Decide(tb.m.nextCreation().Command("again"), time.UnixMilli(t0))
	if err != nil || next.Apply(e) != nil || !next.plain || next.chat != ChatPresets {
		t.Errorf("a rematch with other settings: %v, %s", err, e.Body)
	}

	yes := true
	for _, tt := range []struct {
		assists *bool
		plain   bool
	}{{nil, true}, {&yes, true}} {
		rated := newTable(t, Creation{Creator: "p0", Settings: Settings{Rated: true, Clock: "5+3", Assists: tt.assists}})
		if rated.m.plain != tt.plain {
			t.Errorf("a game that counts, asked for %v: without assists is %v", tt.assists, rated.m.plain)
		}
	}
}

// TestFollowersOfAGameWithAssistsGetLegalMoves: every follower of a game with assists gets
// the legal moves.
func TestFollowersOfAGameWithAssistsGetLegalMoves(t *testing.T) {
	no := false
	tb := newTable(t, Creation{Seats: []string{"p0", "p1"}})
	told, err := tb.m.Tell("legal")
	if err != nil || string(told) != string(tb.m.AppendPrivate(nil, 0)) {
		t.Errorf("told %s, %v; the seat on turn has %s", told, err, tb.m.AppendPrivate(nil, 0))
	}
	if _, err := tb.m.Tell("secret"); code(err) != CodeBadCommand {
		t.Errorf("another question: %v", err)
	}
	tb.must("p0", KindResign, "")
	if told, err := tb.m.Tell("legal"); err != nil || string(told) != `{"legal":[]}` {
		t.Errorf("after the game: %s, %v", told, err)
	}
	plain := newTable(t, Creation{Seats: []string{"p0", "p1"}, Settings: Settings{Assists: &no}})
	if _, err := plain.m.Tell("legal"); code(err) != CodeNoAssists {
		t.Errorf("without assists: %v", err)
	}
	if plain.m.AppendPrivate(nil, 0) == nil {
		t.Error("without assists the seat on turn has nothing to show its own move from")
	}
	if told, err := New().Tell("legal"); err != nil || string(told) != `{"legal":[]}` {
		t.Errorf("before any entry: %s, %v", told, err)
	}
}

// TestOldJournalsMeanAssistsAndChat: journals of earlier releases have no fields for assists and
// chat, and mean that both are on.
func TestOldJournalsMeanAssistsAndChat(t *testing.T) {
	data, err := os.ReadFile("testdata/with-settings.journal")
	if err != nil || slices.Contains(strings.Split(string(data), `"`), "assists") {
		t.Fatalf("this journal should be an old one: %v", err)
	}
	m, _ := replayGolden(t, data)
	if m.plain || m.chat != ChatFree || m.youngest != "" {
		t.Errorf("assists %v, chat %v, youngest %q", !m.plain, m.chat, m.youngest)
	}
}
