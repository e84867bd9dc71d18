package web

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/lobby/tournament"
	"mancala/web/site"
	"mancala/web/webtest"
)

func (c *club) state() *tournament.State {
	c.Helper()
	hall, err := c.Hosting.Look(c.ctx, c.ID, c.id(c.host))
	c.must(err)
	return &hall.State
}

// reads requests a page below the tournament's address.
func (c *club) reads(p *webtest.Person, path string) webtest.Page {
	c.Helper()
	page, err := p.Get(c.ctx, "/t/"+c.ID+path)
	c.must(err)
	return page
}

// plan requests the pairings of the next round, or checks the host's.
func (c *club) plan(byHost ...[2]int) (plan struct {
	Round    int
	Pairings [][2]int
	Breaches []struct{ Reason string }
	Outlook  *struct {
		Last    int
		Certain bool
	}
	Code string
}) {
	c.Helper()
	page := c.reads(c.host, "/plan")
	if byHost != nil {
		body, err := json.Marshal(map[string]any{"pairings": byHost})
		c.must(err)
		page, err = c.host.Send(c.ctx, "/t/"+c.ID+"/plan", string(body))
		c.must(err)
	}
	if page.Status != http.StatusOK {
		c.Fatalf("plan: %d %s", page.Status, page.Body)
	}
	c.must(json.Unmarshal([]byte(page.Body), &plan))
	return plan
}

func TestHostLinkAndRecoveryCodeMakeHosts(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{}, "Ada", "Ben")
	for _, secret := range []string{e.Key, e.Recovery, strings.ToLower(strings.ReplaceAll(e.Recovery, "-", " "))} {
		p := s.person()
		before := e.reads(p, "/host")
		if before.Status != http.StatusOK || !strings.Contains(before.Body, `name="key"`) || strings.Contains(before.Body, `id="hall"`) {
			t.Fatalf("a stranger reads %d %.300s", before.Status, before.Body)
		}
		if p.Cookie() != "" {
			t.Error("to read the page made the visitor a guest")
		}
		page := s.post(p, "/t/"+e.ID+"/host", url.Values{"key": {"wrong"}}.Encode())
		page = s.again(p, page, url.Values{"key": {"wrong"}})
		if page.Status != http.StatusForbidden || !strings.Contains(page.Body, `aria-invalid="true"`) {
			t.Errorf("a wrong key: %d %.300s", page.Status, page.Body)
		}
		page = s.post(p, "/t/"+e.ID+"/host", url.Values{"key": {secret}}.Encode())
		if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/t/"+e.ID+"/host" {
			t.Errorf("with %q: %d %.300s", secret, page.Status, page.Body)
		}
		if desk := e.reads(p, "/host"); !strings.Contains(desk.Body, `id="hall"`) || !strings.Contains(desk.Body, `"Ben"`) {
			t.Errorf("a host reads %d %.300s", desk.Status, desk.Body)
		}
		for _, path := range []string{"", "/host", "/screen", "/log", "/poster", "/certificates"} {
			for _, who := range []*webtest.Person{p, e.host, s.person()} {
				if body := e.reads(who, path).Body; strings.Contains(body, e.Key) || strings.Contains(body, e.Recovery) {
					t.Errorf("%s shows a secret", path)
				}
			}
		}
	}
}

// again sends a form again, as a browser does that has got its cookie.
func (s *service) again(p *webtest.Person, page webtest.Page, form url.Values) webtest.Page {
	s.Helper()
	if page.Status != http.StatusTemporaryRedirect {
		return page
	}
	page, err := p.Post(s.ctx, page.Header.Get("Location"), form)
	s.must(err)
	return page
}

func TestOnlyHostsReadTheDesk(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{}, "Ada", "Ben")
	e.order("start", tournament.Order{Round: 1})
	other := s.person()
	s.post(other, "/settings", "name=Otto")
	for path, want := range map[string]int{"/plan": 403, "/log": 403, "/poster": 403, "/certificates": 403, "/pairings": 403, "/screen": 200} {
		for _, who := range []*webtest.Person{other, s.person()} {
			if page := e.reads(who, path); page.Status != want {
				t.Errorf("%s: %d, want %d", path, page.Status, want)
			}
		}
		if page := e.reads(e.host, path); page.Status != 200 && path != "/plan" {
			t.Errorf("%s for the host: %d %.300s", path, page.Status, page.Body)
		}
	}
	for _, path := range []string{"/plan", "/log"} { // answer scripts in JSON, and lead people to the desk
		q, err := http.NewRequestWithContext(s.ctx, http.MethodGet, e.host.Base+"/t/"+e.ID+path, nil)
		s.must(err)
		q.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
		page, err := e.host.Ask(q)
		s.must(err)
		if to := page.Header.Get("Location"); page.Status != http.StatusSeeOther || to != "/t/"+e.ID+"/host" {
			t.Errorf("%s in a browser: %d, to %q", path, page.Status, to)
		}
	}
	for path, form := range map[string]string{"/players": "names=Eve", "/players/1": "name=Eve"} {
		if page := s.post(other, "/t/"+e.ID+path, form); page.Status != 403 {
			t.Errorf("POST %s: %d", path, page.Status)
		}
	}
	if page, err := other.Get(s.ctx, "/t/zzzzzzzzz9/host"); err != nil || page.Status != 404 {
		t.Errorf("no tournament: %d, %v", page.Status, err)
	}
}

func TestPlanShowsThePairingsAndWhatIsWrongWithTheHosts(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{Rounds: 2}, "Ada", "Ben", "Cleo", "Dag")
	first := e.plan()
	if first.Round != 1 || len(first.Pairings) != 2 || first.Outlook != nil || first.Breaches != nil {
		t.Fatalf("round 1: %+v", first)
	}
	e.order("start", tournament.Order{Round: 1, Pairings: [][2]int{{1, 2}, {3, 4}}})
	for board := range 2 {
		e.order("result", tournament.Order{Round: 1, Board: board + 1, Result: "first"})
	}
	if p := e.plan([2]int{1, 2}, [2]int{3, 4}); len(p.Breaches) != 2 || p.Breaches[0].Reason != "have-met" {
		t.Errorf("a repeat: %+v", p)
	}
	if p := e.plan([2]int{1, 3}, [2]int{4, 2}); len(p.Breaches) != 0 {
		t.Errorf("legal pairings: %+v", p)
	}
	page, err := e.host.Send(s.ctx, "/t/"+e.ID+"/plan", `{"pairings":[[1,2]]}`)
	s.must(err)
	if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, "tournament-bad-pairing") {
		t.Errorf("pairings without all players: %d %s", page.Status, page.Body)
	}
}

func TestPlanRefusesStrangersBeforeItReadsTheirPairings(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{}, "Ada", "Ben")
	other := s.person()
	s.post(other, "/settings", "name=Otto")
	large := `{"pairings":[` + strings.Repeat("[1,2],", site.MaxBody/6) + `[1,2]]}`
	for _, tt := range []struct {
		what, body string
		sender     *webtest.Person
		status     int
		code       string
	}{
		{"a stranger's broken pairings", "{", other, 403, "tournament-not-host"},
		{"broken pairings", "{", e.host, 400, "bad-frame"},
		{"a field that is none", `{"pairing":[]}`, e.host, 400, "bad-frame"},
		{"pairings that are too large", large, e.host, 413, "too-large"},
	} {
		page, err := tt.sender.Send(s.ctx, "/t/"+e.ID+"/plan", tt.body)
		s.must(err)
		if page.Status != tt.status || !strings.Contains(page.Body, `"`+tt.code+`"`) {
			t.Errorf("%s: %d %s", tt.what, page.Status, page.Body)
		}
	}
}

func TestDeskOffersTheClocksAndFormatsOfTheForm(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{}, "Ada")
	options := regexp.MustCompile(`<select [^>]*name="clock"[^>]*>([\s\S]*?)</select>`)
	value := regexp.MustCompile(`value="([^"]*)"`)
	clocks := func(page string) (list []string) {
		for _, m := range value.FindAllStringSubmatch(options.FindString(page), -1) {
			list = append(list, m[1])
		}
		return list
	}
	desk, form := e.reads(e.host, "/host").Body, s.body(e.host, "/t/new")
	if got, want := clocks(desk), clocks(form); len(want) < 5 || !slices.Equal(got, want) {
		t.Errorf("the desk offers the clocks %q, and the form %q", got, want)
	}
	if !strings.Contains(desk, "Double round robin") || !strings.Contains(desk, `"break.short.BH/C1":"BH−1"`) {
		t.Error("the desk lacks names of formats or tie-breaks")
	}
}

// What a host chooses in the form for a new tournament, they can change at the desk.
func TestDeskHasAFieldForEverySetting(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{})
	_, form, _ := strings.Cut(e.reads(e.host, "/host").Body, `id="settings"`)
	form, _, _ = strings.Cut(form, "</form>")
	named := map[string]string{"tieBreaks": "tiebreak", "bySeeds": "games", "zone": "starts"}
	for f := range reflect.TypeFor[tournament.Settings]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name = cmp.Or(named[name], name); !strings.Contains(form, ` name="`+name+`"`) {
			t.Errorf("the desk has no field for %s", name)
		}
	}
}

// Six players have five legal rounds at most, and sometimes three.
func TestHostIsToldBeforeTheStartThatTheRoundsCannotBePaired(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{Rounds: 7}, "Ada", "Ben", "Cleo", "Dag", "Eve", "Fay")
	if p := e.plan(); p.Code != "" || p.Outlook == nil || !p.Outlook.Certain || p.Outlook.Last < 3 || p.Outlook.Last > 5 {
		t.Errorf("the plan is %+v", p)
	}
}

func TestHostGetsPairingsToChooseFromWhenNoneIsLegal(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{Rounds: 3}, "Ada", "Ben")
	e.order("start", tournament.Order{Round: 1})
	e.order("result", tournament.Order{Round: 1, Board: 1, Result: "first"})
	p := e.plan()
	if p.Code != "tournament-no-pairing" || len(p.Pairings) != 1 || len(p.Breaches) != 1 || p.Breaches[0].Reason != "have-met" {
		t.Fatalf("the plan is %+v", p)
	}
	e.order("start", tournament.Order{Round: 2, Pairings: p.Pairings})
	if n := len(e.state().Rounds); n != 2 {
		t.Errorf("%d rounds have started", n)
	}
}

func TestRepeatedFormAddsNamesOnce(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{})
	form := url.Values{"names": {"Ada\n\n Ben \n" + strings.Repeat("x", 100)}, "key": {"k1"}}.Encode()
	for i, want := range []string{`{"added":2,"refused":[{"name":"` + strings.Repeat("x", 100), `{"added":0,`} {
		if page := s.post(e.host, "/t/"+e.ID+"/players", form); page.Status != 200 || !strings.HasPrefix(page.Body, want) {
			t.Errorf("time %d: %d %s", i+1, page.Status, page.Body)
		}
	}
	players := e.state().Players
	if len(players) != 2 || !players[1].Paper {
		t.Errorf("the players are %+v", players)
	}
	many := strings.Repeat("Zoë\n", 21)
	if page := s.post(e.host, "/t/"+e.ID+"/players", url.Values{"names": {many}}.Encode()); !strings.HasPrefix(page.Body, `{"added":20,"refused":[{"name":"Zoë","msg":"At most 20 names at once."}]`) {
		t.Errorf("21 names: %s", page.Body)
	}
}

func TestHostRenamesAPlayerAndGivesTheirPlaceToAnother(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{}, "Rude Word", "Ben")
	if page := s.post(e.host, "/t/"+e.ID+"/players/1", "name=Ada"); page.Status != 200 {
		t.Errorf("rename: %d %s", page.Status, page.Body)
	}
	late := s.person()
	s.post(late, "/settings", "name=Cleo")
	s.must(s.Hosting.Join(s.ctx, e.ID, s.id(late), ""))
	if page := s.post(e.host, "/t/"+e.ID+"/players/2", "other=3"); page.Status != 200 {
		t.Errorf("replace: %d %s", page.Status, page.Body)
	}
	hall, err := s.Hosting.Look(s.ctx, e.ID, s.id(e.host))
	s.must(err)
	names := []string{}
	for _, p := range hall.State.Players {
		names = append(names, hall.Names[p.ID])
	}
	if !slices.Equal(names, []string{"Ada", "Cleo", ""}) {
		t.Errorf("the players are %q", names)
	}
	for _, number := range []string{"9", "0", "x"} {
		if page := s.post(e.host, "/t/"+e.ID+"/players/"+number, "name=Eve"); page.Status != 404 {
			t.Errorf("player %s: %d", number, page.Status)
		}
	}
}

func TestLogNamesTheAuthorOfEachStep(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{}, "Ada", "Ben")
	e.order("start", tournament.Order{Round: 1})
	e.order("result", tournament.Order{Round: 1, Board: 1, Result: "second", Reason: "Ada gave up"})
	e.order("undo", tournament.Order{})
	e.order("announce", tournament.Order{Text: "Tea is ready"})
	var log struct {
		Lines []struct{ By, Words, Reason string }
	}
	s.must(json.Unmarshal([]byte(e.reads(e.host, "/log").Body), &log))
	var said []string
	for _, line := range log.Lines {
		said = append(said, strings.TrimSuffix(line.By+": "+line.Words+" "+line.Reason, " "))
	}
	want := []string{
		"Hanna: announced: Tea is ready", "Hanna: took back the last step", "Hanna: round 1, board 1: " + winner(e, "second") + " wins Ada gave up",
		"Hanna: started round 1", "Hanna: added Ben", "Hanna: added Ada", "Hanna: made the tournament",
	}
	if !slices.Equal(said, want) {
		t.Errorf("the log says\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}

// winner returns the name of a player of board 1 of round 1.
func winner(e *club, side string) string {
	b := e.state().Rounds[0][0]
	names := []string{"Ada", "Ben"}
	if side == "first" {
		return names[b.First-1]
	}
	return names[b.Second-1]
}

func TestProjectorShowsInitialsWhereTheHostWantsThem(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{Initials: true}, "Ada Lovelace", "Ben King")
	if page := e.reads(e.host, "/screen"); page.Status != 200 || strings.Contains(page.Body, "Lovelace") || !strings.Contains(page.Body, "A. L.") {
		t.Errorf("the projector shows %d %.200s", page.Status, page.Body)
	}
	if page := e.reads(e.host, "/host"); !strings.Contains(page.Body, "Lovelace") {
		t.Error("the desk has no whole names")
	}
	if page := e.reads(e.host, "/screen?theme=dark"); !strings.Contains(page.Body, `data-theme="dark"`) {
		t.Error("the projector has no theme of its own")
	}
}

func TestSheetsHaveThePairingsAndThePlaces(t *testing.T) {
	s := serve(t)
	e := s.club(tournament.Settings{Rounds: 1}, "Ada", "Ben", "Cleo")
	if page := e.reads(e.host, "/pairings"); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("pairings before the start: %d", page.Status)
	}
	e.order("start", tournament.Order{Round: 1, Pairings: [][2]int{{2, 1}, {3, 0}}})
	e.order("result", tournament.Order{Round: 1, Board: 1, Result: "draw"})
	page := e.reads(e.host, "/pairings?round=1").Body
	for _, want := range []string{"Pairings of round 1", "<bdi>Ben</bdi>", "½ – ½", "Bye"} {
		if !strings.Contains(page, want) {
			t.Errorf("the list has no %s", want)
		}
	}
	page = e.reads(e.host, "/certificates").Body
	if n := strings.Count(page, "<article"); n != 3 || !strings.Contains(page, "Points: 0.5. Rounds: 1.") {
		t.Errorf("%d certificates", n)
	}
	if n := strings.Count(e.reads(e.host, "/certificates?top=1").Body, "<article"); n != 1 {
		t.Errorf("%d certificates of the first", n)
	}
	if page := e.reads(e.host, "/poster").Body; !strings.Contains(page, e.Code) {
		t.Error("the poster has no code")
	}
}

func TestPagesOfHostsSayNothingThatIsInNoCatalog(t *testing.T) {
	s := serve(t)
	s.pretend("ltr")
	e := s.club(tournament.Settings{}, "Ada", "Ben")
	e.order("start", tournament.Order{Round: 1})
	e.order("result", tournament.Order{Round: 1, Board: 1, Result: "first"})
	names := []string{"School Cup", "Ada", "Ben", "Hanna", "Kalah", "TRF", "NDJSON", "JSON", e.Code, e.ID, s.base, strings.TrimPrefix(s.base, "http://")}
	for _, row := range engine.Systems {
		names = append(names, row.Title)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // names of games begin alike
	for _, path := range []string{"/host", "/screen", "/poster", "/certificates", "/pairings"} {
		for _, text := range plainWords(e.reads(e.host, path).Body, names) {
			t.Errorf("%s says, and no catalog does: %q", path, text)
		}
	}
	for _, text := range plainWords(e.reads(s.person(), "/host").Body, names) {
		t.Errorf("the field for the code says, and no catalog does: %q", text)
	}
}
