package push_test

import (
	"net/http"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/push"
	"mancala/lobby/push/pushtest"
)

func TestSubscriptionEndsWhenThePushServiceSaysSo(t *testing.T) {
	for _, code := range []int{http.StatusNotFound, http.StatusGone} {
		with(t, func(d *desk) {
			b := d.subscribe("ada", "", "en")
			d.remote.Answer(b, pushtest.Status(code))
			d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
			d.pass(6 * time.Second)
			d.work(d.one)
			if d.devices("ada") != 0 || d.counts[push.Gone] != 1 {
				d.Errorf("after %d there are %d devices; counted %v", code, d.devices("ada"), d.counts)
			}
		})
	}
}

func TestSubscriptionThatFailsForDaysIsDeleted(t *testing.T) {
	with(t, func(d *desk) {
		b := d.subscribe("ada", "", "en")
		d.remote.Answer(b, pushtest.Status(http.StatusForbidden))
		for i := range 20 { // an outage of hours ends nothing
			d.turn(d.one, "k3v9qa2mx1", "ada", "x"+string(rune('a'+i)), uint64(7+i), 24*time.Hour)
			d.pass(10 * time.Minute)
			d.work(d.one)
		}
		if d.devices("ada") != 1 {
			d.Fatal("an outage of some hours has ended a subscription")
		}
		d.pass(3 * 24 * time.Hour)
		d.turn(d.one, "k3v9qa2mx1", "ada", "later", 90, 24*time.Hour)
		d.pass(time.Minute)
		d.work(d.one)
		if d.devices("ada") != 0 {
			d.Error("a subscription that has failed for days is still there")
		}
	})
}

func TestSubscriptionsEndWithTheirSessionAndTheirPlayer(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "s1", "en")
		d.subscribe("ada", "s2", "en")
		d.subscribe("ada", "", "en")
		d.subscribe("ben", "", "en")
		left := func(want int) {
			d.Helper()
			if n := d.devices("ada"); n != want || d.devices("ben") != 1 {
				d.Errorf("ada has %d devices, want %d; ben has %d, want 1", n, want, d.devices("ben"))
			}
		}
		end := func(ids ...string) {
			d.Helper()
			if err := d.two.Ended(d.Context(), ids); err != nil {
				d.Fatal(err)
			}
		}
		end("s3", "")
		left(3)
		end("s1")
		left(2)
		end(d.ids["ada"]) // has an account now
		left(1)
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		if err := d.people.Forget(d.Context(), d.ids["ada"]); err != nil {
			d.Fatal(err)
		}
		left(0)
		_, s := d.remote.Browser()
		if err := d.one.Subscribe(d.Context(), d.ids["ada"], "", "en", s); lobby.CodeOf(err) != lobby.CodeNoPlayer {
			d.Errorf("a deleted player subscribes: %v", err)
		}
	})
}

func TestDevicesOfAPlayerAreBounded(t *testing.T) {
	with(t, func(d *desk) {
		for range 12 {
			d.subscribe("ada", "", "en")
			d.pass(time.Second)
		}
		last := d.subscribe("ada", "", "en")
		list, err := d.one.Devices(d.Context(), d.ids["ada"])
		if err != nil || len(list) != 8 || list[7] != push.DeviceOf(last.Endpoint) {
			d.Errorf("%d devices, %v; the newest is not the last one", len(list), err)
		}
	})
}

func TestDeviceBelongsToThePlayerWhoSubscribedLast(t *testing.T) {
	with(t, func(d *desk) {
		_, s := d.remote.Browser()
		for _, name := range []string{"ada", "ada", "ben"} {
			if err := d.one.Subscribe(d.Context(), d.ids[name], "", "en", s); err != nil {
				d.Fatal(err)
			}
		}
		if d.devices("ada") != 0 || d.devices("ben") != 1 {
			d.Errorf("ada has %d devices, ben %d", d.devices("ada"), d.devices("ben"))
		}
		if err := d.one.Unsubscribe(d.Context(), d.ids["ada"], push.DeviceOf(s.Endpoint)); err != nil || d.devices("ben") != 1 {
			d.Errorf("another player has ended the subscription: %v", err)
		}
		if err := d.one.Unsubscribe(d.Context(), d.ids["ben"], push.DeviceOf(s.Endpoint)); err != nil || d.devices("ben") != 0 {
			d.Errorf("%d devices are left, %v", d.devices("ben"), err)
		}
	})
}
