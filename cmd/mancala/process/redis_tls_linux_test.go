package process

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"mancala/match/bus/redistest"
	"mancala/match/journal/pgtest"
)

// Redis accepts only TLS. An instance that does not trust its certificate logs that and is
// never ready.
func TestInstancesTalkThroughARedisWithTLS(t *testing.T) {
	database := pgtest.Open(t)
	key, cert, _ := certificateFor(t, "127.0.0.1")
	flags := append([]string{"--redis", redistest.StartTLS(t, key, cert)}, fast...)

	distrusting := startProgram(t, database, flags...)
	await(t, distrusting.ctx, func() bool {
		return strings.Contains(distrusting.log.String(), "x509: certificate signed by unknown authority")
	})
	await(t, distrusting.ctx, func() bool { return readiness(t, distrusting.admin) == http.StatusServiceUnavailable })
	distrusting.kill()

	file := filepath.Join(t.TempDir(), "authority.pem")
	write(t, file, string(cert))
	t.Setenv("SSL_CERT_FILE", file) // Go reads it on Linux
	var instances []*program
	for range 2 {
		p := startProgram(t, database, flags...)
		await(t, p.ctx, func() bool { return readiness(t, p.admin) == http.StatusOK })
		instances = append(instances, p)
	}
	testFaults(t, instances, []func(){func() {}}) // the players of each game are on both
}
