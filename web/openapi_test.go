package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"mancala/lobby/tournament"
	"mancala/web/api"
	"mancala/web/site"
	"mancala/web/webtest"
)

// contract is openapi.json with the checks that compare the API with it.
type contract struct {
	*service
	doc     map[string]any
	schemas *jsonschema.Compiler
	called  map[string]bool // operations that have answered as documented
}

func newContract(s *service) *contract {
	s.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Document))
	s.must(err)
	c := &contract{service: s, doc: doc.(map[string]any), schemas: jsonschema.NewCompiler(), called: map[string]bool{}}
	s.must(c.schemas.AddResource("openapi.json", doc))
	return c
}

// at returns the part of the document at a JSON pointer. It follows references
// and also returns the pointer that they led to.
func (c *contract) at(pointer string) (map[string]any, string) {
	c.Helper()
	var here any = c.doc
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		object, _ := here.(map[string]any)
		if here = object[step]; here == nil {
			return nil, pointer
		}
	}
	object, _ := here.(map[string]any)
	if ref, ok := object["$ref"].(string); ok {
		return c.at(strings.TrimPrefix(ref, "#"))
	}
	return object, pointer
}

// operations returns the pointers of all operations in the document. The keys
// are method and path in the router's form.
func (c *contract) operations() map[string]string {
	list := map[string]string{}
	for path, item := range c.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method != "parameters" {
				list[strings.ToUpper(method)+" /api/v1"+path] = "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + method
			}
		}
	}
	return list
}

// check validates a body against the schema at a pointer.
func (c *contract) check(what, pointer string, body []byte) {
	c.Helper()
	schema, err := c.schemas.Compile("openapi.json#" + pointer)
	if err != nil {
		c.Fatalf("%s: %v", pointer, err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		c.Errorf("%s: %v\n%.1000s", what, err, body)
	}
}

// call sends a request and validates request and answer against the document.
func (c *contract) call(who *webtest.Person, route, path, body string, status int) []byte {
	c.Helper()
	pointer, known := c.operations()[route]
	if !known {
		c.Fatalf("%s is not in the document", route)
	}
	method, _, _ := strings.Cut(route, " ")
	q, err := http.NewRequestWithContext(c.ctx, method, c.base+path, strings.NewReader(body))
	c.must(err)
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
		if status < 300 {
			c.check("question to "+route, pointer+"/requestBody/content/application~1json/schema", []byte(body))
		}
	}
	page, err := who.Ask(q)
	c.must(err)
	if page.Status != status {
		c.Errorf("%s %s: status %d, want %d: %.300s", method, path, page.Status, status, page.Body)
		return nil
	}
	response, at := c.at(fmt.Sprintf("%s/responses/%d", pointer, status))
	if response == nil {
		if status < 300 {
			c.Errorf("%s: the document has no status %d", route, status)
		}
		_, at = c.at(pointer + "/responses/default")
	} else {
		c.called[route] = true
	}
	kind, _, _ := mime.ParseMediaType(page.Header.Get("Content-Type"))
	at += "/content/" + strings.ReplaceAll(kind, "/", "~1") + "/schema"
	given := []byte(page.Body)
	if kind != "application/json" {
		given, _ = json.Marshal(page.Body)
	}
	c.check("answer of "+route, at, given)
	return []byte(page.Body)
}

// The document has exactly the operations of the API. The test calls each of
// them. Requests, answers and refusals match the document.
func TestDocumentOfTheAPIMatchesItsAnswers(t *testing.T) {
	s := serve(t)
	c := newContract(s)
	if there, said := slices.Sorted(maps.Keys(s.api.Api())), slices.Sorted(maps.Keys(c.operations())); !slices.Equal(there, said) {
		t.Errorf("there is    %q\nit describes %q", there, said)
	}
	ada, ben, stranger := s.person(), s.person(), s.person()
	c.call(stranger, "GET /api/v1/openapi.json", "/api/v1/openapi.json", "", 200)
	c.call(stranger, "GET /api/v1/rules", "/api/v1/rules", "", 200)
	c.call(stranger, "GET /api/v1/rules/{system}", "/api/v1/rules/oware?options="+url.QueryEscape("seeds=5"), "", 200)
	c.call(stranger, "GET /api/v1/rules/{system}", "/api/v1/rules/chess", "", 422)
	c.call(stranger, "GET /api/v1/rules/{system}", "/api/v1/rules/oware?options=seeds%3D0", "", 422)

	c.call(stranger, "GET /api/v1/me", "/api/v1/me", "", 401)
	c.call(stranger, "GET /api/v1/me/games", "/api/v1/me/games", "", 401)
	c.call(stranger, "GET /api/v1/me/settings", "/api/v1/me/settings", "", 200)
	c.call(ben, "PATCH /api/v1/me", "/api/v1/me", `{"name":"Ben"}`, 200)
	c.call(ben, "PATCH /api/v1/me", "/api/v1/me", `{"name":""}`, 422)
	c.call(ben, "GET /api/v1/me", "/api/v1/me", "", 200)
	c.call(ben, "PATCH /api/v1/me/settings", "/api/v1/me/settings", `{"theme":"dark"}`, 200)
	c.call(ben, "PATCH /api/v1/me/settings", "/api/v1/me/settings", `{"theme":"loud"}`, 422)

	c.call(stranger, "GET /api/v1/me/lessons", "/api/v1/me/lessons", "", 401)
	c.call(stranger, "PATCH /api/v1/me/lessons", "/api/v1/me/lessons", `{"kalah":["sow"]}`, 401)
	c.call(ben, "PATCH /api/v1/me/lessons", "/api/v1/me/lessons", `{"kalah":["sow","end"],"oware":["feed"]}`, 200)
	c.call(ben, "PATCH /api/v1/me/lessons", "/api/v1/me/lessons", `{"kalah":["feed"]}`, 422)
	c.call(ben, "PATCH /api/v1/me/lessons", "/api/v1/me/lessons", `{"kalah":["feed","again"],"chess":[]}`, 200) // of another release
	c.call(ben, "PATCH /api/v1/me/lessons", "/api/v1/me/lessons", `{"chess":[]}`, 422)
	c.call(ben, "GET /api/v1/me/lessons", "/api/v1/me/lessons", "", 200)
	c.call(stranger, "GET /api/v1/me/push", "/api/v1/me/push", "", 200)
	c.call(stranger, "POST /api/v1/me/push", "/api/v1/me/push", `{"endpoint":"https://10.0.0.1/x","keys":{"p256dh":"","auth":""}}`, 422)
	c.call(stranger, "DELETE /api/v1/me/push/{device}", "/api/v1/me/push/AAAAAAAAAAAAAAAAAAAAAA", "", 401)
	c.call(ben, "POST /api/v1/me/push", "/api/v1/me/push", pushBody, 200)
	c.call(ben, "GET /api/v1/me/push", "/api/v1/me/push", "", 200)
	c.call(ben, "DELETE /api/v1/me/push/{device}", "/api/v1/me/push/AAAAAAAAAAAAAAAAAAAAAA", "", 200)
	c.call(ben, "DELETE /api/v1/me/push/{device}", "/api/v1/me/push/x", "", 422)
	c.call(ada, "POST /api/v1/games", "/api/v1/games", `{"rules":"chess"}`, 422)
	c.call(ada, "POST /api/v1/games", "/api/v1/games", `[`, 400)
	c.call(ada, "POST /api/v1/games", "/api/v1/games", `{"clok":"5+3"}`, 400)
	for _, settings := range []string{
		`{"rules":"kalah","clock":"5+3","start":"creator","assists":false,"chat":"presets"}`,
		`{"rules":"basic-four","start":"youngest"}`,
		`{"rules":"maruba","clock":"3/move"}`,
	} {
		c.game(ada, ben, stranger, settings)
	}
	c.call(ada, "GET /api/v1/me/games", "/api/v1/me/games", "", 200)
	c.call(ada, "GET /api/v1/games/{id}", "/api/v1/games/nosuchgam0", "", 404)
	c.bot(ada, ben, stranger)
	for body, status := range map[string]int{
		`{"rules":"kalah","moves":["c","a"],"worth":true}`:                         200,
		`{"rules":"wise","moves":["=0.9.10.8.9.0/0.10.9.9.8.0"]}`:                  200,
		`{"rules":"bao","moves":["k<","j>","l<","k>","l<","o<*","l>*","i>"]}`:      200,
		`{"rules":"kalah","position":"0,0,0,0,0,0/0,0,0,0,0,0 25/23 S over 0 60"}`: 200,
		`{"rules":"kalah","moves":["c","c"]}`:                                      422,
		`{"rules":"kalah","moves":["!"]}`:                                          422,
		`{"rules":"kalah","position":"1,2,3"}`:                                     422,
		`{"rules":"chess"}`:                                                        422,
		`{"rules":"kalah","moves":["c"` + strings.Repeat(`,"c"`, 100) + `]}`:       413,
		`{}`: 400, `null`: 400,
	} {
		c.call(stranger, "POST /api/v1/positions", "/api/v1/positions", body, status)
	}
	c.live(ada, ben, stranger)
	c.follows(ada, ben, stranger)
	c.ratings(stranger)
	c.lobby(ada, ben, stranger)
	c.tournaments(ada, ben, stranger)
	// A refusal has a sentence, so each operation names the language of texts.
	if fr := c.call(stranger, "GET /api/v1/rules/{system}", "/api/v1/rules/chess?lang=fr", "", 422); bytes.Equal(fr, c.call(stranger, "GET /api/v1/rules/{system}", "/api/v1/rules/chess", "", 422)) {
		t.Errorf("a refusal in French is %s", fr)
	}
	for path, item := range c.doc["paths"].(map[string]any) {
		if said := fmt.Sprint(item.(map[string]any)["parameters"]); path != "/openapi.json" && !strings.Contains(said, "#/components/parameters/Language") {
			t.Errorf("%s has the parameters %s", path, said)
		}
	}
	for route := range c.operations() {
		if !c.called[route] {
			t.Errorf("%s was not called", route)
		}
	}
}

// bot makes a game against a bot and asks for a hint.
func (c *contract) bot(ada, ben, stranger *webtest.Person) {
	c.Helper()
	const games = "/api/v1/games"
	c.call(ada, "POST "+games, games, `{"rules":"kalah","bot":9}`, 422)
	c.call(ada, "POST "+games, games, `{"rules":"kalah","clock":"5+3","rated":true,"bot":1}`, 422)
	var made struct{ Room string }
	c.must(json.Unmarshal(c.call(ada, "POST "+games, games, `{"rules":"kalah","start":"creator","bot":3}`, 201), &made))
	hint := games + "/" + made.Room + "/hint"
	c.call(ada, "POST "+games+"/{id}/hint", hint, "", 200)
	c.call(ben, "POST "+games+"/{id}/hint", hint, "", 422)
	c.call(stranger, "POST "+games+"/{id}/hint", hint, "", 401)
}

// lobby makes seeks and challenges.
func (c *contract) lobby(ada, ben, stranger *webtest.Person) {
	c.Helper()
	id := func(answer []byte) (seek string) {
		var made struct{ Seek string }
		c.must(json.Unmarshal(answer, &made))
		return made.Seek
	}
	const list, one = "/api/v1/seeks", "/api/v1/challenges/"
	c.call(ada, "POST /api/v1/seeks", list, `{"rules":"oware","clock":"5+3","options":"seeds=5"}`, 201)
	c.call(stranger, "GET /api/v1/seeks", list+"?rules=oware", "", 200)
	c.call(stranger, "GET /api/v1/seeks", list+"?rules=chess", "", 400)
	c.call(ada, "POST /api/v1/seeks", list, `{"rules":"oware","clock":"5+3","rated":true}`, 422)
	c.call(ada, "POST /api/v1/seeks", list, `{"facts":{}}`, 400)
	c.call(ada, "GET /api/v1/me/wait", "/api/v1/me/wait", "", 200)
	c.call(ada, "DELETE /api/v1/seeks", list, "", 200)
	c.call(ada, "POST /api/v1/pairings", "/api/v1/pairings", `{"rules":"kalah","clock":"5+3"}`, 201)
	c.call(ada, "POST /api/v1/pairings", "/api/v1/pairings", `{"options":"seeds=5"}`, 422)
	c.call(ada, "GET /api/v1/me/wait", "/api/v1/me/wait", "", 200)
	c.call(stranger, "GET /api/v1/me/wait", "/api/v1/me/wait", "", 401)
	seek := id(c.call(ada, "POST /api/v1/seeks", list, `{"rules":"kalah"}`, 201))
	c.call(stranger, "POST /api/v1/seeks/{id}/accept", list+"/"+seek+"/accept", "", 401)
	c.call(ben, "POST /api/v1/seeks/{id}/accept", list+"/"+seek+"/accept", "", 200)
	c.call(ben, "POST /api/v1/seeks/{id}/accept", list+"/"+seek+"/accept", "", 200) // a repeat gets the same answer
	c.call(c.guest(), "POST /api/v1/seeks/{id}/accept", list+"/"+seek+"/accept", "", 409)

	asks := `{"to":"` + c.id(ben) + `","rules":"oware","clock":"5+3"}`
	first := id(c.call(ada, "POST /api/v1/challenges", "/api/v1/challenges", asks, 201))
	c.call(ada, "GET /api/v1/challenges", "/api/v1/challenges", "", 200)
	c.call(ben, "GET /api/v1/challenges", "/api/v1/challenges", "", 200)
	c.call(stranger, "GET /api/v1/challenges", "/api/v1/challenges", "", 401)
	c.call(ada, "DELETE /api/v1/challenges/{id}", one+first, "", 200)
	c.call(ada, "DELETE /api/v1/challenges/{id}", one+first, "", 409)
	second := id(c.call(ada, "POST /api/v1/challenges", "/api/v1/challenges", asks, 201))
	c.call(ben, "POST /api/v1/challenges/{id}/accept", one+second+"/accept", "", 200)
	third := id(c.call(ada, "POST /api/v1/challenges", "/api/v1/challenges", asks, 201))
	c.call(ben, "DELETE /api/v1/challenges/{id}", one+third, "", 200)
	c.call(ada, "POST /api/v1/challenges", "/api/v1/challenges", asks, 422)
}

// A path or method without an operation is refused with a code of its own.
func TestUnknownOperationIsRefused(t *testing.T) {
	s := serve(t)
	for _, tt := range []struct{ method, path, code, allow string }{
		{"GET", "/api/v1/nothing", "no-such-path", ""},
		{"POST", "/api/v1/", "no-such-path", ""},
		{"DELETE", "/api/v1/games", "no-such-method", "GET, POST"},
		{"PUT", "/api/v1/me", "no-such-method", "GET, PATCH"},
	} {
		page := s.request(s.person(), tt.method, tt.path, "", "", nil)
		if !strings.Contains(page.Body, `"code":"`+tt.code+`"`) || page.Header.Get("Allow") != tt.allow {
			t.Errorf("%s %s: %d, Allow %q, %s", tt.method, tt.path, page.Status, page.Header.Get("Allow"), page.Body)
		}
	}
}

// ratings requests players and leaderboards.
func (c *contract) ratings(stranger *webtest.Person) {
	c.Helper()
	ada, ben := c.member("Ada of the API"), c.member("Ben of the API")
	const name = "Ada%20of%20the%20API"
	_, tabs := c.rated(ada, ben)
	c.resigned(tabs)
	c.changes(tabs[0])
	c.eventually("the list of games", func() bool {
		page, err := stranger.Get(c.ctx, "/api/v1/players/"+name+"/games")
		return err == nil && strings.Contains(page.Body, `"outcome":"won"`)
	})
	for _, who := range []*webtest.Person{stranger, ada, ben} {
		c.call(who, "GET /api/v1/players/{name}", "/api/v1/players/"+name, "", 200)
		c.call(who, "GET /api/v1/players/{name}", "/api/v1/players/nobody", "", 404)
		c.call(who, "GET /api/v1/players/{name}/ratings", "/api/v1/players/"+name+"/ratings", "", 200)
		c.call(who, "GET /api/v1/players/{name}/ratings", "/api/v1/players/nobody/ratings", "", 404)
		c.call(who, "GET /api/v1/players/{name}/games", "/api/v1/players/"+name+"/games?system=kalah&result=won&rated=yes", "", 200)
		c.call(who, "GET /api/v1/players/{name}/games", "/api/v1/players/"+name+"/games?result=glorious", "", 400)
		c.call(who, "GET /api/v1/players/{name}/games", "/api/v1/players/nobody/games", "", 404)
		c.call(who, "GET /api/v1/leaderboards", "/api/v1/leaderboards", "", 200)
		c.call(who, "GET /api/v1/leaderboards/{system}/{speed}", "/api/v1/leaderboards/kalah/blitz", "", 200)
		c.call(who, "GET /api/v1/leaderboards/{system}/{speed}", "/api/v1/leaderboards/basic-four/blitz", "", 404)
		c.call(who, "GET /api/v1/leaderboards/{system}/{speed}", "/api/v1/leaderboards/kalah/soon", "", 404)
	}
}

// live lists a game in progress that is open to all watchers.
func (c *contract) live(ada, ben, stranger *webtest.Person) {
	c.Helper()
	var made struct {
		Room string `json:"room"`
	}
	c.must(json.Unmarshal(c.call(ada, "POST /api/v1/games", "/api/v1/games", `{"rules":"oware","clock":"5+3","listed":true,"delay":10}`, 201), &made))
	list := func(query string) string {
		return string(c.call(stranger, "GET /api/v1/games", "/api/v1/games?"+query, "", 200))
	}
	if strings.Contains(list("live"), made.Room) {
		c.Error("a game that waits is listed")
	}
	c.call(ben, "POST /api/v1/games/{id}/commands", "/api/v1/games/"+made.Room+"/commands", `{"id":"l1","kind":"sit"}`, 200)
	_, err := ben.Get(c.ctx, "/"+made.Room)
	c.must(err)
	c.eventually("a live game in the list", func() bool { return strings.Contains(list("live&rules=oware"), made.Room) })
	if strings.Contains(list("rules=kalah"), made.Room) {
		c.Error("Oware is listed as Kalah")
	}
	c.call(stranger, "GET /api/v1/games", "/api/v1/games?rules=chess", "", 400)
}

// follows checks the operations that follow and block players.
func (c *contract) follows(ada, ben, stranger *webtest.Person) {
	c.Helper()
	id := "/" + c.id(ben)
	c.call(stranger, "GET /api/v1/me/circle", "/api/v1/me/circle", "", 401)
	c.call(stranger, "PUT /api/v1/me/blocked/{player}", "/api/v1/me/blocked"+id, "", 401)
	for _, what := range []string{"following", "blocked"} {
		c.call(ada, "PUT /api/v1/me/"+what+"/{player}", "/api/v1/me/"+what+id, "", 200)
		if list := c.call(ada, "GET /api/v1/me/circle", "/api/v1/me/circle", "", 200); !strings.Contains(string(list), id[1:]) {
			c.Errorf("%s: the lists are %s", what, list)
		}
		c.call(ada, "PUT /api/v1/me/"+what+"/{player}", "/api/v1/me/"+what+"/nobody", "", 404)
		c.call(ada, "DELETE /api/v1/me/"+what+"/{player}", "/api/v1/me/"+what+id, "", 200)
	}
	report := func(who *webtest.Person, reason string, status int) {
		c.call(who, "POST /api/v1/reports", "/api/v1/reports", fmt.Sprintf(`{"player":%q,"reason":%q}`, id[1:], reason), status)
	}
	report(ada, "name", 201)
	report(ada, "ugly", 422)
	report(stranger, "name", 401)
}

// analysis asks for the analysis of a finished game.
func (c *contract) analysis(ada, stranger *webtest.Person, id string) {
	c.Helper()
	const route = "/api/v1/games/{id}/analysis"
	path := "/api/v1/games/" + id + "/analysis"
	c.call(stranger, "GET "+route, path, "", 200)
	c.call(stranger, "GET "+route+"/record", path+"/record", "", 404)
	c.call(ada, "POST "+route, path, "", 202)
	c.eventually("an analysis", func() bool {
		return strings.Contains(string(c.call(stranger, "GET "+route, path, "", 200)), `"state":"made"`)
	})
	c.call(ada, "DELETE "+route, path, "", 200)
	c.call(stranger, "GET "+route+"/record", path+"/record", "", 200)
}

// game plays a few plies of a game and resigns it.
func (c *contract) game(ada, ben, stranger *webtest.Person, settings string) {
	c.Helper()
	var made struct{ Room string }
	c.must(json.Unmarshal(c.call(ada, "POST /api/v1/games", "/api/v1/games", settings, 201), &made))
	path := "/api/v1/games/" + made.Room
	look := func(who *webtest.Person) (game struct {
		As   int
		Snap struct {
			State string
			Ply   int
			Turn  int
		}
		You struct{ Legal []struct{ M string } }
	}) {
		c.Helper()
		if b := c.call(who, "GET /api/v1/games/{id}", path, "", 200); b != nil {
			c.must(json.Unmarshal(b, &game))
		}
		c.call(who, "GET /api/v1/games/{id}/replay", path+"/replay", "", 200)
		c.call(who, "GET /api/v1/games/{id}/record", path+"/record", "", 200)
		return game
	}
	command := func(who *webtest.Person, body string, status int) {
		c.Helper()
		c.call(who, "POST /api/v1/games/{id}/commands", path+"/commands", body, status)
	}
	look(stranger)
	command(stranger, `{"id":"s","kind":"sit"}`, 401)
	command(ben, `{"id":"s","kind":"sit"}`, 200)
	command(ben, `{"id":"s","kind":"sit"}`, 200) // a repeat
	command(ben, `{"id":"f","kind":"fly"}`, 422)
	command(ben, `{"id":1,"kind":[]}`, 400)
	command(ben, `{"id":"f"`, 400)
	if strings.Contains(settings, "four") {
		return // two seats are still empty
	}
	for n := range 4 {
		for _, who := range []*webtest.Person{ada, ben} {
			if game := look(who); game.Snap.Turn == game.As && len(game.You.Legal) > 0 {
				command(who, fmt.Sprintf(`{"id":"m%d","kind":"move","ply":%d,"move":%q}`, n, game.Snap.Ply, game.You.Legal[0].M), 200)
				break
			}
		}
	}
	c.call(stranger, "GET /api/v1/games/{id}/analysis", path+"/analysis", "", 409)
	command(ben, `{"id":"r","kind":"resign"}`, 200)
	c.analysis(ada, stranger, made.Room)
	if game := look(stranger); game.Snap.State != "over" || game.Snap.Ply < 4 {
		c.Errorf("after four moves and a resignation: %+v", game)
	}
}

func TestCallsThatTheDocumentNamesGiveACookie(t *testing.T) {
	s := serve(t)
	cup := s.club(tournament.Settings{}).ID
	game, _ := s.game("rules=kalah")
	said, _, _ := strings.Cut(newContract(s).doc["info"].(map[string]any)["description"].(string), " All other calls ")
	said = strings.NewReplacer(",", " ", ".", " ").Replace(said) + " "
	for _, tt := range []struct{ method, path, body string }{
		{"POST", "/games", `{}`},
		{"POST", "/games/{id}/analysis", ``},
		{"POST", "/seeks", `{}`},
		{"POST", "/pairings", `{}`},
		{"POST", "/challenges", `{"to":"nobody"}`},
		{"POST", "/tournaments", `{"name":"Club Cup"}`},
		{"POST", "/tournaments/{id}/players", `{"name":"Ada"}`},
		{"POST", "/tournaments/{id}/hosts", `{"key":"wrong"}`},
		{"POST", "/me/push", pushBody},
		{"PATCH", "/me", `{"name":"Ada"}`},
		{"PATCH", "/me/settings", `{}`},
	} {
		if !strings.Contains(said, " "+tt.path+" ") {
			t.Errorf("the document does not say that %s %s gives a cookie", tt.method, tt.path)
		}
		id := map[bool]string{true: cup, false: game}[strings.HasPrefix(tt.path, "/tournaments")]
		page := s.request(s.person(), tt.method, "/api/v1"+strings.ReplaceAll(tt.path, "{id}", id), "application/json", tt.body, nil)
		if !strings.HasPrefix(page.Header.Get("Set-Cookie"), site.CookieName+"=") {
			t.Errorf("%s %s: %d %s gives no cookie", tt.method, tt.path, page.Status, page.Body)
		}
	}
}
