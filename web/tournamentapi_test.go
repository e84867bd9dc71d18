package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match"
	"mancala/match/machine"
	"mancala/web/webtest"
)

// club is a tournament of a service.
type club struct {
	*service
	hosting.Made
	host    *webtest.Person
	sent    int      // commands
	players []string // the IDs of those whom the host has entered
}

// club makes a tournament of Hanna, with players without devices.
func (s *service) club(settings tournament.Settings, players ...string) *club {
	s.Helper()
	c := &club{service: s, host: s.person()}
	s.post(c.host, "/settings", "name=Hanna")
	var err error
	if settings.Name == "" {
		settings.Name = "School Cup"
	}
	c.Made, err = s.Hosting.Open(s.ctx, s.id(c.host), netip.Addr{}, settings)
	s.must(err)
	for _, name := range players {
		player, err := s.Hosting.Add(s.ctx, c.ID, s.id(c.host), name)
		s.must(err)
		c.players = append(c.players, player)
	}
	return c
}

// tournament makes a tournament of players who have played a round.
func (s *service) tournament(players int) string {
	s.Helper()
	id := lobby.NewRoomID()
	order := func(kind string, o tournament.Order) machine.Command {
		body, err := json.Marshal(o)
		s.must(err)
		return machine.Command{ID: kind + o.Player + fmt.Sprint(o.Board), Kind: kind, By: "host", Body: body}
	}
	s.must(s.rooms.Create(s.ctx, id, tournament.Kind, order(tournament.KindCreate, tournament.Order{Settings: &tournament.Settings{Name: "School Cup", Rounds: 9}})))
	for n := range players {
		_, err := s.rooms.Order(s.ctx, id, order(tournament.KindJoin, tournament.Order{Player: fmt.Sprintf("p%09d", n), Paper: true}))
		s.must(err)
	}
	_, err := s.rooms.Order(s.ctx, id, order(tournament.KindStart, tournament.Order{Round: 1}))
	s.must(err)
	for board := range players / 2 {
		_, err := s.rooms.Order(s.ctx, id, order(tournament.KindResult, tournament.Order{Round: 1, Board: board + 1, Result: tournament.FirstWins}))
		s.must(err)
	}
	return id
}

// order sends the room a command of the host.
func (c *club) order(kind string, o tournament.Order) {
	c.Helper()
	fields, err := json.Marshal(o)
	c.must(err)
	all := map[string]any{}
	c.must(json.Unmarshal(fields, &all))
	c.sent++
	all["id"], all["kind"] = fmt.Sprint(kind, c.sent), kind
	body, err := json.Marshal(all)
	c.must(err)
	page, err := c.host.Send(c.ctx, "/api/v1/games/"+c.ID+"/commands", string(body))
	c.must(err)
	if page.Status != 200 {
		c.Fatalf("%s %s: %d %s", kind, body, page.Status, page.Body)
	}
}

// read answers with a page of the API about the tournament.
func (c *club) read(who *webtest.Person, what string, answer any) {
	c.Helper()
	page, err := who.Get(c.ctx, "/api/v1/tournaments/"+c.ID+what)
	c.must(err)
	if page.Status != 200 {
		c.Fatalf("%s: %d %s", what, page.Status, page.Body)
	}
	c.must(json.Unmarshal([]byte(page.Body), answer))
}

func TestNamesOfNewPlayersCanBeAskedFor(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Initials: true}, "Ada Lovelace", "Ada Lovelace", "Ben Oak")
	names := func(who *webtest.Person, from string) (list []string) {
		var answer struct{ Names map[string]string }
		c.read(who, "/names"+from, &answer)
		for id, name := range answer.Names {
			if id != s.id(c.host) {
				list = append(list, name)
			}
		}
		slices.Sort(list)
		return list
	}
	if got, want := names(c.host, ""), []string{"Ada Lovelace", "Ada Lovelace 2", "Ben Oak"}; !slices.Equal(got, want) {
		t.Errorf("a host reads %q, want %q", got, want)
	}
	if got, want := names(s.person(), "?from=2"), []string{"A. L. 2", "B. O."}; !slices.Equal(got, want) {
		t.Errorf("a stranger reads %q, want %q", got, want)
	}
	if got := names(s.person(), "?from=4"); len(got) > 0 {
		t.Errorf("of players who have not joined there is %q", got)
	}
}

// standings is the API's answer.
type standings struct {
	Seq    uint64
	Breaks []string
	Rows   []struct {
		Place, N, Points int
		Breaks           []int
	}
}

func TestStandingsHaveEveryTieBreakAndExplainIt(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Rounds: 2, TieBreaks: "BH,SEEDS"}, "Ada", "Ben", "Cleo", "Dan")
	c.order("start", tournament.Order{Round: 1})
	c.order("result", tournament.Order{Round: 1, Board: 1, Result: tournament.FirstWins})
	var table standings
	c.read(s.person(), "/standings", &table)
	if first := table.Rows[0]; len(table.Rows) != 4 || first.Place != 1 || first.Points != 10 || !slices.Equal(table.Breaks, []string{"BH", "SEEDS"}) || len(first.Breaks) != 2 {
		t.Errorf("standings %+v", table)
	}
	var one struct {
		Place  int
		Breaks []tournament.Break
	}
	c.read(s.person(), fmt.Sprintf("/standings?player=%d", table.Rows[0].N), &one)
	if one.Place != 1 || one.Breaks[0].Why == "" {
		t.Errorf("the first player's row is %+v", one)
	}
	before := table.Seq
	c.order("result", tournament.Order{Round: 1, Board: 2, Result: tournament.Drawn})
	c.read(s.person(), "/standings", &table)
	if table.Seq <= before || table.Rows[1].Points != 5 {
		t.Errorf("after a draw: %+v", table)
	}
}

// tournaments calls the operations about tournaments.
func (c *contract) tournaments(ada, ben, stranger *webtest.Person) {
	c.Helper()
	const list, one = "/api/v1/tournaments", "/api/v1/tournaments/{id}"
	var made struct{ ID, Code, HostKey, Recovery string }
	c.must(json.Unmarshal(c.call(ada, "POST "+list, list, `{"name":"Club Cup","rounds":3,"listed":true}`, 201), &made))
	c.call(ada, "POST "+list, list, `{"name":"Club Cup","format":"ladder"}`, 422)
	c.call(ada, "POST "+list, list, `[]`, 400)
	if made.Code == "" || made.HostKey == "" || made.Recovery == "" {
		c.Errorf("made %+v", made)
	}
	c.call(stranger, "GET "+list, list+"?stage=entry", "", 200)
	c.call(stranger, "GET "+list, list, "", 200)
	c.call(stranger, "GET "+list, list+"?stage=soon", "", 400)
	path := list + "/" + made.ID
	for _, what := range []string{"", "/names", "/standings"} {
		c.call(stranger, "GET "+one+what, path+what, "", 200)
		c.call(stranger, "GET "+one+what, list+"/nosuchgam0"+what, "", 404)
	}
	c.call(ben, "POST "+one+"/players", path+"/players", `{"name":"Ben"}`, 201)
	c.call(ben, "POST "+one+"/players", path+"/players", `{"name":"Ben"}`, 422)
	c.call(ben, "POST "+one+"/players", path+"/players", `{"name":"Mia","paper":true}`, 403)
	for _, name := range []string{"Mia", "Tim", "Zoe"} {
		c.call(ada, "POST "+one+"/players", path+"/players", fmt.Sprintf(`{"name":%q,"paper":true}`, name), 201)
	}
	c.call(ada, "PATCH "+one+"/players/{n}", path+"/players/2", `{"name":"Mia Oak"}`, 200)
	c.call(ben, "PATCH "+one+"/players/{n}", path+"/players/2", `{"name":"Rude"}`, 403)
	c.call(ada, "PATCH "+one+"/players/{n}", path+"/players/2", `{}`, 400)
	c.call(ada, "PATCH "+one+"/players/{n}", path+"/players/9", `{"name":"Nobody"}`, 404)
	imports := func(who *webtest.Person, file string, status int) {
		c.Helper()
		page := c.request(who, "POST", path+"/import", "text/plain", file, nil)
		if _, at := c.at("/paths/~1tournaments~1{id}~1import/post/responses/201"); page.Status != status {
			c.Errorf("the import of %.40q: %d %s", file, page.Status, page.Body)
		} else if status == 201 {
			c.check("import", at+"/content/application~1json/schema", []byte(page.Body))
			c.called["POST "+one+"/import"] = true
		}
	}
	line := "001    1      %-33s 1800                             0.0    1\r"
	imports(ada, fmt.Sprintf(line, "Lovelace, Ada"), 201)
	imports(ben, fmt.Sprintf(line, "Rude"), 403)
	imports(stranger, fmt.Sprintf(line, "Rude"), 401)
	imports(ada, fmt.Sprintf(line, "<*>"), 422)
	imports(ada, "001 x", 422)
	imports(ada, "\xff", 422) // it is not UTF-8, and has no players
	imports(ada, strings.Repeat("012 Cup\r", 1<<18), 413)
	if page := c.request(ada, "POST", path+"/import?results=maybe", "text/plain", fmt.Sprintf(line, "Ann"), nil); page.Status != 400 {
		c.Errorf("an import with results=maybe: %d %s", page.Status, page.Body)
	}
	cleo := c.guest()
	c.call(ada, "PATCH "+one+"/players/{n}", path+"/players/1", fmt.Sprintf(`{"person":%q}`, c.id(cleo)), 404) // who has not entered
	c.call(cleo, "POST "+one+"/players", path+"/players", `{"name":"Cleo"}`, 201)
	c.call(ada, "PATCH "+one+"/players/{n}", path+"/players/1", fmt.Sprintf(`{"person":%q}`, c.id(cleo)), 200)
	c.call(cleo, "POST "+one+"/hosts", path+"/hosts", `{"key":"wrong"}`, 403)
	c.call(cleo, "POST "+one+"/hosts", path+"/hosts", fmt.Sprintf(`{"key":%q}`, made.HostKey), 200)
	c.call(ada, "GET "+one+"/preview", path+"/preview", "", 200)
	c.call(ben, "GET "+one+"/preview", path+"/preview", "", 403)
	command := func(who *webtest.Person, body string, status int) {
		c.Helper()
		c.call(who, "POST "+one+"/commands", path+"/commands", body, status)
	}
	command(cleo, `{"id":"c1","kind":"start","round":1}`, 200)
	command(cleo, `{"id":"c1","kind":"start","round":1}`, 200) // a repeat
	command(ada, `{"id":"c2","kind":"start","round":1}`, 422)
	command(ben, `{"id":"c3","kind":"finish"}`, 403)
	command(stranger, `{"id":"c4","kind":"here"}`, 401)
	command(ada, `{"id":"c5","kind":"join","player":"pabcdefghij23"}`, 403)
	command(ada, `{"id":1}`, 400)
	c.call(ada, "POST "+one+"/commands", list+"/nosuchgam0/commands", `{"id":"c6","kind":"here"}`, 404)
	c.call(ada, "DELETE "+one+"/players/{n}", path+"/players/4", "", 200)
	c.call(ben, "DELETE "+one+"/players/{n}", path+"/players/3", "", 403)
	c.call(stranger, "DELETE "+one+"/players/{n}", path+"/players/3", "", 401)
	c.call(ada, "GET "+one+"/log", path+"/log", "", 200)
	c.call(ben, "GET "+one+"/log", path+"/log", "", 403)
	c.call(ada, "GET "+one, path, "", 200)
	for _, file := range []string{"export.trf", "export.trf?round=1", "standings.csv", "games.csv", "games.ndjson", "tournament.json"} {
		c.call(stranger, "GET "+one+"/files/{file}", path+"/files/"+file, "", 200)
	}
	c.call(stranger, "GET "+one+"/files/{file}", path+"/files/export.trf?round=2", "", 404)
	c.call(stranger, "GET "+one+"/files/{file}", path+"/files/secrets.txt", "", 404)
	c.call(stranger, "GET "+one+"/names", path+"/names?from=2", "", 200)
	c.call(stranger, "GET "+one+"/names", path+"/names?from=-2", "", 400)
	c.call(stranger, "GET "+one+"/standings", path+"/standings?player=2", "", 200)
	c.call(stranger, "GET "+one+"/standings", path+"/standings?player=9", "", 404)
}

// TestSchemaOfATournamentCommandAsksForTheFieldsThatItsKindNeeds compares the schema with the server's
// answers to a host.
func TestSchemaOfATournamentCommandAsksForTheFieldsThatItsKindNeeds(t *testing.T) {
	s := serve(t)
	c := newContract(s)
	cup := s.club(tournament.Settings{Rounds: 3}, "Ada", "Ben")
	schema, err := c.schemas.Compile("openapi.json#/components/schemas/TournamentCommand")
	s.must(err)
	for i, body := range []string{
		`{"id":"a%d","kind":"start"}`, `{"id":"a%d","kind":"settings"}`, `{"id":"a%d","kind":"forbid"}`, `{"id":"a%d","kind":"allow"}`,
		`{"id":"a%d","kind":"bye","player":"` + cup.players[0] + `","bye":"half"}`, `{"id":"a%d","kind":"result"}`, `{"id":"a%d","kind":"arbiter"}`,
		`{"id":"a%d","kind":"announce"}`, `{"id":"a%d","kind":"extend"}`,
	} {
		body = fmt.Sprintf(body, i)
		var command any
		s.must(json.Unmarshal([]byte(body), &command))
		if schema.Validate(command) == nil {
			t.Errorf("the schema accepts %s", body)
		}
		page, err := cup.host.Send(s.ctx, "/api/v1/tournaments/"+cup.ID+"/commands", body)
		s.must(err)
		if page.Status < 400 {
			t.Errorf("%s was answered with %d %s", body, page.Status, page.Body)
		}
	}
}

func TestGameOfATournamentIsReadAsDocumented(t *testing.T) {
	s := serve(t)
	c := newContract(s)
	cup := s.club(tournament.Settings{Rounds: 1, Clock: "5+3"})
	cup.join("Ada", "Ben")
	cup.order("start", tournament.Order{Round: 1})
	game := func() *tournament.Game { return &cup.state().Rounds[0][0].Games[0] }
	s.eventually("the game", func() bool { return game().Opened })
	path := "/api/v1/games/" + game().Room
	c.call(s.person(), "GET /api/v1/games/{id}", path, "", 200)
	cup.order("arbiter", tournament.Order{Act: match.ActPause, Round: 1})
	s.eventually("the pause", func() bool {
		body := string(c.call(s.person(), "GET /api/v1/games/{id}", path, "", 200))
		return strings.Contains(body, `"event"`) && strings.Contains(body, `"noShow"`) && strings.Contains(body, `"paused"`)
	})
}

func TestTournamentIsReadAsFiles(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{}, "Ada", "Ben")
	c.order("start", tournament.Order{Round: 1})
	c.order("result", tournament.Order{Round: 1, Board: 1, Result: tournament.SecondWins})
	for file, want := range map[string]string{
		"standings.csv":   "2,1,Ada,0,0,",
		"games.csv":       "1,1,1,1,Ada,2,Ben,second,second,",
		"games.ndjson":    `"firstName":"Ada"`,
		"export.trf":      "Ben",
		"tournament.json": `"stage":"running"`,
	} {
		page, err := s.person().Get(s.ctx, "/t/"+c.ID+"/"+file)
		s.must(err)
		if page.Status != 200 || !strings.Contains(page.Body, want) {
			t.Errorf("%s: %d %s, want %s", file, page.Status, page.Body, want)
		}
	}
	arena := s.club(tournament.Settings{Format: tournament.Arena})
	page, err := s.person().Get(s.ctx, "/t/"+arena.ID+"/export.trf")
	s.must(err)
	if page.Status != 404 {
		t.Errorf("the report file of an arena: %d", page.Status)
	}
}

// A program with a token may do what a host does only with the scope for it.
func TestProgramActsAsAHostOnlyWithTheScopeForIt(t *testing.T) {
	s := serve(t)
	ada := newContract(s).member("Ada of the API")
	token := func(scopes ...string) string {
		secret, err := s.Accounts.MakeToken(s.ctx, s.id(ada), "robot", scopes)
		s.must(err)
		return "Bearer " + secret
	}
	player, host := token("read", "play"), token("host")
	send := func(token, method, path, body string) string {
		page := s.request(s.person(), method, path, "application/json", body, http.Header{"Authorization": {token}})
		return fmt.Sprintf("%d %.60s", page.Status, page.Body)
	}
	const list = "/api/v1/tournaments"
	if got := send(player, "POST", list, `{"name":"Cup"}`); !strings.Contains(got, "no-scope") {
		t.Errorf("a player's program makes a tournament: %s", got)
	}
	if got := send(host, "POST", list, `{"name":"Cup"}`); !strings.HasPrefix(got, "201") {
		t.Errorf("a host's program makes a tournament: %s", got)
	}
	c := s.club(tournament.Settings{}, "Mia", "Tim")
	s.must(s.Hosting.Become(s.ctx, c.ID, s.id(ada), netip.Addr{}, c.Key))
	at := list + "/" + c.ID
	for _, tt := range []struct{ token, method, path, body, want string }{
		{player, "POST", at + "/players", `{}`, "201"}, // Ada joins
		{player, "POST", at + "/commands", `{"id":"c1","kind":"here"}`, "200"},
		{player, "POST", at + "/players", `{"name":"Zoe","paper":true}`, "403"},
		{player, "POST", at + "/commands", `{"id":"c2","kind":"start","round":1}`, "403"},
		{player, "POST", "/api/v1/games/" + c.ID + "/commands", `{"id":"c3","kind":"start","round":1}`, "403"},
		{player, "DELETE", at + "/players/1", ``, "403"},
		{player, "PATCH", at + "/players/1", `{"name":"Eve"}`, "403"},
		{player, "GET", at + "/preview", ``, "403"},
		{player, "GET", at + "/log", ``, "403"},
		{host, "GET", at + "/preview", ``, "200"},
		{host, "POST", at + "/commands", `{"id":"c4","kind":"start","round":1}`, "200"},
	} {
		if got := send(tt.token, tt.method, tt.path, tt.body); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s %s: %s, want %s", tt.method, tt.path, tt.body, got, tt.want)
		}
	}
	a := s.talk(s.bare(s.person(), http.Header{"Authorization": {player}}))
	a.say(`{"t":"sub","room":%q}`, c.ID)
	a.hear("sync")
	a.say(`{"t":"cmd","room":%q,"id":"c5","kind":"finish"}`, c.ID)
	a.refused("no-scope")
	a.say(`{"t":"cmd","room":%q,"id":"c6","kind":"leave"}`, c.ID)
	if f := a.hear("ack", "err"); f.T != "ack" {
		t.Errorf("Ada's program withdraws her: %s", f.Raw)
	}
}

// What is only for games refuses a tournament, and is no fault of the server.
func TestGamesOperationsRefuseATournament(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{}, "Ada", "Ben")
	for _, tt := range []struct{ method, path, body string }{
		{"GET", "/api/v1/games/ID/replay", ""}, {"GET", "/api/v1/games/ID/record", ""}, {"POST", "/api/v1/games/ID/hint", ""},
		{"GET", "/api/v1/games/ID/analysis", ""}, {"POST", "/api/v1/games/ID/analysis", ""}, {"DELETE", "/api/v1/games/ID/analysis", ""},
		{"POST", "/api/v1/games/ID/commands", `{"id":"c1","kind":"sit"}`}, {"POST", "/api/v1/games/ID/commands", `{"id":"c2","kind":"move","move":"c"}`},
		{"GET", "/ID/card", ""}, {"GET", "/ID/replay", ""}, {"POST", "/ID/sit", "x=1"}, {"GET", "/embed/ID", ""}, {"GET", "/oembed?url=" + url.QueryEscape(s.base+"/ID"), ""},
		{"POST", "/api/v1/reports", `{"player":"` + c.players[0] + `","reason":"name","room":"ID"}`},
	} {
		kind := "application/json"
		if strings.HasPrefix(tt.body, "x") {
			kind = "application/x-www-form-urlencoded"
		}
		page := s.request(c.host, tt.method, strings.ReplaceAll(tt.path, "ID", c.ID), kind, strings.ReplaceAll(tt.body, "ID", c.ID), nil)
		if page.Status >= 500 {
			t.Errorf("%s %s %s: %d %.200s", tt.method, tt.path, tt.body, page.Status, page.Body)
		}
	}
}

func TestTournamentIsNoGameOfTheApi(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Format: tournament.Swiss, Rounds: 3, Rules: "kalah", Clock: "none"})
	if page := s.plain("/api/v1/games/"+c.ID, nil); page.Status != http.StatusNotFound {
		t.Errorf("%d %s", page.Status, page.Body)
	}
}

func TestFormatWithoutAReportHasNoReportFile(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Format: tournament.Knockout, Rules: "kalah", Clock: "none"})
	page := s.plain("/t/"+c.ID+"/export.trf", nil)
	if page.Status != http.StatusNotFound || strings.Contains(page.Body, "fail.") {
		t.Errorf("%d %s", page.Status, page.Body)
	}
}
