package engine

import (
	"slices"
	"strings"
)

// A Conflict is an invalid combination of RULES.md §6.
type Conflict struct {
	Code    string // of the reason, for the sentence that a page says; several conflicts may share one
	Control string // the option to change
	Others  string // the other options of the combination, separated by spaces

	// Belongs reports whether Control only means something together with Others. Such an option
	// follows them: it does not stand in the way of their values.
	Belongs bool

	Reason string // completes a sentence that starts with Control

	broken func(r *Rules) bool
}

// In reports whether r has the conflict.
func (c *Conflict) In(r Rules) bool { return c.broken(&r) }

// Options returns the options of the combination, Control first.
func (c *Conflict) Options() []string {
	return append([]string{c.Control}, strings.Fields(c.Others)...)
}

// Err returns the conflict as an error.
func (c *Conflict) Err() *RulesError { return &RulesError{Control: c.Control, Reason: c.Reason} }

// Conflict returns the first conflict of the rules, or nil. For rules that [Rules.With] or [ParseRules]
// has made, it is nil exactly if [Compile] takes them.
func (r Rules) Conflict() *Conflict {
	if c := r.combination(); c != nil {
		return c
	}
	if _, err := compile(r); err != nil {
		return overAtOnce
	}
	return nil
}

// check returns the first conflict that needs no board to be seen.
func (r Rules) check() *Conflict {
	for i := range options {
		// A caller may have built the rules without a parser.
		if o, copied := &options[i], r; !o.set(&copied, o.get(&r)) {
			return &Conflict{Code: "value", Control: o.Name, Reason: "has a value that it cannot have", broken: func(*Rules) bool { return true }}
		}
	}
	return r.combination()
}

// combination returns the first invalid combination of values.
func (r *Rules) combination() *Conflict {
	for i := range conflicts {
		if conflicts[i].broken(r) {
			return &conflicts[i]
		}
	}
	return nil
}

// overAtOnce is the conflict that only a board shows.
var overAtOnce = &Conflict{
	Code: "over", Control: "seeds", Others: "end end_at_most end_total lift stuck pits opening total start relay repetition no_progress backward captured reserve",
	Reason: "make a first position that is over already: nothing to play",
}

func init() { // Compile refers to the conflicts
	overAtOnce.broken = func(r *Rules) bool {
		_, err := Compile(*r)
		return err != nil
	}
}

// Public is the combination that is valid, but unsuitable for a public server: a game that may go
// on for thousands of plies without progress (RULES.md §7.7).
var Public = &Conflict{
	Code: "circles", Control: "no_progress", Others: "store direction relay feed", Belongs: true,
	Reason: "must be from 1 to 1000 in a game that can go in circles",
	broken: func(r *Rules) bool {
		ends := r.EndsByItself() && r.Feed != FeedGive
		return !ends && (r.NoProgress == 0 || r.NoProgress > 1000)
	},
}

// EndsByItself reports whether every game must end without a rule about cycles. It
// must if every sowing that leaves the mover's side pays a seed into the mover's
// store (RULES.md §6, last row).
func (r Rules) EndsByItself() bool {
	return r.Store && r.Direction == DirectionCCW && r.Relay != RelayReverse
}

const (
	whyTwoRows   = "does not go with two rows: an own track has no store, never touches the opponent's pits, and seeds never change sides"
	whyFourSides = "does not go with four sides: 'the opponent' is not one player"
	ofCount      = "belongs to capture count"
	ofCross      = "belongs to capture cross"
	ofDifference = "belongs to a match by difference"
)

// conflicts are the rows of RULES.md §6, one for each option that stands in the way of Control. The first one that the rules have is the reason why they
// are refused, so the order is part of what people read.
var conflicts = []Conflict{
	// shape
	{"four-partners", "partners", "sides", false, "must be 1 on the four-sided board: one seat for each side",
		func(r *Rules) bool { return r.Sides == 4 && r.Partners == 2 }},
	{"rightmost-rows", "start", "rows", false, "cannot be rightmost with two rows: which pit is furthest right is not defined",
		func(r *Rules) bool { return r.Start == StartRightmost && r.Rows == 2 }},
	{"nothing-won", "capture", "store", false, "cannot be none without a store: no seed could ever be won",
		func(r *Rules) bool { return !r.Store && r.Capture == CaptureNone }},
	// two rows
	{"rows", "sides", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.Sides == 4 }},
	{"rows", "store", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.Store }},
	{"rows", "capture", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.Capture != CaptureCross }},
	{"rows", "cross_run", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.CrossRun }},
	{"rows", "cross_needs", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.CrossNeeds != CrossNeedsNothing }},
	{"rows", "feed", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.Feed != FeedNone }},
	{"rows", "opening", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && r.Opening != OpeningFixed }},
	{"rows", "again", "rows", false, whyTwoRows,
		func(r *Rules) bool { return r.Rows == 2 && slices.Contains(r.Again, AgainHome) }},
	// four sides
	{"four", "capture", "sides", false, whyFourSides,
		func(r *Rules) bool { return r.Sides == 4 && (r.Capture.byCount() || r.Capture == CaptureGap) }},
	{"four", "feed", "sides", false, whyFourSides,
		func(r *Rules) bool { return r.Sides == 4 && r.Feed != FeedNone }},
	{"four", "remaining", "sides", false, whyFourSides,
		func(r *Rules) bool { return r.Sides == 4 && r.Remaining == RemainingRival }},
	{"four", "opening", "sides", false, whyFourSides,
		func(r *Rules) bool { return r.Sides == 4 && r.Opening != OpeningFixed }},
	{"four", "match", "sides", false, whyFourSides,
		func(r *Rules) bool { return r.Sides == 4 && r.Match == MatchDifference }},
	// the lay-out
	{"no-layout", "swap", "opening", true, "must be none with a fixed opening: there would be two ways to say the start",
		func(r *Rules) bool { return r.Opening == OpeningFixed && r.Swap != SwapNone }},
	{"no-layout", "total", "opening", true, "must be 0 with a fixed opening: there would be two ways to say the start",
		func(r *Rules) bool { return r.Opening == OpeningFixed && r.Total != 0 }},
	{"layout", "seeds", "opening", true, "must be 0 when the seeds are laid out: there would be two ways to say the start",
		func(r *Rules) bool { return r.Opening != OpeningFixed && (len(r.Seeds) != 1 || r.Seeds[0] != 0) }},
	{"layout-partners", "opening", "partners", false, "must be fixed with partners",
		func(r *Rules) bool { return r.Opening != OpeningFixed && r.Partners == 2 }},
	{"layout-few", "total", "opening", true, "must be at least 2 when the seeds are laid out",
		func(r *Rules) bool { return r.Opening != OpeningFixed && r.Total < 2 }},
	{"many", "total", "opening", true, "is more than 250 seeds: boards stay readable",
		func(r *Rules) bool { return r.Opening != OpeningFixed && r.Total > maxSeeds }},
	{"paired-pits", "pits", "opening", false, "must be at least 3 for a paired lay-out: there would be no inner pits",
		func(r *Rules) bool { return r.Opening == OpeningPaired && r.Pits < 3 }},
	// the seeds of a fixed opening
	{"each-pit", "seeds", "pits rows", true, "must be one number, or one for each pit of a side",
		func(r *Rules) bool {
			return r.Opening == OpeningFixed && len(r.Seeds) != 1 && len(r.Seeds) != r.PitsPerSide()
		}},
	{"no-seeds", "seeds", "opening", true, "cannot be 0 unless the seeds are laid out",
		func(r *Rules) bool { return r.Opening == OpeningFixed && len(r.Seeds) == 1 && r.Seeds[0] == 0 }},
	{"many", "seeds", "pits rows sides reserve", false, "are more than 250 on the board: boards stay readable",
		func(r *Rules) bool { return r.Opening == OpeningFixed && r.seedsAtStart() > maxSeeds }},
	{"few", "seeds", "pits rows sides reserve", false, "are fewer than 2 on the board",
		func(r *Rules) bool { return r.Opening == OpeningFixed && r.seedsAtStart() < 2 }},
	// unusual laps
	{"keep-skip", "keep_first", "skip_origin", false, "contradicts skip_origin: one sows the pit that the other passes over",
		func(r *Rules) bool { return r.KeepFirst && r.SkipOrigin }},
	{"backward-pits", "backward", "pits", true, "is more than the columns of a side",
		func(r *Rules) bool { return r.Backward > r.Pits }},
	{"backward", "backward", "cross_at", true, "must be 0 here: there is no other direction, or nothing it could capture",
		func(r *Rules) bool { return r.Backward > 0 && r.CrossAt != CrossAtOccupied }},
	{"backward", "backward", "direction", true, "must be 0 here: there is no other direction, or nothing it could capture",
		func(r *Rules) bool { return r.Backward > 0 && r.Direction == DirectionChoice }},
	{"second-round", "second_round", "skip_origin", true, "cannot be opponent unless a round is every pit but one, and the opponent has one row",
		func(r *Rules) bool { return r.SecondRound == SecondRoundOpponent && !r.SkipOrigin }},
	{"second-round", "second_round", "store", true, "cannot be opponent unless a round is every pit but one, and the opponent has one row",
		func(r *Rules) bool { return r.SecondRound == SecondRoundOpponent && r.Store }},
	{"second-round", "second_round", "sides", true, "cannot be opponent unless a round is every pit but one, and the opponent has one row",
		func(r *Rules) bool { return r.SecondRound == SecondRoundOpponent && r.Sides == 4 }},
	{"second-round", "second_round", "rows", true, "cannot be opponent unless a round is every pit but one, and the opponent has one row",
		func(r *Rules) bool { return r.SecondRound == SecondRoundOpponent && r.Rows == 2 }},
	{"relay-next", "relay", "store", false, "cannot be next here: the next pit decides, and not the last one",
		func(r *Rules) bool { return r.Relay == RelayNext && r.Store }},
	{"relay-next", "relay", "rows", false, "cannot be next here: the next pit decides, and not the last one",
		func(r *Rules) bool { return r.Relay == RelayNext && r.Rows == 2 }},
	{"relay-next", "relay", "again", false, "cannot be next here: the next pit decides, and not the last one",
		func(r *Rules) bool { return r.Relay == RelayNext && slices.Contains(r.Again, AgainHome) }},
	{"relay-next", "relay", "capture", false, "cannot be next here: the next pit decides, and not the last one",
		func(r *Rules) bool {
			return r.Relay == RelayNext && r.Capture != CaptureGap && r.Capture != CaptureNone
		}},
	{"gap", "capture", "store", false, "cannot be gap here: it looks at the pits after the last one",
		func(r *Rules) bool { return r.Capture == CaptureGap && r.Store }},
	{"gap", "capture", "rows", false, "cannot be gap here: it looks at the pits after the last one",
		func(r *Rules) bool { return r.Capture == CaptureGap && r.Rows == 2 }},
	{"gap", "capture", "relay", false, "cannot be gap here: it looks at the pits after the last one",
		func(r *Rules) bool {
			return r.Capture == CaptureGap && (r.Relay == RelaySame || r.Relay == RelayReverse)
		}},
	{"both", "capture", "relay", false, "cannot be both with this relay: what comes first is not defined",
		func(r *Rules) bool {
			return r.Capture == CaptureBoth && (r.Relay == RelayReverse || r.Relay == RelayNext)
		}},
	{"passing-few", "sow_counts", "", false, "must be numbers of at least 2",
		func(r *Rules) bool { return len(r.SowCounts) > 0 && slices.Min(r.SowCounts) < 2 }},
	{"passing", "sow_counts", "sides", false, "does not go with this capture or board: which of two captures comes first is not defined",
		func(r *Rules) bool { return len(r.SowCounts) > 0 && r.Sides == 4 }},
	{"passing", "sow_counts", "rows", false, "does not go with this capture or board: which of two captures comes first is not defined",
		func(r *Rules) bool { return len(r.SowCounts) > 0 && r.Rows == 2 }},
	{"passing", "sow_counts", "capture", false, "does not go with this capture or board: which of two captures comes first is not defined",
		func(r *Rules) bool {
			return len(r.SowCounts) > 0 && r.Capture != CaptureGap && r.Capture != CaptureNone
		}},
	{"of-passing", "sow_winner", "sow_counts", true, "belongs to sow_counts",
		func(r *Rules) bool { return r.SowWinner != SowWinnerOwner && len(r.SowCounts) == 0 }},
	// captures
	{"of-count", "counts", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && len(r.Counts) > 0 }},
	{"of-count", "count_side", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && r.CountSide != CountSideOpponent }},
	{"of-count", "count_chain", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && !r.CountChain }},
	{"of-count", "count_opposite", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && r.CountOpposite }},
	{"of-count", "grand_slam", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && r.GrandSlam != GrandSlamCapture }},
	{"of-count", "count_even", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && r.CountEven }},
	{"of-count", "count_spare", "capture", true, ofCount,
		func(r *Rules) bool { return !r.Capture.byCount() && r.CountSpare != CountSpareNone }},
	{"of-cross", "cross_own", "capture", true, ofCross,
		func(r *Rules) bool { return !r.Capture.across() && !r.CrossOwn }},
	{"of-cross", "cross_empty", "capture", true, ofCross,
		func(r *Rules) bool { return !r.Capture.across() && r.CrossEmpty }},
	{"of-cross", "cross_run", "capture", true, ofCross,
		func(r *Rules) bool { return !r.Capture.across() && r.CrossRun }},
	{"of-cross", "cross_needs", "capture", true, ofCross,
		func(r *Rules) bool { return !r.Capture.across() && r.CrossNeeds != CrossNeedsNothing }},
	{"of-cross", "cross_at", "capture", true, ofCross,
		func(r *Rules) bool { return !r.Capture.across() && r.CrossAt != CrossAtEmpty }},
	{"of-cross", "cross_depth", "capture", true, ofCross,
		func(r *Rules) bool { return !r.Capture.across() && r.CrossDepth != CrossDepthAny }},
	{"counts", "counts", "capture count_even", true, "must be numbers of at least 1",
		func(r *Rules) bool {
			return r.Capture.byCount() && (len(r.Counts) == 0 && !r.CountEven || len(r.Counts) > 0 && slices.Min(r.Counts) < 1)
		}},
	{"spare", "count_spare", "count_side", true, "cannot be first here: which pit is first is not one answer",
		func(r *Rules) bool { return r.CountSpare == CountSpareFirst && r.CountSide == CountSideAny }},
	{"spare", "count_spare", "direction", true, "cannot be first here: which pit is first is not one answer",
		func(r *Rules) bool { return r.CountSpare == CountSpareFirst && r.Direction == DirectionChoice }},
	{"spare", "count_spare", "relay", true, "cannot be first here: which pit is first is not one answer",
		func(r *Rules) bool { return r.CountSpare == CountSpareFirst && r.Relay == RelayReverse }},
	{"slam", "grand_slam", "count_side", true, "must be capture when more than the opponent's row is captured",
		func(r *Rules) bool { return r.GrandSlam != GrandSlamCapture && r.CountSide == CountSideAny }},
	{"slam", "grand_slam", "count_opposite", true, "must be capture when more than the opponent's row is captured",
		func(r *Rules) bool { return r.GrandSlam != GrandSlamCapture && r.CountOpposite }},
	{"occupied", "cross_at", "capture", true, "cannot be occupied here: an occupied pit is lifted otherwise, and its seeds stay",
		func(r *Rules) bool { return r.CrossAt == CrossAtOccupied && r.Capture != CaptureCross }},
	{"occupied", "cross_at", "cross_own", true, "cannot be occupied here: an occupied pit is lifted otherwise, and its seeds stay",
		func(r *Rules) bool { return r.CrossAt == CrossAtOccupied && r.CrossOwn }},
	{"occupied", "cross_at", "cross_run", true, "cannot be occupied here: an occupied pit is lifted otherwise, and its seeds stay",
		func(r *Rules) bool { return r.CrossAt == CrossAtOccupied && r.CrossRun }},
	{"occupied", "cross_at", "relay", true, "cannot be occupied here: an occupied pit is lifted otherwise, and its seeds stay",
		func(r *Rules) bool { return r.CrossAt == CrossAtOccupied && r.Relay != RelaySame }},
	{"captured", "captured", "rows", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && r.Rows != 2 }},
	{"captured", "captured", "cross_at", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && r.CrossAt != CrossAtOccupied }},
	{"captured", "captured", "repetition", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && r.Repetition == 0 }},
	{"captured", "captured", "end_total", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && r.EndTotal > 0 }},
	{"captured", "captured", "again", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && slices.Contains(r.Again, AgainCapture) }},
	{"captured", "captured", "end", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && slices.Contains(r.End, EndRuleLoneSeed) }},
	{"captured", "captured", "end", true, "must be won here: otherwise nothing is won before the end",
		func(r *Rules) bool { return r.Captured != CapturedWon && slices.Contains(r.End, EndRuleMajority) }},
	{"head", "captured", "pits", true, "needs four pits in a row to be head: two flanks of two pits",
		func(r *Rules) bool { return r.Captured == CapturedHead && r.Pits < 4 }},
	{"capture-first", "must_capture", "captured", true, "does not go with captures that are won, backward or lift two-first: that is not defined",
		func(r *Rules) bool { return r.MustCapture && r.Captured == CapturedWon }},
	{"capture-first", "must_capture", "backward", true, "does not go with captures that are won, backward or lift two-first: that is not defined",
		func(r *Rules) bool { return r.MustCapture && r.Backward > 0 }},
	{"capture-first", "must_capture", "lift", true, "does not go with captures that are won, backward or lift two-first: that is not defined",
		func(r *Rules) bool { return r.MustCapture && r.Lift == LiftTwoFirst }},
	{"of-capture-first", "reserve", "must_capture", true, "needs must_capture: an entry rests on it",
		func(r *Rules) bool { return r.Reserve > 0 && !r.MustCapture }},
	{"house", "house", "reserve", true, "must be an inner pit, in a game with a reserve: a house rests on it",
		func(r *Rules) bool { return r.House != HouseNone && r.Reserve == 0 }},
	{"house", "house", "pits rows", true, "must be an inner pit, in a game with a reserve: a house rests on it",
		func(r *Rules) bool {
			return r.House != HouseNone && (r.House.pit() < r.Pits || r.House.pit() >= r.PitsPerSide())
		}},
	{"of-capture-first", "block", "must_capture", true, "needs must_capture: a threat rests on it",
		func(r *Rules) bool { return r.Block && !r.MustCapture }},
	{"depth", "cross_depth", "rows", true, "needs two rows: with one there is one pit across",
		func(r *Rules) bool { return r.CrossDepth != CrossDepthAny && r.Rows != 2 }},
	{"empty-own", "cross_empty", "cross_own", true, "needs cross_own: it wins just that seed",
		func(r *Rules) bool { return r.CrossEmpty && !r.CrossOwn }},
	{"empty-needs", "cross_empty", "cross_needs", true, "contradicts cross_needs",
		func(r *Rules) bool { return r.CrossEmpty && r.CrossNeeds != CrossNeedsNothing }},
	// claims
	{"of-claim", "claim_ban", "claim", true, "belongs to claim",
		func(r *Rules) bool { return r.Claim == 0 && len(r.ClaimBan) > 0 }},
	{"claim-few", "claim", "", false, "cannot be 1: a claim needs a number of at least 2",
		func(r *Rules) bool { return r.Claim == 1 }},
	{"claim", "claim", "sides", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Sides == 4 }},
	{"claim", "claim", "partners", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Partners == 2 }},
	{"claim", "claim", "rows", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Rows == 2 }},
	{"claim", "claim", "relay", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Relay != RelayNone }},
	{"claim", "claim", "feed", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Feed == FeedGive }},
	{"claim", "claim", "opening", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Opening != OpeningFixed }},
	{"claim", "claim", "capture", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.Capture == CaptureGap }},
	{"claim", "claim", "count_opposite", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.CountOpposite }},
	{"claim", "claim", "count_side", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && r.CountSide == CountSideAny }},
	{"claim", "claim", "sow_counts", true, "cannot be set here: it is about an opponent's pit and the last seed of a single lap",
		func(r *Rules) bool { return r.Claim > 1 && len(r.SowCounts) > 0 }},
	// turns and the end
	{"again-store", "again", "store", true, "cannot be store without a store: it never happens",
		func(r *Rules) bool { return slices.Contains(r.Again, AgainStore) && !r.Store }},
	{"again-capture", "again", "capture", true, "cannot be capture without captures: it never happens",
		func(r *Rules) bool { return slices.Contains(r.Again, AgainCapture) && r.Capture == CaptureNone }},
	{"emptier", "remaining", "end", true, "cannot be emptier without end side-empty: nobody emptied a side",
		func(r *Rules) bool {
			return r.Remaining == RemainingEmptier && !slices.Contains(r.End, EndRuleSideEmpty)
		}},
	{"row-empty", "end", "rows", true, "cannot be row-empty without two rows and remaining rival: the owner of the row loses",
		func(r *Rules) bool { return slices.Contains(r.End, EndRuleRowEmpty) && r.Rows != 2 }},
	{"row-empty", "end", "remaining", true, "cannot be row-empty without two rows and remaining rival: the owner of the row loses",
		func(r *Rules) bool { return slices.Contains(r.End, EndRuleRowEmpty) && r.Remaining != RemainingRival }},
	{"feed", "feed", "end", false, "comes too late: the game is over before anyone can be fed",
		func(r *Rules) bool { return r.Feed != FeedNone && slices.Contains(r.End, EndRuleSideEmpty) }},
	{"feed", "feed", "end_at_most", false, "comes too late: the game is over before anyone can be fed",
		func(r *Rules) bool { return r.Feed != FeedNone && r.EndAtMost >= 0 }},
	{"endless", "no_progress", "repetition store direction relay", true, "or repetition must be set: this game does not end by itself",
		func(r *Rules) bool { return r.Repetition == 0 && r.NoProgress == 0 && !r.EndsByItself() }},
	// the match
	{"target", "target", "match", true, "must be set for a match by difference",
		func(r *Rules) bool { return r.Match == MatchDifference && r.Target == 0 }},
	{"difference-partners", "match", "partners", false, "by difference is for two single players",
		func(r *Rules) bool { return r.Match == MatchDifference && r.Partners == 2 }},
	{"of-difference", "target", "match", true, ofDifference,
		func(r *Rules) bool { return r.Match == MatchSingle && r.Target != 0 }},
	{"of-difference", "max_rounds", "match", true, ofDifference,
		func(r *Rules) bool { return r.Match == MatchSingle && r.MaxRounds != 0 }},
}

// seedsAtStart returns the seeds of a fixed opening, on the board and in hand. It counts no pit and no
// hand above the largest number of a board, so that it never overflows. A list that does not fit the
// board is another conflict, and counts as an ordinary board.
func (r *Rules) seedsAtStart() int {
	if len(r.Seeds) != 1 && len(r.Seeds) != r.PitsPerSide() {
		return maxSeeds
	}
	total := r.Sides * min(r.Reserve, maxSeeds+1)
	for i := range r.PitsPerSide() {
		total += r.Sides * min(r.SeedsIn(i), maxSeeds+1)
	}
	return total
}
