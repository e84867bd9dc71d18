package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
)

// TestTextsAndHashesOfSystemsNeverChange pins the canonical text and the hash of
// every system: records, ratings and links store them permanently.
func TestTextsAndHashesOfSystemsNeverChange(t *testing.T) {
	var b strings.Builder
	seen := map[string]string{}
	for _, row := range engine.Systems {
		r := game(t, row.Name).Rules()
		if r.String() != row.Text {
			t.Errorf("%s: the row says\n%s\nits canonical form is\n%s", row.Name, row.Text, r)
		}
		if other, ok := seen[r.Hash()]; ok {
			t.Errorf("%s and %s have one hash", row.Name, other)
		}
		seen[r.Hash()] = row.Name
		fmt.Fprintf(&b, "%s %s %s\n", row.Name, r.Hash(), r)
	}
	golden(t, "testdata/systems.txt", b.String())
}

// TestDescriptionsMatchTheReviewedTexts shows in a file every change of the English
// that is made from the rules.
func TestDescriptionsMatchTheReviewedTexts(t *testing.T) {
	var b strings.Builder
	for _, row := range engine.Systems {
		fmt.Fprintf(&b, "%s: %s\n\n", row.Name, game(t, row.Name).Rules().Describe())
	}
	for _, rules := range []string{
		"oware grand_slam=forbidden end=majority remaining=split",
		"giuthi cross_needs=side again=capture,home pits=1 seeds=9",
		"wise swap=none max_rounds=5 total=30",
		"toguz-kumalak claim_ban=none", "toguz-kumalak claim_ban=twin claim=5", "kalah claim=2 claim_ban=last",
		"maruba cross_depth=full remaining=rival", "maruba cross_depth=inner",
		"mangala counts=3 count_spare=first sow_counts=none", "bestemshe counts=1 count_even=false", "pallanguzhi sow_winner=mover",
		"kalah seeds=1,2,3,4,5,6 direction=choice",
		"oware counts=4 count_chain=false lift=two-first grand_slam=opponent-keeps",
	} {
		fmt.Fprintf(&b, "%s: %s\n\n", rules, game(t, rules).Rules().Describe())
	}
	golden(t, "testdata/descriptions.txt", b.String())
}

// TestRuleTextsAreReadOrRefused reads rule sets (RULES.md §5) that mean the same, and
// some that are refused.
func TestRuleTextsAreReadOrRefused(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"only the name", "kalah", game(t, "kalah").Rules().String()},
		{"no name: the defaults", "store=true capture=cross again=store end=side-empty", game(t, "kalah").Rules().String()},
		{"values equal to the row's", "kalah store=true pits=6", game(t, "kalah").Rules().String()},
		{"any order", "kalah seeds=5 pits=7", game(t, "kalah pits=7 seeds=5").Rules().String()},
		{"lists are sorted", "oware counts=3,2", game(t, "oware").Rules().String()},
		{"subsets are sorted", "kalah again=capture,store", game(t, "kalah again=store,capture").Rules().String()},
		{"a list of equal numbers is one", "kalah seeds=4,4,4,4,4,4", game(t, "kalah").Rules().String()},
		{"an empty list", "wise again=none", strings.Replace(game(t, "wise").Rules().String(), " again=capture", "", 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := engine.ParseRules(tt.text)
			if err != nil || r.String() != tt.want {
				t.Errorf("got %v, %v; want %s", r, err, tt.want)
			}
			if again, err := engine.ParseRules(r.String()); err != nil || again.String() != r.String() {
				t.Errorf("read again: %v, %v", again, err)
			}
		})
	}
	for _, text := range []string{
		"kala", "Kalah", "kalah ", " kalah", "kalah  pits=7", "kalah pits", "kalah pits=", "kalah pits=0", "kalah pits=14", "kalah pits=07", "kalah pits=+7", "kalah pits=7.0",
		"kalah pits=\u0667", "kalah pits=7 pits=7", "kalah name=x", "kalah Pits=7", "kalah =7", "kalah sides=3", "kalah partners=0",
		"kalah store=True", "kalah store=1", "kalah store=", "kalah again=", "kalah again=all", "kalah again=store,store", "kalah again=none,store", "kalah again=store,",
		"kalah seeds=-1", "kalah seeds=4,", "kalah seeds=none", "kalah repetition=1", "kalah repetition=-1", "kalah no_progress=-1", "kalah end_at_most=-2",
		"oware counts=2,2", "oware counts=[2,3]", "oware counts=2;3", "oware counts=", "wise target=-1", "wise max_rounds=-1", "kalah target=99999999999999999999", "kalah\tpits=7",
	} {
		t.Run("refused "+text, func(t *testing.T) {
			r, err := engine.ParseRules(text)
			var refused *engine.RulesError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, %v; want a refusal", r, err)
			}
			if refused.Control == "" || refused.Reason == "" || !strings.Contains(err.Error(), refused.Reason) {
				t.Errorf("the refusal says too little: %v", err)
			}
		})
	}
}

// TestInvalidCombinationsNameTheOptionToBlame goes through the rows of RULES.md §6.
func TestInvalidCombinationsNameTheOptionToBlame(t *testing.T) {
	for _, tt := range []struct{ row, rules, control, reason string }{
		{"more than 250 seeds", "kalah seeds=21", "seeds", "more than 250"},
		{"more than 250 seeds to lay out", "ignorant total=251", "total", "more than 250"},
		{"fewer than 2 seeds", "kalah seeds=0,0,0,0,0,0", "seeds", "fewer than 2"},
		{"first position over", "giuthi end_at_most=36", "seeds", "over already (side-at-most)"},
		{"first position over", "oware seeds=0,0,0,0,0,1 repetition=2 end=lone-seed lift=two stuck=pass", "seeds", "over already (all-stuck)"},
		{"rightmost with two rows", "maruba start=rightmost", "start", "two rows"},
		{"four sides with partners", "basic-four partners=2", "partners", "one seat"},
		{"no store and no capture", "avalanche store=false again=none", "capture", "won"},

		{"two rows with four sides", "maruba sides=4 seeds=1", "sides", "two rows"},
		{"two rows with a store", "maruba store=true", "store", "two rows"},
		{"two rows with capture count", "maruba capture=count cross_own=true counts=2", "capture", "two rows"},
		{"two rows with a run", "maruba cross_run=true", "cross_run", "two rows"},
		{"two rows with a need", "maruba cross_needs=pit", "cross_needs", "two rows"},
		{"two rows with feeding", "maruba feed=must", "feed", "two rows"},
		{"two rows with a lay-out", "maruba opening=free seeds=0 total=20", "opening", "two rows"},
		{"two rows with again home", "maruba again=home", "again", "two rows"},

		{"four sides with capture count", "basic-four capture=count counts=2 cross_own=true", "capture", "not one player"},
		{"four sides with feeding", "basic-four feed=must end=none", "feed", "not one player"},
		{"four sides with a lay-out", "basic-four opening=free seeds=0 total=20", "opening", "not one player"},
		{"four sides with a match by difference", "basic-four match=difference target=9", "match", "not one player"},

		{"counts empty", "oware counts=none", "counts", "at least 1"},
		{"counts with 0", "oware counts=0,2", "counts", "at least 1"},
		{"counts with 0 and even numbers", "oware counts=0 count_even=true", "counts", "at least 1"},
		{"counts without capture count", "kalah counts=2", "counts", "capture count"},
		{"count_side without capture count", "kalah count_side=any", "count_side", "capture count"},
		{"count_chain without capture count", "kalah count_chain=false", "count_chain", "capture count"},
		{"count_opposite without capture count", "kalah count_opposite=true", "count_opposite", "capture count"},
		{"grand_slam without capture count", "kalah grand_slam=none", "grand_slam", "capture count"},
		{"counts kept when the capture changes", "oware capture=cross", "counts", "capture count"},
		{"cross_own without capture cross", "oware cross_own=false", "cross_own", "capture cross"},
		{"cross_empty without capture cross", "oware cross_empty=true", "cross_empty", "capture cross"},
		{"cross_run without capture cross", "oware cross_run=true", "cross_run", "capture cross"},
		{"cross_needs without capture cross", "avalanche cross_needs=pit", "cross_needs", "capture cross"},

		{"count_even without capture count", "kalah count_even=true", "count_even", "capture count"},
		{"count_spare without capture count", "kalah count_spare=first", "count_spare", "capture count"},

		{"keep_first with skip_origin", "oware keep_first=true", "keep_first", "skip_origin"},
		{"second round without skip_origin", "oware skip_origin=false second_round=opponent", "second_round", "a round"},
		{"second round with a store", "kalah skip_origin=true second_round=opponent", "second_round", "a round"},
		{"second round with four sides", "basic-four store=false again=none skip_origin=true second_round=opponent", "second_round", "one row"},
		{"second round with two rows", "maruba skip_origin=true second_round=opponent", "second_round", "one row"},
		{"relay next with a store", "avalanche relay=next", "relay", "next pit"},
		{"relay next with two rows", "maruba relay=next", "relay", "next pit"},
		{"relay next with again home", "endodoi relay=next capture=gap again=home", "relay", "next pit"},
		{"relay next with capture cross", "endodoi relay=next", "relay", "next pit"},
		{"gap with a store", "kalah capture=gap", "capture", "after the last one"},
		{"gap with four sides", "basic-four store=false again=none cross_own=true capture=gap", "capture", "not one player"},
		{"gap with two rows", "maruba cross_own=true capture=gap", "capture", "two rows"},
		{"gap with relay same", "endodoi capture=gap", "capture", "after the last one"},
		{"both with relay reverse", "endodoi relay=reverse capture=both counts=2", "capture", "not defined"},
		{"both with two rows", "maruba capture=both counts=2", "capture", "two rows"},
		{"both with four sides", "basic-four capture=both counts=2", "capture", "not one player"},
		{"sow_counts with 1", "avalanche sow_counts=1", "sow_counts", "at least 2"},
		{"sow_counts with four sides", "basic-four capture=none cross_own=true sow_counts=4", "sow_counts", "not defined"},
		{"sow_counts with two rows", "maruba sow_counts=4", "sow_counts", "not defined"},
		{"sow_counts with capture cross", "kalah sow_counts=4", "sow_counts", "not defined"},
		{"sow_winner without sow_counts", "kalah sow_winner=mover", "sow_winner", "sow_counts"},
		{"count_spare with any side", "oware count_spare=first count_side=any", "count_spare", "not one answer"},
		{"count_spare with a choice", "oware count_spare=first direction=choice", "count_spare", "not one answer"},
		{"count_spare with relay reverse", "oware count_spare=first relay=reverse", "count_spare", "not one answer"},
		{"cross_at without capture cross", "oware cross_at=occupied", "cross_at", "capture cross"},
		{"cross_at with the own seed", "endodoi cross_at=occupied", "cross_at", "stay"},
		{"cross_at without relay", "basic cross_at=occupied", "cross_at", "stay"},
		{"backward beyond the columns", "omweso backward=9", "backward", "columns"},
		{"backward without a capture", "maruba backward=2", "backward", "capture"},
		{"backward with a free direction", "omweso direction=choice", "backward", "direction"},
		{"head with three pits", "bao-kujifunza pits=3", "captured", "flanks"},
		{"must_capture with won seeds", "maruba must_capture=true", "must_capture", "not defined"},
		{"must_capture with backward", "omweso must_capture=true", "must_capture", "not defined"},
		{"must_capture with two-first", "bao-kujifunza lift=two-first", "must_capture", "not defined"},
		{"reserve without must_capture", "hus reserve=2", "reserve", "entry"},
		{"reserve with too many seeds", "bao-kujifunza reserve=94", "seeds", "more than 250"},
		{"house without reserve", "bao-kujifunza house=l", "house", "reserve"},
		{"house in the outer row", "bao-kujifunza reserve=2 house=h", "house", "inner pit"},
		{"house beyond the row", "bao-kujifunza reserve=2 house=q", "house", "inner pit"},
		{"block without must_capture", "hus block=true", "block", "threat"},
		{"row-empty with one row", "kalah end=row-empty", "end", "two rows"},
		{"row-empty without rival", "maruba end=row-empty", "end", "rival"},
		{"captured with one row", "endodoi cross_own=false cross_at=occupied captured=onward", "captured", "nothing is won"},
		{"captured at an empty pit", "maruba captured=onward", "captured", "nothing is won"},
		{"captured without repetition", "hus repetition=0", "captured", "nothing is won"},
		{"captured with again capture", "hus again=capture", "captured", "nothing is won"},
		{"captured with a majority", "hus end=majority", "captured", "nothing is won"},
		{"captured with end_total", "hus end_total=9", "captured", "nothing is won"},
		{"cross_depth with one row", "kalah cross_depth=inner", "cross_depth", "two rows"},
		{"cross_depth without capture cross", "oware cross_depth=inner", "cross_depth", "capture cross"},
		{"remaining rival with four sides", "basic-four remaining=rival", "remaining", "not one player"},
		{"claim at 1", "toguz-kumalak claim=1", "claim", "at least 2"},
		{"claim with four sides", "basic-four claim=3", "claim", "single lap"},
		{"claim with partners", "basic-teams claim=3", "claim", "single lap"},
		{"claim with two rows", "maruba claim=3", "claim", "single lap"},
		{"claim with a relay", "avalanche claim=3", "claim", "single lap"},
		{"claim with gifts", "oware feed=give claim=3", "claim", "single lap"},
		{"claim with a lay-out", "wise relay=none count_side=opponent count_opposite=false claim=3", "claim", "single lap"},
		{"claim with gap", "pallanguzhi relay=none sow_counts=none claim=3", "claim", "single lap"},
		{"claim with the pit opposite", "oware count_opposite=true claim=3", "claim", "single lap"},
		{"claim with any side", "oware count_side=any claim=3", "claim", "single lap"},
		{"claim with sow_counts", "avalanche relay=none sow_counts=4 claim=3", "claim", "single lap"},
		{"claim_ban without claim", "kalah claim_ban=last", "claim_ban", "belongs to claim"},
		{"claim without a store or a capture", "avalanche relay=none store=false again=none claim=3", "capture", "won"},
		{"first position over, few left", "oware end_total=48", "seeds", "over already (few-left)"},

		{"grand slam with any side", "oware grand_slam=none count_side=any", "grand_slam", "more than the opponent's row"},
		{"grand slam with the opposite", "oware grand_slam=none count_opposite=true", "grand_slam", "more than the opponent's row"},
		{"cross_empty without cross_own", "basic cross_empty=true", "cross_empty", "cross_own"},
		{"cross_empty with a need", "pressman cross_needs=side", "cross_empty", "contradicts"},
		{"again store without store", "oware again=store", "again", "without a store"},
		{"again capture without captures", "avalanche again=capture", "again", "without captures"},
		{"remaining emptier", "oware remaining=emptier", "remaining", "side-empty"},
		{"feed with side-empty", "oware end=side-empty", "feed", "too late"},
		{"feed with end_at_most", "oware end_at_most=0", "feed", "too late"},

		{"lay-out with seeds", "ignorant seeds=6", "seeds", "two ways"},
		{"lay-out with a list of seeds", "ignorant seeds=0,0,0,0,0,0", "seeds", "two ways"},
		{"lay-out with partners", "ignorant partners=2 match=single target=0", "opening", "partners"},
		{"lay-out of fewer than 2", "ignorant total=1", "total", "at least 2"},
		{"paired with two pits", "wise pits=2", "pits", "at least 3"},
		{"swap with a fixed opening", "kalah swap=keeps-first", "swap", "two ways"},
		{"total with a fixed opening", "kalah total=48", "total", "two ways"},
		{"no seeds with a fixed opening", "kalah seeds=0", "seeds", "unless"},
		{"a list of the wrong length", "kalah seeds=4,4", "seeds", "one for each pit"},

		{"difference without target", "wise target=0", "target", "must be set"},
		{"difference with partners", "kalah partners=2 match=difference target=9", "match", "two single players"},
		{"target with single", "kalah target=9", "target", "by difference"},
		{"max_rounds with single", "kalah max_rounds=9", "max_rounds", "by difference"},

		{"may never end, clockwise", "clockwise repetition=0 no_progress=0", "no_progress", "end by itself"},
		{"may never end, no store", "oware repetition=0 no_progress=0", "no_progress", "end by itself"},
		{"may never end, reversing", "avalanche relay=reverse repetition=0 no_progress=0", "no_progress", "end by itself"},
	} {
		t.Run(tt.row, func(t *testing.T) {
			r, err := engine.ParseRules(tt.rules)
			if err != nil {
				t.Fatal(err)
			}
			g, err := engine.Compile(r)
			var refused *engine.RulesError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, %v; want a refusal", g, err)
			}
			if refused.Control != tt.control || !strings.Contains(refused.Reason, tt.reason) {
				t.Errorf("got %v; want %s to blame, and %q", err, tt.control, tt.reason)
			}
		})
	}
}

// TestCombinationsNextToInvalidOnesAreValid has combinations that are similar to
// those of RULES.md §6.
func TestCombinationsNextToInvalidOnesAreValid(t *testing.T) {
	for _, rules := range []string{
		"kalah seeds=20", "kalah pits=1 seeds=1", "kalah pits=13 seeds=9", "ignorant total=250", "ignorant total=2", "giuthi end_at_most=35",
		"kalah repetition=0 no_progress=0", "avalanche repetition=0 no_progress=0", "clockwise repetition=0", "clockwise no_progress=0",
		"kalah count_side=opponent", "wise pits=3", "maruba pits=1 seeds=3,3", "maruba pits=13 seeds=4", "maruba direction=choice", "maruba partners=2",
		"basic-four remaining=emptier", "basic-four pits=13 seeds=4", "oware counts=2,3,200,300", "giuthi cross_needs=side again=home", "oware-abapa end=majority repetition=2",
		"kalah match=difference target=9 max_rounds=3", "wise swap=none", "giuthi pits=10", "oware feed=none",
		"oware counts=1,2", "oware counts=none count_even=true", "oware end_total=47", "avalanche sow_counts=4 sow_winner=mover", "oware relay=same capture=both", "maruba cross_depth=full remaining=rival", "maruba cross_depth=inner",
		"avalanche relay=none claim=3", "kalah claim=300 claim_ban=last,twin", "oware feed=must claim=2", "mangala claim=3", "toguz-kumalak direction=choice",
		"bao-kujifunza reserve=93 house=p block=true", "maruba end=row-empty remaining=rival", "hus must_capture=true", "bao-kujifunza pits=4",
	} {
		game(t, rules)
	}
}

// TestCompileRefusesValuesThatNoTextGives builds rules without a parser.
func TestCompileRefusesValuesThatNoTextGives(t *testing.T) {
	kalah := game(t, "kalah").Rules()
	for name, tt := range map[string]struct {
		change  func(*engine.Rules)
		control string
	}{
		"three sides":        {func(r *engine.Rules) { r.Sides = 3 }, "sides"},
		"no pits":            {func(r *engine.Rules) { r.Pits = 0 }, "pits"},
		"no seeds":           {func(r *engine.Rules) { r.Seeds = nil }, "seeds"},
		"negative seeds":     {func(r *engine.Rules) { r.Seeds = []int{-1} }, "seeds"},
		"an unknown word":    {func(r *engine.Rules) { r.Feed = "please" }, "feed"},
		"an unknown end":     {func(r *engine.Rules) { r.End = []engine.EndRule{"noon"} }, "end"},
		"one occurrence":     {func(r *engine.Rules) { r.Repetition = 1 }, "repetition"},
		"an unknown capture": {func(r *engine.Rules) { r.Capture = "huff" }, "capture"},
	} {
		t.Run(name, func(t *testing.T) {
			r := kalah
			tt.change(&r)
			_, err := engine.Compile(r)
			var refused *engine.RulesError
			if !errors.As(err, &refused) || refused.Control != tt.control {
				t.Errorf("got %v, want %s refused", err, tt.control)
			}
		})
	}
	if _, err := engine.Compile(engine.Rules{}); err == nil {
		t.Error("the zero value is not a rule set")
	}
	unsorted := kalah
	unsorted.Again = []engine.Again{engine.AgainCapture, engine.AgainStore}
	if want := game(t, "kalah again=store,capture").Rules().String(); unsorted.String() != want {
		t.Errorf("the canonical form is %s, want %s whatever the order", unsorted, want)
	}
}

func TestEveryOptionHasAGroupAndReadsBackItsValue(t *testing.T) {
	r := game(t, "wise pits=7").Rules()
	groups := []string{"board", "start", "lift", "sow", "capture", "turn", "end", "match"}
	for _, o := range engine.Options() {
		if !slices.Contains(groups, o.Group) || o.What == "" {
			t.Errorf("option %s: group %q, what %q", o.Name, o.Group, o.What)
		}
		if v := o.Get(r); len(o.Values) > 0 && !o.Many && !slices.Contains(o.Values, v) {
			t.Errorf("option %s is %q, not one of %v", o.Name, v, o.Values)
		}
		if again, err := r.With(o.Name + "=" + o.Get(r)); err != nil || again.String() != r.String() {
			t.Errorf("option %s: setting it to what it is gives %v, %v", o.Name, again, err)
		}
	}
}

func TestDifferencesNameTheOptionAndBothValues(t *testing.T) {
	oware, abapa := game(t, "oware").Rules(), game(t, "oware-abapa").Rules()
	var got []string
	for _, d := range engine.Differences(abapa, oware) {
		got = append(got, d.String())
	}
	want := []string{
		"a capture of all the opponent's seeds: none instead of capture",
		"when the player on turn has no move: end instead of pass",
		"who wins the seeds left: own instead of split",
	}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], strings.Split(want[i], ":")[0]) || !strings.HasSuffix(got[i], strings.Split(want[i], ": ")[1]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if d := engine.Differences(oware, oware); len(d) > 0 {
		t.Errorf("a rule set differs from itself in %v", d)
	}
}
