package hosting

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/lobby/tournament"
)

func TestIndexIsKeptInEveryKindOfDatabase(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		all, err := lobby.Open(t.Context(), db, lobby.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x, err := OpenIndex(t.Context(), db, all.People)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = OpenIndex(t.Context(), db, all.People); err != nil { // as another instance does
			t.Fatal(err)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		guest := func() string {
			t.Helper()
			p, err := all.People.Guest(t.Context())
			must(err)
			return p.ID
		}
		hanna, ada := guest(), guest()
		now := time.UnixMilli(1_700_000_000_000)
		x.now = func() time.Time { return now }
		made := map[string]secrets{}
		for _, id := range []string{"cup1", "cup2"} {
			made[id] = newSecrets()
			must(x.add(t.Context(), id, made[id]))
			now = now.Add(time.Minute)
			must(x.note(t.Context(), id, hanna, true))
			must(x.note(t.Context(), id, hanna, false))
			must(x.note(t.Context(), id, ada, false))
			must(x.note(t.Context(), id, "p-deleted", false))
			must(x.setName(t.Context(), id, ada, "Ada L."))
			must(x.setName(t.Context(), id, ada, "Ada Lovelace"))
		}
		must(x.note(t.Context(), "cup-deleted", ada, true))
		must(x.setName(t.Context(), "cup-deleted", hanna, "Hanna Neumann"))
		must(x.setName(t.Context(), "cup1", "p-deleted", "Emmy Noether"))

		// The rows have still to be filled in.
		mine := func(player string) (found []string) {
			t.Helper()
			list, err := x.Mine(t.Context(), player, 9)
			must(err)
			for _, m := range list {
				found = append(found, m.ID+" "+m.Name+" "+map[bool]string{true: "host", false: "player"}[m.Host])
			}
			return found
		}
		if got := mine(hanna); len(got) != 0 {
			t.Errorf("rows that are not filled in are found: %q", got)
		}
		listing := tournament.Listing{Name: "Cup", Format: tournament.Swiss, Rules: "kalah", House: true, Clock: "5+3", Listed: true, Stage: tournament.Entry}
		for id := range made {
			must(x.Put(t.Context(), id, listing))
		}
		if got, want := mine(hanna), []string{"cup2 Cup host", "cup1 Cup host"}; !slices.Equal(got, want) {
			t.Errorf("the host finds %q, want %q", got, want)
		}
		if got, want := mine(ada), []string{"cup2 Cup player", "cup1 Cup player"}; !slices.Equal(got, want) {
			t.Errorf("the player finds %q, want %q", got, want)
		}
		if got := mine("p-deleted"); len(got) != 0 {
			t.Errorf("a deleted player finds %q", got)
		}
		for id, s := range made {
			for _, secret := range []string{s.key, s.recovery} {
				if ok, err := x.proves(t.Context(), id, secret); !ok || err != nil {
					t.Errorf("%s: a secret proves nothing: %v", id, err)
				}
			}
			if found, err := x.recovered(t.Context(), s.recovery); found != id || err != nil {
				t.Errorf("the code of %s leads to %q: %v", id, found, err)
			}
		}
		for _, stage := range []tournament.Stage{tournament.Entry, tournament.Running} {
			listing.Stage = stage
			must(x.Put(t.Context(), "cup1", listing))
			if list, err := x.List(t.Context(), stage, 9); err != nil || len(list) == 0 || !reflect.DeepEqual(list[len(list)-1].Listing, listing) {
				t.Errorf("%s: the list is %+v, %v", stage, list, err)
			}
		}
		if names, err := x.wholeNames(t.Context(), "cup2"); err != nil || names[ada] != "Ada Lovelace" {
			t.Errorf("the names are %q, %v", names, err)
		}

		must(x.add(t.Context(), "no-room", newSecrets()))
		now = now.Add(30 * 24 * time.Hour)
		must(x.add(t.Context(), "a-room-soon", newSecrets()))
		must(x.Sweep(t.Context()))
		if list, err := x.List(t.Context(), tournament.Entry, 9); err != nil || len(list) != 0 {
			t.Errorf("after the sweep the list is %+v, %v", list, err)
		}
		must(all.People.Forget(t.Context(), ada))
		listing.Stage = tournament.Deleted
		must(x.Put(t.Context(), "cup1", listing))
		for table, want := range map[string]int{"tournaments": 2, "tournament_people": 1, "tournament_names": 0} {
			var n int
			if err := db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil || n != want {
				t.Errorf("%s has %d rows, want %d: %v", table, n, want, err)
			}
		}
	})
}

// An instance of the release before fills in rows without a word about house rules. Its listing is
// another task than that of this release, which therefore lists the tournament again.
func TestReleaseBeforeListsTournamentsBesideThisOne(t *testing.T) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(db.Migrate(t.Context(), "tournaments", schema[:3]))
		all, err := lobby.Open(t.Context(), db, lobby.Options{})
		must(err)
		write := func(query string, args ...any) {
			t.Helper()
			must(db.Write(t.Context(), func(tx lobby.Tx) error {
				_, err := tx.Exec(query, args...)
				return err
			}))
		}
		add := func(id string) {
			t.Helper()
			write(`INSERT INTO tournaments (id, host_key, recovery, created, name, format, rules, clock, rated, listed, stage, starts, changed)
				VALUES ($1, 'k', 'r', 1, 'Cup', 'swiss', 'kalah', '5+3', 0, 1, 'entry', 0, 1)`, id)
		}
		add("cup1")
		x, err := OpenIndex(t.Context(), db, all.People)
		must(err)
		add("cup2") // the instance of the release before still runs
		house := func() (ids []string) {
			t.Helper()
			list, err := x.List(t.Context(), tournament.Entry, 9)
			must(err)
			if len(list) != 2 {
				t.Errorf("the list is %+v", list)
			}
			for _, row := range list {
				if row.House {
					ids = append(ids, row.ID)
				}
			}
			return ids
		}
		if got := house(); len(got) != 0 {
			t.Errorf("house rules in %q, of which nothing is known", got)
		}
		listing := tournament.Listing{Name: "Cup", Format: tournament.Swiss, Rules: "kalah", House: true, Clock: "5+3", Listed: true, Stage: tournament.Entry}
		must(x.Put(t.Context(), "cup2", listing))
		write("UPDATE tournaments SET name = 'Spring Cup' WHERE id = 'cup2'") // by the release before
		if got := house(); !slices.Equal(got, []string{"cup2"}) {
			t.Errorf("house rules in %q, want in cup2", got)
		}
		listing.House = false
		must(x.Put(t.Context(), "cup2", listing))
		if got := house(); len(got) != 0 {
			t.Errorf("house rules in %q, which a host has removed", got)
		}
	})
}
