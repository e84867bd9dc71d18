package presence

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby/workers"
)

// watched is a room with a roll on one instance.
type watched struct {
	*Roll
	followed chan struct{} // closed when the room is followed
	others   []*watched    // on other instances

	noting sync.Mutex
	sent   []string // bodies of notes
	shown  []string // lists, as text
}

func newWatched(t *testing.T, self string) *watched {
	work := workers.New()
	t.Cleanup(work.Close)
	p := &Presence{Config: Config{Workers: work, Log: slog.New(slog.DiscardHandler)}}
	p.gossip.self = self
	w := &watched{followed: make(chan struct{})}
	w.Roll = p.NewRoll(w)
	return w
}

func (w *watched) Room() string   { return "k3v9qa2mxy" }
func (w *watched) Followed() bool { <-w.followed; return true }

func (w *watched) ShowWatchers() {
	w.noting.Lock()
	defer w.noting.Unlock()
	w.shown = append(w.shown, fmt.Sprint(w.Names()))
}

func (w *watched) Spread(_ string, body json.RawMessage) {
	w.noting.Lock()
	w.sent = append(w.sent, string(body))
	w.noting.Unlock()
	for _, other := range w.others {
		other.Hear(body)
	}
}

// comes makes a player watch whose name is known.
func (w *watched) comes(player, name string) {
	w.Add(player, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state.known == nil {
		w.state.known = map[string]string{}
	}
	w.state.known[player] = name
}

// However many watch, only a few are considered for the list of names. A named
// watcher stays in the list while they watch.
func TestManyWatchersAreNamed(t *testing.T) {
	w := newWatched(t, "here")
	for i := range 5000 {
		w.Add(fmt.Sprintf("p%04d", i), 1)
	}
	w.state.named = []string{"p4999", "p0007", "pgone"}
	w.state.known = map[string]string{"p4999": "Ada", "p0007": "Ben", "pgone": "Cleo", "p0001": ""}
	for range 20 {
		here, strange := w.state.attendance()
		if len(here) > maxRolled || len(strange) != maxAsked {
			t.Fatalf("%d are looked at, of them %d for the first time", len(here), len(strange))
		}
		if !slices.Equal(here[:3], []string{"p4999", "p0007", "p0001"}) || slices.Contains(here, "pgone") {
			t.Errorf("here are %q …", here[:4])
		}
	}
	w.Add("p4999", -1)
	if here, _ := w.state.attendance(); slices.Contains(here, "p4999") || len(w.state.here) != 4999 {
		t.Errorf("a watcher who has left is counted, among %d", len(w.state.here))
	}
}

// The room may report the number of watchers as soon as it is followed, before the hub
// knows that it follows.
func TestRollIsNotCalledBeforeTheRoomIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatched(t, "here")
		w.Counted()
		w.Counted()
		synctest.Wait()
		if len(w.sent) > 0 {
			t.Errorf("sent %q before the room was followed", w.sent)
		}
		close(w.followed)
		synctest.Wait()
		if len(w.sent) == 0 || w.state != nil {
			t.Errorf("then sent %q, and %+v is left of a roll without watchers", w.sent, w.state)
		}
	})
}

func TestInstancesMakeOneListOfWatchers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := newWatched(t, "here"), newWatched(t, "there")
		here.others, there.others = []*watched{there}, []*watched{here}
		close(here.followed)
		close(there.followed)
		here.comes("pben", "Ben")
		here.comes("pguest", "")
		there.comes("pada", "Ada")
		counted := func() {
			here.Counted()
			there.Counted()
			synctest.Wait()
		}
		counted()
		for _, w := range []*watched{here, there} {
			if got := w.Names(); !slices.Equal(got, []string{"Ada", "Ben"}) {
				t.Errorf("an instance shows %q", got)
			}
		}
		if want := `{"from":"here","names":["Ben"]}`; here.sent[0] != want { // instances of the release before read it
			t.Errorf("sent %s, want %s", here.sent[0], want)
		}
		here.Add("pben", -1)
		counted()
		if got := there.shown[len(there.shown)-1]; got != "[Ada]" {
			t.Errorf("without Ben an instance shows %s", got)
		}
	})
}

// An instance that has ended sends no list. Its list is dropped when all others have sent
// theirs again.
func TestListOfASilentInstanceIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatched(t, "here")
		close(w.followed)
		w.Hear([]byte(`{"from":"dead","names":["Cleo"]}`))
		for i, want := range []string{"[Cleo]", "[Cleo]", "[]"} { // it was silent at the second count
			w.Counted()
			synctest.Wait()
			if got := fmt.Sprint(w.Names()); got != want {
				t.Errorf("after count %d shows %s, want %s", i+1, got, want)
			}
			time.Sleep(2 * rollLag)
		}
		w.Hear([]byte(`nonsense`))
	})
}
