package learn

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/web/messages"
)

// catalog returns the English catalog. A key that it lacks fails the test.
func catalog(t *testing.T) Text {
	t.Helper()
	raw, err := os.ReadFile("../messages/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return func(key string, pairs ...any) string {
		text, ok := all[key].(string)
		if forms, plural := all[key].(map[string]any); plural {
			text, ok = forms["other"].(string)
		}
		if !ok {
			t.Errorf("the catalog has no %q", key)
		}
		for i := 0; i < len(pairs); i += 2 {
			text = strings.ReplaceAll(text, fmt.Sprintf("{%v}", pairs[i]), fmt.Sprint(pairs[i+1]))
		}
		return text
	}
}

// checkSections checks that the sections are complete and in order, and that each has
// text.
func checkSections(t *testing.T, rules string, sections []Section) {
	t.Helper()
	before := -1
	for _, s := range sections {
		if at := slices.Index(Anchors, s.ID); at <= before {
			t.Errorf("%s: section %q is out of order", rules, s.ID)
		} else {
			before = at
		}
		for _, text := range append([]string{s.Title}, s.Text...) {
			if text == "" || strings.ContainsAny(text, "{}") {
				t.Errorf("%s: section %s has the text %q", rules, s.ID, text)
			}
		}
	}
	for _, id := range []string{"board", "setup", "first-move", "lift", "direction", "sow", "capture", "stuck", "end", "win"} {
		if !slices.ContainsFunc(sections, func(s Section) bool { return s.ID == id }) {
			t.Errorf("%s: there is no section %s", rules, id)
		}
	}
}

// TestEveryPlayableRuleSetIsExplained sets each option of each system to each of its
// values.
func TestEveryPlayableRuleSetIsExplained(t *testing.T) {
	text, explained := catalog(t), 0
	for _, row := range engine.Systems {
		base, _ := engine.System(row.Name)
		for _, o := range engine.Options() {
			for _, value := range append(o.Values, "0", "1", "2", "4", "60", "2,4") {
				rules, err := base.With(o.Name + "=" + value)
				if err != nil {
					continue
				}
				if _, err := engine.Compile(rules); err != nil {
					continue
				}
				checkSections(t, rules.String(), words(rules, text))
				explained++
			}
		}
	}
	if explained < 500 {
		t.Errorf("only %d rule sets were explained", explained)
	}
}

func TestSectionsExplainTheRulesInWhichAGameDiffers(t *testing.T) {
	text := catalog(t)
	for rules, want := range map[string]string{
		"kalah":                      "capture: The last seed itself is won too.",
		"basic":                      "capture: The last seed itself stays where it is.",
		"pressman":                   "capture: If the pit opposite is empty, you still win that last seed.",
		"clockwise":                  "direction: Sow clockwise",
		"oware":                      "sow: With so many seeds that you come round again",
		"oware-abapa":                "grand-slam: A move that would take all seeds of the other side is allowed, but takes nothing.",
		"giuthi":                     "relay: ", // back the other way
		"maruba":                     "end: The game is over when the player on turn cannot move.",
		"ignorant":                   "lift: But there is no choice",
		"wise":                       "match: A match has many rounds.",
		"basic-four":                 "first-move: Then the turn goes round counter-clockwise",
		"basic-teams":                "win: Partners win together.",
		"oware counts=2,3,4":         "capture: If the last seed falls into a pit of another side and makes 2, 3 or 4 there",
		"kalah pits=7 seeds=5":       "setup: Every pit starts with 5 seeds.",
		"hus":                        "end: It also ends after 100 moves without a capture.",
		"bao":                        "end: It also ends after 100 moves without a capture or a seed from a hand.",
		"bao-kujifunza":              "end: Then all seeds that are left go to the opponent of the player who has no move or an empty inner row.",
		"hus cross_depth=full":       "board: Captured seeds stay on the board. Nothing is won before the end.",
		"omweso":                     "end: Then all seeds that are left go to the opponent of the player who has no move or no seeds.",
		"kalah again=none":           "",
		"oware grand_slam=forbidden": "grand-slam: A move that would take all seeds of the other side is not allowed.",
	} {
		r, err := engine.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, s := range words(r, text) {
			for _, line := range s.Text {
				all = append(all, s.ID+": "+line)
			}
			if rules == "kalah again=none" && s.ID == "again" {
				t.Errorf("%s explains playing again: %q", rules, s.Text)
			}
		}
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("%s does not say %q, but\n%s", rules, want, strings.Join(all, "\n"))
		}
	}
}

func TestExamplesAreLegalMovesAndCoverTheMainRules(t *testing.T) {
	for _, row := range engine.Systems {
		g := engine.MustCompile(row.Text)
		found := Find(g)
		for id, e := range found {
			after := e.Before
			if err := g.Play(&after, nil, e.Move, nil); err != nil || after != e.After || e.Before.Seat != 0 {
				t.Errorf("%s: the example of %s plays %s in %s and gives %s, %v", row.Name, id, e.Move, e.Before, after, err)
			}
		}
		r := g.Rules()
		for id, has := range map[string]bool{
			"sow": true, "end": true, "relay": r.Relay != engine.RelayNone,
			"capture": r.Capture != engine.CaptureNone, "again": len(r.Again) > 0,
		} {
			if (found[id] != nil) != has && (has || id == "again") {
				t.Errorf("%s: has an example of %s: %t, want %t", row.Name, id, found[id] != nil, has)
			}
		}
	}
}

// TestPicturesHoldNumbersAndMarksOnly reads the pictures as XML. Words are only in their
// text alternatives.
func TestPicturesHoldNumbersAndMarksOnly(t *testing.T) {
	text := catalog(t)
	marks := regexp.MustCompile(`^(\d+|\+\d+|[×●◆])$`)
	systems := []string{"kalah pits=13 seeds=9", "kalah pits=1", "basic-four pits=1", "wise pits=3 total=7", "ignorant pits=13 total=250", "maruba pits=13 seeds=2"}
	for _, row := range engine.Systems {
		systems = append(systems, row.Name)
	}
	for _, name := range systems {
		r, err := engine.ParseRules(name)
		if err != nil {
			t.Fatal(err)
		}
		g, err := engine.Compile(r)
		if err != nil {
			t.Fatal(err)
		}
		pictures := 0
		for _, s := range Tell(g, text) {
			for _, f := range s.Figures {
				if f.Caption == "" || strings.Contains(f.Caption, "{") {
					t.Errorf("%s: %s: the caption is %q", name, s.ID, f.Caption)
				}
				for _, svg := range f.Boards {
					pictures++
					d := xml.NewDecoder(strings.NewReader(string(svg)))
					for {
						token, err := d.Token()
						if errors.Is(err, io.EOF) {
							break
						}
						if err != nil {
							t.Fatalf("%s: %s: %v", name, s.ID, err)
						}
						switch token := token.(type) {
						case xml.CharData:
							if !marks.Match(token) {
								t.Errorf("%s: %s: the picture has the text %q", name, s.ID, token)
							}
						case xml.StartElement:
							for _, a := range token.Attr {
								if a.Name.Local == "style" || a.Value == "" || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "{") {
									t.Errorf("%s: %s: %s=%q", name, s.ID, a.Name.Local, a.Value)
								}
							}
						}
					}
				}
			}
		}
		if pictures == 0 {
			t.Errorf("%s has no pictures", name)
		}
	}
}

// BenchmarkTell measures the cost of a page with house rules.
func BenchmarkTell(b *testing.B) {
	g := engine.MustCompile("maruba pits=13 seeds=2")
	for b.Loop() {
		Tell(g, func(key string, _ ...any) string { return key })
	}
}

func TestPicturesTellSeedsInHandAndMarksOfPits(t *testing.T) {
	rules, _ := engine.System("bao")
	g := engine.MustCompile(rules.String())
	p, err := g.Parse("1,4,1,3,4,1,4,4,1,10,4,1,0,0,0,0/1,0,2,0,2,2,2,2,1,4,5,3,2!,0,0,0 0/0 N play 1 45")
	if err != nil {
		t.Fatal(err)
	}
	for picture, want := range map[string]string{
		string(Picture(g, g.Start(), catalog(t))): "Your seeds in hand: 22.",
		string(Picture(g, p, catalog(t))):         "3, 2 blocked, 0",
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("%q is not in\n%s", want, picture)
		}
	}
	if start := string(Picture(g, g.Start(), catalog(t))); !strings.Contains(start, "2, 2, 6 house, 0") || strings.Contains(start, "tore") {
		t.Errorf("the house or the hand is not told in\n%s", start)
	}
}

func TestPicturesHaveStoresOnlyInGamesThatHaveThem(t *testing.T) {
	owned := regexp.MustCompile(`stroke="var\(--p\d`) // in the colour of its owner
	for _, row := range engine.Systems {
		g := engine.MustCompile(row.Text)
		start := string(Board(g, Begin(g), Marks{}, ""))
		want := 0
		if g.Rules().Store {
			want = int(g.Shape().Sides)
		}
		if n := len(owned.FindAllString(start, -1)); n != want {
			t.Errorf("%s: the picture has %d stores, want %d", row.Name, n, want)
		}
	}
}

func TestEachSystemHasAPictureOfItsOwn(t *testing.T) {
	seen := map[string]string{}
	for _, row := range engine.Systems {
		picture := string(Signature(row.Name))
		if other := seen[picture]; other != "" {
			t.Errorf("%s looks like %s", row.Name, other)
		}
		seen[picture] = row.Name
		if signatures[row.Name] != "" && Find(engine.MustCompile(row.Text))[signatures[row.Name]] == nil {
			t.Errorf("%s has no example of %s", row.Name, signatures[row.Name])
		}
	}
}

// placeless are the games whose sources name no place.
var placeless = []string{"clockwise"}

// The list beside the map has each system whose sources name a place.
func TestMapHasAPlaceForEverySystem(t *testing.T) {
	times := map[string]int{}
	for i, p := range Places() {
		for _, row := range p.Systems {
			times[row.Name]++
		}
		if !strings.Contains(string(Map("")), fmt.Sprintf(">%d</text>", i+1)) {
			t.Errorf("the map has no disc for %s", p.Name)
		}
	}
	for _, row := range engine.Systems {
		if want := map[bool]int{true: 0, false: 1}[slices.Contains(placeless, row.Name)]; times[row.Name] != want {
			t.Errorf("%s has %d places in known, want %d", row.Name, times[row.Name], want)
		}
	}
}

func TestAlternativesFitTheNumberThatFollows(t *testing.T) {
	for lang, want := range map[string][]string{"es": {"2, 3 o 4", "4 u 8", "3 u 11"}, "pt": {"2, 3 ou 4", "4 ou 8", "3 ou 11"}} {
		c, err := messages.Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		for i, numbers := range [][]string{{"2", "3", "4"}, {"4", "8"}, {"3", "11"}} {
			if got := (&writer{text: c.T}).orList(numbers); got != want[i] {
				t.Errorf("%s: %q, want %q", lang, got, want[i])
			}
		}
	}
}

func TestDescriptionsOfBoardsHaveTheCommaOfTheLanguage(t *testing.T) {
	c, err := messages.Load("ar")
	if err != nil {
		t.Fatal(err)
	}
	kalah, _ := engine.System("kalah")
	g, err := engine.Compile(kalah)
	if err != nil {
		t.Fatal(err)
	}
	said := string(At(g, Begin(g), c.T).Boards[0])
	if !strings.Contains(said, "4، 4، 4، 4، 4، 4") {
		t.Errorf("the description is %s", said)
	}
}

func TestEveryLayOutGameBeginsWithSeedsOnTheBoard(t *testing.T) {
	for _, rules := range []string{"ignorant", "wise", "ignorant total=12", "ignorant pits=1 total=2"} { // also one seed for each pit
		if p := Begin(engine.MustCompile(rules)); p.Phase != engine.Play || p.Seat != 0 {
			t.Errorf("%s begins with %s", rules, p)
		}
	}
}
