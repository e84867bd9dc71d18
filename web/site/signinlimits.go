package site

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	"mancala/lobby"
)

// Sign-in tries are limited for two reasons: guessing must stay hopeless, and
// another person's guesses must not lock the owner out of an account.
//
// Passwords can be guessed. Their tries are counted by address, then by name and
// address, then by name alone. An IPv6 address stands for its /64 network. A try
// that one counter refuses is not counted by the next, so one address cannot use up
// the limit of the name. A device on which the account was entered before has a
// counter of its own, and the other counters cannot refuse it ([Site.knownDevice]).
//
// Recovery codes (79 bits) and passkeys cannot be guessed. Their tries are counted
// by address, separately from those of passwords.
//
// With the flags' default limits, an attacker with N addresses can make these tries
// for one account on one instance:
//
//   - N × (10 + 960) passwords in the first day while N is 1 or 2. From 3 addresses on,
//     100 + 2,400. The counter by name and address sets the first limit, the counter by
//     name the second.
//   - At most 18 × N more, because a limiter forgets a name when 32,768 other names come,
//     and each of those is a try (5,760 in a day from one address).
//   - 10 + 960 with each stolen device cookie, until the password is changed.
//
// For all accounts together the limit is N × (60 + 5,760). Each instance counts by
// itself, so k instances allow k times as many.

// PasswordWait returns how long a try of this name's password must wait. If it
// returns 0, the try may be made now and has been counted.
func (srv *Site) PasswordWait(r *http.Request, name string) time.Duration {
	if device := srv.knownDevice(r, name); device != "" {
		return srv.Limit(LimitDevice).Wait(device)
	}
	from, handle := srv.Address(r), typedHandle(name)
	if wait := srv.Limit(LimitSignInsPerAddress).WaitAddress(from); wait > 0 {
		return wait
	}
	if wait := srv.Limit(LimitSignIns).WaitAt(handle, from); wait > 0 {
		return wait
	}
	return srv.Limit(LimitSignInsPerName).Wait(handle)
}

// SecretWait returns how long a try of a recovery code or a passkey must wait.
func (srv *Site) SecretWait(r *http.Request) time.Duration {
	return srv.Limit(LimitSecrets).WaitAddress(srv.Address(r))
}

const (
	// DeviceCookie holds a device token for each account that was entered on this
	// browser, the latest first. It outlives signing out. It comes with every request,
	// see [Site.MayAskEngine].
	DeviceCookie = "mancala-device"
	DeviceSplit  = "~"
	MaxAccounts  = 8 // in one cookie; the account entered longest ago is dropped

	// Earlier releases set the cookie for this path only.
	oldDevicePath = "/account"
)

// deviceToken is a device with the text of its token in the cookie.
type deviceToken struct {
	lobby.Device
	text string
}

// devices returns the tokens of a request's cookie that this service has signed.
func (srv *Site) devices(r *http.Request) (list []deviceToken) {
	for _, c := range firstOf(r.CookiesNamed(DeviceCookie), 2) {
		for _, text := range firstOf(strings.SplitN(c.Value, DeviceSplit, MaxAccounts+1), MaxAccounts) {
			if d, ok := srv.Tokens.VerifyDevice(text); ok {
				list = append(list, deviceToken{d, text})
			}
		}
	}
	return list
}

func firstOf[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// knownDevice returns the name of a device's counter if the account of this name was
// entered on the device before, and an empty string otherwise. The proof is a
// session of the account that has not ended, or the device's token.
//
// A token is valid until its key expires, 400 to 490 days after the sign-in or
// sign-out that made it, or until the password is changed. The owner may change the
// password because another person knows it, or guesses it on a stolen device. So
// after a change only the device on which it was made stays known. Signing out,
// there or on another device, ends no token: a token alone opens nothing.
func (srv *Site) knownDevice(r *http.Request, name string) string {
	who, err := srv.Identify(r)
	if err != nil {
		who = Identity{}
	}
	devices := srv.devices(r)
	ids := make([]string, 0, len(devices)+1)
	for _, d := range devices {
		ids = append(ids, d.Player)
	}
	if who.Session != nil {
		ids = append(ids, who.Player)
	}
	// Look up the names of these players, not the player of the typed name. So the
	// cost of a try does not reveal whether the name exists.
	names, err := srv.People.Names(r.Context(), ids)
	if err != nil {
		return ""
	}
	typed := typedHandle(name)
	for _, d := range devices {
		if lobby.NameKey(names[d.Player]) != typed {
			continue
		}
		if set, err := srv.Accounts.PasswordSet(r.Context(), d.Player); err == nil && set == d.Since {
			return d.ID
		}
	}
	if who.Session != nil && lobby.NameKey(names[who.Player]) == typed {
		return who.Session.ID
	}
	return ""
}

// typedHandle returns the handle of a name from a form, with a bounded length.
func typedHandle(name string) string { return lobby.NameKey(FirstRunes(name, 2*lobby.MaxName)) }

// RememberDevice makes this device a known one for a player's account. If that
// fails, the request goes on without it.
func (srv *Site) RememberDevice(w http.ResponseWriter, r *http.Request, player string) {
	set, err := srv.Accounts.PasswordSet(r.Context(), player)
	var text string
	if err == nil {
		text, err = srv.Tokens.SignDevice(lobby.Device{Player: player, ID: strings.ToLower(rand.Text()), Since: set})
	}
	if err != nil {
		lobby.Warn(srv.Log, "web: device not remembered", err)
		return
	}
	texts := []string{text}
	for _, d := range srv.devices(r) {
		if d.Player != player && !slices.Contains(texts, d.text) {
			texts = append(texts, d.text)
		}
	}
	http.SetCookie(w, srv.Cookie(DeviceCookie, strings.Join(firstOf(texts, MaxAccounts), DeviceSplit), CookieLife))
	srv.dropDeviceCookie(w, oldDevicePath)
}

// ForgetDevice makes the browser forget which accounts were entered on it.
func (srv *Site) ForgetDevice(w http.ResponseWriter) {
	srv.dropDeviceCookie(w, oldDevicePath)
	srv.dropDeviceCookie(w, "/")
}

func (srv *Site) dropDeviceCookie(w http.ResponseWriter, path string) {
	c := srv.Cookie(DeviceCookie, "", 0)
	c.Path, c.MaxAge = path, -1
	http.SetCookie(w, c)
}
