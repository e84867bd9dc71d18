package e2e

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// Link previews fetch every link in a message. They must not take a seat.
func TestGetTakesNoSeat(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	id := ada.makes(settings{})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	known := &http.Client{Jar: jar}
	// A person who has played here before has a cookie.
	if resp, err := known.Post("http://"+s.addr+"/new", "application/x-www-form-urlencoded", nil); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	} else {
		resp.Body.Close()
	}
	for _, client := range []*http.Client{http.DefaultClient, known} {
		for _, path := range []string{"/" + id, "/" + id + "?play=1", "/" + id + "/sit", "/" + id + "/record", "/api/v1/games/" + id} {
			for range 3 {
				resp, err := client.Get("http://" + s.addr + path)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}
	}
	if v := s.game(id); v.Snap.State != "waiting" || len(v.Snap.Sitters) != 1 {
		t.Fatalf("after nothing but GET the game is %s, with %v", v.Snap.State, v.Snap.Sitters)
	}
	ada.sees("#waiting")

	// Two clicks are enough: the link and Play.
	ben := s.person("Ben", phone)
	ben.opens("/" + id)
	ben.hears("#invite", "invites you to Kalah")
	ben.clicks(action("play"))
	ben.online()
	ben.until(`e2e.board().state === "live" && document.querySelector("[data-board]").dataset.role !== "spectator"`)
	ada.until(`e2e.board().state === "live"`)
}

// A third player watches, even if they opened the invitation before the second
// player.
func TestThirdPlayerWatches(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, early, late := s.person("Ada", desktop), s.person("Ben", tablet), s.person("Early", tablet), s.person("Late", phone)
	id := ada.makes(settings{})
	early.opens("/" + id)
	early.sees(action("play"))
	ben.joins(id)
	ben.until(`e2e.board().state === "live"`)
	early.until(`e2e.board().state === "live"`)
	late.opens("/" + id)
	for _, p := range []*person{early, late} {
		p.online()
		p.loses(action("play"))
		if role := p.role(); role != "spectator" {
			t.Errorf("%s came third and is %s", p.name, role)
		}
		p.clicks(pit(0))
		p.hears("#status", "You are watching")
	}
	// A form that is sent anyway changes nothing.
	resp, err := http.Post("http://"+s.addr+"/"+id+"/sit", "application/x-www-form-urlencoded", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if v := s.game(id); len(v.Snap.Seats) != 2 {
		t.Errorf("there are %d seats now", len(v.Snap.Seats))
	}
}

// Two people click on the last seat at once. One plays, and the other is told.
func TestLastSeatGoesToOneOfTwo(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada, ben, cleo := s.person("Ada", desktop), s.person("Ben", tablet), s.person("Cleo", tablet)
	id := ada.makes(settings{})
	for _, p := range []*person{ben, cleo} {
		p.opens("/" + id)
		p.online()
		p.sees(action("play"))
		p.forgive("status of 409") // one of them is told that another player was faster
	}
	ben.presses(action("play"))
	cleo.hastens(action("play"))
	roles := map[string]int{}
	for _, p := range []*person{ada, ben, cleo} {
		p.until(`e2e.board()?.state === "live" || document.querySelector("h1").textContent === "Somebody was faster."`)
		if ask[bool](p, `e2e.board() === null`) {
			p.clicks(action("back"))
		}
		p.until(`e2e.board()?.state === "live"`)
		p.online()
		roles[p.role()]++
	}
	if roles["0"] != 1 || roles["1"] != 1 || roles["spectator"] != 1 {
		t.Errorf("roles are %v", roles)
	}
}

// The creator may leave both seats to other players.
func TestCreatorLeavesBothSeatsToOthers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	host := s.person("Host", desktop)
	host.opens("/")
	ask[bool](host, `[...document.querySelectorAll(".way:first-child details")].map((d) => (d.open = true)).length > 1`)
	host.clicks("[name=forOthers]")
	host.clicks(action("new"))
	host.until("location.pathname.length === 11")
	host.online()
	id := strings.TrimPrefix(ask[string](host, "location.pathname"), "/")
	for i, p := range []*person{s.person("Ada", tablet), s.person("Ben", phone)} {
		p.joins(id)
		if i == 0 {
			host.until(`document.querySelectorAll("#sitters li:not(.free)").length === 1`)
		}
	}
	host.until(`e2e.board().state === "live"`)
	if role := host.role(); role != "spectator" {
		t.Errorf("the creator who left the seats to others is %s", role)
	}
}
