package hosting_test

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/journal"
	"mancala/match/machine"
	"mancala/match/room"
)

// mine returns the names of a person's tournaments. A host's begin with a star.
func (c *club) mine(player string, limit int) (names []string) {
	c.Helper()
	list, err := c.Index.Mine(c.Context(), player, limit)
	if err != nil {
		c.Fatal(err)
	}
	for _, m := range list {
		name := m.Name
		if m.Host {
			name = "*" + name
		}
		names = append(names, name)
	}
	return names
}

func TestHostsAndPlayersFindTheirTournamentsAgain(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		hanna, ada := c.guest(), c.guest()
		var made []hosting.Made
		for _, name := range []string{"One", "Two", "Three"} {
			made = append(made, c.open(hanna, tournament.Settings{Name: name}))
			time.Sleep(time.Minute) // of the test's own clock
		}
		for _, m := range []hosting.Made{made[2], made[0]} {
			if err := c.Join(t.Context(), m.ID, ada, ""); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		if got := c.mine(hanna, 2); !slices.Equal(got, []string{"*Three", "*Two"}) {
			t.Errorf("the host finds %v", got)
		}
		if got := c.mine(ada, 9); !slices.Equal(got, []string{"One", "Three"}) {
			t.Errorf("the player finds %v", got)
		}
		if err := c.Become(t.Context(), made[0].ID, ada, netip.Addr{}, made[0].Key); err != nil {
			t.Fatal(err)
		}
		if err := c.Join(t.Context(), made[1].ID, hanna, ""); err != nil { // a host who plays stays a host
			t.Fatal(err)
		}
		c.must(made[2].ID, hanna, tournament.KindDelete, nil)
		time.Sleep(time.Minute)
		if got := c.mine(ada, 9); !slices.Equal(got, []string{"*One"}) {
			t.Errorf("after the deletion of one the player finds %v", got)
		}
		if got := c.mine(hanna, 9); !slices.Equal(got, []string{"*Two", "*One"}) {
			t.Errorf("after the deletion of one the host finds %v", got)
		}
		if err := c.People.Forget(t.Context(), ada); err != nil {
			t.Fatal(err)
		}
		if got := c.mine(ada, 9); len(got) > 0 {
			t.Errorf("a deleted player has %v", got)
		}
	})
}

func TestRecoveryCodeLeadsToItsTournament(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		made := c.open(c.guest(), tournament.Settings{})
		c.open(c.guest(), tournament.Settings{})
		hanna := c.guest()
		typed := " " + strings.ToLower(strings.ReplaceAll(made.Recovery, "-", " "))
		if id, err := c.Recover(t.Context(), hanna, netip.Addr{}, typed); err != nil || id != made.ID || !c.hall(made.ID, hanna).Host {
			t.Errorf("the code leads to %q, want %q: %v", id, made.ID, err)
		}
		for _, wrong := range []string{"", "ABCD-EFGH-JKLM", made.Key, strings.Repeat("A", 1<<16)} {
			_, err := c.Recover(t.Context(), hanna, netip.Addr{}, wrong)
			c.refused(hosting.CodeNoHostKey, err)
		}
	})
}

// unsure are rooms whose answers are lost.
type unsure struct{ hosting.Rooms }

func (u unsure) Order(ctx context.Context, id string, c machine.Command) (room.Answer, error) {
	if _, err := u.Rooms.Order(ctx, id, c); err != nil {
		return room.Answer{}, err
	}
	return room.Answer{}, room.ErrUnavailable
}

func TestPlayerWhoJoinsAgainAfterALostAnswerFindsTheTournament(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		made, ada := c.open(c.guest(), tournament.Settings{Name: "Cup"}), c.guest()
		c.Rooms = unsure{c.rooms}
		c.refused(room.CodeUnavailable, c.Join(t.Context(), made.ID, ada, ""))
		c.Rooms = c.rooms
		c.refused(tournament.CodeEntered, c.Join(t.Context(), made.ID, ada, ""))
		if got := c.mine(ada, 9); !slices.Equal(got, []string{"Cup"}) {
			t.Errorf("the player finds %q", got)
		}
	})
}

// late are rooms that call then between an order and its answer.
type late struct {
	hosting.Rooms
	then func()
}

func (l late) Order(ctx context.Context, id string, c machine.Command) (room.Answer, error) {
	a, err := l.Rooms.Order(ctx, id, c)
	l.then()
	return a, err
}

func TestNoteOnAPersonIsNotMadeAfterThePersonOrTheTournamentIsDeleted(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		hanna, ada, ben := c.guest(), c.guest(), c.guest()
		made := c.open(hanna, tournament.Settings{})
		for player, deletes := range map[string]func(){
			ada: func() {
				if err := c.People.Forget(t.Context(), ada); err != nil {
					t.Fatal(err)
				}
			},
			ben: func() { c.must(made.ID, hanna, tournament.KindDelete, nil); c.settle() },
		} {
			c.Rooms = late{c.rooms, deletes}
			err := c.Become(t.Context(), made.ID, player, netip.Addr{}, made.Key)
			c.Rooms = c.rooms
			if n := c.count("tournament_people", "player = $1", player); err != nil || n != 0 {
				t.Errorf("%d notes are left, %v", n, err)
			}
			made = c.open(hanna, tournament.Settings{})
		}
	})
}

func TestTournamentThatIsNotListedYetIsInNoList(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		hanna := c.guest()
		c.Rooms = opening{Rooms: c.rooms, look: func(string) {}, reads: journal.NewestForm} // there is no room to read
		if _, err := c.Open(t.Context(), hanna, netip.Addr{}, tournament.Settings{Name: "Cup"}); err != nil {
			t.Fatal(err)
		}
		if got := c.mine(hanna, 9); len(got) > 0 {
			t.Errorf("the host finds %q", got)
		}
	})
}
