package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// at waits until a person's page shows the board after a ply.
func (p *person) at(v view, n int) {
	p.t.Helper()
	p.until(fmt.Sprintf("e2e.board().ply === %d && e2e.board().pits.join() === %q", n, join(v.Snap.Pits)))
}

// A link to a move shows that move, during the game and after it. The address
// follows a person who steps through the game.
func TestLinkToAMoveShowsThatMove(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	boards := []view{g.shows()}
	for range 6 {
		boards = append(boards, g.ply(boards[len(boards)-1]))
	}
	hash := func(p *person, want string) {
		t.Helper()
		p.until(fmt.Sprintf("location.hash === %q", want))
	}
	wanda := g.watchers[0]
	wanda.opens("/")
	wanda.opens("/" + g.id + "#4")
	wanda.at(boards[4], 4)
	wanda.hears("#status", "move 4 of 6")
	wanda.draws("moves")
	wanda.until(`document.querySelector("#moves [aria-current]").dataset.at === "4"`)
	if got := ask[string](wanda, `document.querySelector("#moves [data-at='4']").getAttribute("aria-label")`); !strings.HasPrefix(got, "Move 4: ") || !strings.Contains(got, " pit ") {
		t.Errorf("the move is called %q", got)
	}
	wanda.shuts()
	wanda.clicks(action("back"))
	hash(wanda, "#3")
	wanda.at(boards[3], 3)
	// The game goes on, and a person who looks at an old move stays there.
	boards = append(boards, g.plyBut(boards[6], wanda))
	wanda.hears("#status", "move 3 of 7")
	ask[bool](wanda, `((location.hash = "#1"), true)`)
	wanda.at(boards[1], 1)
	wanda.clicks(action("last"))
	hash(wanda, "")
	wanda.at(boards[7], 7)
	wanda.opens("/" + g.id + "#99") // cut off or invented: the page shows the current board
	wanda.at(boards[7], 7)
}

// plyBut is ply while one watcher looks at another move.
func (g *table) plyBut(v view, away *person) view {
	g.t.Helper()
	g.watchers = nil
	defer func() { g.watchers = []*person{away} }()
	return g.ply(v)
}

// After the game the bars lead to every move, by pointer and by keys. A table
// has the same figures.
func TestBarsLeadToEveryMove(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah", start: "creator"}, 2)
	boards := []view{g.shows()}
	for v := boards[0]; v.Snap.State != "over"; {
		v = g.ply(v)
		boards = append(boards, v)
	}
	last := len(boards) - 1
	for _, p := range g.all() {
		p.sees("#after .chart")
		n := ask[int](p, `document.querySelectorAll("#after rect").length`)
		if n != last+1 {
			t.Errorf("%s sees %d bars for %d moves", p.name, n, last)
		}
	}
	ada := g.players[0]
	ask[bool](ada, `(document.querySelector("#after input").focus(), true)`)
	ada.types(kb.Home)
	ada.at(boards[0], 0)
	ada.types(kb.ArrowRight + kb.ArrowRight)
	ada.at(boards[2], 2)
	turn := map[bool]string{true: "Move 1: ", false: "Move 2: "}[boards[0].Snap.Turn == boards[1].Snap.Turn] // as in the list of moves
	if got := ask[string](ada, `document.querySelector("#after input").getAttribute("aria-valuetext")`); !strings.HasPrefix(got, turn) {
		t.Errorf("the slider says %q", got)
	}
	ada.clicks("#after summary")
	ada.sees("#after table")
	if rows := ask[int](ada, `document.querySelectorAll("#after table tr").length`); rows != last+1 {
		t.Errorf("the table has %d rows for %d moves", rows, last)
	}
	lead := boards[last].Snap.Stores[0] - boards[last].Snap.Stores[1]
	said := map[bool]string{true: fmt.Sprintf("You are %d ahead", lead), false: fmt.Sprintf("You are %d behind", -lead)}[lead > 0]
	if lead == 0 {
		said = "Even"
	}
	if got := ask[string](ada, `document.querySelector("#after tr:last-child td").textContent`); got != said {
		t.Errorf("the table ends with %q, want %q", got, said)
	}
	most := ask[int](ada, `Number(document.querySelector("#after .peaks [data-at]").dataset.at)`)
	ada.clicks("#after .peaks [data-at]")
	ada.at(boards[most], most)
}

// On phones, moves and chat open as sheets. The focus goes in and comes back,
// and Escape closes a sheet. The button counts the lines that arrive meanwhile.
func TestMovesAndChatOpenAsSheetsOnPhones(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	ada, ben := g.players[0], g.players[1]
	g.plays(g.shows(), 2)
	ben.loses("#chat-panel")
	ada.clicks("[data-preset=good-luck]")
	ben.until(`document.querySelector(".openers [data-unread]").textContent === "1"`)
	if got := ask[string](ada, `document.querySelector("[data-unread]").textContent`); got != "" {
		t.Errorf("a player with the chat open has %q unread lines", got)
	}
	for _, sheet := range []string{"chat", "moves"} {
		opener := fmt.Sprintf(".openers [popovertarget=%s-panel]", sheet)
		ben.clicks(opener)
		ben.sees(fmt.Sprintf("#%s-panel", sheet))
		ben.until(fmt.Sprintf(`document.querySelector("#%s-panel").contains(document.activeElement)`, sheet))
		ben.types(kb.Escape)
		ben.loses(fmt.Sprintf("#%s-panel", sheet))
		ben.until(fmt.Sprintf("document.activeElement === document.querySelector(%q)", opener))
	}
	ben.until(`document.querySelector(".openers [data-unread]").textContent === ""`)
	ben.draws("chat")
	ben.clicks(action("mute"))
	ada.clicks("[data-preset=oops]")
	ada.hears("#chat", "Oops")
	ben.hears("#chat-off", "do not see messages")
	ben.resize(desktop) // a large screen keeps no sheet open over the board
	ben.until(`document.querySelector(":popover-open") === null && e2e.visible("#chat-panel")`)
	if got := ben.text("#chat"); strings.Contains(got, "Oops") {
		t.Errorf("a player with the chat muted has %q unread lines", got)
	}
}
