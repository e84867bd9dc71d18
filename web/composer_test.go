package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/lobby"
	"mancala/lobby/rulebook"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// composed is the page of the composer as a browser without a script has it.
type composed struct {
	s      *service
	p      *webtest.Person
	fields []field
	links  []string // to the parts of the rules
	system string
	text   string // what differs from the system
	hash   string
}

// field is a control of the form.
type field struct {
	name, value, kind  string
	low, high          int
	checked, disabled  bool
	required, optional bool // a number must be given, or may be left out
}

func attribute(n *html.Node, name string) (value string, has bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// composes opens an address of the composer.
func (s *service) composes(p *webtest.Person, address string) *composed {
	s.Helper()
	c := &composed{s: s, p: p}
	c.opens(address)
	return c
}

func (c *composed) opens(address string) {
	c.s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience) // for this page: a test opens a thousand
	defer cancel()
	page, err := c.p.Get(ctx, address)
	c.s.must(err)
	if page.Status != http.StatusOK {
		c.s.Fatalf("%s: %d %.500s", address, page.Status, page.Body)
	}
	root, err := html.Parse(strings.NewReader(page.Body))
	c.s.must(err)
	c.fields, c.links = nil, nil
	var walk func(n *html.Node, inForm, disabled bool)
	walk = func(n *html.Node, inForm, disabled bool) {
		if n.Type == html.ElementNode {
			id, _ := attribute(n, "id")
			if hash, ok := attribute(n, "data-hash"); ok {
				c.hash = hash
			}
			inForm = inForm || n.Data == "form" && id == "compose"
			if _, off := attribute(n, "disabled"); off {
				disabled = true
			}
			if link, ok := attribute(n, "href"); ok && strings.HasPrefix(id, "g-") {
				c.links = append(c.links, link)
			}
			if inForm && n.Data == "input" {
				f := field{disabled: disabled, high: 1 << 30}
				f.name, _ = attribute(n, "name")
				f.value, _ = attribute(n, "value")
				f.kind, _ = attribute(n, "type")
				_, f.checked = attribute(n, "checked")
				_, f.required = attribute(n, "required")
				_, f.optional = attribute(n, "placeholder")
				if text, ok := attribute(n, "min"); ok {
					f.low, _ = strconv.Atoi(text)
				}
				if text, ok := attribute(n, "max"); ok {
					f.high, _ = strconv.Atoi(text)
				}
				c.fields = append(c.fields, f)
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, inForm, disabled)
		}
	}
	walk(root, false, false)
	c.system, c.text = c.hidden("rules"), c.hidden("options")
}

func (c *composed) hidden(name string) string {
	i := slices.IndexFunc(c.fields, func(f field) bool { return f.kind == "hidden" && f.name == name })
	if i < 0 {
		c.s.Fatalf("the form has no field %s", name)
	}
	return c.fields[i].value
}

// sends sends the form, as a browser would.
func (c *composed) sends() {
	c.s.Helper()
	q := url.Values{}
	for _, f := range c.fields {
		if !f.disabled && (f.checked || f.kind != "radio" && f.kind != "checkbox") {
			q.Add(f.name, f.value)
		}
	}
	c.opens("/rules/new?" + q.Encode())
}

// clicks changes one control that is not disabled, and sends the form. It returns what it did.
func (c *composed) clicks(random *rand.Rand) string {
	c.s.Helper()
	var can []int
	for len(can) == 0 {
		for i, f := range c.fields {
			if !f.disabled && f.kind != "hidden" && f.name != "pit" && !(f.kind == "radio" && f.checked) {
				can = append(can, i)
			}
		}
		if len(can) == 0 { // nothing of this part can be changed now
			c.opens(c.links[random.IntN(len(c.links))])
		}
	}
	f := &c.fields[can[random.IntN(len(can))]]
	switch f.kind {
	case "radio":
		for i := range c.fields {
			if c.fields[i].name == f.name {
				c.fields[i].checked = false
			}
		}
		f.checked = true
	case "checkbox":
		f.checked = !f.checked
	case "number":
		if f.value = strconv.Itoa(f.low + random.IntN(min(f.high-f.low+1, 20))); f.optional && !f.required && random.IntN(3) == 0 {
			f.value = ""
		}
	}
	did := f.name + "=" + f.value
	c.sends()
	return did
}

// rules returns the rules that the page names.
func (c *composed) rules() engine.Rules {
	c.s.Helper()
	r, err := engine.ParseRules(strings.TrimSpace(c.system + " " + c.text))
	if err != nil {
		c.s.Fatalf("%s %s: %v", c.system, c.text, err)
	}
	return r
}

// A thousand rule sets are made by clicks on controls that are not disabled, without a script. Each is a rule
// set that can be played, its link leads to it again, and its hash is that of its text.
func TestClicksInTheComposerMakeRuleSetsThatCanBePlayed(t *testing.T) {
	sets := 1000
	if testing.Short() {
		sets = 100
	}
	s := serve(t)
	p := s.person()
	random := rand.New(rand.NewPCG(24, 2))
	seen, options, did := map[string]bool{}, map[string]bool{}, ""
	var c *composed
	clicks := 0
	for ; len(seen) < sets && clicks < 3*sets; clicks++ {
		if clicks%25 == 0 {
			c = s.composes(p, "/rules/new?rules="+engine.Systems[clicks/25%len(engine.Systems)].Name)
		}
		if clicks%3 == 0 { // another part of the rules
			c.opens(c.links[random.IntN(len(c.links))])
		}
		before := c.rules()
		did = c.clicks(random)
		r := c.rules()
		if conflict := compose.Conflict(r); conflict != nil {
			t.Fatalf("%s in %s makes %s, which has the conflict %s", did, before, r, conflict.Code)
		}
		if _, err := engine.Compile(r); err != nil || c.hash != r.Hash() {
			t.Fatalf("%s in %s makes %s with the hash %s, and its text has %s; %v", did, before, r, c.hash, r.Hash(), err)
		}
		if name, _, _ := strings.Cut(did, "="); valueOf(r, name) == valueOf(before, name) && name != "seeds" && !unchanged(before, did) {
			t.Fatalf("%s in %s was not done: %s", did, before, r)
		}
		seen[r.Hash()] = true
		for _, d := range engine.Differences(r, before) {
			options[d.Option.Name] = true
		}
	}
	if len(seen) < sets {
		t.Errorf("%d clicks made only %d rule sets", clicks, len(seen))
	}
	for _, o := range engine.Options() {
		if !options[o.Name] && sets == 1000 {
			t.Errorf("no click has changed %s", o.Name)
		}
	}
	t.Logf("%d clicks made %d rule sets", clicks, len(seen))
}

func valueOf(r engine.Rules, name string) string {
	for _, o := range engine.Options() {
		if o.Name == name {
			return o.Get(r)
		}
	}
	return ""
}

// unchanged reports whether a number was typed that was there before.
func unchanged(r engine.Rules, did string) bool {
	name, value, _ := strings.Cut(did, "=")
	now := valueOf(r, name)
	return now == value || value == "" && (now == "0" || now == "-1")
}

// Without a script the composer offers each of the named house rules. The page that it leads to has the rules of
// their text, names them, and so does their page of rules. The page of their system leads there.
func TestNamedHouseRulesAreOfferedChosenAndRecognised(t *testing.T) {
	s := serve(t)
	p := s.person()
	first := s.plain("/rules/new?rules=oware", nil).Body
	if strings.Contains(first, `id="known"`) {
		t.Error("the rules of Oware are known by another name")
	}
	for _, k := range compose.KnownRules {
		if !strings.Contains(first, `<option value="`+k.Name+`">`+k.Title+`</option>`) {
			t.Errorf("the composer does not offer %s", k.Title)
		}
		c := s.composes(p, "/rules/new?rules="+k.Name)
		if c.system != k.System || c.text != k.Options || c.hash != k.Rules().Hash() {
			t.Errorf("%s leads to %s %q with the hash %s, want %s with %s", k.Name, c.system, c.text, c.hash, k.Text(), k.Rules().Hash())
		}
		says := "These rules are known as " + k.Title + "."
		address := url.Values{"rules": {"kalah"}, "options": {k.Rules().String()}}
		if k.System != "kalah" { // composed from another game
			base, _ := engine.System("kalah")
			address.Set("options", strings.Join(k.Rules().Changes(base), " "))
		}
		if page := s.plain("/rules/new?"+address.Encode(), nil).Body; !strings.Contains(page, says) {
			t.Errorf("%s is not recognised where it is composed from Kalah", k.Name)
		}
		rules := s.plain("/learn/"+k.System, nil).Body
		if k.Options == "" {
			if !strings.Contains(rules, "<span>"+k.Title+"</span>") {
				t.Errorf("the page of %s does not name %s", k.System, k.Title)
			}
			continue
		}
		link := regexp.MustCompile(`<a href="([^"]*)">` + regexp.QuoteMeta(k.Title) + `</a>`).FindStringSubmatch(rules)
		if link == nil {
			t.Errorf("the page of %s does not lead to %s", k.System, k.Title)
		} else if page := s.plain(html.UnescapeString(link[1]), nil); !strings.Contains(page.Body, says) {
			t.Errorf("%s does not name %s", link[1], k.Title)
		}
	}
}

func TestComposerTellsWhatIsWrongWithALinkAndOffersTheNearestRules(t *testing.T) {
	s := serve(t)
	p := s.person()
	for _, tt := range []struct{ query, says, text string }{
		{"rules=chess", "There is no game chess.", ""},
		{"rules=kalah&options=fun", "“fun” is no house rule", ""},
		{"rules=kalah&options=fun%3Dtrue+pits%3D7", "“fun=true” is left out: there is no such rule", "pits=7"},
		{"rules=kalah&options=pits%3D99", "It is 13 now.", "pits=13"},
		{"rules=kalah&options=feed%3Dmust", "Feeding comes too late", "feed=must end=none"},
		{"rules=kalah&options=%3Cscript%3Ealert(1)%3C/script%3E", "&lt;script&gt;", ""},
		{"rules=kalah&options=" + strings.Repeat("pits%3D7+", 300), "The link is too long", "pits=7"},
	} {
		page, err := p.Get(s.ctx, "/rules/new?"+tt.query)
		s.must(err)
		c := s.composes(p, "/rules/new?"+tt.query)
		if page.Status != http.StatusOK || !strings.Contains(page.Body, tt.says) || !strings.Contains(page.Body, "nearest rules that can be played") || strings.Contains(page.Body, "<script>alert") {
			t.Errorf("%.60s: %d without %q", tt.query, page.Status, tt.says)
		}
		if c.text != tt.text {
			t.Errorf("%.60s: offers %q, want %q", tt.query, c.text, tt.text)
		}
	}
	// A rule set that is one has no complaint, and a value is chosen with all that it needs.
	page, err := p.Get(s.ctx, "/rules/new?rules=oware&options=pits%3D5")
	s.must(err)
	if strings.Contains(page.Body, "nearest rules") {
		t.Error("there is a complaint about a rule set")
	}
	c := s.composes(p, "/rules/new?rules=kalah&take=rows%3D2")
	if r := c.rules(); r.Rows != 2 || r.Store {
		t.Errorf("two rows were chosen, and the rules are %s", r)
	}
}

// The reader reads why a value cannot be chosen, in their language.
func TestComposerSaysWhyAValueCannotBeChosen(t *testing.T) {
	s := serve(t)
	for language, why := range map[string]string{"en": "Only with a store.", "fr": "Seulement avec un grenier."} {
		page := s.plain("/rules/new?rules=oware&open=turn", map[string]string{"Accept-Language": language})
		again := regexp.MustCompile(`(?s)id="o-again".*?</fieldset>`).FindString(page.Body)
		if !strings.Contains(again, why) || !strings.Contains(again, `value="store" disabled`) {
			t.Errorf("%s: %s", language, again)
		}
	}
}

func TestComposerShowsABoardForEveryOption(t *testing.T) {
	s := serve(t)
	for _, rules := range []string{"kalah", "oware", "bao"} {
		pages := map[string]webtest.Page{}
		for _, o := range engine.Options() {
			part := ""
			for _, group := range []string{o.Group, "special"} { // options of captures that few games have
				if _, ok := pages[group]; !ok {
					pages[group] = s.plain("/rules/new?rules="+rules+"&open="+group, nil)
				}
				if part == "" {
					part = regexp.MustCompile(`(?s)id="o-` + o.Name + `".*?</fieldset>`).FindString(pages[group].Body)
				}
			}
			ofStart := slices.Contains([]string{"sides", "partners", "rows", "pits", "seeds", "opening", "total", "swap", "match", "target", "max_rounds"}, o.Name)
			if part == "" || !ofStart && !strings.Contains(part, "<svg") {
				t.Errorf("%s: no board shows what %s does", rules, o.Name)
			}
		}
		if !strings.Contains(pages["board"].Body, `class="start"`) {
			t.Errorf("%s: the first board is missing", rules)
		}
	}
}

func TestComparisonShowsWhereTwoGamesPart(t *testing.T) {
	s := serve(t)
	kept := s.post(s.person(), "/rules", "rules=kalah&options=pits%3D7&name=Long+Kalah").Header.Get("Location")
	for _, tt := range []struct {
		query string
		says  []string
	}{
		{"rules=kalah&with=pressman", []string{"it is won even if the opposite pit is empty", "Then this move parts them", "<figure"}},
		{"rules=kalah&with=kalah&theirs=pits%3D7", []string{"They part before the first move", "Each has a row of 7 pits."}},
		{"rules=kalah&with=oware&theirs=" + url.QueryEscape("https://play.example/rules/new?rules=kalah&options=again%3Dnone"), []string{"what gives another move", "Nothing."}},
		{"rules=kalah&with=oware&theirs=" + url.QueryEscape("https://play.example/learn/kalah?options=again%3Dnone#sow"), []string{"what gives another move", "Nothing."}},
		{"rules=kalah&with=oware&theirs=" + url.QueryEscape("https://play.example"+kept), []string{"They part before the first move", "Each has a row of 7 pits."}},
		{"rules=kalah&with=oware&theirs=" + url.QueryEscape("/rules/aaaaaaaaa2"), []string{"is no house rule"}},
		{"rules=kalah&with=kalah", []string{"These are the same rules."}},
		{"rules=kalah&with=kalah&theirs=max_rounds%3D3", []string{"Only in a match of rounds.", "nearest rules that can be played"}},
		{"rules=wise&with=wise&theirs=max_rounds%3D3", []string{"In all the games that we tried they stayed the same."}},
	} {
		page := s.plain("/rules/compare?"+tt.query, nil)
		for _, want := range tt.says {
			if page.Status != http.StatusOK || !strings.Contains(page.Body, want) {
				t.Errorf("%s: %d without %q", tt.query, page.Status, want)
			}
		}
		if key := missingText.FindString(page.Body); key != "" {
			t.Errorf("%s shows the key %s", tt.query, key)
		}
	}
}

func TestKeptRulesHaveANameAnAuthorAndALink(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.person()
	made := s.post(ada, "/rules", "rules=kalah&options=pits%3D7&name=Long+<Kalah")
	if made.Status != http.StatusUnprocessableEntity || !strings.Contains(made.Body, `value="pits=7"`) || !strings.Contains(made.Body, `value="Long &lt;Kalah"`) {
		t.Errorf("a bad name: %d, and the form does not show it and the rules again", made.Status)
	}
	if _, form, _ := strings.Cut(made.Body, `id="not-kept"`); !strings.Contains(form, `aria-describedby="not-kept" autofocus`) {
		t.Error("the reason is not told at the field of the name")
	}
	made = s.post(ada, "/rules", "rules=kalah&options=pits%3D7&name=Long+Kalah")
	link := made.Header.Get("Location")
	if !regexp.MustCompile(`^/rules/[a-z2-9]{10}$`).MatchString(link) {
		t.Fatalf("kept: %d, %q", made.Status, link)
	}
	page, err := ben.Get(s.ctx, link)
	s.must(err)
	for _, want := range []string{"<h1>Long Kalah</h1>", "Rules by ", "Each has a row of 7 pits.", `name="options" value="pits=7"`, `/t/new?options=pits%3D7&amp;rules=kalah`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("Ben reads no %q", want)
		}
	}
	if at := meta(page.Body, "og:image"); at != s.base+"/position.png?options=pits%3D7&amp;rules=kalah" {
		t.Errorf("a preview of the link shows %s", at)
	}
	if strings.Contains(page.Body, "forget-rules") {
		t.Error("Ben can delete Ada's rules")
	}
	mine, err := ada.Get(s.ctx, "/rules/new")
	s.must(err)
	if !strings.Contains(mine.Body, link) {
		t.Error("Ada does not find her rules")
	}
	s.post(ada, link+"/forget", "")
	if page, err = ben.Get(s.ctx, link); err != nil || page.Status != http.StatusNotFound {
		t.Errorf("after Ada has deleted them: %d, %v", page.Status, err)
	}
}

func TestRuleSetAboveTheMaximumIsRefusedWithTheNumber(t *testing.T) {
	s := serve(t)
	ada := s.person()
	for n := range rulebook.MaxKept {
		if made := s.post(ada, "/rules", fmt.Sprint("rules=kalah&options=pits%3D7&name=Kalah+", n)); made.Status != http.StatusSeeOther {
			t.Fatalf("rule set %d: %d", n, made.Status)
		}
	}
	made := s.post(ada, "/rules", "rules=kalah&options=pits%3D7&name=Long")
	if says := fmt.Sprintf("You keep %d rule sets already.", rulebook.MaxKept); !strings.Contains(made.Body, says) || !strings.Contains(made.Body, `value="Long"`) {
		t.Errorf("one more: %d without %q or the name", made.Status, says)
	}
}

func TestOnlyPeopleWithAnIdentityDeleteRulesAndNotTooOften(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitSettings] = lobby.Rate{N: 2, Per: time.Hour}
	})
	ada, stranger := s.person(), s.person()
	link := s.post(ada, "/rules", "rules=kalah&options=pits%3D7&name=Long").Header.Get("Location")
	refused := s.post(stranger, link+"/forget", "")
	if refused.Status != http.StatusUnauthorized || refused.Header.Get("Set-Cookie") != "" {
		t.Errorf("a stranger deletes rules: %d, cookie %q", refused.Status, refused.Header.Get("Set-Cookie"))
	}
	for _, want := range []int{http.StatusSeeOther, http.StatusTooManyRequests} {
		if got := s.post(ada, link+"/forget", ""); got.Status != want {
			t.Errorf("Ada deletes her rules: %d, want %d", got.Status, want)
		}
	}
}

func TestSearchEnginesAreKeptFromComposedRules(t *testing.T) {
	s := serve(t)
	for _, path := range []string{"/rules/new", "/rules/compare?rules=kalah&with=oware"} {
		if page := s.plain(path, nil); !strings.Contains(page.Body, `<meta name="robots" content="noindex">`) {
			t.Errorf("%s: %d without noindex", path, page.Status)
		}
	}
}

func TestOnlyPagesThatNeedASearchCountUnderTheLimitOfLessons(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Limits[site.LimitLessons] = lobby.Rate{N: 2, Per: time.Hour} })
	for _, tt := range []struct {
		path string
		want int
	}{
		{"/rules/new?rules=kalah&options=pits%3D5", http.StatusOK},
		{"/rules/compare?rules=kalah&with=kalah&theirs=pits%3D5", http.StatusOK},
		{"/rules/new?rules=kalah&options=pits%3D5", http.StatusOK},
		{"/rules/compare?rules=kalah&with=kalah&theirs=pits%3D5", http.StatusOK},
		{"/rules/compare?rules=kalah&with=kalah", http.StatusOK}, // the same rules need no search
		{"/rules/new?rules=kalah&options=pits%3D5&take=rows%3D2", http.StatusTooManyRequests},
		{"/rules/new?rules=kalah&options=pits%3D4", http.StatusTooManyRequests},
		{"/rules/new?rules=kalah&options=fun", http.StatusTooManyRequests},
		{"/rules/compare?rules=kalah&with=oware", http.StatusTooManyRequests},
	} {
		if page := s.plain(tt.path, nil); page.Status != tt.want {
			t.Errorf("%s: %d, want %d", tt.path, page.Status, tt.want)
		}
	}
}

func TestSearchOfTheComposerEndsWithTheRequest(t *testing.T) {
	s := serve(t)
	for _, target := range []string{"/rules/new?rules=oware", "/rules/compare?rules=kalah&with=oware"} {
		gone, leave := context.WithCancel(t.Context())
		leave()
		for _, tt := range []struct {
			ctx  context.Context
			want int
		}{{gone, http.StatusServiceUnavailable}, {t.Context(), http.StatusOK}} {
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(tt.ctx, http.MethodGet, target, nil))
			if w.Code != tt.want {
				t.Errorf("%s: %d, want %d", target, w.Code, tt.want)
			}
		}
	}
}

func TestFormsOfGamesLeadToTheComposer(t *testing.T) {
	s := serve(t)
	for _, path := range []string{"/", "/bot", "/t/new"} {
		if !strings.Contains(s.plain(path, nil).Body, `<a class="button" href="/rules/new" data-composer>`) {
			t.Errorf("%s has no link to the composer", path)
		}
	}
}

func TestTournamentIsMadeWithComposedRules(t *testing.T) {
	s := serve(t)
	page := s.plain("/t/new?rules=oware&options=pits%3D7", nil)
	if !strings.Contains(page.Body, `value="oware"`) || !strings.Contains(page.Body, `name="options" value="pits=7"`) {
		t.Error("the form does not have the rules")
	}
	ada := s.person()
	cup, _ := s.cup(ada, "name=Cup&format=swiss&rules=oware&options=pits%3D7&clock=none")
	if hall := s.plain("/t/"+cup, nil); !strings.Contains(hall.Body, "pits=7") && !strings.Contains(hall.Body, "house rules") {
		t.Error("the tournament does not tell its house rules")
	}
}

func TestRulesForFourLeadToNoTournament(t *testing.T) {
	s := serve(t)
	p := s.person()
	for system, want := range map[string]bool{"oware": true, "basic-four": false} {
		page := s.page(p, "/rules/new?rules="+system, http.StatusOK)
		if got := strings.Contains(page, `href="/t/new?rules=`+system); got != want {
			t.Errorf("%s leads to a tournament: %v", system, got)
		}
	}
	if page := s.page(p, "/t/new?rules=basic-four&options=pits%3D4", http.StatusOK); strings.Contains(page, "pits=4") {
		t.Error("the form has the options of a game that it does not offer")
	}
}
