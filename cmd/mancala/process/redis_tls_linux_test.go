package process

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
)

// TestRedisWithTLS: instances talk through a Redis that speaks TLS only, whose
// certificate an authority has signed that they trust. One that does not trust it
// says so, and is never ready.
func TestRedisWithTLS(t *testing.T) {
	database := pgtest.Open(t)
	key, cert, _ := certificateFor(t, "127.0.0.1")
	flags := append([]string{"--redis", redistest.StartTLS(t, key, cert)}, fast...)

	stranger := startProgram(t, database, flags...)
	await(t, stranger.ctx, func() bool {
		return strings.Contains(stranger.log.String(), "x509: certificate signed by unknown authority")
	})
	await(t, stranger.ctx, func() bool { return readiness(t, stranger.admin) == http.StatusServiceUnavailable })
	stranger.kill()

	file := filepath.Join(t.TempDir(), "authority.pem")
	write(t, file, string(cert))
	t.Setenv("SSL_CERT_FILE", file) // which Go heeds on Linux
	var instances []*program
	for range 2 {
		p := startProgram(t, database, flags...)
		await(t, p.ctx, func() bool { return readiness(t, p.admin) == http.StatusOK })
		instances = append(instances, p)
	}
	testFaults(t, instances, []func(){func() {}}) // people of each game are on both
}
