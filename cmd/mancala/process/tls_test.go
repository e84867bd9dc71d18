package process

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	randv2 "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mancala/web/webtest"
)

const domain = "play.example"

// certificate returns a certificate for the domain.
func certificate(t *testing.T) (key, cert []byte, pool *x509.CertPool) {
	t.Helper()
	return certificateFor(t, domain)
}

// certificateFor returns a key and a self-signed certificate for a domain or an address, as
// PEM.
func certificateFor(t *testing.T, name string) (key, cert []byte, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key = pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw})
	cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return key, cert, pool
}

// The certificate is in files, or an earlier run has fetched it for a domain. The test
// checks pages, cookies and links, and plays a whole game.
func TestServesHTTPSWithGivenAndWithFetchedCertificates(t *testing.T) {
	t.Parallel()
	key, cert, pool := certificate(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "cert.pem"), string(cert))
	write(t, filepath.Join(dir, "key.pem"), string(key))
	write(t, filepath.Join(dir, domain), string(key)+string(cert)) // as in the cache
	for name, flags := range map[string][]string{
		"files":  {"--tls-cert", filepath.Join(dir, "cert.pem"), "--tls-key", filepath.Join(dir, "key.pem")},
		"domain": {"--domain", domain, "--cert-cache", dir},
	} {
		t.Run(name, func(t *testing.T) {
			p := startProgram(t, inMemory, append(flags, fast...)...)
			visitor := func() *webtest.Person {
				person := webtest.NewPerson("https://" + domain)
				person.HTTP.Transport = &http.Transport{
					TLSClientConfig: &tls.Config{RootCAs: pool},
					DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
						return new(net.Dialer).DialContext(ctx, network, p.addr)
					},
				}
				t.Cleanup(person.Leave)
				return person
			}
			ada, ben := visitor(), visitor()
			made, err := ada.Post(p.ctx, "/new", url.Values{"rules": {"oware"}})
			if err != nil {
				t.Fatal(err)
			}
			if c := made.Header.Get("Set-Cookie"); !strings.Contains(c, "; Secure") || !strings.Contains(c, "; HttpOnly") {
				t.Errorf("the cookie is %q", c)
			}
			room := strings.TrimPrefix(made.Header.Get("Location"), "/")
			if err := ben.Sit(p.ctx, room); err != nil {
				t.Fatal(err)
			}
			if page, err := ada.Get(p.ctx, "/"+room); err != nil || !strings.Contains(page.Body, `data-link="https://`+domain+"/"+room+`"`) {
				t.Errorf("the page has no link with https (%v)", err)
			}
			played := make(chan error, 2)
			for i, person := range []*webtest.Person{ada, ben} {
				c := person.Open(room)
				defer c.Close()
				go func() { played <- c.PlayOn(p.ctx, randv2.New(randv2.NewPCG(3, uint64(i))), nil) }()
			}
			for range 2 {
				if err := <-played; err != nil {
					t.Error(err)
				}
			}

			// Browsers use HTTP/2 for pages.
			browser := &http.Client{Transport: &http.Transport{
				TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: domain}, ForceAttemptHTTP2: true,
			}}
			page, err := browser.Get("https://" + p.addr + "/" + room)
			if err != nil {
				t.Fatal(err)
			}
			page.Body.Close()
			if hsts := page.Header.Get("Strict-Transport-Security"); page.ProtoMajor != 2 || page.StatusCode != http.StatusOK || hsts == "" {
				t.Errorf("the page with HTTP/2: %s %s, Strict-Transport-Security %q", page.Proto, page.Status, hsts)
			}

			plain, err := http.Get("http://" + p.addr + "/")
			if err != nil {
				t.Fatal(err)
			}
			plain.Body.Close()
			if plain.StatusCode != http.StatusBadRequest {
				t.Errorf("without TLS the answer is %s", plain.Status)
			}
			if name == "domain" {
				if _, err := tls.Dial("tcp", p.addr, &tls.Config{ServerName: "other.example", InsecureSkipVerify: true}); err == nil {
					t.Error("the server has a certificate for another domain")
				}
			}
		})
	}
}

func TestUnusableCertificatesAreRefused(t *testing.T) {
	t.Parallel()
	key, cert, _ := certificate(t)
	other, _, _ := certificate(t)
	dir := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if text != nil {
			write(t, path, string(text))
		}
		return path
	}
	good, goodKey := file("cert.pem", cert), file("key.pem", key)
	for name, tt := range map[string]struct{ cert, key, want string }{
		"no file":       {file("missing.pem", nil), goodKey, "missing.pem"},
		"no key":        {good, file("missing.pem", nil), "missing.pem"},
		"another's key": {good, file("other.pem", other), "private key does not match"},
		"no PEM":        {file("text.pem", bytes.Repeat([]byte("x"), 100)), goodKey, "PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			refuses(t, tt.want, "--addr", anyPort, "--admin=", "--database", inMemory, "--tls-cert", tt.cert, "--tls-key", tt.key)
		})
	}
}
