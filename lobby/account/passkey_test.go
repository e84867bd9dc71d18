package account

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

var here = Site{"play.example", "https://play.example"}

// stick is an authenticator with one passkey, together with its browser.
type stick struct {
	testing.TB
	at    Site
	key   *ecdsa.PrivateKey
	id    []byte
	user  string // the player that it names in its answers
	count uint32
}

func newStick(t testing.TB, at Site) *stick {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &stick{TB: t, at: at, key: key, id: []byte(rand.Text())}
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// data returns the bytes that an authenticator signs. It adds to flags those for a user
// who is present and verified.
func (s *stick) data(flags byte) []byte {
	hash := sha256.Sum256([]byte(s.at.Name))
	s.count++
	return binary.BigEndian.AppendUint32(append(hash[:], 0x05|flags), s.count)
}

// client returns what the browser reports: the challenge, and the site.
func (s *stick) client(kind string, options []byte) []byte {
	var o struct{ Challenge string }
	if err := json.Unmarshal(options, &o); err != nil {
		s.Fatal(err)
	}
	return fmt.Appendf(nil, `{"type":"webauthn.%s","challenge":%q,"origin":%q,"crossOrigin":false}`, kind, o.Challenge, s.at.Origin)
}

func (s *stick) answer(response map[string]string) string {
	text, err := json.Marshal(map[string]any{"id": b64(s.id), "rawId": b64(s.id), "type": "public-key", "response": response})
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

// makes answers the request for a new passkey.
func (s *stick) makes(player string, options []byte) string {
	s.user = player
	point, err := s.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		s.Fatal(err)
	}
	data := s.data(0x40)
	data = append(data, make([]byte, 16)...)
	data = binary.BigEndian.AppendUint16(data, uint16(len(s.id)))
	data = append(data, s.id...)
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20) // COSE: EC2, ES256, P-256, x
	data = append(data, point[1:33]...)
	data = append(data, 0x22, 0x58, 0x20) // y
	data = append(data, point[33:]...)
	object := []byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59") // CBOR
	object = append(binary.BigEndian.AppendUint16(object, uint16(len(data))), data...)
	return s.answer(map[string]string{"clientDataJSON": b64(s.client("create", options)), "attestationObject": b64(object)})
}

// shows answers a sign-in request.
func (s *stick) shows(options []byte) string {
	data, client := s.data(0), s.client("get", options)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte(nil), data...), hash[:]...))
	sig, err := ecdsa.SignASN1(rand.Reader, s.key, digest[:])
	if err != nil {
		s.Fatal(err)
	}
	return s.answer(map[string]string{"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(sig), "userHandle": b64([]byte(s.user))})
}

// member makes an account that signs in with a stick.
func (i *instance) member(name string) (string, *stick) {
	i.Helper()
	g, err := i.people.Guest(i.Context())
	i.must(err)
	s := newStick(i, here)
	options, id, err := i.BeginPasskey(i.Context(), here, "", g.ID, name)
	i.must(err)
	codes, err := i.CreateWithPasskey(i.Context(), here, g.ID, name, id, s.makes(g.ID, options), "My laptop")
	i.must(err)
	if len(codes) != 8 {
		i.Errorf("%d recovery codes", len(codes))
	}
	return g.ID, s
}

// An instance accepts the answer to another instance's request.
func TestPasskeyIsCheckedByAnotherInstance(t *testing.T) {
	with(t, func(p *place) {
		i, other := p.instance(), p.instance()
		ada, stick := i.member("Ada")
		for range 2 {
			options, id, err := i.BeginSignIn(p.Context(), here, "")
			p.must(err)
			if got, err := other.ByPasskey(p.Context(), here, id, stick.shows(options)); got != ada || err != nil {
				p.Errorf("signed in as %q, %v", got, err)
			}
		}
		list, err := i.Passkeys(p.Context(), ada)
		if err != nil || len(list) != 1 || list[0].Name != "My laptop" {
			p.Fatalf("the passkeys are %v, %v", list, err)
		}
		ben, _ := i.member("Ben")
		p.must(i.NamePasskey(p.Context(), ben, list[0].ID, "Ben's"))
		p.must(i.RemovePasskey(p.Context(), ben, list[0].ID)) // not ben's passkey
		if list, err := i.Passkeys(p.Context(), ada); err != nil || len(list) != 1 || list[0].Name != "My laptop" {
			p.Errorf("after another player's changes the passkeys are %v, %v", list, err)
		}
		p.refused("the only way in", i.RemovePasskey(p.Context(), ada, list[0].ID), CodeLastWay)
		s, err := i.Begin(p.Context(), ada, "here")
		p.must(err)
		p.must(i.SetPassword(p.Context(), s, "Ada", secret))
		p.must(i.RemovePasskey(p.Context(), ada, list[0].ID))
		options, id, err := i.BeginSignIn(p.Context(), here, "")
		p.must(err)
		_, err = i.ByPasskey(p.Context(), here, id, stick.shows(options))
		p.refused("a passkey that was removed", err, CodeSignIn)
	})
}

// A client that begins many ceremonies ends only its own.
func TestGreediestPlaceLosesItsOldestCeremony(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		i.opt.Ceremonies = 5
		_, stick := i.member("Ada")
		begin := func(place string) (id string) {
			p.Helper()
			_, id, err := i.BeginSignIn(p.Context(), here, place)
			p.must(err)
			return id
		}
		options, hers, err := i.BeginSignIn(p.Context(), here, "hers")
		p.must(err)
		var greedy []string
		for range 10 {
			p.advance(time.Second)
			greedy = append(greedy, begin("greedy"))
		}
		begin("his")
		_, err = i.takeCeremony(p.Context(), greedy[0])
		p.refused("the oldest of the greediest", err, CodePasskey)
		_, err = i.takeCeremony(p.Context(), greedy[9])
		p.must(err)
		_, err = i.ByPasskey(p.Context(), here, hers, stick.shows(options))
		p.must(err)
	})
}

// An answer that does not match its request is refused.
func TestPasskeyAnswerToAnotherRequestIsRefused(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, stick := i.member("Ada")
		ben, _ := i.member("Ben")
		ask := func(at Site) ([]byte, string) {
			p.Helper()
			options, id, err := i.BeginSignIn(p.Context(), at, "")
			p.must(err)
			return options, id
		}
		denied := func(what string, at Site, id, answer string) {
			p.Helper()
			got, err := i.ByPasskey(p.Context(), at, id, answer)
			p.refused(what, err, CodeSignIn)
			if got != "" {
				p.Errorf("%s: is %s", what, got)
			}
		}
		options, id := ask(here)
		answer := stick.shows(options)
		denied("no question", here, "", answer)
		denied("another's question", here, "made-up", answer)
		_, err := i.ByPasskey(p.Context(), here, id, answer)
		p.must(err)
		denied("the same once more", here, id, answer)
		_, id = ask(here)
		denied("an answer of before", here, id, answer)
		options, id = ask(here)
		p.advance(CeremonyLife)
		denied("too late", here, id, stick.shows(options))

		evil := Site{"evil.example", "https://evil.example"}
		options, id = ask(here)
		elsewhere := *stick
		elsewhere.at = evil
		denied("an answer that was given to another site", here, id, elsewhere.shows(options))
		options, id = ask(evil)
		denied("a question of another host", here, id, stick.shows(options))
		options, id = ask(evil)
		denied("a passkey of this site on another host", evil, id, elsewhere.shows(options))

		options, id = ask(here)
		as := *stick
		as.user = ben
		denied("Ada's key for Ben", here, id, as.shows(options))
		options, id = ask(here)
		forged := *newStick(p, here)
		forged.id, forged.user, forged.count = stick.id, ada, 99
		denied("another key of the same name", here, id, forged.shows(options))
		options, id = ask(here)
		copied := *stick
		copied.count = 0
		denied("a copy of the key, which has counted less", here, id, copied.shows(options))

		making, id, err := i.BeginPasskey(p.Context(), here, "", ada, "Ada")
		p.must(err)
		denied("a question for making one", here, id, stick.shows(making))
		making, id, err = i.BeginPasskey(p.Context(), here, "", ada, "Ada")
		p.must(err)
		p.refused("a key that Ada was asked for, for Ben", i.AddPasskey(p.Context(), here, ben, id, newStick(p, here).makes(ada, making), ""), CodePasskey)
		making, id, err = i.BeginPasskey(p.Context(), here, "", ben, "Ben")
		p.must(err)
		p.refused("Ada's key, for Ben", i.AddPasskey(p.Context(), here, ben, id, stick.makes(ben, making), ""), CodePasskey)
	})
}

// Unanswered requests do not pile up.
func TestUnansweredPasskeyRequestsDoNotPileUp(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		for range 3 {
			for range 20 {
				_, _, err := i.BeginSignIn(p.Context(), here, "")
				p.must(err)
			}
			p.advance(CeremonyLife + time.Second)
		}
		n := 0
		p.must(p.db.Reader().QueryRowContext(p.Context(), "SELECT COUNT(*) FROM ceremonies").Scan(&n))
		if n > 20 {
			p.Errorf("%d questions are kept", n)
		}
		p.must(i.Sweep(p.Context()))
		p.must(p.db.Reader().QueryRowContext(p.Context(), "SELECT COUNT(*) FROM ceremonies").Scan(&n))
		if n != 0 {
			p.Errorf("%d questions are kept after a sweep", n)
		}
	})
}
