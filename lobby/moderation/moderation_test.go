package moderation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
	"mancala/match/refusal"
)

// office is a [Moderation] with a lobby and a clock that tests set.
type office struct {
	testing.TB
	*Moderation
	lobby *lobby.Lobby
	db    lobby.DB
	now   time.Time
}

func newOffice(t *testing.T, opt Options) *office {
	t.Helper()
	o := &office{TB: t, db: lobbytest.Memory(t), now: time.UnixMilli(1_795_252_000_000)}
	var err error
	if o.lobby, err = lobby.Open(t.Context(), o.db, lobby.Options{}); err != nil {
		t.Fatal(err)
	}
	o.Moderation = o.open(opt)
	return o
}

// open returns the [Moderation] of another instance, in the same database.
func (o *office) open(opt Options) *Moderation {
	o.Helper()
	opt.Now = func() time.Time { return o.now }
	d, err := Open(o.Context(), o.db, o.lobby.People, opt)
	if err != nil {
		o.Fatal(err)
	}
	return d
}

func (o *office) guest() string {
	o.Helper()
	p, err := o.lobby.People.Guest(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	return p.ID
}

func (o *office) code(err error) refusal.Code {
	o.Helper()
	code, refused := refusal.Of(err)
	if err != nil && !refused {
		o.Fatal(err)
	}
	return code
}

func (o *office) files(r Report, want refusal.Code) {
	o.Helper()
	if code := o.code(o.File(o.Context(), r)); code != want {
		o.Errorf("%+v is refused with %q, want %q", r, code, want)
	}
}

func (o *office) acts(a Action, want refusal.Code) {
	o.Helper()
	if code := o.code(o.Act(o.Context(), a)); code != want {
		o.Errorf("%+v is refused with %q, want %q", a, code, want)
	}
}

func (o *office) waiting(want int) {
	o.Helper()
	n, err := o.Waiting(o.Context())
	list, err2 := o.Queue(o.Context(), 1000)
	if err := errors.Join(err, err2); err != nil || n != want || len(list) != want {
		o.Errorf("%d reports are counted and %d are listed, want %d (%v)", n, len(list), want, err)
	}
}

func TestReportIsListedUntilItIsDismissed(t *testing.T) {
	o := newOffice(t, Options{})
	r := Report{By: "p1", Player: "p2", Name: "Ben", Reason: "rude", Text: "  again  and again ", Room: "k3v9qa2mx1", Stream: "players", Line: 3, Said: "you fool"}
	o.files(r, "")
	list, err := o.Queue(t.Context(), 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	r.ID, r.At, r.Text = 1, o.now, "again and again"
	if got := list[0]; got != r {
		t.Errorf("the report is stored as %+v, want %+v", got, r)
	}
	if got, err := o.Report(t.Context(), 1); err != nil || got != r {
		t.Errorf("the report found by its ID is %+v, %v", got, err)
	}
	o.acts(Action{Who: "Op", What: Dismiss, Report: 1}, "")
	o.waiting(0)
	if _, err := o.Report(t.Context(), 1); o.code(err) != CodeNoReport {
		t.Errorf("reading a dismissed report gave %v", err)
	}
	o.files(r, "") // the same report is allowed again
	o.waiting(1)
}

// The line has its time from the database. The clock of the instance may be behind.
func TestReportIsNotOlderThanItsLine(t *testing.T) {
	o := newOffice(t, Options{})
	for i, tt := range []struct{ line, want time.Time }{
		{o.now.Add(-time.Minute), o.now},
		{o.now.Add(time.Second), o.now.Add(time.Second)},
	} {
		o.files(Report{At: tt.line, By: "p1", Player: "p2", Reason: "rude", Line: int64(i + 1)}, "")
		if r, err := o.Report(t.Context(), int64(i+1)); err != nil || !r.At.Equal(tt.want) {
			t.Errorf("a line of %v is reported at %v, %v, want %v", tt.line, r.At, err, tt.want)
		}
	}
}

func TestInvalidRepeatedAndTooManyReportsAreNotStored(t *testing.T) {
	o := newOffice(t, Options{MaxOpen: 6, MaxAbout: 3})
	r := Report{By: "p1", Player: "p2", Reason: "name"}
	o.files(Report{By: "p1", Player: "p1", Reason: "name"}, CodeBadReport)
	o.files(Report{By: "p1", Player: "p2", Reason: "ugly"}, CodeBadReport)
	o.files(Report{By: "p1", Player: "p2", Reason: "name", Text: "\u202e"}, lobby.CodeText)
	o.files(Report{By: "p1", Player: "p2", Reason: "name", Text: strings.Repeat("x", 1000)}, lobby.CodeText)
	o.waiting(0)
	o.files(r, "")
	o.files(r, "") // a repeat is not stored
	o.waiting(1)
	o.acts(Action{Who: "Op", What: Dismiss, Report: 1}, "")
	for range 2 { // each stream has a first line
		o.files(Report{By: "p1", Player: "p2", Reason: "rude", Room: "k3v9qa2mx1", Stream: "players", Line: 1}, "")
		o.files(Report{By: "p1", Player: "p2", Reason: "rude", Room: "k3v9qa2mx1", Stream: "watchers", Line: 1}, "")
	}
	o.waiting(2)
	for id := range int64(2) {
		o.acts(Action{Who: "Op", What: Dismiss, Report: id + 2}, "")
	}
	o.files(r, "")
	o.waiting(1)
	for i := range 5 { // more reports about one player than are stored
		o.files(Report{By: fmt.Sprint("q", i), Player: "p2", Reason: "name"}, "")
	}
	o.waiting(3)
	for i := range 3 {
		o.files(Report{By: "p1", Player: fmt.Sprint("r", i), Reason: "other"}, "")
	}
	o.files(Report{By: "p1", Player: "r9", Reason: "other"}, CodeReportsFull)
	o.waiting(6)
}

// TestSanctionsTakeEffectHereAtOnceAndElsewhereAfterAPoll also checks that each instance
// passes each action on once.
func TestSanctionsTakeEffectHereAtOnceAndElsewhereAfterAPoll(t *testing.T) {
	o := newOffice(t, Options{})
	other := o.open(Options{})
	var told [2][]string
	for i, d := range []*Moderation{o.Moderation, other} {
		d.WhenDone(func(a Action) { told[i] = append(told[i], a.What+" "+a.Player) })
	}
	o.acts(Action{Who: "Op", What: Mute, Player: "p1", For: time.Hour}, "")
	o.acts(Action{Who: "Op", What: Close, Player: "p2"}, "")
	if until := o.Muted("p1"); !until.Equal(o.now.Add(time.Hour)) || !o.Closed("p2") || o.Closed("p1") || !o.Muted("p2").IsZero() {
		t.Errorf("muted until %v, closed %v", until, o.Closed("p2"))
	}
	if other.Closed("p2") {
		t.Error("another instance has the sanction before it polls")
	}
	for range 2 {
		if err := other.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if other.Muted("p1").IsZero() || !other.Closed("p2") {
		t.Error("another instance does not have the sanctions after it polled")
	}
	for i := range told {
		if want := []string{"mute p1", "close p2"}; !slices.Equal(told[i], want) {
			t.Errorf("instance %d passed on %q, want %q", i, told[i], want)
		}
	}
	if third := o.open(Options{}); !third.Closed("p2") {
		t.Error("a new instance does not have the sanctions")
	}
	o.now = o.now.Add(time.Hour)
	if !o.Muted("p1").IsZero() {
		t.Error("the mute did not end in time")
	}
	o.acts(Action{Who: "Op", What: Mute, Player: "p1", For: Forever}, "")
	o.acts(Action{Who: "Op", What: Unmute, Player: "p1"}, "")
	o.acts(Action{Who: "Op", What: Reopen, Player: "p2"}, "")
	if !o.Muted("p1").IsZero() || o.Closed("p2") {
		t.Error("a sanction that was lifted still holds")
	}
}

func TestLogHasEveryActionWithItsOperatorTimeAndReason(t *testing.T) {
	o := newOffice(t, Options{})
	o.acts(Action{Who: "Op", What: "hang", Player: "p1"}, CodeBadAction)
	o.acts(Action{Who: "Op", What: Mute, Player: "p1"}, CodeBadAction)
	o.acts(Action{Who: " ", What: Close, Player: "p1"}, CodeNoModerator)
	a := Action{Who: "Op", What: Rename, Player: "p1", Report: 7, Name: "Bad", Detail: "Quiet Kite", Why: "a bad name"}
	o.acts(a, "")
	o.now = o.now.Add(time.Second)
	o.acts(Action{Who: "Op", What: Dismiss, Report: 8}, "")
	log, err := o.Moderation.Log(t.Context(), 10)
	if err != nil || len(log) != 2 || log[0].What != Dismiss {
		t.Fatalf("the log is %+v, %v", log, err)
	}
	a.ID, a.At = 1, o.now.Add(-time.Second)
	if log[1] != a {
		t.Errorf("the log has %+v, want %+v", log[1], a)
	}
	if about, err := o.About(t.Context(), 7); err != nil || len(about) != 1 {
		t.Errorf("the actions on a report are %+v, %v", about, err)
	}
}

func TestWordsAndNameOfADeletedPlayerAreNotKept(t *testing.T) {
	o := newOffice(t, Options{})
	ada, ben := o.guest(), o.guest()
	o.files(Report{By: ada, Player: ben, Name: "Ben", Reason: "rude", Said: "you fool"}, "")
	o.files(Report{By: ben, Player: ada, Name: "Ada", Reason: "rude"}, "")
	o.acts(Action{Who: "Op", What: Rename, Player: ben, Name: "Ben", Detail: "Quiet Kite"}, "")
	o.acts(Action{Who: "Op", What: Mute, Player: ben, Name: "Ben", For: Forever}, "")
	if err := o.lobby.People.Forget(t.Context(), ben); err != nil {
		t.Fatal(err)
	}
	list, err := o.Queue(t.Context(), 10)
	if err != nil || len(list) != 1 || list[0].Player != ada || list[0].By != "" {
		t.Errorf("the reports left are %+v, %v", list, err)
	}
	log, err := o.Moderation.Log(t.Context(), 10)
	if err != nil || len(log) != 2 || log[1].Name != "" || log[1].Detail != "" {
		t.Errorf("the log is %+v, %v", log, err)
	}
}

// Closed reports and the log are kept for a time; open reports stay. The numbers of
// actions go on, since other instances compare them.
func TestClosedReportsAndTheLogAreDeletedAfterATime(t *testing.T) {
	o := newOffice(t, Options{Kept: 30 * 24 * time.Hour})
	ada, ben, cleo := o.guest(), o.guest(), o.guest()
	o.files(Report{By: ada, Player: ben, Reason: "rude"}, "")
	o.files(Report{By: ada, Player: cleo, Reason: "rude"}, "")
	o.acts(Action{Report: 1, Who: "Olga", What: Mute, Player: ben, For: time.Hour}, "")
	o.acts(Action{Report: 1, Who: "Olga", What: Dismiss, Player: ben}, "")
	count := func() (reports, actions int) {
		for table, n := range map[string]*int{"reports": &reports, "actions": &actions} {
			if err := o.db.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(n); err != nil {
				t.Fatal(err)
			}
		}
		return reports, actions
	}
	for _, step := range []struct {
		after            time.Duration
		reports, actions int
	}{{29 * 24 * time.Hour, 2, 2}, {2 * 24 * time.Hour, 1, 1}} {
		o.now = o.now.Add(step.after)
		if err := o.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if reports, actions := count(); reports != step.reports || actions != step.actions {
			t.Errorf("%d reports and %d actions are left, want %d and %d", reports, actions, step.reports, step.actions)
		}
	}
	o.waiting(1)
	o.acts(Action{Report: 2, Who: "Olga", What: Dismiss, Player: cleo}, "")
	if log, err := o.Moderation.Log(t.Context(), 10); err != nil || len(log) != 2 || log[0].ID != 3 {
		t.Errorf("the log is %+v, %v", log, err)
	}
}
