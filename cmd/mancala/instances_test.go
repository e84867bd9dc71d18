package main

import (
	"net/http"
	"testing"

	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
)

// TestReadyNeedsMessages: an instance that others cannot reach is not ready, and
// is again when they can.
func TestReadyNeedsMessages(t *testing.T) {
	database := pgtest.Open(t)
	redistest.Open(t) // skips
	redis, err := redistest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(redis.Remove)
	admin := freeAddr(t)
	p := startProgram(t, database, append([]string{"--redis", redis.URL(), "--admin", admin}, fast...)...)
	ready := func() int {
		r, err := http.Get("http://" + admin + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		return r.StatusCode
	}
	await(t, p.ctx, func() bool { return ready() == http.StatusOK })
	redis.Stop()
	await(t, p.ctx, func() bool { return ready() == http.StatusServiceUnavailable })
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	await(t, p.ctx, func() bool { return ready() == http.StatusOK })
}
