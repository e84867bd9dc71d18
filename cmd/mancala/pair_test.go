package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mancala/cmd/internal/cli"
)

// runCommand runs a command line and returns what it prints.
func runCommand(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out, errOut bytes.Buffer
	err := run(t.Context(), args, strings.NewReader(in), &out, &errOut)
	return out.String(), err
}

func TestSimulatedTournamentIsPairedAndChecked(t *testing.T) {
	args := strings.Fields("simulate swiss --players 10 --rounds 4 --seed 7 --withdrawals 20 --late 20 --byes 30 --forfeits 10 --draws 30")
	report, err := runCommand(t, "", args...)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := runCommand(t, "", args...); err != nil || again != report {
		t.Error("the same seed gives two tournaments")
	}
	file := filepath.Join(t.TempDir(), "club.trf")
	if err := os.WriteFile(file, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []struct{ name, in string }{{file, ""}, {"-", report}} {
		if got, err := runCommand(t, from.in, "check", from.name); err != nil || strings.Count(got, "the pairings are those of the system") != 4 {
			t.Errorf("check %s: %q, %v", from.name, got, err)
		}
	}
	first, err := runCommand(t, "", "pair", file, "--round", "1")
	if err != nil || !strings.HasSuffix(first, "\n") || len(strings.Fields(first))%2 != 0 {
		t.Errorf("round 1: %q, %v", first, err)
	}
	if got, err := runCommand(t, "", "standings", file, "--tiebreaks", "BH,SB"); err != nil || !strings.HasPrefix(got, "1. Player ") || !strings.Contains(got, "   BH, Buchholz: ") {
		t.Errorf("standings: %q, %v", got, err)
	}
}

func TestCheckFailsWhereThePairingsAreOthers(t *testing.T) {
	const report = `142 3
152 W
001    1      Ada                               1800                             1.0    1     4 w 1
001    2      Ben                               1700                             1.0    2     3 b 1
001    3      Cleo                              1600                             0.0    3     2 w 0
001    4      Dan                               1500                             0.0    4     1 b 0
`
	got, err := runCommand(t, report, "check", "-")
	want := "Round 1: the system pairs 1 with 3, 4 with 2; the file has 1 with 4, 3 with 2.\n"
	if !errors.Is(err, cli.ErrSilent) || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// Many pairing programs write Windows-1252. Each byte is a column there.
func TestReportFilesInWindows1252ArePairedAndRanked(t *testing.T) {
	var report string
	for i, name := range []string{"M\xfcller, Jan", "\x8aimi\xe6, Ren\xe9e"} {
		report += fmt.Sprintf("001 %4d      %s%*d%32.1f %4d\n", i+1, name, 38-len(name), 1800-100*i, 0.0, i+1)
	}
	report += "142 3\n152 W\n"
	if got, err := runCommand(t, report, "pair", "-"); err != nil || got != "1 2\n" {
		t.Errorf("pairings %q, %v; want 1 with 2", got, err)
	}
	got, err := runCommand(t, report, "standings", "-")
	if err != nil || !strings.Contains(got, "Müller, Jan (number 1)") || !strings.Contains(got, "Šimiæ, Renée (number 2)") {
		t.Errorf("standings %q, %v; want the names in UTF-8", got, err)
	}
}

func TestRoundWithoutAPairingHasAStatusOfItsOwn(t *testing.T) {
	report, err := runCommand(t, "", strings.Fields("simulate swiss --players 6 --rounds 7")...)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := runCommand(t, report, "pair", "-"); !errors.Is(err, cli.ErrNoAnswer) || got != "" {
		t.Errorf("%q, %v; want no answer", got, err)
	}
}

func TestReportFilesAreCheckedBeforeTheyAreUsed(t *testing.T) {
	for _, args := range [][]string{{"pair"}, {"pair", "-", "--round", "9"}, {"standings", "-", "--tiebreaks", "XX"}, {"simulate", "arena"}, {"simulate", "swiss", "--players", "1"}} {
		if _, err := runCommand(t, "142 3\n", args...); !errors.Is(err, cli.ErrUsage) {
			t.Errorf("%v: %v, want a usage error", args, err)
		}
	}
	if _, err := runCommand(t, "142 x\n", "pair", "-"); err == nil || errors.Is(err, cli.ErrUsage) {
		t.Errorf("a broken file: %v", err)
	}
	if _, err := runCommand(t, "", "pair", filepath.Join(t.TempDir(), "none.trf")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
