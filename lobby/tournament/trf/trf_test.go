package trf_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/simulation"
	"mancala/lobby/tournament/swiss"
	"mancala/lobby/tournament/trf"
)

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	for run := range uint64(100) {
		e, err := simulation.Swiss(simulation.Options{
			Players: 5 + int(run%30), Rounds: 1 + int(run%7), Run: run, Withdrawals: 20, Late: 20, Byes: 30, Forfeits: 20, Draws: 30,
		})
		if err != nil && !errors.Is(err, swiss.ErrNoPairing) {
			t.Fatal(err)
		}
		e.City, e.Federation, e.Starts, e.Ends = "Kampala", "UGA", "2026/11/25", "2026/11/26"
		e.Arbiter, e.Clock, e.TieBreaks = "Ada", "10 minutes and 5 seconds a move", []string{"DE", "BH/C1", "SB"}
		e.Points = crosstable.Points{Win: 30, Draw: 10, Absent: 5, Bye: 20}
		e.Forbidden = []crosstable.Forbidden{{Players: []int{1, 2, 4}, From: 1, To: 3}}
		e.Players[1].Extra = []crosstable.Tenths{10, 10, 5}
		p := &e.Players[0]
		for i := range p.Results {
			p.Results[i].Seeds = 3 - 5*i
		}
		p.Name, p.Sex, p.Title, p.Federation, p.ID, p.Birth = "Ňäme wíth märks", "w", "GM", "KAZ", "123456", "2001/02/03"
		var file bytes.Buffer
		if err := trf.Write(&file, e); err != nil {
			t.Fatal(err)
		}
		got, err := trf.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatalf("run %d: %v\n%s", run, err, strings.ReplaceAll(file.String(), "\r", "\n"))
		}
		var again bytes.Buffer
		if err := trf.Write(&again, got); err != nil || again.String() != file.String() {
			t.Fatalf("run %d: %v\n%s\nbecame\n%s", run, err, strings.ReplaceAll(file.String(), "\r", "\n"), strings.ReplaceAll(again.String(), "\r", "\n"))
		}
		for i := range got.Players {
			got.Players[i].Rank = 0 // the writer has given places
		}
		if !reflect.DeepEqual(got, e) {
			t.Fatalf("run %d:\n%+v\nbecame\n%+v", run, e, got)
		}
	}
}

// four is a small tournament as an old program writes it.
const four = `012 Club evening
XXR 3
XXC white1
001    1      Ada                               1800                             1.5    1     3 w 1     2 b =
001    2      Ben                               1700                             1.5    2     4 b 1     1 w =
001    3      Cleo                              1600                             1.0    3     1 b 0     4 w +
001    4      Dan                               1500                             0.0    4     2 w 0     3 b -
`

func TestOldFilesAreRead(t *testing.T) {
	for name, text := range map[string]string{
		"line feeds": four, "carriage returns": strings.ReplaceAll(four, "\n", "\r"), "both": strings.ReplaceAll(four, "\n", "\r\n"), "byte order mark": "\ufeff" + four,
	} {
		e, err := trf.Read(strings.NewReader(text))
		if err != nil || e.Name != "Club evening" || e.Rounds != 3 || e.Paired() != 2 || e.Player(3).Results[1] != (crosstable.Result{Opponent: 4, First: true, Code: crosstable.ForfeitWin}) {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

func TestByesOfTheRoundToComeAreRead(t *testing.T) {
	e, err := trf.Read(strings.NewReader(four + "240 H   3    1    4\n"))
	if err != nil || len(e.Player(1).Results) != 3 || e.Player(4).Results[2].Code != crosstable.HalfBye || len(e.Player(2).Results) != 2 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	for _, tt := range []struct{ what, old, new, want string }{
		{"points that don't follow", "1.5    1 ", "2.5    1 ", "2.5 points"},
		{"a number twice", "001    4 ", "001    3 ", "line 7: the number 3 is there twice"},
		{"a number that is no number", "001    4 ", "001    x ", "line 7"},
		{"a missing player", "001    4 ", "001    5 ", "no player with the number 4"},
		{"themselves", "   3 w 1", "   1 w 1", "meets themselves"},
		{"lines that disagree", "   2 b =", "   2 w =", "disagree"},
		{"an opponent who isn't there", "   3 w 1", "9999 w 1", "who is not there"},
		{"an unknown result", "   3 w 1", "   3 w ?", "not a result"},
		{"an unknown colour", "   3 w 1", "   3 x 1", "not a colour"},
		{"a game without a colour", "   3 w 1", "   3 - 1", "has no colour"},
		{"a bye with an opponent", "   3 w 1", "   3 w U", "bye has an opponent"},
		{"too many rounds", "XXR 3", "XXR 300", "line 2"},
		{"a team", "XXR 3", "013 Team", "teams"},
		{"a forbidden player who isn't there", "XXR 3", "XXP 1 77", "no player with the number 77"},
		{"an unknown bye", "XXR 3", "240 X   3    1", "not a bye"},
		{"a seed difference that is no number", "XXR 3", "### seeds 1 many", "not a difference of seeds"},
		{"seeds of a player who isn't there", "XXR 3", "### seeds 77 +1", "no player with the number 77"},
		{"seeds of a round that isn't there", "XXR 3", "### seeds 1 +1 +1 +1", "round 3"},
		{"points without a number", "XXR 3", "162 W  a.b", "not a number of points"},
		{"points for the pairing alone that overlap", "XXR 3", "250       1.0   1   3    1    2\n250       1.0   3   4    2    3", "round 3: the number 2 is there twice"},
		{"points for the pairing alone of too many rounds", "XXR 3", "XXA    1 " + strings.Repeat("  1.0", trf.MaxRounds+1), "more than 255 rounds"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			if !strings.Contains(four, tt.old) {
				t.Fatalf("%q is not in the file", tt.old)
			}
			_, err := trf.Read(strings.NewReader(strings.Replace(four, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want an error with %q", err, tt.want)
			}
		})
	}
	if _, err := trf.Read(strings.NewReader(strings.Repeat("x", trf.MaxBytes+1))); err == nil {
		t.Error("a file of any size is read")
	}
}

func TestNamesCannotAddLines(t *testing.T) {
	e := &crosstable.Event{Name: "A\r001    9 x", Rounds: 1, Points: crosstable.Usual, OddFirst: true}
	e.Players = []crosstable.Player{{Number: 1, Name: "B\r\nXXP 1 2\x00"}}
	var file bytes.Buffer
	if err := trf.Write(&file, e); err != nil {
		t.Fatal(err)
	}
	got, err := trf.Read(&file)
	if err != nil || len(got.Players) != 1 || len(got.Forbidden) != 0 || got.Player(1).Name != "B  XXP 1 2" {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzRead checks that no file crashes the reader, that what it accepts is written and read
// again, and that its rounds can be paired or are refused.
func FuzzRead(f *testing.F) {
	f.Add(four)
	f.Add(four + "240 H   3    1    4\n250       1.0   1   2    1    2\n260   1   2    1    2\n162  W 3.0    D 1.0\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := trf.Read(strings.NewReader(text))
		if err != nil || len(e.Players) > 40 {
			return
		}
		var file, again bytes.Buffer
		if err := trf.Write(&file, e); err != nil {
			t.Fatal(err)
		}
		first := file.String()
		if e, err = trf.Read(&file); err != nil {
			t.Fatalf("%v in what was written:\n%q\nfrom\n%q", err, first, text)
		}
		if err := trf.Write(&again, e); err != nil || again.String() != first {
			t.Fatalf("%v\n%q\nbecame\n%q", err, first, again.String())
		}
		for round := 1; round <= min(e.Paired()+1, 8); round++ {
			if _, err := swiss.Pair(e.Before(round), round); err != nil && !errors.Is(err, swiss.ErrNoPairing) {
				t.Fatal(err)
			}
		}
	})
}
