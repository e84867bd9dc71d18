package push_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/lobby/lobbytest"
	"mancala/lobby/push"
)

func TestSweepDeletesTurnsAWeekAfterTheirEnd(t *testing.T) {
	with(t, func(d *desk) {
		d.subscribe("ada", "", "en")
		d.turn(d.one, "k3v9qa2mx1", "ada", "0.2.1", 7, 24*time.Hour)
		rows := func() (n int) {
			if err := d.db.Reader().QueryRow("SELECT COUNT(*) FROM push_turns").Scan(&n); err != nil {
				d.Fatal(err)
			}
			return n
		}
		d.pass(7 * 24 * time.Hour)
		if err := d.one.Sweep(d.Context()); err != nil || rows() != 1 {
			d.Errorf("%d rows, %v", rows(), err)
		}
		d.pass(2 * 24 * time.Hour)
		if err := d.one.Sweep(d.Context()); err != nil || rows() != 0 {
			d.Errorf("%d rows, %v", rows(), err)
		}
	})
}

func TestSweepDeletesDevicesWithoutSessionOrPlayer(t *testing.T) {
	with(t, func(d *desk) {
		ctx := d.Context()
		maps.Copy(d.ids, lobbytest.Guests(t, d.people, "cleo"))
		d.subscribe("ada", "", "en") // as a guest
		if _, err := d.people.Upgrade(ctx, d.ids["ada"], "Ada", func(lobby.Tx) error { return nil }); err != nil {
			d.Fatal(err)
		}
		begin := func() string {
			s, err := d.accounts.Begin(ctx, d.ids["ada"], "")
			if err != nil {
				d.Fatal(err)
			}
			return s.ID
		}
		d.subscribe("ada", begin(), "en") // a session that ends because it is not used
		d.pass(401 * 24 * time.Hour)
		kept := []string{push.DeviceOf(d.subscribe("ada", begin(), "en").Endpoint)}
		if _, err := d.accounts.MakeToken(ctx, d.ids["ada"], "bot", []string{account.Scopes[0]}); err != nil {
			d.Fatal(err)
		}
		tokens, err := d.accounts.Tokens(ctx, d.ids["ada"])
		if err != nil || len(tokens) != 1 {
			d.Fatal(tokens, err)
		}
		d.pass(time.Second)
		kept = append(kept, push.DeviceOf(d.subscribe("ada", tokens[0].ID, "en").Endpoint))
		d.subscribe("ada", "sended", "en") // a session that has ended in the meantime
		d.subscribe("ben", "", "en")
		d.subscribe("cleo", "", "en")
		err = d.db.Write(ctx, func(tx lobby.Tx) error {
			_, err := tx.Exec("DELETE FROM players WHERE id = $1", d.ids["cleo"]) // by an instance of an older release
			return err
		})
		if err != nil {
			d.Fatal(err)
		}
		if err := d.accounts.Sweep(ctx); err != nil {
			d.Fatal(err)
		}
		for range 2 {
			if err := d.two.Sweep(ctx); err != nil {
				d.Fatal(err)
			}
			list, err := d.one.Devices(ctx, d.ids["ada"])
			if err != nil || !slices.Equal(list, kept) || d.devices("ben") != 1 || d.devices("cleo") != 0 {
				d.Errorf("left are %q of ada, want %q; %d of ben, %d of cleo; %v", list, kept, d.devices("ben"), d.devices("cleo"), err)
			}
		}
	})
}
