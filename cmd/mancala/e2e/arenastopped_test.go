package e2e

import "testing"

// While pairing is stopped, an arena counts down to no end: not on the page of the tournament, and not on
// that of a game. On a game that a host has ended, its player reads what the host's result counts.
func TestPlayersOfAnArenaReadThatPairingIsStopped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.person("Host", desktop).makesCup(s, map[string]string{"format": "arena", "clock": "none"})
	ada, ben := c.enters("Ada", phone), c.enters("Ben", phone)
	c.orders("start", `{round: 1}`)
	ada.isPlaying()
	ben.isPlaying()
	ada.hears("#event-due", "Ends in")
	c.orders("wait", `{}`)
	ada.hears("#event-due", "Pairing is stopped")
	cleo := c.person("Cleo", phone)
	cleo.opens("/t/" + c.id)
	cleo.sets("#name", "Cleo")
	cleo.clicks(action("join"))
	cleo.hears("#me-said", "The host has stopped pairing for now.")
	if next := cleo.text("#me-next"); next != "" {
		t.Errorf("beside it, Cleo reads %q", next)
	}

	c.orders("arbiter", `{act: "end", round: 1, board: 1}`)
	ada.until(`document.querySelector("#game").dataset.view === "over"`)
	c.host.until(`fetch("/api/v1/games/` + c.id + `/commands", {
		method: "POST", headers: {"Content-Type": "application/json"},
		body: JSON.stringify({id: "result-" + Math.random(), kind: "result", round: 1, board: 1, result: "first"}),
	}).then((r) => r.ok)`)
	first, second := ada, ben
	if ada.role() == "1" {
		first, second = ben, ada
	}
	first.hears("#event-news", "For the tournament: you win.")
	second.hears("#event-news", "For the tournament: you lose.")
}
