package seeks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"mancala/lobby/seeks"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// asks makes a challenge and returns it.
func (h *hall) asks(t *testing.T, by, to, key string) *seeks.Challenge {
	t.Helper()
	c, code := h.do(by, seeks.KindChallenge, map[string]any{"key": key, "to": to, "rules": "oware", "clock": "5+3"})
	if code != "" || c.Ask == nil {
		t.Fatalf("a challenge by %s to %s became %+v, %q", by, to, c, code)
	}
	return c.Ask
}

func (h *hall) asked() []seeks.Challenge {
	var s seeks.State
	if err := json.Unmarshal(h.Snapshot(machine.Watchers), &s); err != nil {
		panic(err)
	}
	return s.Asked
}

func TestOnlyTheChallengedPlayerMayAnswer(t *testing.T) {
	h := newHall()
	asked := h.asks(t, "ada", "ben", "k")
	h.do("ben", seeks.KindSeek, map[string]any{"key": "b"})
	for _, kind := range []string{seeks.KindAccept, seeks.KindDecline} {
		if _, code := h.do("cleo", kind, map[string]any{"seek": asked.ID}); code != seeks.CodeSeekGone {
			t.Errorf("%s by another player gave %q", kind, code)
		}
	}
	if _, code := h.do("ada", seeks.KindAccept, map[string]any{"seek": asked.ID}); code != seeks.CodeSeekGone {
		t.Errorf("ada accepted their own challenge, and got %q", code)
	}
	other := h.asks(t, "ada", "cleo", "l")
	c, code := h.do("ben", seeks.KindAccept, map[string]any{"seek": asked.ID})
	if code != "" || len(c.Pairs) != 1 || c.Pairs[0].ID != asked.ID || !c.Pairs[0].Asked || c.Pairs[0].Rules != "oware" {
		t.Fatalf("accepted, it becomes %+v, %q", c, code)
	}
	if len(h.waiting()) > 0 || len(h.asked()) > 0 {
		t.Errorf("%v wait, %v are asked", h.waiting(), h.asked())
	}
	if _, code := h.do("cleo", seeks.KindAccept, map[string]any{"seek": other.ID}); code != seeks.CodeSeekGone {
		t.Errorf("accepting another challenge by a paired player gave %q", code)
	}
}

func TestDeclinedPlayerMayAskAgainAfterTenMinutes(t *testing.T) {
	h := newHall()
	asked := h.asks(t, "ada", "ben", "k")
	c, code := h.do("ben", seeks.KindDecline, map[string]any{"seek": asked.ID})
	if code != "" || len(c.Ended) != 1 || c.Ended[0] != (seeks.Ended{ID: asked.ID, Why: seeks.EndDeclined}) {
		t.Fatalf("declined, it becomes %+v, %q", c, code)
	}
	again := map[string]any{"key": "l", "to": "ben"}
	if _, code := h.do("ada", seeks.KindChallenge, again); code != seeks.CodeAskLater {
		t.Errorf("a second challenge gave %q", code)
	}
	h.asks(t, "cleo", "ben", "c")
	h.asks(t, "ben", "ada", "b")
	h.now = h.now.Add(10 * time.Minute)
	if _, code := h.do("ada", seeks.KindChallenge, again); code != "" {
		t.Errorf("after ten minutes a challenge gave %q", code)
	}
}

func TestChallengeEndsWhenReplacedWithdrawnOrExpired(t *testing.T) {
	h := newHall()
	first := h.asks(t, "ada", "ben", "k")
	if _, code := h.do("ada", seeks.KindChallenge, map[string]any{"key": "k", "to": "ben"}); code != "nothing" {
		t.Errorf("a repeat gave %q", code)
	}
	second := h.asks(t, "ada", "ben", "l")
	if open := h.asked(); len(open) != 1 || open[0].ID != second.ID || first.ID == second.ID {
		t.Fatalf("replaced, %v are open", open)
	}
	if _, code := h.do("ben", seeks.KindLeave, map[string]any{"seek": second.ID}); code != seeks.CodeSeekGone {
		t.Errorf("a withdrawal by the challenged player gave %q", code)
	}
	if c, code := h.do("ada", seeks.KindLeave, map[string]any{"seek": second.ID}); code != "" || c.Ended[0].Why != seeks.EndWithdrawn {
		t.Errorf("withdrawn, it becomes %+v, %q", c, code)
	}
	h.asks(t, "ada", "ben", "m")
	h.waves(5*time.Minute - time.Millisecond)
	if len(h.asked()) != 1 {
		t.Error("the challenge expired too soon")
	}
	h.waves(time.Millisecond)
	if len(h.asked()) != 0 || !h.Wake().IsZero() {
		t.Errorf("%v are open, due at %v", h.asked(), h.Wake())
	}
}

func TestChallengesBeyondTheMaximumAreRefused(t *testing.T) {
	h := newHall()
	for i := range 3 {
		h.asks(t, "ada", fmt.Sprint("p", i), fmt.Sprint(i))
	}
	if _, code := h.do("ada", seeks.KindChallenge, map[string]any{"key": "x", "to": "ben"}); code != seeks.CodeAsksMany {
		t.Errorf("a fourth challenge by one player gave %q", code)
	}
	for i := range 8 {
		fields := from(fmt.Sprint("place", i))
		fields["to"] = "cleo"
		if _, code := h.do(fmt.Sprint("q", i), seeks.KindChallenge, fields); code != "" {
			t.Fatal(i, code)
		}
	}
	if _, code := h.do("ben", seeks.KindChallenge, map[string]any{"key": "x", "to": "cleo"}); code != seeks.CodeAsksMany {
		t.Errorf("a ninth challenge to one player gave %q", code)
	}
}

func TestSeekIsAcceptedOnlyWithTheAccountAndRatingItAsksFor(t *testing.T) {
	account := func(rating int) seeks.Facts { return seeks.Facts{Account: true, Rating: rating} }
	for _, tt := range []struct {
		name string
		seek map[string]any
		by   seeks.Facts
		want refusal.Code
	}{
		{"casual", nil, seeks.Facts{}, ""},
		{"a guest, rated", map[string]any{"rated": true}, seeks.Facts{}, seeks.CodeNeedsAccount},
		{"an account, rated", map[string]any{"rated": true}, account(1500), ""},
		{"inside", map[string]any{"low": 1400, "high": 1600}, account(1600), ""},
		{"too strong", map[string]any{"low": 1400, "high": 1600}, account(1601), seeks.CodeOutOfRange},
		{"too weak", map[string]any{"low": 1400}, account(1399), seeks.CodeOutOfRange},
		{"no rating", map[string]any{"high": 1600}, seeks.Facts{}, seeks.CodeOutOfRange},
		{"apart", nil, seeks.Facts{Apart: []string{"ada"}}, seeks.CodeSeekGone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHall()
			fields := map[string]any{"key": "k", "clock": "5+3", "facts": account(1500)}
			for k, v := range tt.seek {
				fields[k] = v
			}
			c, code := h.do("ada", seeks.KindSeek, fields)
			if code != "" {
				t.Fatal(code)
			}
			c, code = h.do("ben", seeks.KindAccept, map[string]any{"seek": c.In.ID, "facts": tt.by})
			if code != tt.want {
				t.Errorf("got %q, want %q", code, tt.want)
			}
			if code == "" && c.Pairs[0].Rated != (tt.seek["rated"] == true) {
				t.Errorf("rated is %v", c.Pairs[0].Rated)
			}
		})
	}
}

// TestPoolPairsByRating also keeps rated games apart from casual ones, and people from
// those whom they must not meet.
func TestPoolPairsByRating(t *testing.T) {
	find := func(h *hall, by string, rated bool, f seeks.Facts) {
		f.Account = true
		if _, code := h.do(by, seeks.KindFind, map[string]any{"key": "k", "clock": "5+3", "rated": rated, "facts": f}); code != "" {
			t.Fatal(code)
		}
	}
	h := newHall()
	find(h, "ada", true, seeks.Facts{Rating: 1500})
	find(h, "ben", true, seeks.Facts{Rating: 1650})
	find(h, "cleo", false, seeks.Facts{Rating: 1500})
	find(h, "dan", true, seeks.Facts{Rating: 1500, Apart: []string{"ada"}})
	if pairs := h.waves(4 * time.Second); len(pairs) > 0 {
		t.Fatalf("at first the pairs are %v", pairs)
	}
	pairs := h.waves(time.Second) // windows are 200 wide
	if len(pairs) != 1 || pairs[0].Owner != "ada" || pairs[0].Other != "ben" || !pairs[0].Rated {
		t.Fatalf("after five seconds the pairs are %+v", pairs)
	}
}

// TestPeopleWhoseOrdersWereCheckedAtOnceWaitOn pairs two people of whom neither order names
// the other as one to keep apart.
func TestPeopleWhoseOrdersWereCheckedAtOnceWaitOn(t *testing.T) {
	h := newHall()
	for _, by := range []string{"ada", "ben"} {
		h.do(by, seeks.KindFind, map[string]any{"key": "k"})
	}
	pairs := h.waves(time.Second)
	if len(pairs) != 1 {
		t.Fatalf("the pairs are %v", pairs)
	}
	c, _ := h.do("", machine.KindDone, map[string]any{"task": pairs[0].ID, "apart": true})
	if c.Done != nil || c.Parted == nil || c.Parted.Accepted() || len(h.Tasks()) > 0 {
		t.Fatalf("they become %+v, with the tasks %v", c, h.Tasks())
	}
	for _, w := range c.Parted.Waits {
		if w.ID != seeks.GameID(w.Player, "k") || w.Since != noon.UnixMilli() {
			t.Errorf("%s waits with another search: %+v", w.Player, w)
		}
	}
	if got := h.waiting(); !slices.Equal(got, []string{"ada", "ben"}) {
		t.Errorf("%q wait on", got)
	}
	if pairs := h.waves(time.Hour); len(pairs) > 0 {
		t.Fatalf("they were paired once more: %v", pairs)
	}
	h.do("cleo", seeks.KindFind, map[string]any{"key": "k"})
	if pairs := h.waves(time.Minute); len(pairs) != 1 || pairs[0].Owner != "ada" || pairs[0].Other != "cleo" {
		t.Errorf("with another player the pairs are %v", pairs)
	}
}

// The search of the player who accepts goes on too: it is as if the seek had been refused.
func TestSeekAcceptedByABlockedPlayerIsOpenAgain(t *testing.T) {
	h := newHall()
	c, _ := h.do("ada", seeks.KindSeek, map[string]any{"key": "k"})
	id := c.In.ID
	h.do("ben", seeks.KindFind, map[string]any{"key": "l"})
	h.do("ben", seeks.KindAccept, map[string]any{"seek": id})
	c, _ = h.do("", machine.KindDone, map[string]any{"task": id, "apart": true})
	if c.Parted == nil || !c.Parted.Accepted() || !slices.Equal(h.waiting(), []string{"ada", "ben"}) {
		t.Fatalf("it becomes %+v, and %q wait", c, h.waiting())
	}
	if _, code := h.do("ben", seeks.KindAccept, map[string]any{"seek": id}); code != seeks.CodeSeekGone {
		t.Errorf("the blocked player accepts again and gets %q", code)
	}
	if c, code := h.do("cleo", seeks.KindAccept, map[string]any{"seek": id}); len(c.Pairs) != 1 {
		t.Errorf("another player accepts and gets %q", code)
	}
}

func TestBlockWhileWaitingKeepsBothApart(t *testing.T) {
	h := newHall()
	for _, by := range []string{"ada", "ben"} {
		h.do(by, seeks.KindFind, map[string]any{"key": "k", "facts": seeks.Facts{Rating: map[string]int{"ada": 1500, "ben": 1800}[by]}})
	}
	apart := map[string]any{"to": "ben", "facts": seeks.Facts{Apart: []string{"ben"}}}
	if _, code := h.do("ada", seeks.KindApart, apart); code != "" {
		t.Fatal(code)
	}
	if _, code := h.do("ada", seeks.KindApart, apart); code != "nothing" {
		t.Errorf("a repeat gave %q", code)
	}
	if pairs := h.waves(time.Hour); len(pairs) > 0 {
		t.Fatalf("two players who are kept apart were paired: %v", pairs)
	}
	h.do("cleo", seeks.KindFind, map[string]any{"key": "k", "facts": seeks.Facts{Rating: 1800}})
	if pairs := h.waves(time.Minute); len(pairs) != 1 || pairs[0].Other != "cleo" {
		t.Errorf("with another player the pairs are %v", pairs)
	}
}
