package e2e

import (
	"context"
	"testing"
	"time"
	_ "time/tzdata" // a machine need not have the time zones

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// livesIn sets the time zone of a person's device.
func (p *person) livesIn(zone string) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone})
		return chromedp.Void{}, err
	})
}

// A host in Tokyo chooses when the first round ends, and moves the end later. Players read it by their own
// clocks: on the page of the tournament and in the bar of their game. So does the projector.
func TestHostSetsTheEndOfARoundAndEveryPersonReadsItByTheirClock(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tokyo, york := zone(t, "Asia/Tokyo"), zone(t, "America/New_York")
	host, wall := s.person("Hanna", phone), s.person("The wall", projector)
	ada, ben := s.person("Ada", phone), s.person("Ben", desktop)
	host.livesIn("Asia/Tokyo")
	wall.livesIn("Asia/Tokyo")
	ada.livesIn("America/New_York")
	ben.livesIn("America/New_York")

	first := time.Now().In(tokyo).AddDate(0, 0, 3).Truncate(time.Hour).Add(15 * time.Minute)
	host.forgive("422") // an end in the past
	host.opens("/t/new")
	host.sets("#name", "League")
	host.presses("details.more summary")
	host.sets("#ends", time.Now().In(tokyo).AddDate(0, 0, -1).Format(fieldTime))
	host.sets("#days", "7")
	host.presses("#new button:not([type=button])")
	host.sees("#problem")
	host.sees("#ends[aria-invalid]")
	host.sets("#ends", first.Format(fieldTime))
	host.presses("#new button:not([type=button])")
	host.sees("#made")
	code := host.text("#join-code")
	id := ask[string](host, `document.querySelector("#host-link").value.match(/t\/(\w+)\/host/)[1]`)
	ada.enters(code, "Ada")
	ben.enters(code, "Ben")
	wall.opens("/t/" + id + "/screen")
	host.opens("/t/" + id + "/host")
	host.atDesk()
	host.row("Ben")
	host.presses("[data-step=plan]")
	host.presses("[data-plan=start]")
	host.hears("#now-help", first.Format(readTime))
	ada.sees("#game[data-drawn]")
	ada.hears("#event-due", "Round until "+first.In(york).Format("Mon"))
	ada.until(`document.querySelector("#due").hidden`) // the time for a first move is longer than the round
	wall.hears("#next", first.Format(readTime))

	later := first.AddDate(0, 0, 2).Add(45 * time.Minute)
	host.sets("#round-end [name=ends]", later.Format(fieldTime))
	host.presses("#round-end button")
	host.hears("#now-help", later.Format(readTime))
	ben.opens("/t/" + id)
	ben.hears("#me-next", later.In(york).Format(readTime))
	wall.hears("#next", later.Format(readTime))
	ada.hears("#event-due", "Round until "+later.In(york).Format("Mon"))
	if moved := ada.shifted(); moved.sum > 0.01 {
		t.Errorf("the end moves things in the page of a game by %.4f: %s", moved.sum, moved.what)
	}

	soon := time.Now().Add(10 * time.Hour).In(tokyo)
	host.sets("#round-end [name=ends]", soon.Format(fieldTime))
	host.presses("#round-end button")
	host.hears("#now-help", "The round ends in 9:")
	wall.hears("#next", "The round ends in 9:")
	ada.hears("#event-due", "Round ends in 9:")
}

const (
	fieldTime = "2006-01-02T15:04"
	readTime  = "Monday, January 2"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}
