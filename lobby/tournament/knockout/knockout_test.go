package knockout_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mancala/lobby/tournament/knockout"
)

var single = knockout.Settings{Games: 1, Tie: knockout.BetterSeed}

// games returns a report of each game that can be played now, won by the winner that choose names.
func games(b *knockout.Bracket, winner func(g knockout.Game) int) (events []knockout.Event) {
	for _, g := range b.Next() {
		e := knockout.Event{Match: g.Match, Game: g.Number, First: g.First, Second: g.Second}
		switch winner(g) {
		case g.First:
			e.Outcome, e.Seeds = knockout.FirstWon, 6
		case g.Second:
			e.Outcome, e.Seeds = knockout.SecondWon, -6
		}
		events = append(events, e)
	}
	return events
}

func better(g knockout.Game) int { return min(g.First, g.Second) }

func TestFirstRoundIsTheStandardBracket(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want string
	}{
		{2, "1-2"},
		{3, "1-0 2-3"},
		{5, "1-0 4-5 2-0 3-0"},
		{6, "1-0 4-5 2-0 3-6"},
		{8, "1-8 4-5 2-7 3-6"},
		{16, "1-16 8-9 4-13 5-12 2-15 7-10 3-14 6-11"},
	} {
		var got []string
		for _, m := range knockout.New(tt.n, single, nil).Rounds[0].Matches {
			got = append(got, fmt.Sprintf("%d-%d", m.Sides[0].Player, m.Sides[1].Player))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%d players: %s, want %s", tt.n, s, tt.want)
		}
	}
}

func TestBestPlayersLeftMeetTheWorstLeftWhileTheBetterOneWins(t *testing.T) {
	for n := 2; n <= 130; n++ {
		b := knockout.New(n, single, nil)
		var events []knockout.Event
		for i := range b.Rounds {
			round := b.Rounds[i]
			for _, m := range round.Matches {
				x, y := m.Sides[0].Player, m.Sides[1].Player
				if x != 0 && y != 0 && x+y != round.Places+1 {
					t.Fatalf("%d players, %d places: %d meets %d", n, round.Places, x, y)
				}
				if (m.Reason == knockout.ByBye) != (i == 0 && x+y <= round.Places-n) {
					t.Fatalf("%d players, %d places: %d meets %d", n, round.Places, x, y)
				}
			}
			events = append(events, games(b, better)...)
			b = knockout.New(n, single, events)
		}
		if !b.Over || b.Champion != 1 || len(events) != n-1 {
			t.Fatalf("%d players: champion %d after %d games", n, b.Champion, len(events))
		}
	}
}

func TestLevelMatchesEndByTheRule(t *testing.T) {
	const x, y, draw = 1, 2, 0
	for _, tt := range []struct {
		what     string
		settings knockout.Settings
		winners  []int // of the games
		seeds    []int // by which the winner is ahead
		champion int
		reason   knockout.Reason
	}{
		{"one game is enough", knockout.Settings{Games: 1, Extra: 1}, []int{y}, nil, y, knockout.ByScore},
		{"a draw is followed by a pair", knockout.Settings{Games: 1, Extra: 1}, []int{draw, y}, nil, 0, knockout.Undecided},
		{"the pair decides", knockout.Settings{Games: 1, Extra: 1}, []int{draw, y, draw}, nil, y, knockout.ByScore},
		{"a mini-match needs both games", knockout.Settings{Games: 2, Extra: 1}, []int{y}, nil, 0, knockout.Undecided},
		{"a win each is level", knockout.Settings{Games: 2, Tie: knockout.BetterSeed}, []int{y, x}, nil, x, knockout.BySeedNumber},
		{"by seeds a win each is not", knockout.Settings{Games: 2, Count: knockout.BySeeds}, []int{y, x}, []int{7, 5}, y, knockout.ByScore},
		{"as many seeds each are level", knockout.Settings{Games: 2, Count: knockout.BySeeds, Tie: knockout.BetterSeed}, []int{y, x}, []int{6, 6}, x, knockout.BySeedNumber},
		{"the deciding game comes last", knockout.Settings{Games: 2, Extra: 1}, []int{x, y, draw, draw, y}, nil, y, knockout.ByDecider},
		{"a draw in it is enough for the better seed", knockout.Settings{Games: 2, Extra: 1}, []int{x, y, y, x, draw}, nil, x, knockout.ByDecider},
		{"no extra games", knockout.Settings{Games: 1}, []int{draw, y}, nil, y, knockout.ByDecider},
	} {
		var events []knockout.Event
		for i, winner := range tt.winners {
			next := games(knockout.New(2, tt.settings, events), func(knockout.Game) int { return winner })
			if len(next) == 0 {
				t.Fatalf("%s: over after %d games", tt.what, i)
			}
			if tt.seeds != nil {
				next[0].Seeds = next[0].Seeds / 6 * tt.seeds[i]
			}
			events = append(events, next...)
		}
		b := knockout.New(2, tt.settings, events)
		if m := b.Match(1); b.Champion != tt.champion || m.Reason != tt.reason || len(b.Ignored) > 0 {
			t.Errorf("%s: champion %d by %d, want %d by %d; ignored %v", tt.what, b.Champion, m.Reason, tt.champion, tt.reason, b.Ignored)
		}
	}
}

func TestWorseSeedMovesFirstInTheDecidingGame(t *testing.T) {
	settings := knockout.Settings{Games: 2}
	var events []knockout.Event
	for range 2 {
		events = append(events, games(knockout.New(4, settings, events), func(knockout.Game) int { return 0 })...)
	}
	for _, g := range knockout.New(4, settings, events).Next() {
		if !g.Decider || g.Number != 3 || g.First < g.Second {
			t.Errorf("%+v", g)
		}
	}
}

func TestAbsentPlayersLoseTheirMatches(t *testing.T) {
	left := func(player int) knockout.Event { return knockout.Event{Kind: knockout.Left, Player: player} }
	back := func(player int) knockout.Event { return knockout.Event{Kind: knockout.Back, Player: player} }
	missed := func(match, player int) knockout.Event {
		return knockout.Event{Kind: knockout.Missed, Match: match, Player: player}
	}
	for _, tt := range []struct {
		what   string
		events []knockout.Event
		want   string // winner of each match: 1-4, 2-3, final, third place
		over   bool
	}{
		{"nobody is absent", nil, "0 0 0 0", false},
		{"one does not come", []knockout.Event{missed(1, 1)}, "4 0 0 0", false},
		{"the last one wins", []knockout.Event{missed(1, 1), left(2), left(3)}, "4 3 4 1", true},
		{"both do not come", []knockout.Event{missed(1, 1), missed(1, 4)}, "0 0 0 0", false},
		{"the next opponent of nobody goes on", []knockout.Event{missed(1, 1), missed(1, 4), missed(2, 3)}, "0 2 2 3", true},
		{"nobody comes at all", []knockout.Event{missed(1, 1), missed(1, 4), missed(2, 3), missed(2, 2)}, "0 0 0 0", true},
		{"a player who left has lost what they were in", []knockout.Event{left(1), back(1)}, "4 0 0 0", false},
		{"a player who returned in time goes on", []knockout.Event{missed(1, 1), left(4), back(4), missed(2, 3)}, "4 2 0 0", false},
		{"an opponent who leaves later has won", []knockout.Event{left(1), left(4), missed(2, 3)}, "4 2 2 3", true},
		{"a walkover can be taken back", []knockout.Event{missed(1, 1), {Kind: knockout.Back, Match: 1, Player: 1}}, "0 0 0 0", false},
		{"the host decides", []knockout.Event{{Kind: knockout.Awarded, Match: 2, Player: 3}, missed(1, 4), {Kind: knockout.Awarded, Match: 3, Player: 3}}, "1 3 3 0", false},
		{"the host decides otherwise", []knockout.Event{missed(1, 4), {Kind: knockout.Awarded, Match: 1, Player: 4}}, "4 0 0 0", false},
	} {
		b := knockout.New(4, knockout.Usual, tt.events)
		got := fmt.Sprint(b.Match(1).Winner, b.Match(2).Winner, b.Match(3).Winner, b.Match(4).Winner)
		if got != tt.want || b.Over != tt.over {
			t.Errorf("%s: winners %s, over %v; want %s, %v", tt.what, got, b.Over, tt.want, tt.over)
		}
	}
}

func TestCorrectionsTakeLaterGamesWithThem(t *testing.T) {
	var events []knockout.Event
	for range 2 {
		events = append(events, games(knockout.New(4, single, events), better)...)
	}
	before := knockout.New(4, single, events)
	if before.Champion != 1 {
		t.Fatalf("champion %d", before.Champion)
	}
	wrong := events[0]
	wrong.Outcome = knockout.FirstWon + knockout.SecondWon - wrong.Outcome
	after := knockout.New(4, single, append(slices.Clone(events), wrong))
	replaced := slices.Clone(events)
	replaced[0] = wrong
	for _, b := range []*knockout.Bracket{after, knockout.New(4, single, replaced)} {
		next := b.Next()
		if b.Champion != 0 || len(next) != 1 || next[0].First+next[0].Second != 4+2 {
			t.Errorf("champion %d, next %+v", b.Champion, next)
		}
	}
}

func TestStandingsShareThePlacesOfARound(t *testing.T) {
	settings := single
	settings.ThirdPlace = true
	var events []knockout.Event
	for range 3 {
		events = append(events, games(knockout.New(6, settings, events), better)...)
	}
	var got []string
	for _, row := range knockout.New(6, settings, events).Standings() {
		got = append(got, fmt.Sprintf("%d:%d", row.Place, row.Number))
	}
	if s := strings.Join(got, " "); s != "1:1 2:2 3:3 4:4 5:5 5:6" {
		t.Error(s)
	}
	b := knockout.New(6, single, games(knockout.New(6, single, nil), better))
	if rows := b.Standings(); rows[3].Place != 1 || rows[4].Place != 5 || rows[4].Out == 0 || rows[0].Out != 0 {
		t.Errorf("%+v", rows)
	}
}

// TestEveryTournamentComesToItsEnd plays random tournaments with players who miss matches, leave,
// return, and with events that make no sense.
func TestEveryTournamentComesToItsEnd(t *testing.T) {
	for run := range uint64(2000) {
		r := rand.New(rand.NewPCG(run, 2))
		n := 2 + r.IntN(15)
		if run%100 == 0 {
			n += 40
		}
		settings := knockout.Settings{
			ThirdPlace: r.IntN(2) == 0, Games: 1 + r.IntN(2), Count: knockout.Count(r.IntN(2)), Extra: r.IntN(3), Tie: knockout.Tie(r.IntN(2)),
		}
		trouble := r.IntN(20)
		var events []knockout.Event
		b := knockout.New(n, settings, nil)
		for step := 0; !b.Over; step++ {
			if step > 100*n {
				t.Fatalf("run %d: no end of %d players", run, n)
			}
			e := knockout.Event{Kind: knockout.Kind(1 + r.IntN(4)), Match: r.IntN(n + 2), Player: r.IntN(n + 2), Game: r.IntN(4), First: r.IntN(n + 1), Second: r.IntN(n + 1)}
			if next := b.Next(); r.IntN(100) >= trouble {
				g := next[r.IntN(len(next))]
				e = knockout.Event{Match: g.Match, Game: g.Number, First: g.First, Second: g.Second, Outcome: knockout.Outcome(r.IntN(3)), Seeds: r.IntN(5) - 2}
			} else if e.Kind == knockout.Awarded && e.Player == 0 || e.Kind == knockout.Back && e.Match != 0 {
				continue // they may open the same match again and again
			}
			events = append(events, e)
			now := knockout.New(n, settings, events)
			if wrong := breach(now); wrong != "" {
				t.Fatalf("run %d: after %+v: %s", run, events, wrong)
			}
			if e.Kind == knockout.Played && slices.Contains(now.Ignored, len(events)-1) {
				t.Fatalf("run %d: %+v has no effect", run, e)
			}
			b = now
		}
		if again := knockout.New(n, settings, events); !reflect.DeepEqual(again, b) {
			t.Fatalf("run %d: the same events give another bracket", run)
		}
		if rows := b.Standings(); b.Champion != 0 && (rows[0].Number != b.Champion || rows[1].Place == 1) {
			t.Fatalf("run %d: champion %d, standings %+v", run, b.Champion, rows[:2])
		}
	}
}

// breach returns a rule that a bracket breaks, or "".
func breach(b *knockout.Bracket) string {
	lost := map[int]int{}
	busy := map[int]bool{}
	matches := 0
	check := func(m *knockout.Match) string {
		matches++
		for side, s := range m.Sides {
			if s.From == 0 {
				continue
			}
			from := b.Match(s.From)
			want := from.Winner
			if s.Loser {
				want = from.Loser
			}
			if s.Player != want || s.Empty && (from.State != knockout.Over || s.Player != 0) {
				return fmt.Sprintf("match %d, side %d: %+v comes from %+v", m.ID, side, s, from)
			}
		}
		if m.State == knockout.Over != (m.Reason != knockout.Undecided) || m.Winner != 0 && m.State != knockout.Over {
			return fmt.Sprintf("match %d: %+v", m.ID, m)
		}
		first := map[int]int{}
		for i, g := range m.Games {
			first[g.First]++
			if g.Number != i+1 || g.First+g.Second != m.Sides[0].Player+m.Sides[1].Player {
				return fmt.Sprintf("match %d has the game %+v", m.ID, g)
			}
			if i%2 == 1 && !g.Decider && first[g.First] != first[g.Second] {
				return fmt.Sprintf("match %d: sides do not change", m.ID)
			}
		}
		if len(m.Games) > b.Settings.Games+2*b.Settings.Extra+1 {
			return fmt.Sprintf("match %d has %d games", m.ID, len(m.Games))
		}
		return ""
	}
	for _, round := range b.Rounds {
		for _, m := range round.Matches {
			if wrong := check(m); wrong != "" {
				return wrong
			}
			for _, s := range m.Sides {
				if m.State == knockout.Over && s.Player != 0 && s.Player != m.Winner {
					lost[s.Player]++
				}
			}
		}
	}
	if b.Third != nil {
		if wrong := check(b.Third); wrong != "" {
			return wrong
		}
	}
	for player, times := range lost {
		if times > 1 || player == b.Champion {
			return fmt.Sprintf("player %d lost %d matches, champion %d", player, times, b.Champion)
		}
	}
	for _, g := range b.Next() {
		if busy[g.First] || busy[g.Second] || g.First == 0 || g.Second == 0 || lost[g.First] > 0 && (b.Third == nil || g.Match != b.Third.ID) {
			return fmt.Sprintf("game %+v cannot be played", g)
		}
		busy[g.First], busy[g.Second] = true, true
	}
	if b.Over && len(lost) != b.Players && b.Champion != 0 && len(lost) != b.Players-1 {
		return fmt.Sprintf("%d of %d players are out", len(lost), b.Players)
	}
	return ""
}

func TestFirstMoversAreBalanced(t *testing.T) {
	for run := range uint64(500) {
		r := rand.New(rand.NewPCG(run, 3))
		begun := map[int]int{}
		var events []knockout.Event
		n := 2 + r.IntN(63)
		for b := knockout.New(n, single, nil); !b.Over; b = knockout.New(n, single, events) {
			round := games(b, func(g knockout.Game) int { return []int{g.First, g.Second}[r.IntN(2)] })
			for _, e := range round {
				if begun[e.First] > begun[e.Second] {
					t.Fatalf("run %d: %d moves first against %d, who has moved first less often", run, e.First, e.Second)
				}
			}
			for _, e := range round {
				begun[e.First]++
			}
			events = append(events, round...)
		}
	}
}

func TestSettingsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, s := range []knockout.Settings{{}, {Games: 3}, {Games: 1, Extra: -1}, {Games: 1, Extra: 6}, {Games: 1, Count: 2}, {Games: 1, Tie: 2}} {
		if s.Check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if err := knockout.Usual.Check(); err != nil {
		t.Error(err)
	}
}

// BenchmarkBracket makes the bracket of a finished tournament of 1,024 players with mini-matches.
func BenchmarkBracket(b *testing.B) {
	settings := knockout.Settings{Games: 2, Extra: 1, ThirdPlace: true}
	var events []knockout.Event
	k := knockout.New(1024, settings, nil)
	for !k.Over {
		events = append(events, games(k, better)...)
		k = knockout.New(1024, settings, events)
	}
	for b.Loop() {
		knockout.New(1024, settings, events)
	}
}
