// Package learn explains the rules of a game in words and figures. It reads the rule
// set that the engine plays by, so the explanation is also right for house rules.
//
// [Tell] returns the sections of a page. Their words come from a message catalog. Their
// figures are boards before and after moves that [Find] plays in the engine.
package learn

import (
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/web/messages"
)

// Text is a message catalog. It returns the text of a key, with pairs of name and value
// filled in.
type Text func(key string, pairs ...any) string

// Section is one rule, with an anchor of its own.
type Section struct {
	ID      string
	Title   string
	Text    []string
	Figures []Figure
}

// Anchors are the IDs of all possible sections, in their order. A game has the sections
// that its rules need.
var Anchors = []string{
	"board", "setup", "swap", "first-move", "lift", "direction", "sow", "relay",
	"capture", "grand-slam", "again", "feed", "stuck", "end", "win", "match",
}

// writer collects the text of a rule set, section by section.
type writer struct {
	engine.Rules
	text      Text
	sentences []string // of the current section
}

// Tell returns the sections of a game's rules.
func Tell(g *engine.Game, text Text) []Section {
	sections, figures := words(g.Rules(), text), draw(g, Find(g), text)
	for i := range sections {
		sections[i].Figures = figures[sections[i].ID]
	}
	return sections
}

// Describe returns a game's rules as one paragraph.
func Describe(r engine.Rules, text Text) string {
	var sentences []string
	for _, s := range words(r, text) {
		sentences = append(sentences, s.Text...)
	}
	return strings.Join(sentences, " ")
}

// words returns the sections without figures.
func words(r engine.Rules, text Text) []Section {
	t := &writer{Rules: r, text: text}
	write := map[string]func(){
		"board": t.board, "setup": t.setup, "swap": t.swap, "first-move": t.first, "lift": t.lift,
		"direction": t.direction, "sow": t.sow, "relay": t.relay, "capture": t.capture, "grand-slam": t.slam,
		"again": t.again, "feed": t.feed, "stuck": t.stuck, "end": t.end, "win": t.win, "match": t.match,
	}
	var out []Section
	for _, id := range Anchors {
		t.sentences = nil
		write[id]()
		if len(t.sentences) > 0 {
			out = append(out, Section{ID: id, Title: text("learn." + id), Text: t.sentences})
		}
	}
	return out
}

// say adds a sentence to the current section. sayIf adds it only if the game has the
// rule.
func (t *writer) say(key string, pairs ...any) {
	t.sentences = append(t.sentences, t.text("learn."+key, pairs...))
}

func (t *writer) sayIf(is bool, key string, pairs ...any) {
	if is {
		t.say(key, pairs...)
	}
}

func (t *writer) board() {
	switch {
	case t.Sides == 4:
		t.say("board.four", "n", t.Pits)
	case t.Partners == 2:
		t.say("board.teams", "n", t.Pits)
	case t.Rows == 2:
		t.say("board.rows", "n", t.Pits)
	default:
		t.say("board.two", "n", t.Pits)
	}
	switch {
	case t.Store:
		t.say("board.store")
	case t.Reserve > 0:
		t.say("board.hand")
	case t.Captured != engine.CapturedWon:
		t.say("board.kept")
	default:
		t.say("board.pile")
	}
}

func (t *writer) setup() {
	switch {
	case t.Opening == engine.OpeningFree:
		t.say("setup.free", "n", t.Total)
	case t.Opening == engine.OpeningPaired:
		t.say("setup.paired", "n", t.Total)
	case slices.Min(t.Seeds) == slices.Max(t.Seeds):
		t.say("setup.even", "n", t.Seeds[0])
	default:
		t.say("setup.list")
	}
}

func (t *writer) swap() {
	t.sayIf(t.Swap != engine.SwapNone, "swap."+string(t.Swap))
}

func (t *writer) first() {
	switch {
	case t.Opening != engine.OpeningFixed:
		t.say("first-move.layout")
		t.sayIf(t.Match == engine.MatchDifference, "first-move.rounds")
	default:
		t.say("first-move.south")
	}
	switch {
	case t.Sides == 4:
		t.say("first-move.four")
	case t.Partners == 2:
		t.say("first-move.teams")
	default:
		t.say("first-move.two")
	}
}

func (t *writer) lift() {
	if t.Reserve > 0 {
		t.say("lift.reserve", "n", t.Reserve)
		if t.House != engine.HouseNone {
			t.say("lift.house", "pit", int(t.House[0]-'a')+1)
			t.say("lift.house.power")
			t.say("lift.house.gone")
		}
		t.say("lift.empty-hand")
	}
	t.say("lift." + string(t.Lift))
	t.sayIf(t.Start == engine.StartRightmost, "lift.rightmost")
	t.sayIf(t.MustCapture, "lift.capture-first", "n", t.PitsPerSide())
}

func (t *writer) direction() {
	rows := ""
	if t.Rows == 2 {
		rows = ".rows"
	}
	t.say("direction." + string(t.Direction) + rows)
	t.sayIf(t.Backward > 0, "direction.backward", "n", t.Backward)
}

func (t *writer) sow() {
	t.say("sow.each")
	switch {
	case t.Rows == 2:
		t.say("sow.own")
	case t.Store:
		t.say("sow.store")
	default:
		t.say("sow.no-store")
	}
	t.sayIf(t.SkipOrigin, "sow.skip")
	t.sayIf(t.KeepFirst, "sow.keep")
	t.sayIf(t.SecondRound == engine.SecondRoundOpponent, "sow.second")
}

func (t *writer) relay() {
	if t.Relay == engine.RelayNone {
		return
	}
	t.say("relay." + string(t.Relay))
	t.sayIf(t.counting(), "relay.count")
	t.say("relay.endless")
}

func (t *writer) capture() {
	if len(t.SowCounts) > 0 {
		t.say("capture.passing."+string(t.SowWinner), "counts", t.orList(texts(t.SowCounts)))
	}
	t.claim()
	switch t.Capture {
	case engine.CaptureNone:
		t.sayIf(len(t.SowCounts) == 0 && t.Claim == 0, "capture.none")
		return
	case engine.CaptureCross:
		t.captureAcross()
	case engine.CaptureCount:
		t.captureCounted()
	case engine.CaptureBoth:
		t.captureCounted()
		t.captureAcross()
	case engine.CaptureGap:
		t.say("capture.gap")
	}
	t.say("capture.must")
}

func (t *writer) claim() {
	if t.Claim == 0 {
		return
	}
	t.say("capture.claim", "n", t.Claim)
	for _, ban := range t.ClaimBan {
		t.say("capture.claim." + string(ban))
	}
}

// counting reports whether a last seed may capture by the number in its pit.
func (t *writer) counting() bool {
	return t.Capture == engine.CaptureCount || t.Capture == engine.CaptureBoth
}

func (t *writer) captureCounted() {
	single, any := len(t.Counts) == 1 && t.Counts[0] == 1 && !t.CountEven, ""
	if t.CountSide == engine.CountSideAny {
		any = ".any"
	}
	counts := t.numbers()
	if single {
		t.say("capture.single" + any)
	} else {
		t.say("capture.count"+any, "counts", counts)
	}
	switch {
	case t.CountChain && single:
		t.say("capture.chain.single")
	case t.CountChain:
		t.say("capture.chain", "counts", counts)
	}
	t.sayIf(t.CountOpposite, "capture.opposite")
	t.sayIf(t.CountSpare == engine.CountSpareFirst, "capture.spare")
}

func (t *writer) captureAcross() {
	key := "capture.cross"
	if t.CrossAt == engine.CrossAtOccupied {
		key = "capture.occupied"
	}
	if t.Rows == 2 {
		key += ".rows." + string(t.CrossDepth)
	}
	t.say(key)
	if t.Captured != engine.CapturedWon {
		t.say("capture." + string(t.Captured))
		t.sayIf(t.Block, "capture.block")
		return
	}
	if t.CrossOwn {
		t.say("capture.own")
	} else {
		t.say("capture.stays")
	}
	if t.CrossEmpty {
		t.say("capture.empty")
	} else {
		t.say("capture.nothing")
	}
	t.sayIf(t.CrossNeeds != engine.CrossNeedsNothing, "capture.needs."+string(t.CrossNeeds))
	t.sayIf(t.CrossRun, "capture.run")
}

// numbers returns the counts that capture in words: "2 or 3".
func (t *writer) numbers() string {
	words := texts(t.Counts)
	if t.CountEven {
		words = append(words, t.text("learn.even"))
	}
	return t.orList(words)
}

func texts(list []int) []string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return words
}

// orList joins words as in "2, 3 or 4". A Spanish number that begins with o, such as ocho or once, has
// another word before it.
func (t *writer) orList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	key := "learn.or"
	if strings.HasPrefix(words[last], "8") || words[last] == "11" {
		key = "learn.or.8"
	}
	return t.text(key, "a", messages.List(t.text, words[:last]), "b", words[last])
}

func (t *writer) slam() {
	t.sayIf(t.counting() && t.CountSide == engine.CountSideOpponent && !t.CountOpposite, "grand-slam."+string(t.GrandSlam))
}

func (t *writer) again() {
	for _, a := range t.Again {
		t.say("again." + string(a))
	}
	t.sayIf(len(t.Again) > 0, "again.more")
}

func (t *writer) feed() {
	t.sayIf(t.Feed != engine.FeedNone, "feed."+string(t.Feed))
}

func (t *writer) stuck() { t.say("stuck." + string(t.Stuck)) }

func (t *writer) end() {
	for _, e := range t.End {
		t.say("end." + string(e))
	}
	t.sayIf(t.EndTotal > 0, "end.few-left", "n", t.EndTotal)
	t.sayIf(t.EndAtMost >= 0, "end.at-most", "n", t.EndAtMost)
	if len(t.sentences) > 0 {
		t.say("end.also." + string(t.Stuck))
	} else {
		t.say("end.only." + string(t.Stuck))
	}
	t.say(t.left(string(t.Remaining)))
	if t.EndsByItself() {
		return
	}
	t.sayIf(t.Repetition > 0, "end.repetition", "n", t.Repetition)
	t.sayIf(t.NoProgress > 0, t.progress(), "n", t.NoProgress)
	t.sayIf(t.CycleRemaining != t.Remaining, "end.cycle."+string(t.CycleRemaining))
}

// left names the sentence about the seeds that are left, for a value of remaining. Where an empty inner row ends
// the game, its owner loses although they may have seeds in the outer row.
func (t *writer) left(remaining string) string {
	if remaining == string(engine.RemainingRival) && slices.Contains(t.End, engine.EndRuleRowEmpty) {
		return "end.left.rival.row"
	}
	return "end.left." + remaining
}

// progress names the sentence about moves without progress: where captured seeds stay on the board, no
// player wins a seed before the end.
func (t *writer) progress() string {
	switch {
	case t.Captured == engine.CapturedWon:
		return "end.no-progress"
	case t.Reserve > 0:
		return "end.no-progress.entered"
	}
	return "end.no-progress.captured"
}

func (t *writer) win() {
	if t.Remaining == engine.RemainingNobody {
		t.say("win.captured")
	} else {
		t.say("win.most")
	}
	t.sayIf(t.Partners == 2, "win.teams")
}

func (t *writer) match() {
	if t.Match != engine.MatchDifference {
		return
	}
	t.say("match.difference", "n", t.Target)
	t.sayIf(t.MaxRounds > 0, "match.max", "n", t.MaxRounds)
}
