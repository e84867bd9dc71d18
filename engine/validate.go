package engine

import "slices"

// check refuses the invalid combinations of RULES.md §6. The error names the option
// to change and the reason. [Compile] checks what needs a board: a first position
// that is over.
func (r Rules) check() *RulesError {
	for _, check := range []func(Rules) *RulesError{
		Rules.checkValues, Rules.checkShape, Rules.checkTwoRows, Rules.checkFourSides,
		Rules.checkLayout, Rules.checkSeeds, Rules.checkSowing, Rules.checkCapture, Rules.checkClaim, Rules.checkTurn, Rules.checkMatch,
	} {
		if err := check(r); err != nil {
			return err
		}
	}
	return nil
}

func bad(control, reason string) *RulesError { return &RulesError{Control: control, Reason: reason} }

// checkValues refuses values that an option does not have. A caller may have built
// the rules without a parser.
func (r Rules) checkValues() *RulesError {
	for i := range options {
		o, copied := &options[i], r
		if !o.set(&copied, o.get(&r)) {
			return bad(o.Name, "has a value that it cannot have")
		}
	}
	return nil
}

func (r Rules) checkShape() *RulesError {
	switch {
	case r.Sides == 4 && r.Partners == 2:
		return bad("partners", "must be 1 on the four-sided board: one seat for each side")
	case r.Start == StartRightmost && r.Rows == 2:
		return bad("start", "cannot be rightmost with two rows: which pit is furthest right is not defined")
	case !r.Store && r.Capture == CaptureNone:
		return bad("capture", "cannot be none without a store: no seed could ever be won")
	}
	return nil
}

func (r Rules) checkTwoRows() *RulesError {
	const why = "does not go with two rows: an own track has no store, never touches the opponent's pits, and seeds never change sides"
	switch {
	case r.Rows == 1:
		return nil
	case r.Sides == 4:
		return bad("sides", why)
	case r.Store:
		return bad("store", why)
	case r.Capture != CaptureCross:
		return bad("capture", why)
	case r.CrossRun:
		return bad("cross_run", why)
	case r.CrossNeeds != CrossNeedsNothing:
		return bad("cross_needs", why)
	case r.Feed != FeedNone:
		return bad("feed", why)
	case r.Opening != OpeningFixed:
		return bad("opening", why)
	case slices.Contains(r.Again, AgainHome):
		return bad("again", why)
	}
	return nil
}

func (r Rules) checkFourSides() *RulesError {
	const why = "does not go with four sides: 'the opponent' is not one player"
	switch {
	case r.Sides == 2:
		return nil
	case r.Capture.byCount() || r.Capture == CaptureGap:
		return bad("capture", why)
	case r.Feed != FeedNone:
		return bad("feed", why)
	case r.Remaining == RemainingRival:
		return bad("remaining", why)
	case r.Opening != OpeningFixed:
		return bad("opening", why)
	case r.Match == MatchDifference:
		return bad("match", why)
	}
	return nil
}

func (r Rules) checkLayout() *RulesError {
	if r.Opening == OpeningFixed {
		switch {
		case r.Swap != SwapNone:
			return bad("swap", "must be none with a fixed opening: there would be two ways to say the start")
		case r.Total != 0:
			return bad("total", "must be 0 with a fixed opening: there would be two ways to say the start")
		}
		return nil
	}
	switch {
	case len(r.Seeds) != 1 || r.Seeds[0] != 0:
		return bad("seeds", "must be 0 when the seeds are laid out: there would be two ways to say the start")
	case r.Partners == 2:
		return bad("opening", "must be fixed with partners")
	case r.Total < 2:
		return bad("total", "must be at least 2 when the seeds are laid out")
	case r.Total > maxSeeds:
		return bad("total", "is more than 250 seeds: boards stay readable")
	case r.Opening == OpeningPaired && r.Pits < 3:
		return bad("pits", "must be at least 3 for a paired lay-out: there would be no inner pits")
	}
	return nil
}

// checkSeeds checks the seeds of a fixed opening.
func (r Rules) checkSeeds() *RulesError {
	switch {
	case r.Opening != OpeningFixed:
		return nil
	case len(r.Seeds) != 1 && len(r.Seeds) != r.PitsPerSide():
		return bad("seeds", "must be one number, or one for each pit of a side")
	case len(r.Seeds) == 1 && r.Seeds[0] == 0:
		return bad("seeds", "cannot be 0 unless the seeds are laid out")
	}
	total := 0
	for i := range r.PitsPerSide() {
		total += r.Sides * min(r.SeedsIn(i), maxSeeds+1)
	}
	total += r.Sides * min(r.Reserve, maxSeeds+1)
	switch {
	case total > maxSeeds:
		return bad("seeds", "are more than 250 on the board: boards stay readable")
	case total < 2:
		return bad("seeds", "are fewer than 2 on the board")
	}
	return nil
}

// checkSowing checks the options of unusual laps.
func (r Rules) checkSowing() *RulesError {
	switch {
	case r.KeepFirst && r.SkipOrigin:
		return bad("keep_first", "contradicts skip_origin: one sows the pit that the other passes over")
	case r.Backward > r.Pits:
		return bad("backward", "is more than the columns of a side")
	case r.Backward > 0 && (r.CrossAt != CrossAtOccupied || r.Direction == DirectionChoice):
		return bad("backward", "must be 0 here: there is no other direction, or nothing it could capture")
	case r.SecondRound == SecondRoundOpponent && (!r.SkipOrigin || r.Store || r.Sides == 4 || r.Rows == 2):
		return bad("second_round", "cannot be opponent unless a round is every pit but one, and the opponent has one row")
	case r.Relay == RelayNext && (r.Store || r.Rows == 2 || slices.Contains(r.Again, AgainHome) || r.Capture != CaptureGap && r.Capture != CaptureNone):
		return bad("relay", "cannot be next here: the next pit decides, and not the last one")
	case r.Capture == CaptureGap && (r.Store || r.Rows == 2 || r.Relay == RelaySame || r.Relay == RelayReverse):
		return bad("capture", "cannot be gap here: it looks at the pits after the last one")
	case r.Capture == CaptureBoth && (r.Relay == RelayReverse || r.Relay == RelayNext):
		return bad("capture", "cannot be both with this relay: what comes first is not defined")
	case len(r.SowCounts) > 0 && slices.Min(r.SowCounts) < 2:
		return bad("sow_counts", "must be numbers of at least 2")
	case len(r.SowCounts) > 0 && (r.Sides == 4 || r.Rows == 2 || r.Capture != CaptureGap && r.Capture != CaptureNone):
		return bad("sow_counts", "does not go with this capture or board: which of two captures comes first is not defined")
	case r.SowWinner != SowWinnerOwner && len(r.SowCounts) == 0:
		return bad("sow_winner", "belongs to sow_counts")
	}
	return nil
}

func (r Rules) checkCapture() *RulesError {
	if name := r.changed("counts", "count_side", "count_chain", "count_opposite", "grand_slam", "count_even", "count_spare"); name != "" && !r.Capture.byCount() {
		return bad(name, "belongs to capture count")
	}
	if name := r.changed("cross_own", "cross_empty", "cross_run", "cross_needs", "cross_at", "cross_depth"); name != "" && !r.Capture.across() {
		return bad(name, "belongs to capture cross")
	}
	switch {
	case r.Capture.byCount() && (len(r.Counts) == 0 && !r.CountEven || len(r.Counts) > 0 && slices.Min(r.Counts) < 1):
		return bad("counts", "must be numbers of at least 1")
	case r.CountSpare == CountSpareFirst && (r.CountSide == CountSideAny || r.Direction == DirectionChoice || r.Relay == RelayReverse):
		return bad("count_spare", "cannot be first here: which pit is first is not one answer")
	case r.GrandSlam != GrandSlamCapture && (r.CountSide == CountSideAny || r.CountOpposite):
		return bad("grand_slam", "must be capture when more than the opponent's row is captured")
	case r.CrossAt == CrossAtOccupied && (r.Capture != CaptureCross || r.CrossOwn || r.CrossRun || r.Relay != RelaySame):
		return bad("cross_at", "cannot be occupied here: an occupied pit is lifted otherwise, and its seeds stay")
	case r.Captured != CapturedWon && (r.Rows != 2 || r.CrossAt != CrossAtOccupied || r.Repetition == 0 || r.EndTotal > 0 ||
		slices.Contains(r.Again, AgainCapture) || slices.Contains(r.End, EndRuleLoneSeed) || slices.Contains(r.End, EndRuleMajority)):
		return bad("captured", "must be won here: otherwise nothing is won before the end")
	case r.Captured == CapturedHead && r.Pits < 4:
		return bad("captured", "needs four pits in a row to be head: two flanks of two pits")
	case r.MustCapture && (r.Captured == CapturedWon || r.Backward > 0 || r.Lift == LiftTwoFirst):
		return bad("must_capture", "does not go with captures that are won, backward or lift two-first: that is not defined")
	case r.Reserve > 0 && !r.MustCapture:
		return bad("reserve", "needs must_capture: an entry rests on it")
	case r.House != HouseNone && (r.Reserve == 0 || r.House.pit() < r.Pits || r.House.pit() >= r.PitsPerSide()):
		return bad("house", "must be an inner pit, in a game with a reserve: a house rests on it")
	case r.Block && !r.MustCapture:
		return bad("block", "needs must_capture: a threat rests on it")
	case r.CrossDepth != CrossDepthAny && r.Rows != 2:
		return bad("cross_depth", "needs two rows: with one there is one pit across")
	case r.CrossEmpty && !r.CrossOwn:
		return bad("cross_empty", "needs cross_own: it wins just that seed")
	case r.CrossEmpty && r.CrossNeeds != CrossNeedsNothing:
		return bad("cross_empty", "contradicts cross_needs")
	}
	return nil
}

func (r Rules) checkClaim() *RulesError {
	switch {
	case r.Claim == 0 && len(r.ClaimBan) > 0:
		return bad("claim_ban", "belongs to claim")
	case r.Claim == 0:
		return nil
	case r.Claim == 1:
		return bad("claim", "cannot be 1: a claim needs a number of at least 2")
	case r.Sides == 4 || r.Partners == 2 || r.Rows == 2 || r.Relay != RelayNone || r.Feed == FeedGive || r.Opening != OpeningFixed ||
		r.Capture == CaptureGap || r.CountOpposite || r.CountSide == CountSideAny || len(r.SowCounts) > 0:
		return bad("claim", "cannot be set here: it is about an opponent's pit and the last seed of a single lap")
	}
	return nil
}

func (r Rules) checkTurn() *RulesError {
	switch {
	case slices.Contains(r.Again, AgainStore) && !r.Store:
		return bad("again", "cannot be store without a store: it never happens")
	case slices.Contains(r.Again, AgainCapture) && r.Capture == CaptureNone:
		return bad("again", "cannot be capture without captures: it never happens")
	case r.Remaining == RemainingEmptier && !slices.Contains(r.End, EndRuleSideEmpty):
		return bad("remaining", "cannot be emptier without end side-empty: nobody emptied a side")
	case slices.Contains(r.End, EndRuleRowEmpty) && (r.Rows != 2 || r.Remaining != RemainingRival):
		return bad("end", "cannot be row-empty without two rows and remaining rival: the owner of the row loses")
	case r.Feed != FeedNone && (slices.Contains(r.End, EndRuleSideEmpty) || r.EndAtMost >= 0):
		return bad("feed", "comes too late: the game is over before anyone can be fed")
	case r.Repetition == 0 && r.NoProgress == 0 && !r.EndsByItself():
		return bad("no_progress", "or repetition must be set: this game does not end by itself")
	}
	return nil
}

func (r Rules) checkMatch() *RulesError {
	switch {
	case r.Match == MatchDifference && r.Target == 0:
		return bad("target", "must be set for a match by difference")
	case r.Match == MatchDifference && r.Partners == 2:
		return bad("match", "by difference is for two single players")
	case r.Match == MatchSingle && r.Target != 0:
		return bad("target", "belongs to a match by difference")
	case r.Match == MatchSingle && r.MaxRounds != 0:
		return bad("max_rounds", "belongs to a match by difference")
	}
	return nil
}

// EndsByItself reports whether every game must end without a rule about cycles. It
// must if every sowing that leaves the mover's side pays a seed into the mover's
// store (RULES.md §6, last row).
func (r Rules) EndsByItself() bool {
	return r.Store && r.Direction == DirectionCCW && r.Relay != RelayReverse
}

// changed returns the first of the named options that differs from its default.
func (r Rules) changed(names ...string) string {
	base := Default()
	for i := range options {
		o := &options[i]
		if slices.Contains(names, o.Name) && o.get(&r) != o.get(&base) {
			return o.Name
		}
	}
	return ""
}
