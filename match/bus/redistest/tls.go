package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mancala/match/testenv"
)

// StartTLS starts a server that speaks TLS and nothing else, with a certificate for
// 127.0.0.1 and its key, as PEM. It gives its address and ends with the test.
func StartTLS(t testing.TB, key, cert []byte) (url string) {
	t.Helper()
	Open(t)                                  // skips
	dir, err := testenv.TempDir("redis-tls") // the server's own: it is somebody else
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
	// Of the port without TLS the last word holds: there is none.
	n := startNode(t, port, fmt.Sprintf("port 0\ntls-port %s\ntls-auth-clients no\ntls-key-file %[2]s/key.pem\ntls-cert-file %[2]s/cert.pem\ntls-ca-cert-file %[2]s/cert.pem\n", port, dir))
	return "rediss://" + n.addr()
}
