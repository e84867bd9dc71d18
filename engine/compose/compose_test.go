package compose_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/engine/enginetest"
)

func system(t interface {
	Helper()
	Fatal(args ...any)
}, text string) engine.Rules {
	t.Helper()
	r, err := engine.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// values returns the values of an option that a control offers.
func values(c compose.Control) (offered []string) {
	switch c.Kind {
	case compose.Number, compose.Seeds:
		if c.Why != nil {
			return nil
		}
		for _, n := range []int{c.Number.Low, (c.Number.Low + c.Number.High) / 2, c.Number.High} {
			offered = append(offered, strconv.Itoa(n))
		}
		if c.Number.MayBeOff {
			offered = append(offered, strconv.Itoa(c.Number.Off))
		}
	default:
		for _, choice := range c.Choices {
			if choice.Why == nil {
				offered = append(offered, toggled(c, choice))
			}
		}
	}
	return offered
}

func toggled(c compose.Control, choice compose.Choice) string {
	switch c.Kind {
	case compose.Switch:
		return strconv.FormatBool(c.Value == "false")
	case compose.Set:
		list := slices.DeleteFunc(strings.Split(c.Value, ","), func(v string) bool { return v == "none" || v == choice.Value })
		if !choice.Now {
			list = append(list, choice.Value)
		}
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(list, ",")
	}
	return choice.Value
}

func TestEveryValueThatIsOfferedMakesARuleSetAndEveryOtherHasAReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := enginetest.Game(t).Rules()
		if engine.Public.In(r) {
			t.Skip("not for a public server")
		}
		for _, c := range compose.Controls(r) {
			for _, v := range values(c) {
				next, err := r.With(c.Name + "=" + v)
				if err != nil {
					t.Fatalf("%s: %s=%s is offered: %v", r, c.Name, v, err)
				}
				settled, conflict := compose.Settle(next, c.Name)
				if c.Kind == compose.Seeds && conflict != nil && conflict.Code == "over" {
					continue // a gap
				}
				if conflict != nil || compose.Conflict(settled) != nil {
					t.Fatalf("%s: %s=%s is offered, and makes %s: %v", r, c.Name, v, settled, conflict)
				}
				if c.Get(settled) != c.Get(next) {
					t.Fatalf("%s: %s=%s was taken back", r, c.Name, v)
				}
			}
			for _, choice := range c.Choices {
				if choice.Why != nil && (choice.Why.Reason == "" || choice.Why.Code == "") {
					t.Fatalf("%s: %s=%s has no reason", r, c.Name, choice.Value)
				}
			}
		}
	})
}

func TestOptionsFollowThoseTheyBelongTo(t *testing.T) {
	for _, tt := range []struct{ name, rules, change, want string }{
		{"numbers come with the capture", "kalah", "capture=count", "counts=2,3"},
		{"the marks of a cross capture go with it", "basic", "capture=count", "cross_own=true"},
		{"no store, no extra turn for it", "kalah", "store=false", "again=none"},
		{"a lay-out brings its seeds", "oware", "opening=free", "seeds=0"},
		{"and a fixed opening takes them back", "ignorant", "opening=fixed", "total=0"},
		{"a list of seeds ends with its board", "kalah seeds=1,2,3,4,5,6", "pits=5", "seeds=4"},
		{"a match of rounds has a number to reach", "kalah", "match=difference", "target=60"},
		{"a game that can go in circles ends", "kalah no_progress=0", "direction=cw", "no_progress=100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name, _, _ := strings.Cut(tt.change, "=")
			next, err := system(t, tt.rules).With(tt.change)
			if err != nil {
				t.Fatal(err)
			}
			got, conflict := compose.Settle(next, name)
			want, value, _ := strings.Cut(tt.want, "=")
			if text := valueOf(got, want); conflict != nil || text != value {
				t.Errorf("%s: %s is %s, want %s; %v", got, want, text, value, conflict)
			}
		})
	}
}

func valueOf(r engine.Rules, name string) string {
	for _, o := range engine.Options() {
		if o.Name == name {
			return o.Get(r)
		}
	}
	return ""
}

func TestImpossibleValuesAreNotOffered(t *testing.T) {
	for _, tt := range []struct{ rules, option, value, code string }{
		{"kalah", "rows", "2", "rows"},
		{"oware", "capture", "none", "nothing-won"},
		{"kalah", "feed", "must", "feed"},
		{"oware", "keep_first", "true", "keep-skip"},
		{"kalah", "relay", "next", "relay-next"},
		{"basic-four", "partners", "2", "four-partners"},
		{"oware", "again", "store", "again-store"},
		{"oware", "grand_slam", "none", ""},
		{"kalah", "counts", "2", "of-count"},
	} {
		conflict := compose.Impossible(system(t, tt.rules), tt.option, tt.value)
		if code := codeOf(conflict); code != tt.code {
			t.Errorf("%s: %s=%s is refused with %q, want %q", tt.rules, tt.option, tt.value, code, tt.code)
		}
	}
}

func codeOf(c *engine.Conflict) string {
	if c == nil {
		return ""
	}
	return c.Code
}

func TestNearestRuleSetHasNoConflictAndKeepsWhatItWasAskedTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := enginetest.Game(t).Rules()
		if compose.Conflict(r) == nil {
			if near, ok := compose.Nearest(r); !ok || near.Hash() != r.Hash() {
				t.Fatalf("%s is playable, and its nearest rule set is %s", r, near)
			}
		}
		for _, c := range compose.Controls(r) {
			for _, choice := range c.Choices {
				if choice.Why == nil || rapid.IntRange(0, 9).Draw(t, "one of ten") > 0 {
					continue
				}
				next, err := r.With(c.Name + "=" + toggled(c, choice))
				if err != nil {
					continue
				}
				if near, ok := compose.Nearest(next, c.Name); ok && (compose.Conflict(near) != nil || c.Get(near) != c.Get(next)) {
					t.Fatalf("%s with %s=%s: nearest is %s", r, c.Name, choice.Value, near)
				}
			}
		}
	})
}

func TestEveryValueCanBeHadWithWhatItNeeds(t *testing.T) {
	for _, row := range engine.Systems {
		r := system(t, row.Text)
		for _, c := range compose.Controls(r) {
			for _, choice := range c.Choices {
				if choice.Why == nil {
					continue
				}
				next, err := r.With(c.Name + "=" + toggled(c, choice))
				if err != nil {
					continue // a house that the board does not have
				}
				if _, ok := compose.Nearest(next, c.Name); !ok && !(c.Name == "sow_counts" && choice.Value == "1") && c.Name != "counts" {
					t.Errorf("%s: no rule set with %s=%s was found (%s)", row.Name, c.Name, toggled(c, choice), choice.Why.Code)
				}
			}
		}
	}
}

func TestNonsenseIsReadAsTheNearestRuleSet(t *testing.T) {
	kalah := system(t, "kalah")
	for _, tt := range []struct {
		name, text, want string
		codes            []string
		conflict         string
	}{
		{"nothing", "", "kalah", nil, ""},
		{"a rule set", "pits=7 seeds=5", "kalah pits=7 seeds=5", nil, ""},
		{"no change", "fun", "kalah", []string{"form"}, ""},
		{"an option that is none", "fun=true pits=7", "kalah pits=7", []string{"unknown"}, ""},
		{"an option twice", "pits=7 pits=8", "kalah pits=7", []string{"twice"}, ""},
		{"a number that is too large", "pits=99", "kalah pits=13", []string{"value"}, ""},
		{"a number between two", "sides=3", "kalah", []string{"value"}, ""},
		{"a word in capitals", "relay=SAME", "kalah relay=same", []string{"value"}, ""},
		{"a word that is none", "relay=sideways", "kalah", []string{"value"}, ""},
		{"a conflict", "feed=must", "kalah feed=must end=none", nil, "feed"},
		{"one that others follow", "capture=count", "kalah capture=count counts=2,3", nil, "counts"},
		{"two rows", "rows=2", "", nil, "rows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := compose.Read(kalah, tt.text)
			var codes []string
			for _, n := range got.Nonsense {
				codes = append(codes, n.Code)
			}
			if !slices.Equal(codes, tt.codes) || codeOf(got.Conflict) != tt.conflict || got.Fine() != (len(tt.codes) == 0 && tt.conflict == "") {
				t.Errorf("nonsense %v, conflict %q", codes, codeOf(got.Conflict))
			}
			if c := compose.Conflict(got.Rules); c != nil {
				t.Errorf("%s has the conflict %s", got.Rules, c.Code)
			}
			if tt.want != "" && got.Rules.String() != system(t, tt.want).String() {
				t.Errorf("got %s, want %s", got.Rules, system(t, tt.want))
			}
		})
	}
}

func TestAnyTextIsReadAsARuleSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := system(t, rapid.SampledFrom(engine.Systems).Draw(t, "system").Text)
		var parts []string
		for range rapid.IntRange(0, 8).Draw(t, "parts") {
			o := rapid.SampledFrom(engine.Options()).Draw(t, "option")
			word := rapid.SampledFrom(append([]string{"0", "1", "2", "4", "7", "99", "-1", "2,3", "none", "true", "x"}, o.Values...))
			parts = append(parts, o.Name+"="+word.Draw(t, "value"))
		}
		got := compose.Read(base, strings.Join(parts, " "))
		if c := compose.Conflict(got.Rules); c != nil {
			t.Fatalf("%q gives %s with the conflict %s", parts, got.Rules, c.Code)
		}
	})
}
