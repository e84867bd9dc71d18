package engine

// recentOptions are the options that the release before this one does not know.
var recentOptions = map[string]bool{
	"reserve": true, "backward": true, "must_capture": true, "keep_first": true, "second_round": true, "sow_counts": true, "sow_winner": true, "count_even": true, "count_spare": true,
	"cross_at": true, "cross_depth": true, "captured": true, "claim": true, "claim_ban": true, "house": true, "block": true, "end_total": true,
}

// Recent reports whether the release before this one does not know the rules. During an upgrade its
// instances leave such games to others (ARCHITECTURE.md §8).
func (r Rules) Recent() bool {
	if r.Relay == RelayNext || r.Capture == CaptureBoth || r.Capture == CaptureGap || r.Remaining == RemainingRival {
		return true
	}
	first := Default()
	for i := range options {
		if o := &options[i]; recentOptions[o.Name] && o.get(&r) != o.get(&first) {
			return true
		}
	}
	return false
}
