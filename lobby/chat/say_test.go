package chat

import (
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/match/machine"
	"mancala/match/refusal"
)

func TestGameAndPlayerSettingsDecideWhatMayBeSaid(t *testing.T) {
	const preset, text = "hello", "my own words"
	kids, quiet := lobby.Prefs{"kids": "on"}, lobby.Prefs{"chat": "presets"}
	for _, tt := range []struct {
		name   string
		change func(*service)
		player string
		as     machine.Audience
		line   string
		want   refusal.Code
	}{
		{"player", nil, "ada", 0, text, ""},
		{"player with a ready phrase", nil, "ada", 0, preset, ""},
		{"watcher with an account", nil, "cleo", machine.Watchers, text, ""},
		{"guest who watches a listed game", nil, "guest", machine.Watchers, text, "chat-presets"},
		{"guest who watches, with a ready phrase", nil, "guest", machine.Watchers, preset, ""},
		{"guest who watches an unlisted game", func(s *service) { s.game["listed"] = false }, "guest", machine.Watchers, text, ""},
		{"guest who plays", func(s *service) { s.members = nil }, "ada", 0, text, ""},
		{"watcher who was deleted", nil, "deleted", machine.Watchers, text, "chat-presets"},

		{"game without chat", func(s *service) { s.game["chat"] = "off" }, "ada", 0, preset, "chat-off"},
		{"game with ready phrases", func(s *service) { s.game["chat"] = "presets" }, "ada", 0, text, "chat-presets"},
		{"game with ready phrases, with one", func(s *service) { s.game["chat"] = "presets" }, "ada", 0, preset, ""},

		{"child who plays", func(s *service) { s.prefs["ada"] = kids }, "ada", 0, text, "chat-presets"},
		{"child who plays, with a ready phrase", func(s *service) { s.prefs["ada"] = kids }, "ada", 0, preset, ""},
		{"opponent is a child", func(s *service) { s.prefs["ben"] = kids }, "ada", 0, text, "chat-presets"},
		{"opponent wants ready phrases", func(s *service) { s.prefs["ben"] = quiet }, "ada", 0, text, "chat-presets"},
		{"watcher of a child", func(s *service) { s.prefs["ben"] = kids }, "cleo", machine.Watchers, text, ""},
		{"child with an account who watches a listed game", func(s *service) { s.prefs["cleo"] = kids }, "cleo", machine.Watchers, text, "chat-presets"},
		{"watcher of a listed game who wants ready phrases", func(s *service) { s.prefs["cleo"] = quiet }, "cleo", machine.Watchers, text, "chat-presets"},
		{"watcher who is a child", func(s *service) { s.prefs["cleo"], s.game["listed"] = kids, false }, "cleo", machine.Watchers, text, "chat-presets"},

		{"muted player", func(s *service) { s.muted = time.Now().Add(time.Hour) }, "ada", 0, preset, "muted"},
		{"player muted for good", func(s *service) { s.muted = time.Now().Add(moderation.Forever) }, "ada", 0, preset, "muted-for-good"},
		{"player who says too much", func(s *service) { s.wait = time.Second }, "ada", 0, preset, lobby.CodeSlowDown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			if tt.change != nil {
				tt.change(s)
			}
			said, words := tt.line, ""
			if tt.line == text {
				said, words = "", tt.line
			}
			err := s.here.Say(t.Context(), tt.player, tt.as, said, words)
			got := refusal.Code("")
			if err != nil {
				got = lobby.CodeOf(err)
			}
			if got != tt.want {
				t.Errorf("refused with %q, want %q", got, tt.want)
			}
			if stored := len(s.lines[StreamOf(tt.as)]); stored == 1 != (tt.want == "") {
				t.Errorf("%d lines are stored", stored)
			}
		})
	}
}

func TestStrangersChatFreelyWithAccounts(t *testing.T) {
	s := newService(t)
	for want, players := range map[string][]string{"free": {"ada", "ben"}, "presets": {"ada", "guest"}} {
		if got, err := s.OfStrangers(t.Context(), players); got != want || err != nil {
			t.Errorf("%v: %q, %v; want %q", players, got, err, want)
		}
	}
}
