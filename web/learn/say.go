package learn

import (
	"html/template"

	"mancala/engine"
)

// said are the texts about values of options, as "option=value", where a section of the rules has one. Others
// have a text of their own, see [Say].
var said = map[string]string{
	"sides=2": "board.two", "sides=4": "board.four", "partners=2": "board.teams", "rows=2": "board.rows",
	"opening=free": "setup.free", "opening=paired": "setup.paired", "swap=keeps-first": "swap.keeps-first", "swap=loses-first": "swap.loses-first",
	"direction=ccw": "direction.ccw", "direction=cw": "direction.cw", "direction=choice": "direction.choice",
	"start=rightmost": "lift.rightmost", "lift=any": "lift.any", "lift=two": "lift.two", "lift=two-first": "lift.two-first",
	"store=true": "board.store", "skip_origin=true": "sow.skip", "keep_first=true": "sow.keep", "second_round=opponent": "sow.second",
	"relay=same": "relay.same", "relay=reverse": "relay.reverse", "relay=next": "relay.next",
	"capture=none": "capture.none", "capture=cross": "capture.cross", "capture=count": "capture.count", "capture=gap": "capture.gap",
	"cross_own=true": "capture.own", "cross_empty=true": "capture.empty", "cross_run=true": "capture.run",
	"cross_needs=pit": "capture.needs.pit", "cross_needs=side": "capture.needs.side",
	"cross_at=empty": "capture.cross", "cross_at=occupied": "capture.occupied",
	"cross_depth=any": "capture.cross.rows.any", "cross_depth=full": "capture.cross.rows.full", "cross_depth=inner": "capture.cross.rows.inner",
	"captured=onward": "capture.onward", "captured=restart": "capture.restart", "captured=head": "capture.head",
	"must_capture=true": "lift.capture-first", "block=true": "capture.block",
	"count_side=any": "capture.count.any", "count_side=opponent": "capture.count", "count_chain=true": "capture.chain",
	"count_opposite=true": "capture.opposite", "count_spare=first": "capture.spare",
	"sow_winner=owner": "capture.passing.owner", "sow_winner=mover": "capture.passing.mover",
	"claim_ban=last": "capture.claim.last", "claim_ban=twin": "capture.claim.twin",
	"again=store": "again.store", "again=capture": "again.capture", "again=home": "again.home",
	"feed=must": "feed.must", "feed=give": "feed.give", "stuck=end": "stuck.end", "stuck=pass": "stuck.pass",
	"end=side-empty": "end.side-empty", "end=lone-seed": "end.lone-seed", "end=majority": "end.majority", "end=row-empty": "end.row-empty",
	"match=difference": "match.difference",
}

// saidNumbers are the texts about numbers that mean something.
var saidNumbers = map[string]string{
	"seeds": "setup.even", "reserve": "lift.reserve", "backward": "direction.backward", "claim": "capture.claim", "end_total": "end.few-left",
	"end_at_most": "end.at-most", "repetition": "end.repetition", "target": "match.difference",
	"max_rounds": "match.max",
}

// Say returns a sentence about a value of an option, or about a member of an option that is a set. What
// else it tells, such as the number of pits, is that of r.
func Say(r engine.Rules, option, value string, text Text) string {
	t := &writer{Rules: r, text: text}
	key, known := said[option+"="+value]
	switch prefix := map[string]string{"grand_slam": "grand-slam.", "cycle_remaining": "end.cycle."}[option]; {
	case prefix != "":
		key = prefix + value
	case option == "remaining":
		key = t.left(value)
	case option == "direction" && r.Rows == 2:
		key += ".rows"
	case option == "cross_at" && r.Rows == 2:
		key += ".rows." + string(r.CrossDepth)
	case option == "cross_depth" && r.CrossAt == engine.CrossAtOccupied:
		key = "capture.occupied.rows." + value
	case !known && option == "pits":
		key = map[bool]string{true: "board.rows", false: "board.two"}[r.Rows == 2]
		if r.Sides == 4 {
			key = "board.four"
		}
	case option == "no_progress":
		key = t.progress()
	case !known && option == "total":
		key = "setup.free"
	case !known && option == "house" && value != "none":
		return text("compose.house.pit", "n", int(value[0]-'a')+1)
	case !known && saidNumbers[option] != "":
		key = saidNumbers[option]
	case !known:
		return text("compose."+option+"."+value, "n", value)
	}
	n := any(value)
	switch option {
	case "sides", "partners", "rows":
		n = r.Pits
	case "opening":
		n = max(r.Total, 2)
	case "must_capture":
		n = r.PitsPerSide()
	case "match":
		n = max(r.Target, 1)
	case "sow_winner":
		return text("learn."+key, "counts", t.orList(texts(orUsual(r.SowCounts, 4))))
	}
	if !t.counting() || len(t.Counts) == 0 && !t.CountEven {
		t.Counts, t.CountEven = []int{2, 3}, false
	}
	return text("learn."+key, "n", n, "counts", t.numbers())
}

// orUsual returns a list, or one with a usual number if it is empty.
func orUsual(list []int, usual int) []int {
	if len(list) == 0 {
		return []int{usual}
	}
	return list
}

// Words returns the sections of a game's rules without figures.
func Words(r engine.Rules, text Text) []Section { return words(r, text) }

// Show returns a figure with the board after a move of South in p, or false if the move sows nothing. after is
// the position that the game has come to with its history, which may end it.
func Show(g *engine.Game, p engine.Position, m engine.Move, after engine.Position, text Text) (Figure, bool) {
	e, ok := try(g, p, m)
	if !ok || len(e.Events) < 2 || m.Kind != engine.MoveLift && m.Kind != engine.MoveGift {
		return Figure{}, false
	}
	e.After = after
	board := drawing(g, after, e.marks(), text, "learn.figure.after")
	return Figure{Boards: []template.HTML{board}, Caption: describe(g, e, text)}, true
}

// At returns a figure with a board as it stands, without a caption.
func At(g *engine.Game, p engine.Position, text Text) Figure {
	return Figure{Boards: []template.HTML{drawing(g, p, Marks{}, text, "learn.figure.shows")}}
}
