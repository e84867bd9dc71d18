package push_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"mancala/lobby/lobbytest"
	"mancala/lobby/push"
)

func TestEarlierTurnDoesNotReplaceALaterOne(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.subscribe("ben", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, time.Hour)
		d.turn(d.two, "k3v9qa2mx1", "ben", "0.2.1", 6, time.Hour) // an instance that was slow
		d.onTurn["k3v9qa2mx1"] = d.ids["ada"]
		d.pass(6 * time.Second)
		d.work(d.one, d.two)
		d.got("turn")
	})
}

func TestPlayerWithoutDeviceCostsNoRow(t *testing.T) {
	with(t, func(d *desk) {
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, time.Hour)
		var n int
		if err := d.db.Reader().QueryRow("SELECT COUNT(*) FROM push_turns").Scan(&n); err != nil || n != 0 {
			d.Errorf("%d rows, %v", n, err)
		}
	})
}

func TestTurnIsLeftToTheNextClaimBeforeTheLeaseEnds(t *testing.T) {
	d := newDesk(t, lobbytest.Memory(t))
	d.subscribe("ada", "", "en")
	for i := range 6 {
		d.turn(d.one, fmt.Sprint("k3v9qa2mx", i), "ada", "0.2.1", 7, 24*time.Hour)
	}
	s := d.services()
	notice := s.Notice
	var begun sync.WaitGroup
	begun.Add(4) // as many as are told at the same time
	var slow sync.Once
	s.Notice = func(ctx context.Context, room, player string, reminder bool) (func(string) push.Message, error) {
		begun.Done()
		begun.Wait()
		slow.Do(func() { d.pass(100 * time.Second) })
		return notice(ctx, room, player, reminder)
	}
	d.pass(6 * time.Second)
	if _, err := d.one.Work(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	d.got("turn", "turn", "turn", "turn")
	d.pass(time.Minute)
	d.work(d.two)
	d.got("turn", "turn")
}

func TestPlayerIsRemindedOnceBeforeTheTurnEnds(t *testing.T) {
	for _, tt := range []struct {
		days  int
		comes time.Duration // before the end
	}{{1, 6 * time.Hour}, {3, 18 * time.Hour}, {14, 24 * time.Hour}} {
		with(t, func(d *desk) {
			whole := time.Duration(tt.days) * 24 * time.Hour
			d.subscribe("ada", "", "en")
			d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, whole)
			d.pass(time.Minute)
			d.work(d.one)
			d.got("turn")
			d.pass(whole - tt.comes - time.Minute - time.Second)
			d.work(d.one)
			d.got()
			d.pass(time.Second)
			d.work(d.one, d.two)
			if m := d.got("reminder"); len(m) > 0 && m[0].Urgency != "high" {
				d.Errorf("the reminder is %s", m[0].Urgency)
			}
			d.pass(tt.comes - time.Minute)
			d.work(d.one, d.two)
			d.got()
		})
	}
}

func TestReminderFollowsTheEndOfTheTurn(t *testing.T) {
	const room, day = "k3v9qa2mx1", 24 * time.Hour
	for _, tt := range []struct {
		name       string
		after      time.Duration // of the beginning, when the end moves
		end, comes time.Duration // since the beginning
	}{
		{"later", 2 * day, 5 * day, 4 * day},
		{"earlier", 2 * day, 7 * day / 2, 5 * day / 2},
		{"later, before the first message", 0, 5 * day, 4 * day},
	} {
		with(t, func(d *desk) {
			d.subscribe("ada", "", "en")
			begun := d.clock()
			d.turn(d.one, room, "ada", "0.2.1", 7, 4*day)
			if tt.after > 0 {
				d.pass(time.Minute)
				d.work(d.one)
				d.got("turn")
			}
			d.pass(tt.after - d.clock().Sub(begun))
			d.turn(d.two, room, "ada", "0.2.1", 9, tt.end-tt.after)
			d.turn(d.one, room, "ada", "0.2.1", 8, 4*day-tt.after) // an instance that was slow
			if tt.after == 0 {
				d.pass(time.Minute)
				d.work(d.one)
				d.got("turn")
			}
			d.pass(tt.comes - time.Second - d.clock().Sub(begun))
			d.work(d.one, d.two)
			d.got()
			d.pass(time.Second)
			d.work(d.one, d.two)
			if len(d.got("reminder")) != 1 {
				d.Errorf("the end has moved to a time that is %s", tt.name)
			}
			d.pass(day)
			d.work(d.one, d.two)
			d.got()
		})
	}
}
