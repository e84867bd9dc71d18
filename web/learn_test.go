package web

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/web/learn"
)

// ids checks that each ID of a page is unique, and returns the IDs.
func (s *service) ids(path, body string) []string {
	s.Helper()
	var ids []string
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(body, -1) {
		if slices.Contains(ids, m[1]) {
			s.Errorf("%s has two elements with the ID %s", path, m[1])
		}
		ids = append(ids, m[1])
	}
	return ids
}

func TestLearnPagesAreCompleteAndSmall(t *testing.T) {
	s := serve(t)
	p := s.person()
	paths := []string{"/learn"}
	for _, row := range engine.Systems {
		paths = append(paths, "/learn/"+row.Name)
	}
	descriptions := map[string]string{}
	for _, path := range paths {
		page, err := p.Get(s.ctx, path)
		s.must(err)
		if page.Status != http.StatusOK || strings.Count(page.Body, "<h1") != 1 {
			t.Errorf("%s: %d with %d main headings", path, page.Status, strings.Count(page.Body, "<h1"))
		}
		if key := missingText.FindString(page.Body); key != "" {
			t.Errorf("%s shows the key %s instead of a text", path, key)
		}
		ids := s.ids(path, page.Body)
		for _, m := range regexp.MustCompile(`href="#([^"]+)"|(?:aria-labelledby|aria-describedby)="([^"]+)"`).FindAllStringSubmatch(page.Body, -1) {
			if !slices.Contains(ids, m[1]+m[2]) {
				t.Errorf("%s refers to #%s, which is not there", path, m[1]+m[2])
			}
		}
		if !strings.Contains(page.Body, `<link rel="canonical" href="`+s.base+path+`">`) {
			t.Errorf("%s does not say its own address", path)
		}
		if path != "/learn" && meta(page.Body, "og:image") != s.base+"/position.png?rules="+path[len("/learn/"):] {
			t.Errorf("a preview of the link to %s shows %s", path, meta(page.Body, "og:image"))
		}
		description := regexp.MustCompile(`name="description" content="([^"]+)"`).FindStringSubmatch(page.Body)
		if len(description) < 2 || descriptions[description[1]] != "" {
			t.Errorf("%s: description %q, as of %s", path, description, descriptions[description[1]])
		} else {
			descriptions[description[1]] = path
		}
		limit := 100 << 10
		if path == "/learn" {
			limit = 5_000 * len(engine.Systems) // it shows a board for each; compressed it is a tenth of this
		}
		if len(page.Body) > limit || strings.Contains(page.Body, "style=") {
			t.Errorf("%s has %d bytes, or styles of its own", path, len(page.Body))
		}
	}
	if p.Cookie() != "" {
		t.Error("viewing a page made the visitor a guest")
	}
}

// The waiting room, the preview of its link, the page of the rules and the score sheet tell house rules in words, in
// the reader's language.
func TestHouseRulesAreToldInWords(t *testing.T) {
	s := serve(t)
	const options = "seeds=3 again=none"
	id, err := s.person().Make(s.ctx, url.Values{"rules": {"kalah"}, "options": {options}})
	s.must(err)
	query := "options=" + url.QueryEscape(options)
	for lang, want := range map[string][]string{"en": {": 3 instead of 4", "what gives another move: Nothing"}, "fr": {"3 au lieu de 4", "Rien"}} {
		for path, place := range map[string]string{
			"/" + id: `(?s)<div id="house">.*?</div>`, "/" + id + "?": `<meta property="og:description" content="[^"]*">`,
			"/learn/kalah?" + query: `(?s)<ul class="points">.*?</ul>`, "/sheet?rules=kalah&" + query: `(?s)<p class="rules-of">.*?</p>`,
		} {
			page := s.plain(path, map[string]string{"Accept-Language": lang})
			told := regexp.MustCompile(place).FindString(page.Body)
			for _, words := range want {
				if !strings.Contains(told, words) {
					t.Errorf("%s in %s tells %q, without %q", path, lang, told, words)
				}
			}
			if strings.Contains(told, "none") {
				t.Errorf("%s in %s tells the code of a value: %q", path, lang, told)
			}
		}
	}
}

// The comparison with a neighbour is about the usual rules, so a page of house rules has none.
func TestRulesPageSaysWhereTheGameComesFrom(t *testing.T) {
	s := serve(t)
	const compared = `href="/rules/compare?rules=mangala&amp;with=kalah"`
	page := s.plain("/learn/mangala", nil)
	for _, want := range []string{
		"Thomas Hyde described it in 1694", "Compared with Kalah:", compared, "<cite>De ludis orientalibus</cite>, 1694",
		"Language: Turkish", `<dt lang="tr">kuyu</dt>`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("no %s on the page of Mangala", want)
		}
	}
	if strings.Contains(page.Body, "Everything else is the same.") {
		t.Error("Mangala is said to be like Kalah but for two rules")
	}
	if page = s.plain("/learn/clockwise", nil); !strings.Contains(page.Body, "Everything else is the same.") {
		t.Error("the game that only runs clockwise is not said to be Kalah otherwise")
	}
	if page = s.plain("/learn/mangala?options=pits%3D7", nil); strings.Contains(page.Body, compared) || !strings.Contains(page.Body, "<cite>") {
		t.Error("house rules are compared with Kalah, or have no sources")
	}
	if page = s.plain("/rules/compare?rules=mangala&with=kalah", nil); page.Status != http.StatusOK {
		t.Errorf("the comparison: %d", page.Status)
	}
}

func TestLearnPageExplainsHouseRules(t *testing.T) {
	s := serve(t)
	p := s.person()
	get := func(system, options string) (int, string) {
		t.Helper()
		page, err := p.Get(s.ctx, "/learn/"+system+"?options="+url.QueryEscape(options))
		s.must(err)
		return page.Status, page.Body
	}
	status, body := get("kalah", " seeds=5   pits=7 ")
	for _, want := range []string{
		"Every pit starts with 5 seeds.", "with house rules", "pits in each row: 7 instead of 6",
		`name="options" value="pits=7 seeds=5"`, `/learn/kalah?options=pits%3D7&#43;seeds%3D5">`,
	} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("house rules: %d, without %q", status, want)
		}
	}
	if status, body = get("kalah", "pits=6"); status != http.StatusOK || strings.Contains(body, "house rules") || !strings.Contains(body, s.base+`/learn/kalah">`) {
		t.Errorf("house rules that change nothing: %d", status)
	}
	for options, want := range map[string]string{
		"pits=99":                             "pits cannot be",
		"pits":                                "not of the form",
		"fun=true":                            "there is no option",
		"pits=7 pits=8":                       "given twice",
		"seeds=30":                            "250",
		"<script>alert(1)</script>=1":         "there is no option",
		strings.Repeat("pits=7 ", 500):        "do not fit",
		"store=false capture=none again=none": "no seed",
	} {
		if status, body = get("kalah", options); status != 422 || !strings.Contains(body, want) || strings.Contains(body, "<script>alert") {
			t.Errorf("%.40s: %d, want %q in %.2000s", options, status, want, body)
		}
	}
	for _, system := range []string{"chess", "Kalah", "kalah%20", "..%2fsettings"} {
		if status, _ = get(system, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d", system, status)
		}
	}
}

// paragraphsOf reads the map in refusals.js, which the page of a game uses. It
// has the paragraph of the rules for each refusal.
func paragraphsOf(t *testing.T) map[string]string {
	t.Helper()
	script, err := os.ReadFile("static/speech/refusals.js")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(script), "const paragraphs = {")
	if !found {
		t.Fatal("refusals.js has no paragraphs")
	}
	table, _, _ = strings.Cut(table, "};")
	paragraphs := map[string]string{}
	for _, m := range regexp.MustCompile(`"?([a-z-]+)"?: "([a-z-]+)"`).FindAllStringSubmatch(table, -1) {
		paragraphs[m[1]] = m[2]
	}
	return paragraphs
}

func TestEveryReasonHasARule(t *testing.T) {
	paragraphs := paragraphsOf(t)
	for code, id := range paragraphs {
		if !slices.Contains(learn.Anchors, id) {
			t.Errorf("%s leads to #%s, which no page of rules has", code, id)
		}
	}
	source, err := os.ReadFile("../engine/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons := regexp.MustCompile(`Reason = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(reasons) < 15 {
		t.Errorf("only %d reasons were found", len(reasons))
	}
	for _, m := range reasons {
		if code := m[1]; paragraphs[code] == "" && code != "bad-move" { // our pages never send a malformed move
			t.Errorf("%s leads nowhere", code)
		}
	}
}

// The test makes wrong moves in all systems. The target of "Why?" must exist on
// that game's page.
func TestEveryRefusalLeadsToARule(t *testing.T) {
	paragraphs := paragraphsOf(t)
	random := rand.New(rand.NewPCG(5, 6))
	for _, row := range engine.Systems {
		g := engine.MustCompile(row.Text)
		var ids []string
		for _, s := range learn.Tell(g, func(key string, _ ...any) string { return key }) {
			ids = append(ids, s.ID)
		}
		for range 20 {
			p := learn.Begin(g)
			for range 60 {
				for pit := range g.Shape().Pits {
					for _, m := range []engine.Move{{Pit: pit}, {Pit: pit, Way: engine.CCW}, {Kind: engine.MovePass}} {
						after := p
						var refused *engine.MoveError
						if errors.As(g.Play(&after, nil, m, nil), &refused) && !slices.Contains(ids, paragraphs[string(refused.Reason)]) {
							t.Fatalf("%s: %s in %s is refused with %s, and #%s is not on the page", row.Name, m, p, refused.Reason, paragraphs[string(refused.Reason)])
						}
					}
				}
				moves := g.LegalMoves(&p, nil)
				if len(moves) == 0 || g.Play(&p, nil, moves[random.IntN(len(moves))], nil) != nil {
					break
				}
			}
		}
	}
}
