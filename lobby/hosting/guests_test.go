package hosting_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// failing are rooms that answer every order with an error.
type failing struct {
	hosting.Rooms
	err error
}

func (f failing) Order(context.Context, string, machine.Command) (room.Answer, error) {
	return room.Answer{}, f.err
}

// count returns how many rows a table has that meet a condition.
func (c *club) count(table, where string, args ...any) (n int) {
	c.Helper()
	if err := c.db.Reader().QueryRowContext(c.Context(), "SELECT COUNT(*) FROM "+table+" WHERE "+where, args...).Scan(&n); err != nil {
		c.Fatal(err)
	}
	return n
}

// account makes a player with an account.
func (c *club) account(name string) string {
	c.Helper()
	player := c.guest()
	if _, err := c.lobby.People.Upgrade(c.Context(), player, name, func(lobby.Tx) error { return nil }); err != nil {
		c.Fatal(err)
	}
	return player
}

func TestGuestsStayOnlyIfTheyMayHaveEntered(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		if _, err := c.AddOnce(t.Context(), made.ID, host, "Mia", "key"); err != nil {
			t.Fatal(err)
		}
		const ben = "001    1      Ben                               1700                             0.0    1\r"
		const rude = "001    2      <*>                               1900                             0.0    2\r"
		add := func(name, key string) func() error {
			return func() error {
				_, err := c.AddOnce(t.Context(), made.ID, host, name, key)
				return err
			}
		}
		load := func(file string) func() error {
			return func() error {
				_, err := c.Import(t.Context(), made.ID, host, []byte(file), false)
				return err
			}
		}
		for _, tt := range []struct {
			name   string
			answer error // of the room, or nil
			enter  func() error
			want   refusal.Code
			more   int // guests
		}{
			{"an impossible name", nil, add("\x00", "a"), lobby.CodeNameCharacters, 0},
			{"a repetition", nil, add("Mia", "key"), "", 0},
			{"a refused player", refusal.New(tournament.CodeFull), add("Noor", "c"), tournament.CodeFull, 0},
			{"a player in doubt", room.ErrUnavailable, add("Noor", "d"), room.CodeUnavailable, 1},
			{"a file with an impossible name", nil, load(ben + rude), hosting.CodeBadFile, 0},
			{"a refused file", refusal.New(tournament.CodeFull), load(ben), tournament.CodeFull, 0},
			{"a file in doubt", room.ErrMoved, load(ben), room.CodeMoved, 1},
		} {
			c.Rooms = c.rooms
			if tt.answer != nil {
				c.Rooms = failing{c.rooms, tt.answer}
			}
			before := c.count("players", "1 = 1")
			err := tt.enter()
			if code, _ := refusal.Of(err); code != tt.want {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
			}
			if n := c.count("players", "1 = 1") - before; n != tt.more {
				t.Errorf("%s: %d guests more, want %d", tt.name, n, tt.more)
			}
		}
	})
}

// list returns a report file with the given number of players.
func list(players int) []byte {
	var b strings.Builder
	for n := 1; n <= players; n++ {
		fmt.Fprintf(&b, "001 %4d      %-33s %4d%28s 0.0 %4d\r", n, fmt.Sprint("Player ", n), tournament.MaxRating, "", n)
	}
	return []byte(b.String())
}

func TestLargestFileEntersAndALargerOneMakesNoGuests(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		before := c.count("players", "1 = 1")
		_, err := c.Import(t.Context(), made.ID, host, list(tournament.MaxImport+1), false)
		c.refused(hosting.CodeBadFile, err)
		if n := c.count("players", "1 = 1"); n != before {
			t.Errorf("%d guests were made", n-before)
		}
		if n, err := c.Import(t.Context(), made.ID, host, list(tournament.MaxImport), false); err != nil || n.Players != tournament.MaxImport {
			t.Errorf("%v have entered, %v", n, err)
		}
	})
}

func TestHostCannotRenameAnAccount(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host, ada := c.guest(), c.account("Ada")
		made := c.open(host, tournament.Settings{})
		if err := c.Join(t.Context(), made.ID, ada, ""); err != nil {
			t.Fatal(err)
		}
		c.refused(lobby.CodeHasAccount, c.Rename(t.Context(), made.ID, host, ada, "Eve"))
	})
}

// barred may not play rated games.
type barred struct{}

func (barred) MayRate(context.Context, string) error { return refusal.New("barred") }

func TestRatedTournamentIsForPlayersWhoMayPlayRatedGames(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host, ada, ben, cleo := c.account("Dora"), c.account("Ada"), c.account("Ben"), c.account("Cleo")
		rated := tournament.Settings{Name: "Cup", Clock: "5+3", Rated: true, Accounts: true}
		made := c.open(host, rated)
		for _, player := range []string{ada, ben} {
			if err := c.Join(t.Context(), made.ID, player, ""); err != nil {
				t.Fatal(err)
			}
		}
		c.Policy = barred{}
		_, err := c.Open(t.Context(), host, netip.Addr{}, rated)
		c.refused("barred", err)
		c.refused("barred", c.Join(t.Context(), made.ID, cleo, ""))
		c.refused("barred", c.Replace(t.Context(), made.ID, host, ada, ben))
		c.open(host, tournament.Settings{})
	})
}

// An account keeps its name from guests. In a tournament they get it with a number.
func TestGuestWithTheNameOfAnAccountGetsANumber(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		long := strings.Repeat("a", lobby.MaxName)
		c.account("Ada")
		c.account(long)
		c.join(made.ID, "Ada")
		for i, name := range []string{"Ada", long, "Ben"} {
			if _, err := c.AddOnce(t.Context(), made.ID, host, name, fmt.Sprint(i)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		want := []string{"Ada 2", "Ada 3", strings.Repeat("a", lobby.MaxName-2) + " 2", "Ben"}
		if got := c.names(c.hall(made.ID, host)); !slices.Equal(got, want) {
			t.Errorf("names %q, want %q", got, want)
		}
	})
}

// A player without a device never comes, so the sweep of idle guests would take their name out of a long league.
func TestPlayersWithoutDevicesKeepTheirNamesWhileAHostLooksAfterTheTournament(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		if _, err := c.Add(t.Context(), made.ID, host, "Mia"); err != nil {
			t.Fatal(err)
		}
		err := c.db.Write(t.Context(), func(tx lobby.Tx) error {
			_, err := tx.Exec("UPDATE players SET seen = 0 WHERE name = 'Mia'")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c.hall(made.ID, host)
		if _, err := c.lobby.People.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := c.names(c.hall(made.ID, ""))[0]; got != "Mia" {
			t.Errorf("the player is called %q", got)
		}
	})
}
