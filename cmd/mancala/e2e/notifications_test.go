package e2e

import (
	"context"
	"fmt"
	"testing"

	permit "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// notifies sets this browser's permission for notifications. "prompt" means
// that the person has not been asked yet.
func (p *person) notifies(setting permit.PermissionSetting) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, permit.SetPermission, permit.SetPermissionParams{
			Permission: &permit.PermissionDescriptor{Name: "notifications"}, Setting: setting, Origin: p.base,
			BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		})
		return chromedp.Void{}, err
	})
}

// spies records the page's notifications and tones from now on.
func (p *person) spies() {
	p.t.Helper()
	ask[bool](p, `(() => {
		const Real = Notification, start = OscillatorNode.prototype.start;
		window.made = [];
		window.tones = 0;
		window.Notification = class extends Real { constructor(title, options) { super(title, options); window.made.push(title); } };
		OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
		return true;
	})()`)
}

// A player is not asked for notifications before they want them. Once they do,
// a notification, a sound and the tab's title tell them in a hidden tab that
// their seek was accepted.
func TestPlayerIsNotifiedOfAnAcceptedSeek(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	ada.comesIn()
	ada.notifies(permit.PermissionSettingPrompt)
	ben.comesIn()
	ada.spies()
	ada.loses(action("notify"))
	seek := ada.seeks("oware", "none")
	ada.sees(action("notify"))
	ada.notifies(permit.PermissionSettingGranted)
	ada.clicks(action("notify"))
	ada.loses(action("notify"))
	ada.hides(true)
	ben.sees(row(seek))
	ben.clicks(row(seek) + " button")
	ben.isPlaying()
	ada.until(`window.made.length === 1 && window.made[0].includes("game") && window.tones > 0 && document.title.startsWith("● " + window.made[0])`)
	ada.hides(false)
	ada.isPlaying()
}

// A challenged player with a hidden tab is notified on every page, if they have
// allowed it. Otherwise only the tab's title tells them.
func TestPlayerIsNotifiedOfAChallenge(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada, ben, cleo := s.person("Ada", desktop), s.person("Ben", phone), s.person("Cleo", tablet)
	who := map[*person]string{}
	for p, setting := range map[*person]permit.PermissionSetting{ben: permit.PermissionSettingGranted, cleo: permit.PermissionSettingDenied} {
		p.comesIn()
		p.notifies(setting)
		who[p] = p.id()
		p.opens("/learn")
		p.clicks("h1") // the browser plays no sound before the first click on the page
		p.spies()
		p.hides(true)
	}
	ada.comesIn()
	for _, p := range []*person{ben, cleo} {
		ada.challenges(who[p])
		p.until(fmt.Sprintf(`document.title.includes("asks you to play Oware.") && window.tones > 0 && window.made.length === %d`, map[*person]int{ben: 1, cleo: 0}[p]))
	}
	if text := ask[string](ben, "window.made[0]"); text == "" || !ask[bool](ben, `document.title.startsWith("● " + window.made[0])`) {
		t.Errorf("Ben is notified of %q", text)
	}
}

// An open home page shows at once when it is the player's turn, in its list and
// in the tab's title. Nothing moves under the pointer.
func TestHomePageShowsThePlayersTurn(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada, ben := s.person("Ada", desktop), s.person("Ben", phone)
	ada.comesIn()
	ben.comesIn()
	id := ada.makes(settings{clock: "none"})
	ben.joins(id)
	ada.until(`e2e.board().state === "live"`)
	home := ada.tab("Ada's home", desktop)
	home.opens("/")
	home.inLobby()
	home.sees("#mine [data-game]")
	g := &table{t: t, server: s, players: []*person{ada, ben}, random: fixed(), draft: map[*person][]int{}}
	g.id = id
	for range 4 {
		v := s.game(id)
		p := g.seat(v.Snap.Turn)
		p.until(mayAct) // this page may get the last move later than the other one and the server
		legal := ask[[]int](p, "e2e.legal()")
		p.presses(pit(legal[0]))
		p.until(fmt.Sprintf("e2e.board().ply > %d && e2e.board().anim === 'idle'", v.Snap.Ply))
		if g.seat(s.game(id).Snap.Turn) == ada {
			home.until(`document.title.startsWith("(1) ") && document.querySelector("#mine strong") !== null`)
		} else {
			home.until(`!document.title.startsWith("(") && document.querySelector("#mine strong") === null`)
		}
	}
}
