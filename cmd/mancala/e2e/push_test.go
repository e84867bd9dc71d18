package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	permit "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// subscribable replaces the browser's push service, which needs the network of its maker. The key of
// the subscription is the base point of the curve.
const subscribable = `(() => {
	let mine = null;
	PushManager.prototype.getSubscription = async () => mine;
	PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
		if (!userVisibleOnly) throw new Error("no");
		const bytes = atob(applicationServerKey.replaceAll("-", "+").replaceAll("_", "/"));
		const keys = {
			p256dh: "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
			auth: "AAAAAAAAAAAAAAAAAAAAAA",
		};
		return mine = {
			endpoint: "https://push.example/x",
			options: { applicationServerKey: Uint8Array.from(bytes, (b) => b.charCodeAt(0)).buffer },
			toJSON: () => ({ endpoint: "https://push.example/x", expirationTime: null, keys }),
			unsubscribe: async () => (mine = null, true),
		};
	};
	return true;
})()`

// toldOn waits until the given number of a person's devices are told of turns.
func (p *person) toldOn(devices int) {
	p.t.Helper()
	p.until(fmt.Sprintf(`fetch("/api/v1/me/push").then((r) => r.json()).then(({ devices }) => devices.length === %d)`, devices))
}

// The switch of the settings turns messages about turns on and off for this device. Where the browser
// forbids messages, the page says how to allow them.
func TestPlayerTurnsMessagesAboutTurnsOnAndOff(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	const toggle, said = "#notify input", "#notify [role=status]"
	ada := s.person("Ada", phone)
	ada.comesIn()
	ada.notifies(permit.PermissionSettingGranted)
	ada.opens("/settings")
	ada.until("navigator.serviceWorker.controller !== null && !document.querySelector('" + toggle + "').disabled")
	ask[bool](ada, subscribable)
	ada.toldOn(0)
	ada.clicks(toggle)
	ada.hears(said, "This device tells you when it is your turn.")
	ada.toldOn(1)
	ada.clicks(toggle)
	ada.until("!document.querySelector('" + toggle + "').checked && document.querySelector('" + said + "').textContent === ''")
	ada.toldOn(0)

	ben := s.person("Ben", desktop)
	ben.comesIn()
	ben.notifies(permit.PermissionSettingDenied)
	ben.opens("/settings")
	ben.hears(said, "Your browser does not let this site show messages. Tap the sign beside the address, allow notifications there, and turn this on again.")
}

// In a game of days one line offers the messages after the player's move, also on a page that was opened before the
// game began. Closed once, it does not come again.
func TestGameOfDaysOffersMessagesOnce(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	const silent = `document.querySelector("#tell").hidden && e2e.board().state === "live"`
	ada, ben, cleo := s.person("Ada", desktop), s.person("Ben", phone), s.person("Cleo", phone)
	for _, p := range []*person{ada, ben, cleo} {
		p.comesIn()
		p.notifies(permit.PermissionSettingPrompt)
	}
	id := ada.makes(settings{clock: "3/move", start: "creator"})
	cleo.opens("/" + id)
	ben.joins(id)
	follows := func(p *person) {
		p.until(`e2e.board()?.state === "live" && navigator.serviceWorker.controller !== null`)
	}
	moves := func(p *person, ply int) {
		move := fmt.Sprintf(`{"kind":"move","id":"m1","ply":%d,"move":"a"}`, ply)
		if !ask[bool](p, fmt.Sprintf(`fetch("/api/v1/games/%s/commands", { method: "POST", body: %q, headers: { "content-type": "application/json" } }).then((r) => r.ok)`, id, move)) {
			t.Fatalf("%s cannot move", p.name)
		}
	}
	follows(ada)
	ada.until(silent)
	moves(ada, 0)
	ada.sees("#tell [data-tell=on]")
	ada.clicks("#tell [data-tell=never]")
	ada.loses("#tell")
	ada.opens("/" + id)
	follows(ada)
	ada.until(`localStorage.getItem("push-never") === "1"`)
	ada.until(silent)

	follows(ben)
	ask[bool](ben, subscribable)
	ben.notifies(permit.PermissionSettingGranted)
	moves(ben, 1)
	ben.sees("#tell [data-tell=on]")
	ben.clicks("#tell [data-tell=on]")
	ben.hears("#tell [role=status]", "You will be told.")
	ben.toldOn(1)
	cleo.until(silent) // Cleo watches
}

// A message of the service is shown by the worker, in place of the last one about the same game.
func TestWorkerShowsMessagesAboutTurns(t *testing.T) {
	t.Parallel()
	s := serve(t).inWholeBrowser()
	ada := s.person("Ada", desktop)
	ada.comesIn()
	ada.notifies(permit.PermissionSettingGranted)
	ada.until("navigator.serviceWorker.controller !== null")
	registered := make(chan serviceworker.RegistrationID, 16)
	if err := chromedp.Listen(ada.ctx, func(event any) {
		if e, ok := event.(*serviceworker.EventWorkerRegistrationUpdated); ok {
			for _, r := range e.Registrations {
				if r.ScopeURL == ada.base+"/" && !r.IsDeleted {
					select {
					case registered <- r.RegistrationID:
					default:
					}
				}
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	call := func(f func(ctx context.Context, t *chromedp.Target) error) {
		t.Helper()
		ada.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			return chromedp.Void{}, f(ctx, t)
		})
	}
	call(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, serviceworker.Enable, cdp.Empty{})
		return err
	})
	worker := <-registered
	for _, title := range []string{"It is your turn", "You have little time left for your turn"} {
		body, err := json.Marshal(map[string]string{"title": title, "body": "Kalah", "tag": "k3v9qa2m7x", "path": "/k3v9qa2m7x", "lang": "en", "dir": "ltr"})
		if err != nil {
			t.Fatal(err)
		}
		shown := fmt.Sprintf(`navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.length === 1
			&& all[0].title === %q && all[0].body === "Kalah" && all[0].tag === "k3v9qa2m7x" && all[0].data.path === "/k3v9qa2m7x")`, title)
		// Chromium forgets a message that comes while the worker starts.
		for there := false; !there; {
			call(func(ctx context.Context, t *chromedp.Target) error {
				_, err := cdp.Call(ctx, t, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: ada.base, RegistrationID: worker, Data: string(body)})
				return err
			})
			if there, err = ada.comes(shown, 5*time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
}
