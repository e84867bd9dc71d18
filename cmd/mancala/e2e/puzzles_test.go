package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"mancala/engine"
	"mancala/engine/search"
)

// puzzleMoves returns a right and a wrong move of the puzzle that a page shows. The engine finds them from the board
// alone: the page does not hold the solution.
func (p *person) puzzleMoves() (right, wrong engine.Move) {
	p.t.Helper()
	system := ask[string](p, `JSON.parse(document.querySelector("#lesson").textContent).frame.snap.rules`)
	if ask[int](p, `JSON.parse(document.querySelector("#lesson").textContent).steps[0].right.length`) != 0 {
		p.t.Error("the page holds the solution before the try")
	}
	position := ask[string](p, `(() => {
		const { pits, stores, ply } = JSON.parse(document.querySelector("#lesson").textContent).steps[0];
		const half = pits.length / 2;
		return pits.slice(0, half).join(",") + "/" + pits.slice(half).join(",") + " " + stores.join("/") + " S play 0 " + ply;
	})()`)
	rules, _ := engine.System(system)
	g := engine.MustCompile(rules.String())
	at, err := g.Parse(position)
	if err != nil {
		p.t.Fatal(position, err)
	}
	moves := search.New(g, 4<<20).Rate(p.ctx, at, nil, search.Limits{Nodes: 3_000_000, Prove: true}).Moves
	if len(moves) < 3 {
		p.t.Fatalf("%s has %d moves", position, len(moves))
	}
	return moves[0].Move, moves[len(moves)-1].Move
}

// triesInPuzzle makes a move by touch.
func (p *person) triesInPuzzle(m engine.Move) {
	p.t.Helper()
	p.presses(pit(int(m.Pit)))
	p.until(`e2e.visible("[data-action=again]") || e2e.visible("[data-way]") ||
		document.querySelector("#status").textContent.startsWith("Connection lost")`)
	if ask[bool](p, `e2e.visible("[data-way]")`) {
		p.presses("[data-way='" + m.Way.String() + "']")
	}
}

// A server that has no puzzles makes some when somebody asks for them. One is solved by keys alone at a desktop,
// and on a phone a wrong tap is told, with the solution. A tap while the server is away is judged when it is back.
func TestPuzzlesAreMadeAndSolved(t *testing.T) {
	t.Parallel()
	audit := axe(t)
	s := serve(t).painted()
	ada := s.person("Ada", desktop)
	ada.opens("/puzzles")
	keepPicture(t, "puzzles-none-1440", ada.shot)
	// The server makes puzzles in the time that games leave. A busy machine leaves it little.
	day := `fetch("/puzzles").then((r) => r.text()).then((page) => page.includes('id="day"'))`
	if made, err := ada.comes(day, 3*patience); err != nil || !made {
		t.Fatalf("the server has made no puzzle of the day: %v\n%s", err, ada.describe())
	}
	ada.opens("/puzzles")
	keepPicture(t, "puzzles-1440", ada.shot)
	ada.reaches(audit, "the puzzles")
	ada.opens("/puzzles?theme=")
	ada.online()
	right, _ := ada.puzzleMoves()
	keepPicture(t, "puzzle-1440", ada.shot)
	ada.tabsTo("[data-pit]")
	ada.types("h") // there is no hint before the try
	ada.answers(right)
	ada.hears("#status[data-right=true]", "Yes, that is it.")
	keepPicture(t, "puzzle-solved-1440", ada.shot)
	solved := ask[string](ada, "location.pathname")
	ada.types(kb.Enter) // the focus is on the next puzzle
	ada.until("location.pathname !== " + strconv.Quote(solved))

	ben := s.person("Ben", phone)
	ben.opens("/puzzles")
	keepPicture(t, "puzzles-360", ben.shot)
	ben.opens(solved)
	ben.online()
	right, wrong := ben.puzzleMoves()
	keepPicture(t, "puzzle-360", ben.shot)
	ben.triesInPuzzle(wrong)
	ben.hears("#status[data-right=false]", "The move that ")
	keepPicture(t, "puzzle-wrong-360", ben.shot)
	ben.reaches(audit, "a puzzle")
	ben.presses(action("again"))
	ben.until("!(" + verdict + ")")
	ben.presses(action("hint"))
	ben.hears("#status", "Try pit")

	s.stop()
	ben.triesInPuzzle(right)
	ben.hears("#status", "Connection lost. Trying again.")
	s.start()
	ben.hears("#status[data-right=true]", "Yes, that is it.")
	ben.opens("/puzzles")
	ben.until(`document.body.textContent.includes("You have tried 1 puzzle.")`)
}
