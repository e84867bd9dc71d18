package moderation

import (
	"context"
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/match/refusal"
)

// town is what operators change beside the sanctions: one line of chat, names, and who plays here.
type town struct {
	line     lobby.Line
	erased   bool
	renamed  []string
	departed []string
	removed  []string // rule sets
	err      error    // of a renaming
}

func (w *town) RenameByOperator(_ context.Context, player, name string) (string, error) {
	w.renamed = append(w.renamed, player+" "+name)
	return "clean " + name, w.err
}

func (w *town) Erase(_ context.Context, _, _ string, _ int64, reported time.Time) (lobby.Line, error) {
	if w.line.At.After(reported) {
		return lobby.Line{}, refusal.New(lobby.CodeNoLine)
	}
	line := w.line
	w.erased, w.line.Erased, w.line.Text = true, true, ""
	return line, nil
}

func (w *town) Remove(_ context.Context, id string) (string, error) {
	w.removed = append(w.removed, id)
	return "You fools", w.err
}

func (w *town) Depart(_ context.Context, player string) { w.departed = append(w.departed, player) }

// reported returns an office with one report, about a line of p2.
func reported(t *testing.T) (*office, *town, Operators) {
	t.Helper()
	o, w := newOffice(t, Options{}), new(town)
	o.files(Report{By: "p1", Player: "p2", Name: "Ben", Reason: "rude", Room: "k3v9qa2mx1", Stream: "players", Line: 7, Rules: "r3v9qa2mx1"}, "")
	w.line = lobby.Line{N: 7, At: o.now.Add(-time.Minute), Text: "you fool"}
	return o, w, Operators{Moderation: o.Moderation, Names: w, Chat: w, Rules: w, Departure: w}
}

// logged returns the last action of the log.
func (o *office) logged() Action {
	o.Helper()
	list, err := o.Moderation.Log(o.Context(), 1)
	if err != nil || len(list) != 1 {
		o.Fatalf("the log has %v, %v", list, err)
	}
	return list[0]
}

func TestActionIsCarriedOutAndLogged(t *testing.T) {
	for _, tt := range []struct {
		do   Action
		want Action
		town town
	}{
		{Action{What: Rename, Detail: "Cleo"}, Action{Detail: "clean Cleo"}, town{renamed: []string{"p2 Cleo"}}},
		{Action{What: Erase, Detail: "ignored"}, Action{Detail: "you fool", Room: "k3v9qa2mx1", Stream: "players", Line: 7}, town{erased: true}},
		{Action{What: Unkeep, Detail: "ignored"}, Action{Detail: "You fools"}, town{removed: []string{"r3v9qa2mx1"}}},
		{Action{What: Mute, Detail: "two hours", For: 2 * time.Hour}, Action{Detail: "two hours"}, town{}},
		{Action{What: Close, Detail: "ignored"}, Action{}, town{departed: []string{"p2"}}},
		{Action{What: Dismiss, Detail: "ignored"}, Action{}, town{}},
	} {
		t.Run(tt.do.What, func(t *testing.T) {
			o, w, operators := reported(t)
			tt.do.Who = "Olga"
			if err := operators.CarryOut(t.Context(), 1, tt.do); err != nil {
				t.Fatal(err)
			}
			got := o.logged()
			if got.Who != "Olga" || got.Player != "p2" || got.Name != "Ben" || got.Report != 1 || got.Detail != tt.want.Detail ||
				got.Room != tt.want.Room || got.Stream != tt.want.Stream || got.Line != tt.want.Line {
				t.Errorf("logged %+v, want %+v", got, tt.want)
			}
			if w.erased != tt.town.erased || !slices.Equal(w.renamed, tt.town.renamed) || !slices.Equal(w.departed, tt.town.departed) ||
				!slices.Equal(w.removed, tt.town.removed) {
				t.Errorf("changed %+v, want %+v", w, tt.town)
			}
		})
	}
}

func TestRefusedActionIsNotLogged(t *testing.T) {
	o, w, operators := reported(t)
	w.err = refusal.New(lobby.CodeNameTaken)
	for _, tt := range []struct {
		report int64
		do     Action
		want   refusal.Code
	}{
		{2, Action{Who: "Olga", What: Dismiss}, CodeNoReport},
		{1, Action{Who: " ", What: Close}, CodeNoModerator},
		{1, Action{Who: "Olga", What: "praise"}, CodeBadAction},
		{1, Action{Who: "Olga", What: Mute}, CodeBadAction},
		{1, Action{Who: "Olga", What: Rename, Detail: "Ada"}, lobby.CodeNameTaken},
		{1, Action{Who: "Olga", What: Unkeep}, lobby.CodeNameTaken},
	} {
		if err := operators.CarryOut(t.Context(), tt.report, tt.do); o.code(err) != tt.want {
			t.Errorf("%+v: got %v, want %s", tt.do, err, tt.want)
		}
	}
	w.line.At = o.now.Add(time.Minute)
	if err := operators.CarryOut(t.Context(), 1, Action{Who: "Olga", What: Erase}); o.code(err) != lobby.CodeNoLine || w.erased {
		t.Errorf("a later line with the number of the reported one: %v, erased: %t", err, w.erased)
	}
	if list, err := o.Moderation.Log(t.Context(), 10); err != nil || len(list) > 0 || len(w.departed) > 0 {
		t.Errorf("the log has %v, %v; %q departed", list, err, w.departed)
	}
}

func TestErasureThatWasInterruptedCanBeRepeatedUntilItIsLogged(t *testing.T) {
	o, w, operators := reported(t)
	erase := func(why string) error {
		return operators.CarryOut(t.Context(), 1, Action{Who: "Olga", What: Erase, Why: why})
	}
	if err := erase("\x00"); err == nil || !w.erased { // the log refuses it
		t.Fatalf("erased: %t, %v", w.erased, err)
	}
	if err := erase(""); err != nil {
		t.Fatal(err)
	}
	if got := o.logged(); got.What != Erase || got.Line != 7 {
		t.Errorf("logged %+v", got)
	}
	if err := erase(""); o.code(err) != lobby.CodeNoLine {
		t.Errorf("when it is logged: %v, want %s", err, lobby.CodeNoLine)
	}
}
