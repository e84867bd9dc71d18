package e2e

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// After a game its players and strangers share it: by a link to a moment, and in a frame of another site
// that has the buttons of a replay.
func TestFinishedGameIsSharedAtAMomentAndInAFrame(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{rules: "oware"}, 2)
	boards := []view{g.shows()}
	for range 4 {
		boards = append(boards, g.ply(boards[len(boards)-1]))
	}
	g.players[0].resigns()
	ada := g.players[0]
	ada.sees("#game[data-drawn] #result")

	// The address follows a player who steps. The button copies it.
	ada.presses(action("back"))
	ada.at(boards[3], 3)
	ada.until(`location.search === "?ply=3" && location.hash === ""`)
	ask[bool](ada, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	ada.keepsAsking()
	ada.presses(action("link-move"))
	ada.until(fmt.Sprintf(`window.copied === location.origin + "/%s?ply=3"`, g.id))
	ada.hears(action("link-move"), "Link copied")

	// A stranger opens it, goes on from there, and comes to the end.
	stranger := s.person("Stranger", phone)
	stranger.opens("/" + g.id + "?ply=3")
	stranger.at(boards[3], 3)
	stranger.hears("#status", "move 3 of 4")
	stranger.presses(action("back"))
	stranger.at(boards[2], 2)
	stranger.presses(action("last"))
	stranger.at(boards[4], 4)
	stranger.until(`location.search === ""`)
	stranger.opens("/" + g.id + "?ply=77")
	stranger.at(boards[4], 4)

	// In a frame of another site, keys and buttons step through the moves.
	reader := s.person("Reader", desktop)
	reader.base = s.framed(t)
	const shown = `(() => {
		const { ply, conn, role } = document.querySelector("[data-board]").dataset;
		const pits = [...document.querySelectorAll("[data-pit]")].sort((a, b) => a.dataset.pit - b.dataset.pit);
		return [ply, conn, role, document.querySelector("#at").textContent, pits.map((pit) => pit.dataset.count).join()].join(" ");
	})()`
	stands := func(n int) {
		t.Helper()
		reader.framesShow(shown, fmt.Sprintf("%d on spectator %d of 4 %s", n, n, join(boards[n].Snap.Pits)))
		link := fmt.Sprintf("http://%s/%s?ply=%d", s.addr, g.id, n)
		reader.framesShow(`document.querySelector("#to-game").href`, link)
	}
	press := func(name string) {
		reader.framed(fmt.Sprintf("document.querySelector(%q).click()", action(name)))
	}
	key := func(name string) {
		reader.framed(fmt.Sprintf(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true }))`, name))
	}
	reader.opens("/embed/" + g.id + "?ply=2")
	stands(2)
	for _, step := range []struct {
		name string
		n    int
	}{{"back", 1}, {"forward", 2}, {"last", 4}, {"first", 0}} {
		press(step.name)
		stands(step.n)
	}
	for _, step := range []struct {
		name string
		n    int
	}{{"End", 4}, {"ArrowLeft", 3}, {"ArrowRight", 4}, {"Home", 0}, {" ", 4}} {
		key(step.name)
		stands(step.n)
	}
	reader.opens("/embed/" + g.id)
	stands(4)
	press("first")
	stands(0)
	press("replay")
	stands(4)

	// The page to print fits on one sheet of paper, as a score sheet of the largest board does. It also has
	// the HTML of the frame.
	stranger.opens("/print/" + g.id)
	ask[bool](stranger, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	stranger.presses(action("copy-embed"))
	stranger.until(fmt.Sprintf(`window.copied.includes('src="' + location.origin + '/embed/%s"')`, g.id))
	for _, path := range []string{"/print/" + g.id, "/print/" + g.id + "?lang=fr", "/sheet?rules=bao", "/sheet?rules=basic-four&lang=ar"} {
		stranger.opens(path)
		if n := stranger.sheets(); n != 1 {
			t.Errorf("%s is printed on %d pages", path, n)
		}
	}
}

// After a game a player sends the card of their result. Where the device takes files, the picture goes with the
// link; elsewhere the link goes alone. A click saves the same picture.
func TestResultIsSharedWithItsCard(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "kalah"}, 2)
	ben := g.players[1]
	if ask[bool](ben, `document.querySelector("[data-action=picture]").checkVisibility()`) {
		t.Error("a card is offered before the game is over")
	}
	g.finished(4)
	ask[bool](ben, `(() => {
		window.shared = [];
		Object.defineProperty(navigator, "canShare", { value: ({ files }) => window.takesFiles && files.length > 0 });
		Object.defineProperty(navigator, "share", { value: async (what) => void shared.push(what) });
		return true;
	})()`)
	const said = `Promise.all(shared.map(async ({ url, files }) => {
		if (!files) return url;
		const { width, height } = await createImageBitmap(files[0]);
		const link = document.querySelector("#result [data-action=picture]");
		const saved = await (await fetch(link.href)).arrayBuffer();
		return [url, files.length, files[0].name === link.download, files[0].type, width, height, files[0].size === saved.byteLength].join(" ");
	})).then((all) => all.join("\n"))`
	link := fmt.Sprintf("%s/%s", ben.base, g.id)
	for i, want := range []string{link, link + " 1 true image/png 1200 1200 true"} {
		ask[bool](ben, fmt.Sprintf("(window.takesFiles = %t, shared.length = 0, true)", i > 0))
		ben.presses("#result " + action("share"))
		ben.until("shared.length === 1")
		if got := ask[string](ben, said); got != want {
			t.Errorf("the player shares %q, want %q", got, want)
		}
	}
}

// sheets returns the number of pages on which the browser prints the page that a person looks at.
func (p *person) sheets() (n int) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		pdf, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)})
		n = len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf.Data, -1))
		return chromedp.Void{}, err
	})
	return n
}

// The address of a moment shows that moment from the first picture on, never the end of the game before it.
func TestMomentIsShownFromTheFirstPictureOn(t *testing.T) {
	t.Parallel()
	g := deal(t, serve(t), settings{rules: "oware"}, 2)
	g.finished(4)
	stranger := g.server.person("Stranger", phone)
	stranger.onEveryPage(`addEventListener("DOMContentLoaded", () => {
		const board = document.querySelector("[data-board]");
		window.shown = [];
		const look = () => shown.push(Array.from(board.querySelectorAll("[data-pit]"), (pit) => pit.dataset.count).join());
		look();
		new MutationObserver(look).observe(board, { subtree: true, attributes: true, childList: true });
	})`)
	stranger.behind(t, g.server).Lag(100 * time.Millisecond)
	stranger.opens("/" + g.id + "?ply=2")
	stranger.until(`document.querySelector("[data-board]").dataset.ply === "2"`)
	if got := ask[[]string](stranger, "[...new Set(shown)]"); len(got) != 1 {
		t.Errorf("the page has shown %q", got)
	}
}
