package engine

import "slices"

// check refuses the invalid combinations of §6, each with the option to change
// and the reason. What only a board can tell (a first position that is over) is
// left to [Compile].
func (r Rules) check() *RulesError {
	bad := func(control, reason string) *RulesError { return &RulesError{Control: control, Reason: reason} }
	layout := r.Opening != OpeningFixed

	// Ranges: a Rules value may have been made by hand.
	for i := range options {
		o := &options[i]
		again := r
		if !o.set(&again, o.get(&r)) {
			return bad(o.Name, "has a value that it cannot have")
		}
	}

	// Shape of the board.
	switch {
	case r.Sides == 4 && r.Partners == 2:
		return bad("partners", "must be 1 on the four-sided board: one seat for each side")
	case r.Start == StartRightmost && r.Rows == 2:
		return bad("start", "cannot be rightmost with two rows: which pit is furthest right is not defined")
	case !r.Store && r.Capture == CaptureNone:
		return bad("capture", "cannot be none without a store: no seed could ever be won")
	}
	if r.Rows == 2 {
		const why = "does not go with two rows: an own track has no store, never touches the opponent's pits, and seeds never change sides"
		switch {
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
		case layout:
			return bad("opening", why)
		case slices.Contains(r.Again, AgainHome):
			return bad("again", why)
		}
	}
	if r.Sides == 4 {
		const why = "does not go with four sides: 'the opponent' is not one player"
		switch {
		case r.Capture == CaptureCount:
			return bad("capture", why)
		case r.Feed != FeedNone:
			return bad("feed", why)
		case layout:
			return bad("opening", why)
		case r.Match == MatchDifference:
			return bad("match", why)
		}
	}

	// Seeds at the start.
	if layout {
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
	} else {
		switch {
		case len(r.Seeds) != 1 && len(r.Seeds) != r.PitsPerSide():
			return bad("seeds", "must be one number, or one for each pit of a side")
		case len(r.Seeds) == 1 && r.Seeds[0] == 0:
			return bad("seeds", "cannot be 0 unless the seeds are laid out")
		case r.Swap != SwapNone:
			return bad("swap", "must be none with a fixed opening: there would be two ways to say the start")
		case r.Total != 0:
			return bad("total", "must be 0 with a fixed opening: there would be two ways to say the start")
		}
		total := 0
		for i := range r.PitsPerSide() {
			total += r.Sides * min(r.SeedsIn(i), maxSeeds+1)
		}
		switch {
		case total > maxSeeds:
			return bad("seeds", "are more than 250 on the board: boards stay readable")
		case total < 2:
			return bad("seeds", "are fewer than 2 on the board")
		}
	}

	// Captures.
	if r.Capture == CaptureCount {
		if len(r.Counts) == 0 || slices.Min(r.Counts) < 2 {
			return bad("counts", "must be numbers of at least 2: 1 means that the pit was empty, so nothing happened to count")
		}
		if r.GrandSlam != GrandSlamCapture && (r.CountSide == CountSideAny || r.CountOpposite) {
			return bad("grand_slam", "must be capture when more than the opponent's row is captured")
		}
	} else if name := r.changed("counts", "count_side", "count_chain", "count_opposite", "grand_slam"); name != "" {
		return bad(name, "belongs to capture count")
	}
	if r.Capture == CaptureCross {
		if r.CrossEmpty && !r.CrossOwn {
			return bad("cross_empty", "needs cross_own: it wins just that seed")
		}
		if r.CrossEmpty && r.CrossNeeds != CrossNeedsNothing {
			return bad("cross_empty", "contradicts cross_needs")
		}
	} else if name := r.changed("cross_own", "cross_empty", "cross_run", "cross_needs"); name != "" {
		return bad(name, "belongs to capture cross")
	}

	// Turn and end.
	switch {
	case slices.Contains(r.Again, AgainStore) && !r.Store:
		return bad("again", "cannot be store without a store: it never happens")
	case slices.Contains(r.Again, AgainCapture) && r.Capture == CaptureNone:
		return bad("again", "cannot be capture without captures: it never happens")
	case r.Remaining == RemainingEmptier && !slices.Contains(r.End, EndRuleSideEmpty):
		return bad("remaining", "cannot be emptier without end side-empty: nobody emptied a side")
	case r.Feed != FeedNone && (slices.Contains(r.End, EndRuleSideEmpty) || r.EndAtMost >= 0):
		return bad("feed", "comes too late: the game is over before anyone can be fed")
	case r.Repetition == 0 && r.NoProgress == 0 && !r.endsByItself():
		return bad("no_progress", "or repetition must be set: this game does not end by itself")
	}

	// Match.
	if r.Match == MatchDifference {
		switch {
		case r.Target == 0:
			return bad("target", "must be set for a match by difference")
		case r.Partners == 2:
			return bad("match", "by difference is for two single players")
		}
	} else {
		switch {
		case r.Target != 0:
			return bad("target", "belongs to a match by difference")
		case r.MaxRounds != 0:
			return bad("max_rounds", "belongs to a match by difference")
		}
	}
	return nil
}

// endsByItself: every sowing that leaves the mover's side pays a seed into his
// store (§6, last row).
func (r Rules) endsByItself() bool {
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
