package chat

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby"
	"mancala/match/machine"
)

// inBubble runs a test whose workers and time are its own.
func inBubble(t *testing.T, test func(t *testing.T, s *service)) {
	synctest.Test(t, func(t *testing.T) { test(t, newService(t)) })
}

// follow makes clients follow the room on this instance: ada and ben play; cleo, dan, a
// child and a visitor without an identity watch.
func (s *service) follow() {
	s.here.readers[lobby.StreamPlayers] = []reader{{"ada", false}, {"ben", false}}
	s.here.readers[lobby.StreamWatchers] = []reader{{"cleo", false}, {"dan", false}, {"child", true}, {"", false}}
}

func (s *service) say(player string, as machine.Audience, text string) {
	s.Helper()
	if err := s.here.Say(s.Context(), player, as, "", text); err != nil {
		s.Fatal(err)
	}
}

func (s *service) shown(want ...string) {
	s.Helper()
	synctest.Wait()
	slices.Sort(want)
	if got := s.here.take(); !slices.Equal(got, want) {
		s.Errorf("shown %q, want %q", got, want)
	}
}

func TestLineIsShownToItsReaders(t *testing.T) {
	inBubble(t, func(t *testing.T, s *service) {
		s.follow()
		s.say("ada", 0, "hi")
		s.shown("ada: hi", "ben: hi")
		s.say("cleo", machine.Watchers, "nice")
		s.shown("cleo: nice", "dan: nice", ": nice") // a child reads no free text
		if err := s.here.Say(t.Context(), "cleo", machine.Watchers, "hello", ""); err != nil {
			t.Fatal(err)
		}
		s.shown("cleo: hello", "dan: hello", "child: hello", ": hello")
		s.blocks["dan"] = []string{"cleo"}
		s.say("cleo", machine.Watchers, "dan?")
		s.shown("cleo: dan?", ": dan?")
	})
}

// After a game with a delay, the players read the watchers at once. The watchers read the
// players as late as they see the game.
func TestLineAfterTheGameReachesTheOtherStream(t *testing.T) {
	inBubble(t, func(t *testing.T, s *service) {
		s.follow()
		s.delay, s.watched = time.Minute, s.game
		s.game = with(s.game, map[string]any{"state": "over"})
		s.say("cleo", machine.Watchers, "well played")
		s.shown("ada: well played", "ben: well played", "cleo: well played", "dan: well played", ": well played")
		s.say("ada", 0, "thanks")
		s.shown("ada: thanks", "ben: thanks")
		time.Sleep(time.Minute)
		s.shown("cleo: thanks", "dan: thanks", ": thanks")
		s.Erased(testRoom, lobby.StreamPlayers, 1)
		s.shown("ada: erased players 1", "ben: erased players 1")
		time.Sleep(time.Minute)
		s.shown("cleo: erased players 1", "dan: erased players 1", "child: erased players 1", ": erased players 1")
	})
}

// The text of the note stays as it is: instances of the release before read it, and send
// the line to their clients as it is.
func TestLineReachesOtherInstances(t *testing.T) {
	inBubble(t, func(t *testing.T, s *service) {
		s.follow()
		const note = `{"Line":{"t":"chat","room":"k3v9qa2mxy","n":1,"by":"ada","name":"Name of ada","seat":0,"at":946684800000,"text":"hi"},"Stream":"players"}`
		s.say("ada", 0, "hi")
		s.shown("ada: hi", "ben: hi")
		if len(s.here.spread) != 1 || string(s.here.spread[0]) != note {
			t.Fatalf("spread %s, want %s", s.here.spread, note)
		}
		s.here.Hear([]byte(note))
		s.shown("ada: hi", "ben: hi")
		s.blocks["ben"] = []string{"ada"}
		s.here.Hear([]byte(note))
		s.shown("ada: hi")
		s.here.Hear([]byte(`nonsense`))
		s.shown()
	})
}

func TestRecentLinesAreThoseThatAReaderMayRead(t *testing.T) {
	over := map[string]any{"state": "over"}
	for _, tt := range []struct {
		name   string
		change func(*service)
		reader reader
		as     machine.Audience
		want   []string
	}{
		{"player", nil, reader{"ada", false}, 0, []string{"p1", "hello", "p3"}},
		{"watcher", nil, reader{"cleo", false}, machine.Watchers, []string{"w1", "w2"}},
		{"player after the game", func(s *service) { s.game = with(s.game, over) }, reader{"ada", false}, 0, []string{"p1", "w1", "hello", "w2", "p3"}},
		{"watcher after the game", func(s *service) { s.game = with(s.game, over) }, reader{"", false}, machine.Watchers, []string{"p1", "w1", "hello", "w2", "p3"}},
		{"watcher after an unlisted game", func(s *service) { s.game = with(s.game, map[string]any{"state": "over", "listed": false}) },
			reader{"cleo", false}, machine.Watchers, []string{"w1", "w2"}},
		{"watcher who sees the game late", func(s *service) { s.game, s.delay = with(s.game, over), 90*time.Second },
			reader{"cleo", false}, machine.Watchers, []string{"p1", "w1", "hello", "w2"}},
		{"child", nil, reader{"ada", true}, 0, []string{"hello"}},
		{"player who blocks the other", func(s *service) { s.blocks["ada"] = []string{"ben"} }, reader{"ada", false}, 0, []string{"p1", "p3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *service) {
				at := time.Now()
				for i, l := range []lobby.Line{
					{Player: "ada", Stream: lobby.StreamPlayers, Text: "p1"},
					{Player: "cleo", Stream: lobby.StreamWatchers, Text: "w1"},
					{Player: "ben", Stream: lobby.StreamPlayers, Preset: "hello"},
					{Player: "dan", Stream: lobby.StreamWatchers, Text: "w2"},
					{Player: "ada", Stream: lobby.StreamPlayers, Text: "p3"},
				} {
					l.At = at.Add(time.Duration(i) * time.Minute)
					if _, err := s.Say(t.Context(), l); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(5 * time.Minute)
				if tt.change != nil {
					tt.change(s)
				}
				var got []string
				for _, l := range s.here.Recent(t.Context(), tt.reader, tt.as) {
					got = append(got, l.Preset+l.Text)
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("reads %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// The clock of an instance may be wrong. Lines are written and compared with the database's
// time, as the delay of the game is.
func TestLateWatchersReadALineByTheDatabasesTime(t *testing.T) {
	inBubble(t, func(t *testing.T, s *service) {
		s.game, s.delay, s.ahead = with(s.game, map[string]any{"state": "over"}), 90*time.Second, -time.Hour
		s.say("ada", 0, "p1")
		read := func() int { return len(s.here.Recent(t.Context(), reader{"cleo", false}, machine.Watchers)) }
		s.ahead = 0 // as on an instance whose own clock is right
		if l := s.lines[lobby.StreamPlayers][0]; time.Since(l.At) != time.Hour {
			t.Errorf("the line was said %v ago, want an hour by the database's time", time.Since(l.At))
		}
		s.ahead = -time.Hour
		if n := read(); n != 0 {
			t.Errorf("a watcher reads %d lines that are too new", n)
		}
		time.Sleep(s.delay)
		if n := read(); n != 1 {
			t.Errorf("a watcher reads %d lines after the delay, want 1", n)
		}
	})
}

func TestEmptyStreamIsReadOnce(t *testing.T) {
	s := newService(t)
	for range 2 {
		s.here.Recent(t.Context(), reader{"cleo", false}, machine.Watchers)
	}
	if s.reads != 1 || !s.KnowsQuiet(testRoom, lobby.StreamWatchers) {
		t.Errorf("read %d times, known to be empty: %t", s.reads, s.KnowsQuiet(testRoom, lobby.StreamWatchers))
	}
	s.say("cleo", machine.Watchers, "nice")
	if lines := s.here.Recent(t.Context(), reader{"cleo", false}, machine.Watchers); len(lines) != 1 || s.KnowsQuiet(testRoom, lobby.StreamWatchers) {
		t.Errorf("then reads %v", lines)
	}
}

func TestStreamsOfAnUnfollowedRoomAreNotRead(t *testing.T) {
	s := newService(t)
	s.here.Unfollowed()
	s.here.Recent(t.Context(), reader{"cleo", false}, machine.Watchers)
	s.here.Recent(t.Context(), reader{"ada", false}, 0)
	if s.reads != 0 {
		t.Errorf("read %d times", s.reads)
	}
	s.say("ada", 0, "hi")
	if lines := s.here.Recent(t.Context(), reader{"ben", false}, 1); len(lines) != 1 {
		t.Errorf("after a line, reads %v", lines)
	}
}

func TestStreamIsNotCountedAsEmptyByALookBeforeALine(t *testing.T) {
	s := newService(t)
	before, _ := s.here.quiet.look(lobby.StreamPlayers)
	s.here.said()
	if s.here.quiet.learn(lobby.StreamPlayers, before); s.KnowsQuiet(testRoom, lobby.StreamPlayers) {
		t.Error("a look from before the line made the stream count as empty")
	}
	old := s.here.Streams
	s.here.Streams = s.NewStreams(s.here) // as if the room had ended and was followed again
	s.here.quiet.learn(lobby.StreamPlayers, 0)
	old.said()
	if s.KnowsQuiet(testRoom, lobby.StreamPlayers) {
		t.Error("a line said by way of the old streams is not known to the new ones")
	}
}
