package hosting_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby"
	"mancala/lobby/effects"
	"mancala/lobby/hosting"
	"mancala/lobby/lobbytest"
	"mancala/lobby/rating"
	"mancala/lobby/tournament"
	"mancala/match/journal/memjournal"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// club is a service with real rooms and a database in memory.
type club struct {
	*testing.T
	*hosting.Hosting
	db    lobby.DB
	lobby *lobby.Lobby
	rooms *room.Registry
	sent  int // commands

	ratings ratings
}

// anybody may play rated games.
type anybody struct{}

func (anybody) MayRate(context.Context, string) error { return nil }

// ratings are ratings by system, speed and player.
type ratings map[string]int

func (r ratings) Of(_ context.Context, players []string, system, speed string) (map[string]rating.PlayerRating, error) {
	known := map[string]rating.PlayerRating{}
	for _, player := range players {
		if value := r[system+" "+speed+" "+player]; value > 0 {
			known[player] = rating.PlayerRating{Player: player, Rating: rating.Rating{Value: float64(value)}}
		}
	}
	return known, nil
}

func (ratings) Count(context.Context, rating.Game) ([]rating.Change, error) { return nil, nil }

// open runs a test with a club. Time stands still while everything waits.
func open(t *testing.T, test func(*testing.T, *club)) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Memory(t)
		c := &club{T: t, db: db, ratings: ratings{}}
		var err error
		if c.lobby, err = lobby.Open(t.Context(), db, lobby.Options{}); err != nil {
			t.Fatal(err)
		}
		index, err := hosting.OpenIndex(t.Context(), db, c.lobby.People)
		if err != nil {
			t.Fatal(err)
		}
		quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
		var ready atomic.Pointer[effects.Effects]
		ctx, stop := context.WithCancel(context.Background())
		c.rooms, err = room.Start(ctx, room.Config{
			Self: "one", Journal: memjournal.New(), Kinds: effects.Kinds(), Tasks: effects.Handlers(ready.Load), Log: quiet,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.rooms.Wait()
		defer stop()
		ready.Store(&effects.Effects{Rooms: c.rooms, Tournaments: index, People: c.lobby.People, Ratings: c.ratings, Opened: func(string, room.View, time.Time) {}})
		unlimited := func() *lobby.Limiter { return lobby.NewLimiter(lobby.Rate{}) }
		c.Hosting = &hosting.Hosting{
			Index: index, Rooms: c.rooms, People: c.lobby.People, Invitations: c.lobby.Invitations, Ratings: c.ratings, Policy: anybody{}, Log: quiet,
			Limits: hosting.Limits{
				Tournaments: lobby.NewLimiter(lobby.Rate{N: 5, Per: time.Hour}), TournamentsPerAddress: unlimited(), Entries: unlimited(),
				Secrets: lobby.NewLimiter(lobby.Rate{N: 5, Per: time.Hour}),
			},
		}
		test(t, c)
	})
}

func (c *club) guest() string {
	c.Helper()
	p, err := c.lobby.People.Guest(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	return p.ID
}

func (c *club) open(host string, s tournament.Settings) hosting.Made {
	c.Helper()
	if s.Name == "" {
		s.Name = "School Cup"
	}
	made, err := c.Open(c.Context(), host, netip.Addr{}, s)
	if err != nil {
		c.Fatal(err)
	}
	return made
}

// join enters a new guest with a name.
func (c *club) join(id, name string) string {
	c.Helper()
	player := c.guest()
	if err := c.Join(c.Context(), id, player, name); err != nil {
		c.Fatalf("%s joins: %v", name, err)
	}
	return player
}

// do sends a person's command to a room.
func (c *club) do(room, by, kind string, body any) error {
	c.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.Fatal(err)
	}
	c.sent++
	_, err = c.rooms.Do(c.Context(), room, machine.Command{ID: kind + "-" + string(rune('a'+c.sent%26)) + time.Now().String(), Kind: kind, By: by, Body: text})
	return err
}

func (c *club) must(room, by, kind string, body any) {
	c.Helper()
	if err := c.do(room, by, kind, body); err != nil {
		c.Fatalf("%s by %s: %v", kind, by, err)
	}
}

func (c *club) hall(id, person string) *hosting.Hall {
	c.Helper()
	h, err := c.Look(c.Context(), id, person)
	if err != nil {
		c.Fatal(err)
	}
	return h
}

func (c *club) names(h *hosting.Hall) (names []string) {
	for _, p := range h.State.Players {
		names = append(names, h.Names[p.ID])
	}
	return names
}

func (c *club) refused(code refusal.Code, err error) {
	c.Helper()
	if !refusal.Is(err, code) {
		c.Errorf("got %v, want %s", err, code)
	}
}

func TestPersonWithTheHostLinkOrTheRecoveryCodeBecomesAHost(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		made := c.open(c.guest(), tournament.Settings{})
		byLink, byCode, stranger := c.guest(), c.guest(), c.guest()
		if err := c.Become(t.Context(), made.ID, byLink, netip.Addr{}, made.Key); err != nil {
			t.Error(err)
		}
		typed := " " + strings.ToLower(strings.ReplaceAll(made.Recovery, "-", " "))
		if err := c.Become(t.Context(), made.ID, byCode, netip.Addr{}, typed); err != nil {
			t.Errorf("with the code %q: %v", typed, err)
		}
		c.refused(hosting.CodeNoHostKey, c.Become(t.Context(), made.ID, stranger, netip.Addr{}, ""))
		c.refused(hosting.CodeNoHostKey, c.Become(t.Context(), made.ID, stranger, netip.Addr{}, made.Recovery+strings.Repeat(" ", 64))) // too long
		c.refused(hosting.CodeNoTournament, c.Become(t.Context(), "k3v9qa2mxy", stranger, netip.Addr{}, made.Key))
		if h := c.hall(made.ID, byLink); !h.Host || len(h.State.Hosts) != 3 || c.hall(made.ID, stranger).Host {
			t.Errorf("the hosts are %v", h.State.Hosts)
		}
		c.refused(lobby.CodeSlowDown, c.Become(t.Context(), made.ID, stranger, netip.Addr{}, made.Key)) // the sixth try
	})
}

func TestPeopleJoinByANameAndNoTwoAreShownWithTheSameOne(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		made := c.open(c.guest(), tournament.Settings{})
		first := c.join(made.ID, "Ada")
		c.join(made.ID, "Ben")
		c.join(made.ID, "ada")
		if got := c.names(c.hall(made.ID, "")); !slices.Equal(got, []string{"Ada", "Ben", "ada 2"}) {
			t.Errorf("names %q", got)
		}
		c.refused(tournament.CodeEntered, c.Join(t.Context(), made.ID, first, "Ada"))
		c.refused(lobby.CodeNameCharacters, c.Join(t.Context(), made.ID, c.guest(), "<b>"))
		room, err := c.Invitations.Find(t.Context(), made.Code)
		if err != nil || room != made.ID {
			t.Errorf("the code leads to %q, %v", room, err)
		}
	})
}

func TestOnlyHostsAddRenameAndReplacePlayers(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		ada := c.join(made.ID, "Ada")
		for _, by := range []string{"", ada} {
			_, err := c.Add(t.Context(), made.ID, by, "Mia")
			c.refused(tournament.CodeNotHost, err)
			c.refused(tournament.CodeNotHost, c.Rename(t.Context(), made.ID, by, ada, "Eve"))
			c.refused(tournament.CodeNotHost, c.Replace(t.Context(), made.ID, by, ada, c.guest()))
		}
		c.refused(tournament.CodeNotEntered, c.Replace(t.Context(), made.ID, host, ada, c.guest())) // who has not asked for a place
		if _, err := c.Add(t.Context(), made.ID, host, "Mia"); err != nil {
			t.Fatal(err)
		}
		if err := c.Rename(t.Context(), made.ID, host, ada, "Ada L"); err != nil {
			t.Fatal(err)
		}
		c.refused(tournament.CodeNotEntered, c.Rename(t.Context(), made.ID, host, c.guest(), "Eve"))
		other := c.join(made.ID, "Adas phone")
		if err := c.Replace(t.Context(), made.ID, host, ada, other); err != nil {
			t.Fatal(err)
		}
		h := c.hall(made.ID, host)
		if p := h.State.Players; p[0].ID != other || !p[1].Paper || p[2].ID != "" || !p[2].Out {
			t.Errorf("players %+v", p)
		}
	})
}

func TestPlayerIsAddedOnceForARequestThatIsRepeated(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{})
		first, err := c.AddOnce(t.Context(), made.ID, host, "Mia", "key")
		again, err2 := c.AddOnce(t.Context(), made.ID, host, "Mia", "key")
		if err != nil || err2 != nil || first == "" || again != "" {
			t.Errorf("the first time %q, %v, again %q, %v", first, err, again, err2)
		}
		if p := c.hall(made.ID, host).State.Players; len(p) != 1 || p[0].ID != first {
			t.Errorf("players %+v", p)
		}
	})
}

func TestStrangersSeeInitialsWhereTheHostAsksForThem(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Initials: true})
		ada := c.join(made.ID, "Ada Lovelace")
		c.join(made.ID, "Anton Lang")
		grace := c.guest() // has used the whole name before
		if _, err := c.People.Rename(t.Context(), grace, "Grace Hopper"); err != nil {
			t.Fatal(err)
		}
		if err := c.Join(t.Context(), made.ID, grace, "Grace Hopper"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Add(t.Context(), made.ID, host, "Charles Babbage"); err != nil {
			t.Fatal(err)
		}
		for person, want := range map[string][]string{
			"":   {"A. L.", "A. L. 2", "G. H.", "C. B."},
			ada:  {"Ada Lovelace", "A. L.", "G. H.", "C. B."},
			host: {"Ada Lovelace", "Anton Lang", "Grace Hopper", "Charles Babbage"},
		} {
			hall := c.hall(made.ID, person)
			if got := c.names(hall); !slices.Equal(got, want) {
				t.Errorf("%q sees %q, want %q", person, got, want)
			}
			asked, _, err := c.NamesFrom(t.Context(), made.ID, person, 1)
			for i, p := range hall.State.Players {
				if err != nil || asked[p.ID] != want[i] {
					t.Errorf("%q who asks gets %q, %v", person, asked[p.ID], err)
				}
				// The pages of games, chat and profiles show a guest's own name.
				if names, err := c.People.Names(t.Context(), []string{p.ID}); err != nil || len(names[p.ID]) != len("A. L.") {
					t.Errorf("elsewhere the player is %q, %v", names[p.ID], err)
				}
			}
		}
		if err := c.Rename(t.Context(), made.ID, host, ada, "Ada King"); err != nil {
			t.Fatal(err)
		}
		if got := c.names(c.hall(made.ID, host)); got[0] != "Ada King" || c.names(c.hall(made.ID, ""))[0] != "A. K." {
			t.Errorf("after a renaming the host sees %q", got)
		}
		c.refused(tournament.CodeStarted, c.do(made.ID, host, tournament.KindSettings, tournament.Order{Settings: &tournament.Settings{Name: "School Cup"}}))
	})
}

func TestListShowsListedTournamentsByStage(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		later := time.Now().Add(48 * time.Hour).UnixMilli()
		c.open(host, tournament.Settings{Name: "Secret"})
		c.open(host, tournament.Settings{Name: "Past", Listed: true, Starts: 1})
		time.Sleep(time.Second)
		c.open(host, tournament.Settings{Name: "Later", Listed: true, Starts: later})
		soon := c.open(host, tournament.Settings{Name: "Soon", Listed: true})
		listed := func(stage tournament.Stage) (names []string) {
			synctest.Wait() // until the tasks are done
			rows, err := c.Index.List(t.Context(), stage, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				names = append(names, r.Name)
			}
			return names
		}
		if got := listed(tournament.Entry); !slices.Equal(got, []string{"Later", "Soon", "Past"}) {
			t.Errorf("open to join: %q", got)
		}
		c.join(soon.ID, "Ada")
		c.join(soon.ID, "Ben")
		c.must(soon.ID, host, tournament.KindStart, tournament.Order{Round: 1})
		time.Sleep(time.Minute)
		if got := listed(tournament.Running); !slices.Equal(got, []string{"Soon"}) {
			t.Errorf("running: %q", got)
		}
		c.refused(tournament.CodeRoundOpen, c.do(soon.ID, host, tournament.KindDelete, tournament.Order{}))
	})
}

func TestChangeOfTheGameGivesThePlayersTheirRatingsInIt(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host, ada := c.guest(), c.guest()
		c.ratings["kalah blitz "+ada], c.ratings["oware rapid "+ada] = 1400, 1900
		made := c.open(host, tournament.Settings{Clock: "3+2"})
		if err := c.Join(t.Context(), made.ID, ada, "Ada"); err != nil {
			t.Fatal(err)
		}
		c.join(made.ID, "Ben")
		rated := func() (list []int) {
			for _, p := range c.hall(made.ID, host).State.Players {
				list = append(list, p.Rating)
			}
			return list
		}
		if got := rated(); !slices.Equal(got, []int{1400, 0}) {
			t.Errorf("at first %v", got)
		}
		for _, step := range []struct {
			rules, options, clock string
			want                  int
		}{{"oware", "", "3+2", 0}, {"oware", "", "10+5", 1900}, {"oware", "seeds=5", "10+5", 0}, {"oware", "", "none", 0}, {"kalah", "", "3+2", 1400}} {
			s := c.hall(made.ID, host).State.Settings
			s.Rules, s.Options, s.Clock = step.rules, step.options, step.clock
			c.must(made.ID, host, tournament.KindSettings, tournament.Order{Settings: &s})
			synctest.Wait() // until the task is done
			if got := rated(); !slices.Equal(got, []int{step.want, 0}) {
				t.Errorf("%+v: ratings %v, want %d", step, got, step.want)
			}
		}
	})
}

func TestDeletedTournamentTakesTheNamesOfItsPlayersAlong(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		made := c.open(host, tournament.Settings{Listed: true})
		ada := c.join(made.ID, "Ada Lovelace")
		mia, err := c.Add(t.Context(), made.ID, host, "Mia")
		if err != nil {
			t.Fatal(err)
		}
		c.must(made.ID, host, tournament.KindDelete, tournament.Order{})
		time.Sleep(time.Minute) // the task has been carried out
		names, err := c.People.Names(t.Context(), []string{ada, mia})
		if err != nil || names[ada] == "Ada Lovelace" || names[ada] == lobby.DeletedName || names[mia] != lobby.DeletedName {
			t.Errorf("names %q, %v", names, err)
		}
		_, err = c.Look(t.Context(), made.ID, host)
		c.refused(hosting.CodeNoTournament, err)
		c.refused(hosting.CodeNoTournament, c.Become(t.Context(), made.ID, host, netip.Addr{}, made.Key))
		c.refused(hosting.CodeNoTournament, c.Join(t.Context(), made.ID, c.guest(), "Eve"))
	})
}

func TestVisitorMakesOnlySoManyTournaments(t *testing.T) {
	open(t, func(t *testing.T, c *club) {
		host := c.guest()
		for range 5 {
			c.open(host, tournament.Settings{})
		}
		_, err := c.Open(t.Context(), host, netip.Addr{}, tournament.Settings{Name: "Sixth"})
		c.refused(lobby.CodeSlowDown, err)
	})
}
