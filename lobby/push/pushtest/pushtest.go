// Package pushtest has a push service and browsers for tests: real TLS, real encryption, no
// network. It implements RFC 8291 and RFC 8292 a second time, from the side of the browser.
package pushtest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mancala/lobby/push"
)

// patience is how long a push service may take in tests. It is long because only a slow machine needs it.
const patience = 5 * time.Minute

// Host is the name of the push service.
const Host = "example.com"

// Service is a push service on a port of this machine.
type Service struct {
	t      testing.TB
	server *httptest.Server

	mu       sync.Mutex
	browsers map[string]*Browser // by path
	answers  map[string]http.HandlerFunc
	got      []Received
	arrived  chan struct{}
}

// Browser is a browser that has subscribed.
type Browser struct {
	Endpoint string
	secret   *ecdh.PrivateKey
	auth     []byte
}

// Received is a message as its browser reads it.
type Received struct {
	To      *Browser
	Message push.Message
	Topic   string
	Urgency string
	TTL     string
	Key     string // of the sender
	Contact string
}

// New starts a push service.
func New(t testing.TB) *Service {
	t.Helper()
	s := &Service{t: t, browsers: map[string]*Browser{}, answers: map[string]http.HandlerFunc{}, arrived: make(chan struct{}, 1)}
	s.server = httptest.NewUnstartedServer(s)
	s.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.server.EnableHTTP2 = true
	s.server.StartTLS()
	t.Cleanup(s.server.Close)
	return s
}

// Options are those of a [push.Push] that reaches this push service.
func (s *Service) Options() push.Options {
	roots := x509.NewCertPool()
	roots.AddCert(s.server.Certificate())
	return push.Options{
		Contact: "operator@example.com", Roots: roots, Ask: time.Millisecond, Look: 20 * time.Millisecond, Answer: patience,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address != Host+":443" {
				return nil, fmt.Errorf("pushtest: no host %s", address)
			}
			return new(net.Dialer).DialContext(ctx, network, s.server.Listener.Addr().String())
		},
	}
}

// Browser subscribes with a browser.
func (s *Service) Browser() (*Browser, push.Subscription) {
	s.t.Helper()
	secret, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	b := &Browser{Endpoint: "https://" + Host + "/" + rand.Text(), secret: secret, auth: make([]byte, 16)}
	if _, err := rand.Read(b.auth); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[b.path()] = b
	return b, push.Subscription{Endpoint: b.Endpoint, Keys: push.Keys{P256dh: encode(secret.PublicKey().Bytes()), Auth: encode(b.auth)}}
}

func (b *Browser) path() string { return strings.TrimPrefix(b.Endpoint, "https://"+Host) }

// Answer makes the push service answer messages to a browser in another way; nil: as usual.
func (s *Service) Answer(b *Browser, with http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[b.path()] = with
}

// Status is an answer with this status.
func Status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// Take returns the messages that have arrived since the last call.
func (s *Service) Take() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.got
	s.got = nil
	return list
}

// Await waits for a message, and returns all that have arrived since the last call.
func (s *Service) Await(ctx context.Context) []Received {
	s.t.Helper()
	for {
		if list := s.Take(); len(list) > 0 {
			return list
		}
		select {
		case <-s.arrived:
		case <-ctx.Done():
			s.t.Fatal("no message has arrived")
		}
	}
}

// ServeHTTP takes a message, as RFC 8030 describes.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	b, answer := s.browsers[r.URL.Path], s.answers[r.URL.Path]
	s.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	if b == nil {
		w.WriteHeader(http.StatusGone)
		return
	}
	m, err := b.read(r)
	if err != nil {
		s.t.Errorf("a message cannot be read: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.got = append(s.got, m)
	s.mu.Unlock()
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	w.WriteHeader(http.StatusCreated)
}

// read checks and decrypts a message.
func (b *Browser) read(r *http.Request) (m Received, err error) {
	h := r.Header
	m = Received{To: b, Topic: h.Get("Topic"), Urgency: h.Get("Urgency"), TTL: h.Get("TTL")}
	if r.Method != http.MethodPost || h.Get("Content-Encoding") != "aes128gcm" {
		return m, fmt.Errorf("%s with the encoding %q", r.Method, h.Get("Content-Encoding"))
	}
	if m.Key, m.Contact, err = verify(h.Get("Authorization")); err != nil {
		return m, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 4097)) // a push service takes 4096 bytes
	if err == nil {
		body, err = b.decrypt(body)
	}
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m.Message)
}

// verify checks a signature by RFC 8292. It returns the public key and the contact.
func verify(authorization string) (key, contact string, err error) {
	rest, ok := strings.CutPrefix(authorization, "vapid t=")
	token, key, found := strings.Cut(rest, ", k=")
	parts := strings.Split(token, ".")
	if !ok || !found || len(parts) != 3 {
		return "", "", fmt.Errorf("bad authorization %q", authorization)
	}
	var raw [4][]byte
	for i, text := range append(parts, key) {
		if raw[i], err = base64.RawURLEncoding.DecodeString(text); err != nil {
			return "", "", err
		}
	}
	if len(raw[3]) != 65 || len(raw[2]) != 64 {
		return "", "", errors.New("key or signature of a wrong size")
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw[3])
	if err != nil {
		return "", "", err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(raw[2][:32]), new(big.Int).SetBytes(raw[2][32:])) {
		return "", "", errors.New("the signature is wrong")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(raw[1], &claims); err != nil {
		return "", "", err
	}
	if left := time.Until(time.Unix(claims.Exp, 0)); claims.Aud != "https://"+Host || left <= 0 || left > 24*time.Hour {
		return "", "", fmt.Errorf("the token is for %s and valid for %v", claims.Aud, left)
	}
	return key, claims.Sub, nil
}

// decrypt is RFC 8291 from the side of the browser.
func (b *Browser) decrypt(body []byte) ([]byte, error) {
	const salt, size, id = 16, 4, 65
	if len(body) > 4096 || len(body) < salt+size+1+id || body[salt+size] != id {
		return nil, fmt.Errorf("a body of %d bytes", len(body))
	}
	if record := binary.BigEndian.Uint32(body[salt:]); int(record) < len(body)-salt-size-1-id {
		return nil, fmt.Errorf("a record of %d bytes", record)
	}
	sender, text := body[salt+size+1:salt+size+1+id], body[salt+size+1+id:]
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.secret.ECDH(public)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(b.secret.PublicKey().Bytes()) + string(sender)
	ikm, err := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, body[:salt], "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, body[:salt], "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, text, nil)
	if err != nil {
		return nil, err
	}
	plain = []byte(strings.TrimRight(string(plain), "\x00"))
	if len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.New("the last record has no delimiter")
	}
	return plain[:len(plain)-1], nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
