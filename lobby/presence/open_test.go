package presence

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"mancala/lobby/workers"
)

// manyInstances are rooms that other instances run too.
type manyInstances struct{ Rooms }

func (manyInstances) Alone() bool { return false }

// tablet is a device of a player who hides their presence: nobody asks for their settings here.
type tablet struct {
	Device
	player  string
	program bool
}

func (t tablet) Identity() string { return t.player }
func (t tablet) IsProgram() bool  { return t.program }

// TestInstancesAnswerWhichPlayersAreThere carries by hand what two instances tell each other.
func TestInstancesAnswerWhichPlayersAreThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		group := workers.New()
		defer group.Close()
		instance := func() *Presence {
			p := &Presence{Config: Config{Rooms: manyInstances{}, Workers: group}, here: map[string][]Device{}}
			p.gossip.presence, p.gossip.news = p, group.NewPace(every, func() {})
			p.gossip.received.begin()
			p.gossip.clear()
			return p
		}
		one, two := instance(), instance()
		ada := tablet{player: "ada"}
		two.here["ada"] = []Device{ada}
		two.here["cleo"] = []Device{tablet{player: "cleo", program: true}} // with no page
		carry := func(m message, to *Presence) {
			t.Helper()
			body, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			var got message
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			to.gossip.hearAsked(&got)
		}
		keys := func(of map[string]struct{}) (list []string) {
			for id := range of {
				list = append(list, id)
			}
			return list
		}
		one.Ask([]string{"ada", "ben", "cleo"})
		carry(message{Ask: keys(one.gossip.asks)}, two)
		carry(message{Open: keys(two.gossip.opens)}, one)
		if !one.Open("ada") || one.Open("ben") || !two.Open("ada") || two.Open("ben") {
			t.Errorf("ada is there: %t and %t; ben: %t and %t", one.Open("ada"), two.Open("ada"), one.Open("ben"), two.Open("ben"))
		}
		if one.Open("cleo") || two.Open("cleo") {
			t.Errorf("the program counts as a page: %t and %t", one.Open("cleo"), two.Open("cleo"))
		}
		time.Sleep(openFor)
		if one.Open("ada") || !two.Open("ada") {
			t.Error("an old answer is believed, or a device is forgotten")
		}
		one.gossip.received.expire()
		if n := len(one.gossip.received.open); n > 1 {
			t.Errorf("%d answers are kept", n)
		}
	})
}
