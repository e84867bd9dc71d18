package lobby

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// Device is a browser in which a player has signed in to their account before.
type Device struct {
	Player string
	ID     string // random, of lower-case letters and digits
	Since  int64  // when the player's password was set, in ms since 1970; 0 without one
}

const (
	deviceToken   = "3"
	deviceContext = "mancala device token\n" // keeps a player's token from passing as a device's
)

// SignDevice returns the token of a device:
//
//	3.<key>.<player>.<device>.<since>.<HMAC-SHA256 of all before, base64url>
//
// The token does not sign the player in. It is valid as long as other tokens of the same
// key.
func (t *Tokens) SignDevice(d Device) (string, error) {
	if !ValidPlayerID(d.Player) || d.ID == "" || !only(d.ID, sessionAlphabet) || d.Since < 0 {
		return "", fmt.Errorf("lobby: sign %+v: not a player's device", d)
	}
	return t.signing().device(d), nil
}

// VerifyDevice returns the device of a token. ok is false unless this service signed the
// token and its key has not expired. The caller must compare Since with the time of the
// player's password.
func (t *Tokens) VerifyDevice(token string) (d Device, ok bool) {
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 6 || parts[0] != deviceToken || parts[3] == "" || !only(parts[3], sessionAlphabet) {
		return Device{}, false
	}
	k, ok := t.key(parts[1])
	since, err := strconv.ParseInt(parts[4], 10, 64)
	if !ok || err != nil || !ValidPlayerID(parts[2]) {
		return Device{}, false
	}
	d = Device{Player: parts[2], ID: parts[3], Since: since}
	if !hmac.Equal([]byte(k.device(d)), []byte(token)) { // as in Verify: only one spelling is valid
		return Device{}, false
	}
	return d, true
}

func (k tokenKey) device(d Device) string {
	head := strings.Join([]string{deviceToken, strconv.FormatInt(k.id, 10), d.Player, d.ID, strconv.FormatInt(d.Since, 10)}, ".")
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte(deviceContext + head))
	return head + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
