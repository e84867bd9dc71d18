package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

const secret = "seven green turtles"

// key gives the browser a virtual authenticator that creates and uses passkeys
// without a touch. Passkeys need a host name, so the person's address becomes
// localhost.
func (p *person) key() {
	p.t.Helper()
	p.base = strings.Replace(p.base, "127.0.0.1", "localhost", 1)
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return chromedp.Void{}, err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		return chromedp.Void{}, err
	})
}

// makesAccount makes an account with a password and returns its recovery codes.
func (p *person) makesAccount(name string) []string {
	p.t.Helper()
	p.opens("/account")
	p.sets("#name", name)
	p.sets("#password", secret)
	p.clicks(action("create"))
	return p.codes()
}

// codes returns the recovery codes that the page shows.
func (p *person) codes() []string {
	p.t.Helper()
	p.sees("#codes")
	if wide := p.overflow(); wide > 0 {
		p.t.Errorf("%s has to scroll sideways to read the recovery codes: the page is %d px too wide", p.name, wide)
	}
	list := ask[[]string](p, `Array.from(document.querySelectorAll("#codes code"), (c) => c.textContent)`)
	if len(list) != 8 {
		p.t.Errorf("%s sees %d recovery codes", p.name, len(list))
	}
	p.clicks(action("kept"))
	p.sees("#sessions")
	return list
}

// me returns the player that the server sees behind this page.
func (p *person) me() string {
	p.t.Helper()
	return ask[string](p, `fetch("/api/v1/me").then((r) => r.json()).then((me) => me.id ? me.id + " " + me.name : me.code)`)
}

// A guest makes an account with a passkey and keeps their identity. They sign
// in again without typing, and name the passkey. They cannot add a second
// passkey on the same device, and cannot remove the only way to sign in
// (UX.md §11, Q15).
func TestGuestMakesAnAccountWithAPasskey(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	ada.key()
	ada.forgive("401")
	id := ada.makes(settings{})
	guest := ada.me()
	ada.opens("/settings")
	ada.clicks(action("upgrade"))
	ada.sees("#create")
	ada.sets("#name", "Ada")
	if ask[bool](ada, `!!document.querySelector("[type=email]")`) {
		t.Error("the page asks for an e-mail address")
	}
	ada.clicks("[data-passkey=create]")
	ada.codes()
	me := ada.me()
	if player, _, _ := strings.Cut(guest, " "); me != player+" Ada" {
		t.Errorf("the guest %s became %s", guest, me)
	}
	ada.sees("[data-key]")
	ada.sets("[data-key] [name=name]", "My laptop")
	ada.clicks("[data-key] form:has(label) button")
	ada.hears("[role=status].notice", "The name is changed.")
	ada.until(`document.querySelector("[data-key] [name=name]").value === "My laptop"`)
	ada.clicks("[data-passkey=add]") // the device has one already
	ada.hears("#passkey-problem", "No passkey was used.")
	ada.forgive("422")
	ada.clicks("[data-key] [name=remove]")
	ada.hears("h1", "That did not work.")

	ada.opens("/account")
	ada.clicks("[data-session=here] button")
	ada.hears("[role=status].notice", "You are signed out.")
	if got := ada.me(); got != "no-identity" {
		t.Errorf("signed out, Ada is %s", got)
	}
	ada.opens("/account/sign-in") // the name field offers the passkey, or the button does
	if held, err := ada.comes(`location.pathname === "/"`, patience/10); err != nil {
		t.Fatal(err)
	} else if !held {
		ada.hastens("[data-passkey=sign-in]") // the button may be gone, if the field was only slow
		ada.until(`location.pathname === "/"`)
	}
	if got := ada.me(); got != me {
		t.Errorf("signed in, Ada is %s, was %s", got, me)
	}
	ada.opens("/" + id)
	ada.online()
	ada.until(`e2e.board().state === "waiting"`)
}

// A player signs in on another device, by password and by recovery code. A
// session that is ended is over at once, also in an open game.
func TestEndedSessionIsOverInAnOpenGameToo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, other := s.person("Ada", desktop), s.person("Ada's phone", phone)
	codes := ada.makesAccount("Ada")
	me := ada.me()
	other.forgive("422")
	other.opens("/account/sign-in")
	other.sets("#name", "ada")
	other.sets("#password", "not "+secret)
	other.clicks(action("sign-in"))
	other.hears("#failed", "That did not work. Use a passkey, your password or a recovery code.")
	other.until(`document.querySelector("#name").value === "ada" && document.querySelector("#password").value === ""`)
	other.sets("#password", secret)
	other.clicks(action("sign-in"))
	other.until(`location.pathname === "/"`)
	if got := other.me(); got != me {
		t.Errorf("by password, Ada is %s, not %s", got, me)
	}
	id := ada.makes(settings{})
	other.opens("/" + id)
	other.online()

	ada.opens("/account")
	ada.until(`document.querySelectorAll("[data-session]").length === 2`)
	ada.clicks("[data-session]:not([data-session=here]) button")
	ada.hears("[role=status].notice", "That device is signed out.")
	other.hears("#status", "You are signed out.")
	other.opens("/account")
	other.sees("#create")

	other.opens("/account/sign-in")
	other.sets("#code-name", "Ada")
	other.sets("#code", strings.ToLower(codes[2]))
	other.clicks(action("recover"))
	other.hears("[role=status].notice", "Welcome back.")
	if got := other.me(); got != me {
		t.Errorf("by code, Ada is %s, not %s", got, me)
	}
	other.hears("main", "You have 7 codes left.")
}

// A player who deletes the account is signed out at once on all devices. The
// games stay.
func TestDeletedAccountIsSignedOutOnAllDevices(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, other := s.person("Ada", phone), s.person("Ada's laptop", desktop)
	ada.makesAccount("Ada")
	other.opens("/account/sign-in")
	other.sets("#name", "Ada")
	other.sets("#password", secret)
	other.clicks(action("sign-in"))
	other.until(`location.pathname === "/"`)
	other.forgive("401", "422")
	ada.forgive("401")

	ada.opens("/account")
	ada.clicks("#forget [type=checkbox]")
	ada.clicks(action("delete"))
	ada.hears("[role=status].notice", "Your data is deleted")
	for _, p := range []*person{ada, other} {
		if got := p.me(); got != "no-identity" {
			t.Errorf("%s is %s", p.name, got)
		}
	}
	other.opens("/account/sign-in")
	other.sets("#name", "Ada")
	other.sets("#password", secret)
	other.clicks(action("sign-in"))
	other.hears("#failed", "That did not work.")
}

// A QR code on one screen signs another device in as the same guest. It needs a
// click there and works once. The same holds for an account.
func TestQRCodeSignsAnotherDeviceIn(t *testing.T) {
	t.Parallel()
	s := serve(t, "--public-url", "http://play.example")
	ada, other, late := s.person("Ada", desktop), s.person("Ada's phone", phone), s.person("Somebody", desktop)
	ada.makes(settings{})
	late.forgive("410")
	move := func(who string) {
		t.Helper()
		ada.opens("/account")
		ada.clicks(action("offer-move"))
		ada.sees(".qr")
		link := ask[string](ada, `new URL(document.querySelector("#link").value).pathname`)
		other.opens(link)
		before := other.me()
		other.hears("h1", "Be "+who)
		if before == ada.me() {
			t.Error("looking at the link was enough")
		}
		other.clicks(action("move"))
		other.until(`location.pathname === "/"`)
		if got, want := other.me(), ada.me(); got != want {
			t.Errorf("the other device is %s, not %s", got, want)
		}
		late.opens(link)
		late.hears("h1", "This way is closed.")
	}
	other.forgive("401")
	move("")
	other.sees("[data-action=resume]") // the games have moved too
	ada.makesAccount("Ada")
	if got := other.me(); got != "no-identity" {
		t.Errorf("the guest's other device is %s after the guest has an account", got)
	}
	move("Ada")
	ada.opens("/account")
	ada.until(`document.querySelectorAll("[data-session]").length === 2`)
}

// After a game, a guest is told about accounts. They are told after one game
// only.
func TestGuestIsToldOfAccountsOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{}, 2)
	ada := g.players[0]
	g.plays(g.shows(), 2)
	ada.resigns()
	ada.sees("#result")
	ada.sees("#upgrade")
	watcher := s.person("Watcher", desktop)
	watcher.opens("/" + g.id)
	watcher.sees("#result")
	if ask[bool](watcher, `e2e.visible("#upgrade")`) {
		t.Error("a watcher is told")
	}
	ada.opens("/" + g.id) // still shown after this game
	ada.sees("#upgrade")
	ask[bool](ada, `(localStorage.setItem("upgrade", "/another00x"), true)`) // as if another game had shown it
	ada.opens("/" + g.id)
	ada.sees("#result")
	if ask[bool](ada, `e2e.visible("#upgrade")`) {
		t.Error("a guest is told again after another game")
	}
	ask[bool](ada, `(localStorage.removeItem("upgrade"), true)`)
	ada.opens("/" + g.id)
	ada.sees("#upgrade")
	ada.clicks("#upgrade a")
	ada.sees("#create")
}

// No account page is wider than the screen (UX.md §11, Q9).
func TestAccountPagesFitTheScreen(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	ada.makesAccount("A" + strings.Repeat("W", 23))
	for _, path := range []string{"/account", "/account/sign-in", "/settings"} {
		for _, width := range []int64{320, 360, 412, 820, 1440} {
			ada.resize(screen{w: width, h: 740, touch: width < 600})
			ada.opens(path)
			if wide := ada.overflow(); wide > 0 {
				t.Errorf("%s is %d px too wide on %d", path, wide, width)
			}
		}
	}
}

// All account pages work without script, because they consist of forms.
func TestAccountPagesWorkWithoutScript(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for path, want := range map[string]string{"/account": `action="/account/create"`, "/account/sign-in": `action="/account/recover"`} {
		if page := s.get(path); !strings.Contains(page, want) || !strings.Contains(page, `autocomplete="`) {
			t.Errorf("%s has no form that works by itself: %s", path, fmt.Sprintf("%.300s", page))
		}
	}
}
