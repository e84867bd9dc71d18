package e2e

import (
	"testing"

	"mancala/lobby"
)

// On a phone a line of the chat stands below the status line until it is read. The
// chat opens below the board where there is space.
func TestChatLeavesTheBoardInView(t *testing.T) {
	t.Parallel()
	s := serve(t)
	g := dealAt(t, s, settings{}, []screen{phone, desktop}, tablet)
	ada, ben := g.players[0], g.players[1]
	before, _ := ada.box("#actions")
	ben.presses("#chat-form .presets button:nth-child(2)")
	ada.hears("#heard", "Good luck!")
	ada.sees("#heard")
	if after, _ := ada.box("#actions"); after != before {
		t.Errorf("the line moves the buttons from %v to %v", before, after)
	}
	_, status := ada.box("#status")
	if top, bottom := ada.box("#heard"); top < status-1 || bottom-top > 30 {
		t.Errorf("the line is from %v to %v, the status ends at %v", top, bottom, status)
	}
	ada.clicks("#heard")
	ada.sees("#chat-panel:popover-open")
	ada.loses("#heard")
	_, board := ada.box("[data-board]")
	if top, _ := ada.box("#chat-panel"); top < board {
		t.Errorf("the chat begins at %v and covers the board, which ends at %v", top, board)
	}
	ada.usesAll("the chat", "#chat-panel")
	ada.shuts()
	if lost := ask[bool](ada, "document.activeElement === document.body"); lost {
		t.Error("the focus is lost when the chat closes")
	}
}

// The number of people who watch is within the panel of the chat, also where the phrases take more rows.
func TestNumberOfWatchersIsWithinTheChat(t *testing.T) {
	t.Parallel()
	g := dealAt(t, serve(t), settings{}, []screen{phone, desktop}, tablet)
	p := g.players[1]
	for _, lang := range lobby.LanguageTags() {
		p.opens("/" + g.id + "?lang=" + lang)
		p.online()
		p.until(`document.querySelector("#watchers").textContent !== ""`)
		_, number := p.box("#watchers")
		if _, panel := p.box("#chat-panel"); number > panel {
			t.Errorf("%s: the number of watchers ends at %.0f px, the panel at %.0f px", lang, number, panel)
		}
	}
}
