package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Option is one line of the table of RULES.md §4, for code that prints, parses or
// composes rules without knowing each option.
type Option struct {
	Group  string   // board, start, lift, sow, capture, turn, end, match
	Name   string   // as in files, flags and the API
	What   string   // one line for people
	Values []string // the words it takes; empty for numbers and lists of numbers
	Many   bool     // the value is a comma-separated list

	get func(*Rules) string
	set func(*Rules, string) bool // returns false if the text is not a value of this option
}

// Get returns the option's value in r as text.
func (o *Option) Get(r Rules) string { return o.get(&r) }

// Options returns all options in the order of RULES.md §4.
func Options() []Option { return options }

var options = []Option{
	number("board", "sides", "sides of the board", func(r *Rules) *int { return &r.Sides }, 2, 4, 3),
	number("board", "partners", "seats sharing a side", func(r *Rules) *int { return &r.Partners }, 1, 2),
	number("board", "rows", "rows of pits on each side", func(r *Rules) *int { return &r.Rows }, 1, 2),
	number("board", "pits", "pits in each row", func(r *Rules) *int { return &r.Pits }, 1, maxPits),

	seeds("start", "seeds", "seeds in the pits"),
	word("start", "opening", "how the seeds get into the pits", func(r *Rules) *Opening { return &r.Opening }, OpeningFixed, OpeningFree, OpeningPaired),
	number("start", "total", "seeds to lay out", func(r *Rules) *int { return &r.Total }, 0, maxNumber),
	word("start", "swap", "may the other player turn the board round", func(r *Rules) *Swap { return &r.Swap }, SwapNone, SwapKeepsFirst, SwapLosesFirst),

	word("lift", "direction", "which way seeds are sown", func(r *Rules) *Direction { return &r.Direction }, DirectionCCW, DirectionCW, DirectionChoice),
	word("lift", "start", "which pit may be lifted", func(r *Rules) *StartPit { return &r.Start }, StartAny, StartRightmost),
	word("lift", "lift", "how many seeds a pit needs", func(r *Rules) *Lift { return &r.Lift }, LiftAny, LiftTwo, LiftTwoFirst),

	boolean("sow", "store", "seeds are sown into one's own store", func(r *Rules) *bool { return &r.Store }),
	boolean("sow", "skip_origin", "long sowings pass over the pit lifted", func(r *Rules) *bool { return &r.SkipOrigin }),
	word("sow", "relay", "lift on from an occupied last pit", func(r *Rules) *Relay { return &r.Relay }, RelayNone, RelaySame, RelayReverse, RelayNext),

	word("capture", "capture", "the kind of capture", func(r *Rules) *Capture { return &r.Capture }, CaptureNone, CaptureCross, CaptureCount, CaptureBoth, CaptureGap),
	boolean("capture", "cross_own", "the capturing seed is won too", func(r *Rules) *bool { return &r.CrossOwn }),
	boolean("capture", "cross_empty", "it is won even if the opposite pit is empty", func(r *Rules) *bool { return &r.CrossEmpty }),
	boolean("capture", "cross_run", "captures run on along empty own pits", func(r *Rules) *bool { return &r.CrossRun }),
	word("capture", "cross_needs", "what must have been sown in this move", func(r *Rules) *CrossNeeds { return &r.CrossNeeds }, CrossNeedsNothing, CrossNeedsPit, CrossNeedsSide),
	counts("capture", "counts", "numbers of seeds that capture", func(r *Rules) *[]int { return &r.Counts }),
	word("capture", "count_side", "whose pits are captured", func(r *Rules) *CountSide { return &r.CountSide }, CountSideOpponent, CountSideAny),
	boolean("capture", "count_chain", "also the pits before it", func(r *Rules) *bool { return &r.CountChain }),
	boolean("capture", "count_opposite", "each with the pit opposite", func(r *Rules) *bool { return &r.CountOpposite }),
	word("capture", "grand_slam", "a capture of all the opponent's seeds", func(r *Rules) *GrandSlam { return &r.GrandSlam },
		GrandSlamCapture, GrandSlamNone, GrandSlamForbidden, GrandSlamLeaveLast, GrandSlamLeaveFirst, GrandSlamOpponentKeeps),

	words("turn", "again", "what gives another move", func(r *Rules) *[]Again { return &r.Again }, AgainStore, AgainCapture, AgainHome),
	word("turn", "feed", "when the opponent's side is empty", func(r *Rules) *Feed { return &r.Feed }, FeedNone, FeedMust, FeedGive),
	word("turn", "stuck", "when the player on turn has no move", func(r *Rules) *Stuck { return &r.Stuck }, StuckEnd, StuckPass),

	words("end", "end", "what ends the game", func(r *Rules) *[]EndRule { return &r.End }, EndRuleSideEmpty, EndRuleLoneSeed, EndRuleMajority, EndRuleRowEmpty),
	number("end", "end_at_most", "a side with at most this many seeds ends the game", func(r *Rules) *int { return &r.EndAtMost }, -1, maxNumber),
	word("end", "remaining", "who wins the seeds left", func(r *Rules) *Remaining { return &r.Remaining }, RemainingOwn, RemainingEmptier, RemainingSplit, RemainingNobody, RemainingRival),
	number("end", "repetition", "occurrences of a position that end the game", func(r *Rules) *int { return &r.Repetition }, 0, maxNumber, 1),
	number("end", "no_progress", "moves without a seed won that end the game", func(r *Rules) *int { return &r.NoProgress }, 0, maxNumber),
	word("end", "cycle_remaining", "who wins the seeds left after these two", func(r *Rules) *Remaining { return &r.CycleRemaining }, RemainingOwn, RemainingSplit, RemainingNobody),

	word("match", "match", "what a match is", func(r *Rules) *MatchKind { return &r.Match }, MatchSingle, MatchDifference),
	number("match", "target", "gains that win a match by difference", func(r *Rules) *int { return &r.Target }, 0, maxNumber),
	number("match", "max_rounds", "rounds after which a match ends", func(r *Rules) *int { return &r.MaxRounds }, 0, maxNumber),

	number("start", "reserve", "seeds that each side has in hand", func(r *Rules) *int { return &r.Reserve }, 0, maxNumber),
	number("lift", "backward", "columns at the left that may be sown the other way to capture", func(r *Rules) *int { return &r.Backward }, 0, maxPits),
	boolean("lift", "must_capture", "moves that capture at once go before all others", func(r *Rules) *bool { return &r.MustCapture }),
	boolean("sow", "keep_first", "the first seed falls into the pit lifted", func(r *Rules) *bool { return &r.KeepFirst }),
	word("sow", "second_round", "where a sowing longer than one round goes on", func(r *Rules) *SecondRound { return &r.SecondRound }, SecondRoundAll, SecondRoundOpponent),
	counts("sow", "sow_counts", "numbers of seeds that are captured in passing", func(r *Rules) *[]int { return &r.SowCounts }),
	word("sow", "sow_winner", "who wins the seeds captured in passing", func(r *Rules) *SowWinner { return &r.SowWinner }, SowWinnerOwner, SowWinnerMover),
	boolean("capture", "count_even", "every even number captures too", func(r *Rules) *bool { return &r.CountEven }),
	word("capture", "count_spare", "which pit is never captured", func(r *Rules) *CountSpare { return &r.CountSpare }, CountSpareNone, CountSpareFirst),
	word("capture", "cross_at", "what the capturing pit held before", func(r *Rules) *CrossAt { return &r.CrossAt }, CrossAtEmpty, CrossAtOccupied),
	word("capture", "cross_depth", "what is captured across with two rows", func(r *Rules) *CrossDepth { return &r.CrossDepth }, CrossDepthAny, CrossDepthFull, CrossDepthInner),
	word("capture", "captured", "what becomes of captured seeds", func(r *Rules) *Captured { return &r.Captured }, CapturedWon, CapturedOnward, CapturedRestart, CapturedHead),
	number("capture", "claim", "number of seeds that claims the opponent's pit", func(r *Rules) *int { return &r.Claim }, 0, maxNumber),
	words("capture", "claim_ban", "which pits are never claimed", func(r *Rules) *[]ClaimBan { return &r.ClaimBan }, ClaimBanLast, ClaimBanTwin),
	house("capture", "house", "the pit that is a house", func(r *Rules) *House { return &r.House }),
	boolean("capture", "block", "a threat may block the threatened pit", func(r *Rules) *bool { return &r.Block }),
	number("end", "end_total", "a board with at most this many seeds ends the game", func(r *Rules) *int { return &r.EndTotal }, 0, maxNumber),
}

const (
	maxPits   = 13
	maxSeeds  = 250           // on the board; counts fit a byte
	maxNumber = 1_000_000_000 // bound of options that have no bound of their own
)

// maxRulesText bounds the text that is read. Every valid rule set is shorter.
const maxRulesText = 4096

// ParseRules reads a rule set: a system's name (or no name, for the defaults of
// RULES.md §4) and changes "key=value", with one space between them. It refuses text
// that is not an option or a value. [Compile] checks whether the values fit together.
// The error is a [*RulesError].
func ParseRules(text string) (Rules, error) {
	name, changes, _ := strings.Cut(text, " ")
	if text == "" || strings.Contains(name, "=") {
		return Default().withText(text)
	}
	r, ok := System(name)
	if !ok {
		return Rules{}, &RulesError{Control: "system", Reason: fmt.Sprintf("there is no system %.40q", name)}
	}
	if changes == "" && name != text {
		return Rules{}, &RulesError{Control: "options", Reason: "end with a space"}
	}
	return r.withText(changes)
}

// withText is With for changes written as one text.
func (r Rules) withText(changes string) (Rules, error) {
	switch {
	case changes == "":
		return r, nil
	case len(changes) > maxRulesText:
		return Rules{}, &RulesError{Control: "options", Reason: "are too long"}
	}
	return r.With(strings.Split(changes, " ")...)
}

// With returns the rules with the changes "key=value" made, each option at most once.
// The error is a [*RulesError].
func (r Rules) With(changes ...string) (Rules, error) {
	seen := map[string]bool{}
	for _, change := range changes {
		name, value, ok := strings.Cut(change, "=")
		i := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
		switch {
		case !ok:
			return Rules{}, &RulesError{Control: "options", Reason: fmt.Sprintf("%.40q is not of the form key=value", change)}
		case i < 0:
			return Rules{}, &RulesError{Control: "options", Reason: fmt.Sprintf("there is no option %.40q", name)}
		case seen[name]:
			return Rules{}, &RulesError{Control: name, Reason: "is given twice"}
		case !options[i].set(&r, value):
			return Rules{}, &RulesError{Control: name, Reason: fmt.Sprintf("cannot be %.40q", value)}
		}
		seen[name] = true
	}
	return r, nil
}

// Changes lists the options in which r differs from base, as "key=value" in the order
// of RULES.md §4.
func (r Rules) Changes(base Rules) []string {
	var out []string
	for _, o := range options {
		if v := o.get(&r); v != o.get(&base) {
			out = append(out, o.Name+"="+v)
		}
	}
	return out
}

// String returns the canonical form of RULES.md §5: the options that differ from the
// defaults, in the order of RULES.md §4. Equal rule sets have equal forms.
func (r Rules) String() string { return strings.Join(r.Changes(Default()), " ") }

// Hash returns the permanent identity of a rule set: the first 8 bytes of the SHA-256
// of the canonical form, in hexadecimal.
func (r Rules) Hash() string {
	sum := sha256.Sum256([]byte(r.String()))
	return hex.EncodeToString(sum[:8])
}

// number makes an option whose values are low to high without the exceptions.
func number(group, name, what string, at func(*Rules) *int, low, high int, except ...int) Option {
	return Option{Group: group, Name: name, What: what,
		get: func(r *Rules) string { return strconv.Itoa(*at(r)) },
		set: func(r *Rules, s string) bool {
			n, ok := parseInt(s)
			if !ok || n < low || n > high || slices.Contains(except, n) {
				return false
			}
			*at(r) = n
			return true
		}}
}

func boolean(group, name, what string, at func(*Rules) *bool) Option {
	return Option{Group: group, Name: name, What: what, Values: []string{"false", "true"},
		get: func(r *Rules) string { return strconv.FormatBool(*at(r)) },
		set: func(r *Rules, s string) bool {
			*at(r) = s == "true"
			return s == "true" || s == "false"
		}}
}

func word[T ~string](group, name, what string, at func(*Rules) *T, values ...T) Option {
	return Option{Group: group, Name: name, What: what, Values: texts(values),
		get: func(r *Rules) string { return string(*at(r)) },
		set: func(r *Rules, s string) bool {
			*at(r) = T(s)
			return slices.Contains(values, T(s))
		}}
}

// words makes an option whose value is a subset of values, kept in their order.
func words[T ~string](group, name, what string, at func(*Rules) *[]T, values ...T) Option {
	return Option{Group: group, Name: name, What: what, Values: texts(values), Many: true,
		get: func(r *Rules) string {
			list := slices.Clone(*at(r))
			inOrder(list, values)
			return joinOrNone(texts(list))
		},
		set: func(r *Rules, s string) bool {
			var out []T
			if s != "none" {
				for w := range strings.SplitSeq(s, ",") {
					if !slices.Contains(values, T(w)) || slices.Contains(out, T(w)) {
						return false
					}
					out = append(out, T(w))
				}
			}
			inOrder(out, values)
			*at(r) = out
			return true
		}}
}

// inOrder sorts list into the order of values.
func inOrder[T comparable](list, values []T) {
	slices.SortFunc(list, func(a, b T) int { return slices.Index(values, a) - slices.Index(values, b) })
}

// house makes the option whose value is none or the letter of a pit.
func house(group, name, what string, at func(*Rules) *House) Option {
	return Option{Group: group, Name: name, What: what,
		get: func(r *Rules) string { return string(*at(r)) },
		set: func(r *Rules, s string) bool {
			*at(r) = House(s)
			return s == string(HouseNone) || len(s) == 1 && isPit(s[0])
		}}
}

// seeds makes the option for one number or a list. A list of equal numbers is stored
// as that number, so that equal boards have equal forms.
func seeds(group, name, what string) Option {
	return Option{Group: group, Name: name, What: what, Many: true,
		get: func(r *Rules) string {
			if len(r.Seeds) == r.PitsPerSide() && r.uniform() {
				return strconv.Itoa(r.Seeds[0])
			}
			return joinInts(r.Seeds)
		},
		set: func(r *Rules, s string) bool {
			list, ok := parseInts(s, 2*maxPits, 0, maxNumber)
			r.Seeds = list
			return ok
		}}
}

func counts(group, name, what string, at func(*Rules) *[]int) Option {
	return Option{Group: group, Name: name, What: what, Many: true,
		get: func(r *Rules) string {
			if len(*at(r)) == 0 {
				return "none"
			}
			return joinInts(slices.Sorted(slices.Values(*at(r))))
		},
		set: func(r *Rules, s string) bool {
			if s == "none" {
				*at(r) = nil
				return true
			}
			list, ok := parseInts(s, maxSeeds, 0, maxNumber)
			if !ok {
				return false
			}
			slices.Sort(list)
			*at(r) = slices.Compact(slices.Clone(list))
			return len(*at(r)) == len(list)
		}}
}

// uniform reports whether every pit starts with the same number of seeds.
func (r Rules) uniform() bool {
	return len(r.Seeds) > 0 && !slices.ContainsFunc(r.Seeds, func(n int) bool { return n != r.Seeds[0] })
}

// parseInt reads an integer in the form that strconv.Itoa prints.
func parseInt(s string) (int, bool) {
	if len(s) > 10 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && strconv.Itoa(n) == s
}

func parseInts(s string, most, low, high int) ([]int, bool) {
	if strings.Count(s, ",") >= most {
		return nil, false
	}
	var out []int
	for f := range strings.SplitSeq(s, ",") {
		n, ok := parseInt(f)
		if !ok || n < low || n > high {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

func joinInts(list []int) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return strings.Join(out, ",")
}

func joinOrNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ",")
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
