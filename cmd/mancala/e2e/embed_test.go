package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// framed evaluates an expression in the first frame of a person's page. The
// script of the surrounding page, from another site, cannot do that. It returns
// the frame's address and the expression's text.
func (p *person) framed(expression string) (address, text string) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		tree, err := cdp.Call(ctx, t, page.GetFrameTree, cdp.Empty{})
		if err != nil || len(tree.FrameTree.ChildFrames) == 0 {
			return chromedp.Void{}, err
		}
		frame := tree.FrameTree.ChildFrames[0].Frame
		address = frame.URL + frame.UnreachableURL
		world, err := cdp.Call(ctx, t, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame.ID})
		if err != nil {
			return chromedp.Void{}, nil // the frame is still loading
		}
		answer, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: world.ExecutionContextID})
		if err == nil && answer.Result != nil {
			text = strings.Trim(string(answer.Result.Value), `"`)
		}
		return chromedp.Void{}, nil
	})
	return address, text
}

// framesShow waits until an expression in the frame has the value want.
func (p *person) framesShow(expression, want string) {
	p.t.Helper()
	address, got := "", ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if address, got = p.framed(expression); got == want {
			return
		}
	}
	p.t.Fatalf("the frame %s shows %q of %s, not %q", address, got, expression, want)
}

// framed starts another site. Each of its pages frames the server's page of the same address.
func (s *server) framed(t *testing.T) string {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><title>Another site</title><iframe src="http://%s%s" width="640" height="480"></iframe>`, s.addr, r.URL)
	}))
	t.Cleanup(other.Close)
	return other.URL
}

// A board in another site's page follows the game. No other page can be framed
// (UX.md §11, Q18).
func TestEmbeddedBoardFollowsTheGame(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	v := g.plays(g.shows(), 2)
	reader := g.server.person("Reader", desktop)
	reader.base = g.server.framed(t)

	const board = `(() => { const { ply, conn, role, anim } = document.querySelector("[data-board]").dataset; return [ply, conn, role, anim].join(" "); })()`
	reader.opens("/embed/" + g.id)
	reader.framesShow(board, fmt.Sprintf("%d on spectator idle", v.Snap.Ply))
	reader.framesShow(`(({ bottom }, { top }) => bottom <= top ? "below" : "across")(
		document.querySelector(".seats[data-place=bottom]").getBoundingClientRect(), document.querySelector("#status").getBoundingClientRect(),
	)`, "below") // the status, and the name of the player
	v = g.plays(v, 2)
	reader.framesShow(board, fmt.Sprintf("%d on spectator idle", v.Snap.Ply))
	counts := `Array.from(document.querySelectorAll("[data-pit]")).sort((a, b) => a.dataset.pit - b.dataset.pit).map((pit) => pit.dataset.count).join()`
	reader.framesShow(counts, join(v.Snap.Pits))
	reader.framesShow(`document.querySelector("[data-pit='0']").click() ?? document.querySelectorAll("[data-legal='1'], [data-action]").length + " " + document.querySelectorAll("a").length`, "0 1")
	reader.framesShow(`document.querySelector("a").href`, "http://"+g.server.addr+"/"+g.id)

	// When the game ends, the frame has the buttons of a replay at once.
	g.players[0].resigns()
	reader.framesShow(`document.querySelectorAll(".stepping [data-action]").length + " " + document.querySelector("#at").textContent`, fmt.Sprintf("5 %d of %[1]d", v.Snap.Ply))
	reader.framed(fmt.Sprintf("document.querySelector(%q).click()", action("first")))
	reader.framesShow(`document.querySelector("#at").textContent`, fmt.Sprintf("0 of %d", v.Snap.Ply))
	reader.framesShow(`document.querySelector("#to-game").href`, fmt.Sprintf("http://%s/%s?ply=0", g.server.addr, g.id))

	reader.forgive("frame-ancestors", "net::ERR_BLOCKED_BY_RESPONSE", "Framing")
	for _, path := range []string{"/" + g.id, "/", "/settings"} {
		reader.opens(path)
		reader.framesShow("location.protocol", "chrome-error:")
	}
}

// In a tall frame the piles of a game without stores stand on the names, whose height does not grow there.
func TestPilesOfAnEmbeddedBoardStandOnTheNames(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", tablet)
	id := ada.makes(settings{rules: "toguz-kumalak"})
	ada.opens("/embed/" + id)
	ada.until(`document.querySelectorAll("mancala-board [data-store]").length === 2`)
	ada.until(`Array.from(document.querySelectorAll("mancala-board [data-store]"), (pile) => pile.getBoundingClientRect()).every((pile) =>
		Array.from(document.querySelectorAll(".seat"), (seat) => seat.getBoundingClientRect()).some((seat) => seat.top <= pile.top && pile.bottom <= seat.bottom))`)
}
