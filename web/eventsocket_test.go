package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/web/webtest"
)

// follow opens a socket that follows the tournament. It has been sent the standings.
func (c *club) follow(who *webtest.Person) *talk {
	c.Helper()
	t := c.talk(c.bare(who, nil))
	t.say(`{"t":"sub","room":%q}`, c.ID)
	t.hear("table")
	return t
}

type tableRow struct {
	N, Place, Points int
	Breaks           []int
}

type tableFrame struct {
	From, Seq uint64
	Rows      []tableRow
	Gone      []int
}

func (c *club) table(f webtest.Frame) (t tableFrame) {
	c.Helper()
	c.must(json.Unmarshal([]byte(f.Raw), &t))
	return t
}

func TestSocketsAreSentTheRowsOfTheStandingsThatChange(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Rounds: 3, TieBreaks: "BH"}, "Ada", "Ben", "Cleo", "Dan")
	c.order("start", tournament.Order{Round: 1})
	var known standings
	c.read(s.person(), "/standings", &known)
	a := c.talk(c.bare(s.person(), nil))
	a.say(`{"t":"sub","room":%q}`, c.ID)
	from := c.table(a.hear("table")).Seq // the games may have been opened after the standings were read
	points := map[int]int{}
	for _, row := range known.Rows {
		points[row.N] = row.Points
	}
	for board, result := range []string{tournament.FirstWins, tournament.Drawn} {
		c.order("result", tournament.Order{Round: 1, Board: board + 1, Result: result})
		for complete := false; !complete; { // the entry of a task may come in between
			f := c.table(a.hear("table"))
			if f.From > from || f.Seq <= f.From {
				t.Fatalf("rows from %d to %d come after those of %d", f.From, f.Seq, from)
			}
			from = f.Seq
			for _, row := range f.Rows {
				points[row.N] = row.Points
				complete = complete || row.Points > 0
			}
		}
	}
	c.read(s.person(), "/standings", &known)
	for _, row := range known.Rows {
		if points[row.N] != row.Points {
			t.Errorf("player %d has %d, want %d", row.N, points[row.N], row.Points)
		}
	}
	b := s.talk(s.bare(s.person(), nil))
	b.say(`{"t":"sub","room":%q}`, c.ID)
	if f := c.table(b.hear("table")); f.From != from || f.Seq != from || len(f.Rows) > 0 {
		t.Errorf("a socket that has come since then is told %+v, want %d", f, from)
	}
}

// The games of a player who leaves a round robin early do not count. They do for a substitute who plays on.
func TestSocketsAreSentTheStandingsWithASubstitute(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Format: tournament.RoundRobin}, "Ada", "Ben", "Cleo", "Dan")
	c.order("start", tournament.Order{Round: 1})
	c.order("result", tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
	first := c.state().Rounds[0][0].First
	c.order("leave", tournament.Order{Player: c.state().Players[first-1].ID})
	c.join("New")
	a := c.follow(s.person())
	players := c.state().Players
	c.must(c.Hosting.Replace(c.ctx, c.ID, c.id(c.host), players[first-1].ID, players[4].ID))
	for !slices.ContainsFunc(c.table(a.hear("table")).Rows, func(row tableRow) bool { return row.N == first && row.Points == 10 }) {
	}
}

// TestResultAmongAThousandPlayersCostsTwoSmallFrames counts the frames that each socket gets.
func TestResultAmongAThousandPlayersCostsTwoSmallFrames(t *testing.T) {
	const players, sockets = 1000, 100
	s := serve(t)
	c := &club{service: s, host: s.guest()}
	c.ID = s.tournament(players)
	talks := make([]*talk, sockets)
	for i := range talks {
		talks[i] = c.follow(s.person())
	}
	witness := c.follow(s.person())
	order := func(kind string, o tournament.Order) {
		body, err := json.Marshal(o)
		s.must(err)
		_, err = s.rooms.Order(s.ctx, c.ID, machine.Command{ID: "last-" + kind, Kind: kind, By: "host", Body: body})
		s.must(err)
	}
	order(tournament.KindResult, tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
	for len(c.table(witness.hear("table")).Rows) == 0 {
	}
	order(tournament.KindAnnounce, tournament.Order{Text: "That was all"})
	for _, talk := range talks {
		var kinds []string
		size := 0
		for {
			f, err := talk.next()
			s.must(err)
			if strings.Contains(f.Raw, "That was all") {
				break
			}
			kinds, size = append(kinds, f.T), size+len(f.Raw)
		}
		if slices.Sort(kinds); !slices.Equal(kinds, []string{"ev", "table"}) || size > 2000 {
			t.Fatalf("a socket got %q, %d bytes", kinds, size)
		}
	}
}

// join enters players with devices of their own.
func (c *club) join(names ...string) {
	c.Helper()
	for _, name := range names {
		c.must(c.Hosting.Join(c.ctx, c.ID, c.id(c.guest()), name))
	}
}

// brief opens a socket that follows the tournament and asks for brief entries.
func (c *club) brief() *talk {
	c.Helper()
	t := c.follow(c.person())
	t.say(`{"t":"sub","room":%q,"brief":true}`, c.ID) // it has followed without that before
	t.hear("table")
	return t
}

func TestReaderThatLaggedStillGetsBriefEntries(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Rounds: 2})
	c.join("Ada", "Ben", "Cleo", "Dan")
	p := s.guest()
	talk := c.follow(p)
	talk.say(`{"t":"sub","room":%q,"brief":true}`, c.ID)
	talk.hear("table")
	s.lag(p)
	talk.hear("table")
	c.order("start", tournament.Order{Round: 1})
	for {
		var e struct {
			Ev struct {
				Change *tournament.Change
				Opened *tournament.OpenedBoards
			}
		}
		s.must(json.Unmarshal([]byte(talk.hear("ev").Raw), &e))
		if e.Ev.Opened != nil {
			break
		}
		if c := e.Ev.Change; c != nil && len(c.Boards) > 0 && c.Boards[0].Games[0].Opened {
			t.Fatalf("the reader got %+v", e)
		}
	}
}

// A page of the release before does not ask for brief entries, and reads rows alone.
func TestOpenedBoardsAreNamedToSocketsThatAskForIt(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Rounds: 2})
	c.join("Ada", "Ben", "Cleo", "Dan")
	rows, brief := c.follow(s.person()), c.brief()
	c.order("start", tournament.Order{Round: 1})
	type entry struct {
		Seq uint64
		Ev  struct {
			Change *tournament.Change
			Opened *tournament.OpenedBoards
		}
	}
	// read returns the entry after which the games can be played. Each entry comes once, in both forms.
	read := func(from *talk) entry {
		for last := uint64(0); ; {
			var e entry
			s.must(json.Unmarshal([]byte(from.hear("ev").Raw), &e))
			if last != 0 && e.Seq != last+1 {
				t.Errorf("entry %d comes after %d", e.Seq, last)
			}
			last = e.Seq
			if c := e.Ev.Change; e.Ev.Opened != nil || len(c.Boards) > 0 && c.Boards[0].Games[0].Opened {
				return e
			}
		}
	}
	one, other := read(rows), read(brief)
	if c := one.Ev.Change; one.Ev.Opened != nil || len(c.Boards) != 2 {
		t.Errorf("a socket that does not ask reads %+v", one)
	}
	if o := other.Ev.Opened; other.Ev.Change != nil || o == nil || o.Round != 1 || !slices.Equal(o.Boards, []int{1, 2}) {
		t.Errorf("a socket that asks reads %+v", other)
	}
	if one.Seq != other.Seq {
		t.Errorf("the entry has the numbers %d and %d", one.Seq, other.Seq)
	}
	c.order("announce", tournament.Order{Text: "Welcome"})
	for _, talk := range []*talk{rows, brief} {
		for f := talk.hear("ev"); !strings.Contains(f.Raw, "Welcome"); f = talk.hear("ev") {
		}
	}
}

func TestPresenceIsToldToHostsAlone(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{})
	ada := s.guest()
	s.must(s.Hosting.Join(s.ctx, c.ID, s.id(ada), "Ada"))
	player, host, stranger := c.follow(ada), c.follow(c.host), c.follow(s.guest())
	s.must(player.conn.CloseNow())
	for f := host.hear("note"); !strings.Contains(f.Raw, s.id(ada)); f = host.hear("note") {
	}
	c.order("announce", tournament.Order{Text: "Welcome"})
	for f, err := stranger.next(); ; f, err = stranger.next() {
		s.must(err)
		if f.T == "note" {
			t.Errorf("a stranger is told %s", f.Raw)
		}
		if strings.Contains(f.Raw, "Welcome") {
			break
		}
	}
	again := s.talk(s.bare(c.host, nil))
	again.say(`{"t":"sub","room":%q}`, c.ID)
	if f := again.hear("note"); f.Kind != "away" || !strings.Contains(f.Raw, s.id(ada)) {
		t.Errorf("a host who comes later is told %s", f.Raw)
	}
}

func TestPagesOfATournamentAreToldOfARenaming(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{}, "Ada", "Rude")
	a := c.follow(s.person())
	var names struct{ Names map[string]string }
	c.read(s.person(), "/names?from=2", &names)
	for id, name := range names.Names {
		if name == "Rude" {
			s.must(s.Hosting.Rename(s.ctx, c.ID, s.id(c.host), id, "Ben"))
			for f := a.hear("note"); !strings.Contains(f.Raw, `"kind":"renamed","n":2`); f = a.hear("note") {
			}
			if c.read(s.person(), "/names?from=2", &names); names.Names[id] != "Ben" {
				t.Errorf("the name is %q", names.Names[id])
			}
		}
	}
}

func TestTournamentHasNoChatAndNoNotesOfPlayers(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{})
	a := c.follow(c.host)
	a.say(`{"t":"chat","room":%q,"id":"h1","text":"Hello"}`, c.ID)
	a.refused("chat-off")
	a.say(`{"t":"note","room":%q,"kind":"filling","n":54,"of":72}`, c.ID)
	a.refused("bad-note")
	a.say(`{"t":"ask","room":%q,"what":"legal"}`, c.ID)
	a.refused("bad-command")
	a.say(`{"t":"cmd","room":%q,"id":"c1","kind":"sit"}`, c.ID)
	a.refused("bad-command")
	a.say(`{"t":"cmd","room":%q,"id":"c2","kind":"join","player":"pabcdefghij23"}`, c.ID)
	a.refused("tournament-not-host")
}

// recordedArbiter returns the frame of a pause by a host, in a game whose clock runs.
func (s *service) recordedArbiter() string {
	s.Helper()
	ada, ben := s.guest(), s.guest()
	id := lobby.NewRoomID()
	c := match.Creation{
		Settings: match.Settings{Rules: "kalah", Clock: "5+3"}, Seats: []string{s.id(ada), s.id(ben)}, Expires: -1,
		Event: &match.Event{Room: lobby.NewRoomID(), Round: 1, Board: 1, Game: 1}, NoShow: time.Minute,
	}
	s.must(s.rooms.Create(s.ctx, id, match.Kind, c.Command("create")))
	follower := s.talk(s.bare(ben, nil))
	follower.say(`{"t":"sub","room":%q}`, id)
	for ply, move := range []string{"a", "a"} {
		body := fmt.Appendf(nil, `{"ply":%d,"move":%q}`, ply, move)
		_, err := s.rooms.Do(s.ctx, id, machine.Command{ID: fmt.Sprint("move", ply), Kind: match.KindMove, By: c.Seats[ply], Body: body})
		s.must(err)
	}
	for clock := (struct{ Run int64 }{}); ; { // until the sow has been seen and the clock runs
		view, err := s.rooms.View(s.ctx, id, "")
		s.must(err)
		s.must(json.Unmarshal(view.Snapshot, &clock))
		if clock.Run > 0 && view.Now > clock.Run {
			break
		}
	}
	_, err := s.rooms.Order(s.ctx, id, machine.Command{ID: "pause", Kind: match.KindArbiter, By: "host", Body: json.RawMessage(`{"act":"pause"}`)})
	s.must(err)
	for {
		if f := follower.hear("ev"); strings.Contains(f.Raw, match.KindArbiter) {
			return f.Raw
		}
	}
}

// recordedTournament returns the frames that only a tournament has.
func (s *service) recordedTournament() (raw []string) {
	s.Helper()
	c := s.club(tournament.Settings{Rounds: 3}, "Ada", "Ben")
	cleo := s.guest()
	s.must(s.Hosting.Join(s.ctx, c.ID, s.id(cleo), "Cleo"))
	c.eventually("the list of tournaments", func() bool { return c.state().Indexed != "" })
	host := c.talk(c.bare(c.host, nil))
	host.say(`{"t":"sub","room":%q}`, c.ID)
	raw = append(raw, host.hear("snap").Raw)
	host.hear("table")
	player := c.follow(cleo)
	player.say(`{"t":"cmd","room":%q,"id":"here","kind":"here"}`, c.ID)
	player.hear("ack")
	c.order("start", tournament.Order{Round: 1})
	c.order("result", tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
	for f := host.hear("ev"); ; f = host.hear("ev") {
		raw = append(raw, f.Raw)
		if strings.Contains(f.Raw, `"k":"result"`) {
			break
		}
	}
	s.must(s.Hosting.Rename(s.ctx, c.ID, s.id(c.host), c.players[0], "Ada Oak"))
	again := s.talk(s.bare(c.host, nil))
	again.say(`{"t":"sub","room":%q}`, c.ID)
	raw = append(raw, again.hear("table").Raw, again.hear("note").Raw)
	for renamed, ranked := false, false; !renamed || !ranked; {
		f := host.hear("table", "note")
		raw = append(raw, f.Raw)
		renamed = renamed || f.Kind == "renamed"
		ranked = ranked || f.T == "table" && len(c.table(f).Rows) > 0
	}
	cup := s.club(tournament.Settings{Rounds: 1})
	cup.join("Ada", "Ben")
	brief := cup.brief()
	cup.order("start", tournament.Order{Round: 1})
	f := brief.hear("ev")
	for !strings.Contains(f.Raw, `"opened":{`) {
		f = brief.hear("ev")
	}
	return append(raw, f.Raw)
}
