package tournament_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby/tournament"
	"mancala/lobby/tournament/crosstable"
	"mancala/lobby/tournament/swiss"
	"mancala/lobby/tournament/trf"
)

// names returns a name for every player.
func names(s tournament.State) map[string]string {
	all := map[string]string{}
	for _, p := range s.Players {
		all[p.ID] = "Player " + fmt.Sprint(p.Number)
	}
	return all
}

// filed returns a table as another program reads it from a report file.
func filed(t *testing.T, e *crosstable.Event) *crosstable.Event {
	t.Helper()
	var file bytes.Buffer
	if err := trf.Write(&file, e); err != nil {
		t.Fatal(err)
	}
	read, err := trf.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.ReplaceAll(file.String(), "\r", "\n"))
	}
	return read
}

func TestReportFileHasAllOfASwiss(t *testing.T) {
	for run := range uint64(40) {
		rng := rand.New(rand.NewPCG(run, 26))
		h := open(t, tournament.Settings{Rounds: 5, LateHalf: run%2 == 0})
		h.join(8 + rng.IntN(20))
		if run%2 == 1 {
			h.must(host, tournament.KindForbid, tournament.Order{Player: id(1), Other: id(5)})
		}
		for round := 1; round <= 5; round++ {
			h.disturb(rng, round)
			h.start()
			s := h.state()
			var want []crosstable.Pairing
			places := map[int]int{}
			for i, number := range s.Start {
				places[number] = i + 1
			}
			for _, b := range s.Rounds[round-1] {
				want = append(want, crosstable.Pairing{First: places[b.First], Second: places[b.Second]})
			}
			got, err := swiss.Pair(filed(t, s.CrossTableBefore(round, names(s))), round)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("run %d: the file of round %d gives the pairings %v, %v, want %v", run, round, got, err, want)
			}
			h.playRound(func() int { return rng.IntN(3) })
		}
		s := h.state()
		e := s.CrossTable(names(s))
		if read := filed(t, e); !reflect.DeepEqual(read, e) {
			t.Fatalf("run %d:\n%+v\nbecame\n%+v", run, e, read)
		}
	}
}

// Late on 25 November in UTC, it is the evening of that day in New York, and the morning of the next one in Tokyo.
func TestReportFileHasTheDateOfTheStartWhereTheHostIs(t *testing.T) {
	evening := time.Date(2026, 11, 25, 23, 30, 0, 0, time.UTC).UnixMilli()
	for zone, want := range map[int]string{0: "2026/11/25", 300: "2026/11/25", -60: "2026/11/26", -540: "2026/11/26", 24 * 60: "2026/11/24"} {
		h := open(t, tournament.Settings{Starts: evening, Zone: zone})
		h.join(2)
		s := h.state()
		if got := s.CrossTable(nil).Starts; got != want {
			t.Errorf("%d minutes behind UTC: %s, want %s", zone, got, want)
		}
	}
}

func TestReportFileHasAllOfARoundRobin(t *testing.T) {
	for format, system := range map[tournament.Format]crosstable.System{
		tournament.RoundRobin: crosstable.RoundRobin, tournament.DoubleRound: crosstable.DoubleRoundRobin,
	} {
		rng := rand.New(rand.NewPCG(5, 26))
		h := open(t, tournament.Settings{Format: format})
		h.join(5)
		for range 4 {
			h.start()
			h.playRound(func() int { return rng.IntN(3) })
		}
		s := h.state()
		e := s.CrossTable(names(s))
		read := filed(t, e)
		if !reflect.DeepEqual(read, e) || read.System != system {
			t.Errorf("%s:\n%+v\nbecame\n%+v", format, e, read)
		}
		if _, _, err := tournament.Entrants(read); err == nil {
			t.Errorf("a Swiss goes on from a %s", system)
		}
	}
}

func TestFileOfARoundStaysTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 26))
	h := open(t, tournament.Settings{Rounds: 4})
	h.join(9)
	var before []*crosstable.Event
	for round := 1; round <= 4; round++ {
		h.must("", tournament.KindJoin, tournament.Order{Player: id(len(h.state().Players) + 1), Rating: 1500})
		h.start()
		s := h.state()
		before = append(before, s.CrossTableBefore(round, names(s)))
		for i, e := range before {
			if now := s.CrossTableBefore(i+1, names(s)); !reflect.DeepEqual(now, e) {
				t.Errorf("in round %d the file of round %d is\n%+v, was\n%+v", round, i+1, now, e)
			}
		}
		h.playRound(func() int { return rng.IntN(3) })
		for range 4 {
			h.correct(rng)
			h.keepApart(rng)
		}
	}
}

// keepApart changes whether two random players may meet.
func (h *hall) keepApart(rng *rand.Rand) {
	h.Helper()
	pair := rng.Perm(9)[:2]
	o := tournament.Order{Player: id(pair[0] + 1), Other: id(pair[1] + 1)}
	kind := tournament.KindForbid
	if slices.Contains(h.state().Forbidden, [2]int{min(pair[0], pair[1]) + 1, max(pair[0], pair[1]) + 1}) {
		kind = tournament.KindAllow
	}
	h.must(host, kind, o)
}

// correct gives a random board of any round another result.
func (h *hall) correct(rng *rand.Rand) {
	h.Helper()
	s := h.state()
	round := 1 + rng.IntN(len(s.Rounds))
	b := s.Rounds[round-1][rng.IntN(len(s.Rounds[round-1]))]
	results := slices.DeleteFunc([]string{tournament.FirstWins, tournament.SecondWins, tournament.Drawn}, func(r string) bool { return r == b.Result })
	if b.Second != 0 {
		h.must(host, tournament.KindResult, tournament.Order{Round: round, Board: b.Number, Result: results[rng.IntN(2)]})
	}
}

func TestBoardKeepsOneResultForEachRoundThatWasPairedFromIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 26))
	h := open(t, tournament.Settings{Rounds: 3})
	h.join(8)
	for range 3 {
		h.start()
		h.playRound(func() int { return rng.IntN(3) })
		for range 100 {
			h.correct(rng)
		}
	}
	for i, boards := range h.state().Rounds {
		for _, b := range boards {
			if want := 2 - i; len(b.Was) != want {
				t.Errorf("a board of round %d keeps %v, want %d results", i+1, b.Was, want)
			}
		}
	}
	h.agrees()
}

func TestGamesAreListedForThePlayerWhoMovedFirst(t *testing.T) {
	s := tournament.State{Rounds: [][]tournament.Board{{
		{Number: 1, First: 3, Second: 1, Result: tournament.FirstWins, Seeds: 9, Games: []tournament.Game{
			{Room: "k3v9qa2mx1", Result: tournament.FirstWins, Seeds: 12},
			{Room: "k3v9qa2mx2", Result: tournament.SecondWins, Seeds: -3, Swapped: true},
		}},
		{Number: 2, First: 2, Result: tournament.Bye},
	}}}
	want := []tournament.Played{
		{Round: 1, Board: 1, Game: 1, First: 3, Second: 1, Result: "first", Counts: "first", Seeds: 12, Room: "k3v9qa2mx1"},
		{Round: 1, Board: 1, Game: 2, First: 1, Second: 3, Result: "first", Counts: "second", Seeds: 3, Room: "k3v9qa2mx2"},
		{Round: 1, Board: 2, Game: 1, First: 2, Result: "bye", Counts: "bye"},
	}
	if got := s.Played(); !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
