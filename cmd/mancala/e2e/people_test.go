package e2e

import (
	"fmt"
	"testing"
)

// says writes a line into the chat of a game.
func (p *person) says(text string) {
	p.t.Helper()
	p.until(`!document.querySelector("#chat-form").hidden`)
	ask[bool](p, fmt.Sprintf(`((form) => { form.elements.text.value = %q; form.requestSubmit(); return true; })(document.querySelector("#chat-form"))`, text))
}

const chatText = `document.querySelector("#chat").textContent`

// A block hides the blocked player at once: their chat, their seek and a seat
// beside them. It needs no reload, and the blocked player is not told.
func TestBlockHidesAPlayerAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{rules: "kalah"}, 2)
	ada, ben := g.players[0], g.players[1]
	ben.says("one ugly word")
	ada.hears("#chat", "one ugly word")
	lobby := ada.tab("Ada in the lobby", phone)
	lobby.opens("/")
	lobby.inLobby()
	waits := ben.tab("Ben in the lobby", desktop)
	waits.comesIn()
	seek := waits.seeks("oware", "none")
	lobby.sees(row(seek))
	lobby.minds(seek)

	ada.draws("chat")
	ada.presses("#chat [data-by] button")
	ada.sees("#person[open]")
	ada.presses("#person [value=block]")
	ada.sees("#person [value=unblock]")
	ada.until("!" + chatText + `.includes("ugly")`)
	lobby.until(faded)
	ben.says("another ugly word")
	ben.hears("#chat", "another ugly word")
	ada.says("still here")
	ada.hears("#chat", "still here")
	ben.hears("#chat", "still here")
	if text := ask[string](ada, chatText); text == "" || ask[bool](ada, chatText+`.includes("ugly")`) {
		t.Errorf("Ada reads %q", text)
	}
	lobby.opens("/people")
	lobby.sees("#blocked button")
	lobby.presses("#blocked button")
	lobby.loses("#blocked")
	lobby.opens("/")
	lobby.sees(row(seek))
}

// A player reports a line with one tap. The line is in the operators' queue and
// is removed there. It disappears from both pages without a reload.
func TestReportedLineIsRemovedOnBothPages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := deal(t, s, settings{rules: "kalah"}, 2)
	ada, ben := g.players[0], g.players[1]
	ben.says("<b>ugly</b> word")
	ada.hears("#chat", "<b>ugly</b> word")
	for _, p := range g.players {
		ask[bool](p, "(window.same = true)")
	}
	ada.draws("chat")
	ada.presses("#chat [data-by] button")
	ada.sees("#person[open] [name=reason]")
	ada.presses("#person .report button")
	ada.hears("#person .notice", "Thank you.")

	olga := s.person("Olga", desktop)
	olga.base = "http://" + s.admin
	olga.opens("/moderation")
	olga.hears("[data-report] q", "<b>ugly</b> word")
	olga.sets("[name=who]", "Olga")
	olga.presses("[value=erase]")
	olga.hears(".log", "removed a line of")
	for _, p := range g.players {
		p.until("!" + chatText + `.includes("ugly") && window.same`)
	}
	olga.presses("[value=mute]")
	olga.hears(".state", "May not chat until")
	ben.says("again")
	ben.hears("#status", "You may not chat now")
	olga.presses("[value=dismiss]")
	olga.loses("[data-report]")
}

// A follower sees a player come and play, without a reload and without moving
// rows.
func TestFollowerSeesAPlayerComeAndPlay(t *testing.T) {
	t.Parallel()
	s := serve(t)
	fan, ada, ben := s.person("Fan", phone), s.person("Ada", desktop), s.person("Ben", desktop)
	ada.comesIn()
	id := ask[string](ada, `fetch("/api/v1/me").then((r) => r.json()).then((me) => me.id)`)
	fan.comesIn()
	fan.opens("/people/" + id)
	fan.presses("[value=follow]")
	fan.sees("#following[data-conn=on] .here")
	ask[bool](fan, `(window.same = true)`)
	height := ask[float64](fan, `document.querySelector("#following").offsetHeight`)
	ben.comesIn()
	ada.clicks(action("find"))
	ben.clicks(action("find"))
	game := ada.isPlaying()
	fan.sees(fmt.Sprintf(`#following .playing[href="/%s"]`, game))
	if now := ask[float64](fan, `document.querySelector("#following").offsetHeight`); now != height || !ask[bool](fan, "window.same") {
		t.Errorf("the list is %v px high, was %v", now, height)
	}
	ada.forgive("favicon.ico")
	ada.opens("/api/v1/me") // a page without a socket
	fan.until(`!e2e.visible("#following .here") && !e2e.visible("#following .playing")`)
}
