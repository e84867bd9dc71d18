package hosting_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
)

func TestStandingsAreComputedOnceAfterEachEntry(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Rounds: 3})
		for range 4 {
			if _, err := c.Add(t.Context(), made.ID, host, "Mia"); err != nil {
				t.Fatal(err)
			}
		}
		table := func() *hosting.Table {
			s, err := c.Standings(t.Context(), made.ID)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		c.must(made.ID, host, tournament.KindStart, tournament.Order{Round: 1})
		synctest.Wait() // for the entries of the room's tasks
		before := table()
		if again := table(); again != before || before.Rows[0].Points != 0 {
			t.Errorf("%+v was computed again as %+v", before, again)
		}
		c.must(made.ID, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
		if after := table(); after.Seq != before.Seq+1 || after.Rows[0].Points != 10 {
			t.Errorf("after a result: %+v", after)
		}
		c.must(made.ID, host, tournament.KindResult, tournament.Order{Round: 1, Board: 2, Result: tournament.Drawn})
		c.must(made.ID, host, tournament.KindDelete, tournament.Order{})
		_, err := c.Standings(t.Context(), made.ID)
		c.refused(hosting.CodeNoTournament, err)
	})
}

func TestTournamentWithoutNamesIsDecodedOnceAfterEachEntry(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Rounds: 3})
		ada, ben := c.join(made.ID, "Ada"), c.join(made.ID, "Ben")
		look := func(person string) *hosting.Hall {
			hall, err := c.LookWithoutNames(t.Context(), made.ID, person)
			if err != nil {
				t.Fatal(err)
			}
			named, err := c.Look(t.Context(), made.ID, person)
			if err != nil {
				t.Fatal(err)
			}
			named.Names = nil
			if !reflect.DeepEqual(named, hall) {
				t.Errorf("without names: %+v, want %+v", hall, named)
			}
			return hall
		}
		before := look(ada)
		if again := look(ben); &again.State.Players[0] != &before.State.Players[0] {
			t.Error("the second reader has decoded the state again")
		}
		look(host)
		c.must(made.ID, host, tournament.KindStart, tournament.Order{Round: 1})
		synctest.Wait() // for the entries of the room's tasks
		if after := look(ada); after.Seq == before.Seq || len(after.State.Rounds) != 1 || len(before.State.Rounds) != 0 {
			t.Errorf("after the start of round 1: %+v, before: %+v", after, before)
		}
		c.must(made.ID, host, tournament.KindUndo, tournament.Order{})
		synctest.Wait()
		c.must(made.ID, host, tournament.KindDelete, tournament.Order{})
		_, err := c.LookWithoutNames(t.Context(), made.ID, ada)
		c.refused(hosting.CodeNoTournament, err)
	})
}

func TestNamesArePassedOnFromANumberOn(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		ada, ben := c.join(made.ID, "Ada"), c.join(made.ID, "Ada")
		names, _, err := c.NamesFrom(t.Context(), made.ID, "", 2)
		if err != nil || len(names) != 2 || names[ben] != "Ada 2" || names[host] == "" {
			t.Errorf("names %q, %v", names, err)
		}
		if names, _, err = c.NamesFrom(t.Context(), made.ID, "", 1); err != nil || names[ada] != "Ada" {
			t.Errorf("names %q, %v", names, err)
		}
		if err := c.Rename(t.Context(), made.ID, host, ada, "Eve"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // names are kept for a moment
		if names, _, err = c.NamesFrom(t.Context(), made.ID, "", 1); err != nil || names[ada] != "Eve" || names[ben] != "Ada" {
			t.Errorf("names %q, %v", names, err)
		}
	})
}

func TestNewNameIsPassedOnAtOnceAfterARenaming(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		made := c.open(c.guest(), tournament.Settings{})
		c.join(made.ID, "Ben")
		ada := c.join(made.ID, "Ada")
		for _, want := range []string{"Ada", "Eve"} {
			if _, err := c.People.Rename(t.Context(), ada, want); err != nil {
				t.Fatal(err)
			}
			if n, err := c.Renamed(t.Context(), made.ID, ada); n != 2 || err != nil {
				t.Errorf("the player's number is %d, %v", n, err)
			}
			if names, _, err := c.NamesFrom(t.Context(), made.ID, "", 1); err != nil || names[ada] != want {
				t.Errorf("the name is %q, %v, want %q", names[ada], err, want)
			}
		}
		if n, err := c.Renamed(t.Context(), made.ID, c.guest()); n != 0 || err != nil {
			t.Errorf("the number of a person who has not entered is %d, %v", n, err)
		}
	})
}

func TestNewTournamentIsListedWithTheUsualChoices(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		c.open(c.guest(), tournament.Settings{Listed: true})
		list, err := c.Index.List(t.Context(), tournament.Entry, 5) // before the room's task brings it up to date
		if err != nil || len(list) != 1 || list[0].Format != tournament.Swiss || list[0].Rules != "kalah" || list[0].Clock != "none" {
			t.Errorf("the list is %+v, %v", list, err)
		}
	})
}

func TestPreviewIsMadeOnceAndProposesPairingsWhenNoneIsLegal(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Rounds: 2})
		for range 2 {
			if _, err := c.Add(t.Context(), made.ID, host, "Mia"); err != nil {
				t.Fatal(err)
			}
		}
		preview := func() *hosting.Preview {
			p, err := c.Preview(t.Context(), made.ID, host)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		synctest.Wait() // until the room's task is done, whose entry makes a new preview
		first := preview()
		if again := preview(); again != first || first.Round != 1 || len(first.Pairings) != 1 || first.Outlook == nil || first.Code != "" {
			t.Errorf("the preview is %+v, and then %+v", first, again)
		}
		c.must(made.ID, host, tournament.KindStart, tournament.Order{Round: 1})
		c.must(made.ID, host, tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.Drawn})
		if p := preview(); p.Round != 2 || p.Code != tournament.CodeNoPairing || len(p.Pairings) != 1 || len(p.Breaches) != 1 {
			t.Errorf("without a legal pairing the preview is %+v", p)
		}
		_, err := c.Preview(t.Context(), made.ID, c.guest())
		c.refused(tournament.CodeNotHost, err)
		_, _, err = c.History(t.Context(), made.ID, c.guest())
		c.refused(tournament.CodeNotHost, err)
	})
}
