package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mancala/match/testenv"
)

// StartTLS starts a server that accepts only TLS, with a certificate for 127.0.0.1
// and its key as PEM. It returns the server's address. The server ends with the test.
func StartTLS(t testing.TB, key, cert []byte) (url string) {
	t.Helper()
	Open(t)                                  // skips the test without redis-server
	dir, err := testenv.TempDir("redis-tls") // the server's own folder, because it runs as another user
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for name, text := range map[string][]byte{"key.pem": key, "cert.pem": cert} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	port := freePorts(t, 1)[0]
	// The last setting of port counts: there is no port without TLS.
	n := startNode(t, port, fmt.Sprintf("port 0\ntls-port %s\ntls-auth-clients no\ntls-key-file %[2]s/key.pem\ntls-cert-file %[2]s/cert.pem\ntls-ca-cert-file %[2]s/cert.pem\n", port, dir))
	return "rediss://" + n.addr()
}
