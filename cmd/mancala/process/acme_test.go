package process

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"mancala/match/testenv"
)

// The authority is Pebble, which Let's Encrypt makes for tests. MANCALA_PEBBLE is the path
// of its program.
func TestCertificateIsFetchedForADomainAndStored(t *testing.T) {
	pebble := os.Getenv("MANCALA_PEBBLE")
	if pebble == "" {
		if os.Getenv("MANCALA_TEST_ALL") != "" {
			t.Fatal("MANCALA_PEBBLE is not set to the path of Pebble")
		}
		t.Skip("MANCALA_PEBBLE is not set to the path of Pebble")
	}
	// The authority needs a port of the domain before the server has one. This port
	// forwards to the server's.
	door, err := net.Listen("tcp", anyPort)
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	authority := startPebble(t, pebble, door.Addr().(*net.TCPAddr).Port, namesOf(t))

	t.Setenv("SSL_CERT_FILE", authority.cert) // the server trusts the authority's own address
	certs := t.TempDir()
	flags := append([]string{"--domain", domain, "--cert-cache", certs, "--acme-directory", authority.directory}, fast...)
	p := startProgram(t, inMemory, flags...)
	go forward(door, p.addr)

	first := issued(t, p.addr)
	if got := first.Issuer.CommonName; !strings.HasPrefix(got, "Pebble") || first.VerifyHostname(domain) != nil {
		t.Fatalf("the certificate is for %v, by %q", first.DNSNames, got)
	}
	p.kill()
	authority.stop()
	p.start() // the certificate is in the cache
	if again := issued(t, p.addr); !again.Equal(first) {
		t.Errorf("the certificate is not the same after a restart without the authority: it is of %v", again.NotBefore)
	}
}

// issued returns the certificate of a server, which fetches it if necessary.
func issued(t *testing.T, addr string) *x509.Certificate {
	t.Helper()
	d := tls.Dialer{Config: &tls.Config{ServerName: domain, InsecureSkipVerify: true}}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
}

// pebble is a running authority.
type pebble struct {
	directory string // its address
	cert      string // file with the certificate of that address
	stop      func()
}

// startPebble starts an authority that checks domains on this port.
func startPebble(t *testing.T, program string, tlsPort int, names string) pebble {
	t.Helper()
	key, cert, _ := certificateFor(t, "127.0.0.1")
	dir := t.TempDir()
	addr := testenv.Addr(t)
	p := pebble{cert: filepath.Join(dir, "cert.pem"), directory: "https://" + addr + "/dir"}
	write(t, p.cert, string(cert))
	write(t, filepath.Join(dir, "key.pem"), string(key))
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": addr, "certificate": p.cert, "privateKey": filepath.Join(dir, "key.pem"),
		"tlsPort": tlsPort, "httpPort": 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "config.json"), string(config))
	cmd := exec.CommandContext(t.Context(), program, "-config", filepath.Join(dir, "config.json"), "-dnsserver", names)
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	p.stop = func() {
		_ = cmd.Process.Kill()
		<-ended
	}
	t.Cleanup(p.stop)
	if !answers(p.directory, ended) {
		p.stop()
		t.Fatalf("Pebble does not start: %s", output.String())
	}
	return p
}

// answers waits until url answers or its program has ended, and reports which.
func answers(url string, ended <-chan struct{}) bool {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for {
		resp, err := client.Get(url)
		if err == nil {
			resp.Body.Close()
			return resp.StatusCode == http.StatusOK
		}
		select {
		case <-ended:
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// namesOf starts a name server that resolves every domain to this machine, and returns its
// address. Pebble asks by TCP, where each message follows its length.
func namesOf(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", anyPort)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for answerName(conn) == nil {
				}
			}()
		}
	}()
	return l.Addr().String()
}

// answerName answers one question.
func answerName(conn io.ReadWriter) error {
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	b := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, b); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(b); err != nil {
		return err
	}
	m.Response = true
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
		}}
	}
	answer, err := m.Pack()
	if err != nil {
		return err
	}
	_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
	return err
}

// forward forwards every connection.
func forward(from net.Listener, to string) {
	for {
		in, err := from.Accept()
		if err != nil {
			return
		}
		go func() {
			defer in.Close()
			out, err := net.Dial("tcp", to)
			if err != nil {
				return
			}
			defer out.Close()
			go func() { _, _ = io.Copy(out, in) }()
			_, _ = io.Copy(in, out)
		}()
	}
}
