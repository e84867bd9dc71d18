package hosting_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/refusal"
)

const entries = "012 Spring Cup\r" +
	"001    1      Lovelace, Ada                     1900                             0.0    1\r" +
	"001    2      Ben                               1700                             0.0    2\r"

func TestPlayersOfAReportFileEnterTogetherOrNotAtAll(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		c.join(made.ID, "Cleo")
		if n, err := c.Import(t.Context(), made.ID, host, []byte(entries), false); n.Players != 2 || err != nil {
			t.Fatalf("%v, %v", n, err)
		}
		h := c.hall(made.ID, host)
		if got := c.names(h); !slices.Equal(got, []string{"Cleo", "Ada Lovelace", "Ben"}) || !h.State.Players[1].Paper || h.State.Players[1].Rating != 1900 {
			t.Errorf("names %q, players %+v", got, h.State.Players)
		}
		for _, tt := range []struct {
			file string
			want hosting.FileProblem // without the problem
			code string
		}{
			{"", hosting.FileProblem{Why: "there are no players"}, "no-players"},
			{entries + "001    3      <***>                                                              0.0    3\r", hosting.FileProblem{Player: 3, Why: "the name can't be used"}, "name"},
			{"012 Cup\r001    x      Ada", hosting.FileProblem{Line: 2, Why: "“x” is not a number from 1 to 9999"}, "number"},
		} {
			_, err := c.Import(t.Context(), made.ID, host, []byte(tt.file), false)
			c.refused(hosting.CodeBadFile, err)
			got, _ := refusal.Detail(err).(hosting.FileProblem)
			if got.Problem == nil || got.Problem.Code != tt.code {
				t.Errorf("%q: problem %+v, want %s", tt.file, got.Problem, tt.code)
			}
			if got.Problem = nil; got != tt.want {
				t.Errorf("%q: %+v, want %+v", tt.file, got, tt.want)
			}
		}
		_, err := c.Import(t.Context(), made.ID, c.guest(), []byte(entries), false)
		c.refused(tournament.CodeNotHost, err)
		if h := c.hall(made.ID, host); len(h.State.Players) != 3 {
			t.Errorf("players %+v", h.State.Players)
		}
		c.must(made.ID, host, tournament.KindStart, tournament.Order{Round: 1})
		_, err = c.Import(t.Context(), made.ID, host, []byte(entries), false)
		c.refused(tournament.CodeStarted, err)
	})
}

// A report file has names of up to 33 characters, with any signs.
func TestPlayersWithLongAndUnusualNamesEnterFromAReportFile(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		file, want := "012 Spring Cup\r", []string{}
		for i, name := range [][2]string{
			{"Praggnanandhaa, Rameshbabu", "Rameshbabu Praggnanandha"}, {"Smith, John (jun)", "John jun Smith"}, {"O`Brien, Pat", "Pat O'Brien"},
			{"Lee, Ann/Mary", "Ann Mary Lee"}, {"Praggnanandhaa, Rameshbabu II", "Rameshbabu II Praggnanan"}, {"Lee; Ann-Mary", "Lee Ann-Mary"},
			{"Lee, Ann (Mary)", "Ann Mary Lee 2"}, // like the fourth
		} {
			file += fmt.Sprintf("001 %4d      %-33s%34s0.0 %4d\r", i+1, name[0], "", i+1)
			want = append(want, name[1])
		}
		if _, err := c.Import(t.Context(), made.ID, host, []byte(file), false); err != nil {
			t.Fatal(err)
		}
		if got := c.names(c.hall(made.ID, host)); !slices.Equal(got, want) {
			t.Errorf("names %q, want %q", got, want)
		}
	})
}

func TestReportFileThatIsNotUTF8IsReadAsWindows1252(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		var file []byte
		for i, name := range []string{"M\xfcller, Jan", "\x8aimi\xe6, Ren\xe9e"} { // each byte is a column
			file = fmt.Appendf(file, "001 %4d      %-33s %4d%32.1f %4d\r", i+1, name, 1800-100*i, 0.0, i+1)
		}
		if _, err := c.Import(t.Context(), made.ID, host, file, false); err != nil {
			t.Fatal(err)
		}
		h := c.hall(made.ID, host)
		if got := c.names(h); !slices.Equal(got, []string{"Jan Müller", "Renée Šimiæ"}) || h.State.Players[1].Rating != 1700 {
			t.Errorf("names %q, players %+v", got, h.State.Players)
		}
	})
}

// The limit of entries is charged for the whole file at once. So a file that is refused costs nothing, and
// the host succeeds with it later, also if the file has more players than the limit.
func TestImportOfManyPlayersSucceedsAndAFloodOfThemIsRefused(t *testing.T) {
	file := func(players int) []byte {
		text := "012 Spring Cup\r"
		for n := range players {
			text += fmt.Sprintf("001 %4d      Player %-60d0.0 %4d\r", n+1, n+1, n+1)
		}
		return []byte(text)
	}
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		c.Limits.Entries = lobby.NewLimiter(lobby.Rate{N: 60, Per: time.Hour})
		made := c.open(host, tournament.Settings{})
		add := func(players int) error {
			_, err := c.Import(t.Context(), made.ID, host, file(players), false)
			return err
		}
		if err := add(40); err != nil {
			t.Fatal(err)
		}
		c.refused(lobby.CodeSlowDown, add(40))
		if err := add(20); err != nil {
			t.Errorf("after a refused file, a file that fits: %v", err)
		}
		c.refused(lobby.CodeSlowDown, add(1))
		if n := len(c.hall(made.ID, host).State.Players); n != 60 {
			t.Errorf("%d players have entered, want 60", n)
		}

		host = c.guest()
		made = c.open(host, tournament.Settings{})
		if err := add(100); err != nil {
			t.Errorf("a file with more players than the limit: %v", err)
		}
		c.refused(lobby.CodeSlowDown, add(1))
	})
}

// A Swiss that began elsewhere goes on here, with the names, the results and the standings of its report
// file. No guests are made for a file that cannot be continued.
func TestSwissGoesOnHereFromAReportFile(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		const played = "012 Spring Cup\r142 3\r" +
			"001    1      Lovelace, Ada                     1900                             1.0    1     2 w 1\r" +
			"001    2      Ben                               1700                             0.0    2     1 b 0\r"
		host := c.guest()
		made := c.open(host, tournament.Settings{Rounds: 5})
		in, err := c.Import(t.Context(), made.ID, host, []byte(played), true)
		if want := (hosting.Imported{Players: 2, Rounds: 1}); err != nil || in != want {
			t.Fatalf("%+v, %v", in, err)
		}
		h := c.hall(made.ID, host)
		table := h.State.Standings()
		if h.State.Stage != tournament.Running || h.State.Settings.Rounds != 3 || table[0].Points != 10 || c.names(h)[table[0].Number-1] != "Ada Lovelace" {
			t.Errorf("standings %+v, settings %+v", table, h.State.Settings)
		}
		_, err = c.Import(t.Context(), made.ID, host, []byte(played), true)
		c.refused(tournament.CodeStarted, err)

		before := c.count("players", "1 = 1")
		_, err = c.Import(t.Context(), c.open(host, tournament.Settings{}).ID, host, []byte(played+"XXA    1   1.0\r"), true)
		c.refused(hosting.CodeBadFile, err)
		if n := c.count("players", "1 = 1"); n != before {
			t.Errorf("%d guests were made", n-before)
		}
	})
}
