package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Describe returns the rules in one paragraph of plain English. It reads the same
// data that play follows.
func (r Rules) Describe() string {
	parts := append([]string{r.describeBoard()}, r.describeLift()...)
	parts = append(parts, r.describeSowing())
	parts = append(parts, r.describeCapture()...)
	parts = append(parts, r.describeTurn()...)
	parts = append(parts, r.describeEnd()...)
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToUpper(p[:1]) + p[1:] + ".")
	}
	return b.String()
}

func (r Rules) describeBoard() string {
	who := "two players"
	switch {
	case r.Sides == 4:
		who = "four players on four sides"
	case r.Partners == 2:
		who = "two teams of two"
	}
	hand := ""
	if r.Reserve > 0 {
		hand = fmt.Sprintf(", with %s in each player's hand", counted(r.Reserve, "seed"))
	}
	board := counted(r.Pits, "pit") + " a side"
	if r.Rows == 2 {
		board = "two rows of " + counted(r.Pits, "pit") + " a side"
	}
	switch {
	case r.Opening == OpeningFree:
		return fmt.Sprintf("for %s: %s; one player lays out %d seeds anyhow but not evenly%s", who, board, r.Total, r.describeSwap())
	case r.Opening == OpeningPaired:
		return fmt.Sprintf("for %s: %s; one player lays out %d seeds in the inner pits, filling a pit only together with the one opposite%s", who, board, r.Total, r.describeSwap())
	case r.uniform():
		return fmt.Sprintf("for %s: %s, %s each%s", who, board, counted(r.Seeds[0], "seed"), hand)
	}
	if empty := countZeros(r.Seeds); empty > len(r.Seeds)/2 {
		return fmt.Sprintf("for %s: %s, which start empty but for %s%s", who, board, r.describeFilled(), hand)
	}
	return fmt.Sprintf("for %s: %s, which start with %s seeds%s", who, board, joinInts(r.Seeds), hand)
}

// describeFilled lists the pits of a side that hold seeds at the start.
func (r Rules) describeFilled() string {
	var pits []string
	for i, n := range r.Seeds {
		if n > 0 {
			pits = append(pits, fmt.Sprintf("%s in pit %d", counted(n, "seed"), i+1))
		}
	}
	if len(pits) == 1 {
		return pits[0]
	}
	last := len(pits) - 1
	return strings.Join(pits[:last], ", ") + " and " + pits[last]
}

func countZeros(list []int) int {
	zeros := 0
	for _, n := range list {
		if n == 0 {
			zeros++
		}
	}
	return zeros
}

func (r Rules) describeSwap() string {
	switch r.Swap {
	case SwapKeepsFirst:
		return ", the other may turn the board round and moves first either way"
	case SwapLosesFirst:
		return ", the other moves first or turns the board round and moves second"
	}
	return " and the other moves first"
}

func (r Rules) describeLift() (out []string) {
	if r.Start == StartRightmost {
		out = append(out, "always play the rightmost pit that can be played")
	}
	if r.Reserve > 0 {
		out = append(out, "while you have seeds in hand, a move enters one into an inner pit that holds seeds; if that captures nothing, the pit is sown")
	}
	later := ""
	if r.Reserve > 0 {
		later = "with an empty hand, "
	}
	switch r.Lift {
	case LiftTwo:
		out = append(out, later+"only pits with two or more seeds can be played")
	case LiftTwoFirst:
		out = append(out, later+"play a pit with two or more seeds; without one, a single seed whose next pit is empty")
	}
	if r.MustCapture {
		out = append(out, "a move that captures at once must be played before all others, and any other move captures nothing and begins in the inner row if it can")
	}
	if pit := r.House.pit(); pit >= 0 {
		out = append(out, fmt.Sprintf("pit %d of each side is a house until it is emptied; while you have seeds in hand and it holds six or more, "+
			"a seed that captures nothing is entered elsewhere, or, if no other inner pit holds seeds, two seeds of the house are sown; "+
			"a move that captures nothing ends there, and one that captures ends there or sows it on, as you choose", pit+1))
	}
	return out
}

func (r Rules) describeSowing() string {
	way := map[Direction]string{
		DirectionCCW: "counter-clockwise", DirectionCW: "clockwise", DirectionChoice: "either way, chosen at each move",
	}[r.Direction]
	out := "seeds are sown one by one " + way
	switch {
	case r.Rows == 2 && r.Direction == DirectionChoice:
		out += ", round one's own two rows"
	case r.Rows == 2:
		out += " round one's own two rows"
	case r.Store:
		out += " and into one's own store"
	default:
		out += ", never into a store"
	}
	if r.Backward > 0 {
		out += ", from " + counted(r.Backward, "column") + " at one's left also the other way round if that lap captures"
	}
	if r.SkipOrigin {
		out += ", passing over the pit they came from"
	}
	if r.KeepFirst {
		out += ", and the first of two or more stays in the pit they came from"
	}
	if r.SecondRound == SecondRoundOpponent {
		out += ", and after a full round only into the opponent's pits"
	}
	switch r.Relay {
	case RelaySame:
		out += "; if the last seed falls on others, lift that pit and sow on"
	case RelayReverse:
		out += "; if the last seed falls on others, lift that pit and sow on the other way round"
	case RelayNext:
		out += "; if the pit after the last seed holds others, lift that pit and sow on"
	}
	return out
}

func (r Rules) describeCapture() []string {
	out := r.describeClaim()
	if len(r.SowCounts) > 0 {
		winner := "its owner"
		if r.SowWinner == SowWinnerMover {
			winner = "the player who sows"
		}
		out = append(out, fmt.Sprintf("a pit that sowing brings to %s is won at once by %s", orList(r.SowCounts), winner))
	}
	switch r.Capture {
	case CaptureNone:
		if len(out) == 0 {
			out = []string{"nothing is captured"}
		}
		return out
	case CaptureCount:
		return append(out, r.describeCount()...)
	case CaptureBoth:
		return append(append(out, r.describeCount()...), r.describeAcross()...)
	case CaptureGap:
		return append(out, "if the pit after the last seed is empty, the seeds in the pit beyond it are captured")
	}
	return append(out, r.describeAcross()...)
}

// describeClaim describes how a pit is claimed. Two sentences say which pits are not.
func (r Rules) describeClaim() []string {
	if r.Claim == 0 {
		return nil
	}
	out := []string{fmt.Sprintf("once in a game, a last seed that makes %d in an opponent's pit captures them and claims the pit, "+
		"and every seed that falls there later is won at once by the player who claimed it", r.Claim)}
	if slices.Contains(r.ClaimBan, ClaimBanLast) {
		out = append(out, "the opponent's last pit is never claimed")
	}
	if slices.Contains(r.ClaimBan, ClaimBanTwin) {
		out = append(out, "two players never claim pits with the same number")
	}
	return out
}

func (r Rules) describeAcross() []string {
	from, what := "an empty pit of one's own", "the seeds opposite"
	if r.CrossAt == CrossAtOccupied {
		from = "a pit of one's own that held others"
	}
	if r.Rows == 2 {
		from = "an empty pit of one's own inner row"
		if r.CrossAt == CrossAtOccupied {
			from = "a pit of one's own inner row that held others"
		}
		what = map[CrossDepth]string{
			CrossDepthAny:   "the seeds in both pits opposite, if the inner one has any",
			CrossDepthFull:  "the seeds in both pits opposite, if both have some",
			CrossDepthInner: "the seeds in the inner pit opposite",
		}[r.CrossDepth]
	}
	out := "a last seed in " + from + " captures " + what
	if r.CrossOwn {
		out += " and itself"
	}
	switch r.Captured {
	case CapturedOnward:
		out += "; they are sown on from the next pit"
	case CapturedRestart:
		out += "; they are sown from the pit after the one where this lap began"
	case CapturedHead:
		out += "; they are sown inwards from an end of one's own inner row"
	}
	switch {
	case r.CrossEmpty:
		out += ", or just itself if there are none"
	case r.CrossNeeds == CrossNeedsPit:
		out += ", if that pit was sown in this move"
	case r.CrossNeeds == CrossNeedsSide:
		out += ", if that side was sown in this move"
	}
	list := []string{out}
	if r.Block {
		list = append(list, "if all that a move without a capture threatens is one pit, that pit is blocked for the answer")
	}
	if r.CrossRun {
		list = append(list, "the capture goes on along the empty pits next to it")
	}
	return list
}

func (r Rules) describeCount() []string {
	whose := "an opponent's pit"
	if r.CountSide == CountSideAny {
		whose = "any pit"
	}
	out := fmt.Sprintf("a last seed that makes %s in %s captures them", r.capturing(), whose)
	if len(r.Counts) == 1 && r.Counts[0] == 1 && !r.CountEven {
		out = fmt.Sprintf("a last seed in %s is won if the pit was empty", whose)
	}
	if r.CountOpposite {
		out += " with the seeds opposite"
	}
	switch {
	case r.CountChain && len(r.Counts) == 1 && r.Counts[0] == 1 && !r.CountEven:
		out += ", and so are the single seeds in the pits sown just before"
	case r.CountChain:
		out += ", and so do the pits sown just before while they fit"
	}
	slam := map[GrandSlam]string{
		GrandSlamNone:          "a move that would capture every seed of the opponent captures nothing",
		GrandSlamForbidden:     "a move may not capture every seed of the opponent",
		GrandSlamLeaveLast:     "of a capture of every seed of the opponent, the last pit is left",
		GrandSlamLeaveFirst:    "of a capture of every seed of the opponent, the first pit is left",
		GrandSlamOpponentKeeps: "capturing every seed of the opponent ends the game, and the opponent gets the rest",
	}[r.GrandSlam]
	out += "."
	if r.CountSpare == CountSpareFirst {
		out += " The opponent's first pit on the way is never captured."
	}
	return []string{strings.TrimSuffix(out, "."), slam}
}

// capturing returns the numbers that capture, in words.
func (r Rules) capturing() string {
	switch {
	case !r.CountEven:
		return orList(r.Counts)
	case len(r.Counts) == 0:
		return "an even number"
	}
	return strings.ReplaceAll(joinInts(r.Counts), ",", ", ") + " or an even number"
}

func (r Rules) describeTurn() []string {
	var again []string
	for _, a := range r.Again {
		again = append(again, map[Again]string{
			AgainStore:   "after a last seed in your store",
			AgainCapture: "after a capture",
			AgainHome:    "after sowing that ends in an empty pit of yours and leaves the other side alone",
		}[a])
	}
	var out []string
	if len(again) > 0 {
		out = append(out, "play again "+strings.Join(again, " or "))
	}
	switch r.Feed {
	case FeedMust:
		out = append(out, "if the opponent has no seeds, a move must give them some")
	case FeedGive:
		out = append(out, "if the opponent has no seeds and you have two in a pit, your turn consists of giving them one")
	}
	if r.Stuck == StuckPass {
		out = append(out, "a player who cannot move passes")
	}
	return out
}

func (r Rules) describeEnd() []string {
	var ends []string
	if slices.Contains(r.End, EndRuleSideEmpty) {
		ends = append(ends, "a side is empty")
	}
	if slices.Contains(r.End, EndRuleLoneSeed) {
		ends = append(ends, "one seed is left, which goes to the owner of its side")
	}
	if slices.Contains(r.End, EndRuleRowEmpty) {
		ends = append(ends, "an inner row is empty, also within a turn")
	}
	if slices.Contains(r.End, EndRuleMajority) {
		ends = append(ends, "a player has won more than half of the seeds")
	}
	if r.EndTotal > 0 {
		ends = append(ends, "the board has at most "+counted(r.EndTotal, "seed"))
	}
	if r.EndAtMost >= 0 {
		ends = append(ends, "a side has at most "+counted(r.EndAtMost, "seed"))
	}
	if r.Stuck == StuckPass {
		ends = append(ends, "no player can move")
	} else {
		ends = append(ends, "the player on turn cannot move")
	}
	left := map[Remaining]string{
		RemainingOwn:     "the seeds left go to the owner of their side",
		RemainingEmptier: "the seeds left go to the player who emptied their own side by moving, otherwise to the owner of the side where they lie",
		RemainingSplit:   "the seeds left are shared",
		RemainingNobody:  "the seeds left count for no player",
		RemainingRival:   "the seeds left go to the opponent of the player who cannot move or has no seeds, otherwise to the owner of their side",
	}
	if slices.Contains(r.End, EndRuleRowEmpty) {
		left[RemainingRival] = "the seeds left go to the opponent of the player who cannot move or whose inner row is empty, otherwise to the owner of their side"
	}
	out := []string{"the game ends when " + strings.Join(ends, ", or ") + "; " + left[r.Remaining]}
	var cycles []string
	if r.Repetition > 0 {
		cycles = append(cycles, fmt.Sprintf("occurrence number %d of a position", r.Repetition))
	}
	if r.NoProgress > 0 {
		progress := "a seed won"
		if r.Captured != CapturedWon { // nothing is won before the end
			progress = "a capture"
		}
		if r.Reserve > 0 {
			progress += " or a seed entered"
		}
		cycles = append(cycles, fmt.Sprintf("%d moves without %s", r.NoProgress, progress))
	}
	if len(cycles) > 0 && !r.EndsByItself() {
		text := "it also ends at " + strings.Join(cycles, " or at ")
		if r.CycleRemaining != r.Remaining {
			text += "; then " + left[r.CycleRemaining]
		}
		out = append(out, text)
	}
	if r.Match == MatchDifference {
		text := fmt.Sprintf("rounds are played until one player has gained %d", r.Target)
		if r.MaxRounds > 0 {
			text += fmt.Sprintf(", at most %d", r.MaxRounds)
		}
		return append(out, text+"; the winner of a round gains the difference")
	}
	return append(out, "most seeds win")
}

// Difference is one option in which two rule sets differ.
type Difference struct {
	Option Option
	A, B   string // its values in the two rule sets
}

// String returns the difference in words.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s instead of %s", d.Option.What, strings.ReplaceAll(d.A, ",", ", "), strings.ReplaceAll(d.B, ",", ", "))
}

// Differences lists the options in which two rule sets differ, in the order of
// RULES.md §4.
func Differences(a, b Rules) []Difference {
	var out []Difference
	for _, o := range options {
		if va, vb := o.get(&a), o.get(&b); va != vb {
			out = append(out, Difference{o, va, vb})
		}
	}
	return out
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func orList(list []int) string {
	if len(list) == 1 {
		return joinInts(list)
	}
	return strings.ReplaceAll(joinInts(list[:len(list)-1]), ",", ", ") + " or " + joinInts(list[len(list)-1:])
}
