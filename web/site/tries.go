package site

import (
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"mancala/lobby"
)

// Tries to sign in are limited so that guessing stays hopeless, and so that
// another person's guesses do not lock the owner of an account out.
//
// A password can be guessed. Its tries are counted by address, then by name and
// address, then by name alone; an IPv6 address stands for its /64 network. A try
// that one of them refuses is not counted by the next: one address cannot use up
// what the name has. A device on which the account was entered before has a bucket
// of its own, and none of the others can refuse it ([Server.knownDevice]).
//
// Recovery codes (79 bits) and passkeys cannot be guessed. Their tries are counted
// by address, apart from those of passwords.
//
// With the limits that the flags have by default, an attacker with N addresses can
// try at one account, on one instance:
//
//   - N × (10 + 960) passwords in the first day while N is 1 or 2, and from 3
//     addresses on 100 + 2,400, as name and address, or the name, allow;
//   - at most 18 × N more, because a limiter forgets a name when 32,768 others
//     come, each of which is a try (5,760 in a day from one address);
//   - 10 + 960 with each device cookie that the attacker has got hold of, until
//     the password is changed.
//
// On all accounts together it is N × (60 + 5,760). Each instance counts by itself,
// so k instances allow k times as much.

// PasswordWait is how long a try of this name's password has to wait; 0 is now,
// and counted.
func (srv *Site) PasswordWait(r *http.Request, name string) time.Duration {
	if device := srv.knownDevice(r, name); device != "" {
		return srv.DeviceLimit.Wait(device)
	}
	from, handle := srv.Address(r), typedHandle(name)
	if wait := srv.SignInAddressLimit.WaitAddress(from); wait > 0 {
		return wait
	}
	if wait := srv.SignInLimit.WaitAt(handle, from); wait > 0 {
		return wait
	}
	return srv.SignInNameLimit.Wait(handle)
}

// SecretWait is how long a try of a recovery code or a passkey has to wait.
func (srv *Site) SecretWait(r *http.Request) time.Duration {
	return srv.SecretLimit.WaitAddress(srv.Address(r))
}

const (
	// DeviceCookie holds a device token for each account that was entered on this
	// browser, the latest first. It outlives signing out.
	DeviceCookie = "mancala-device"
	DeviceSplit  = "~"
	MaxAccounts  = 8 // in one cookie; the account that was entered longest ago gives way
)

// deviceToken is a device as its cookie has it.
type deviceToken struct {
	lobby.Device
	text string
}

// devices are the tokens of a request's cookie that this service has signed.
func (srv *Site) devices(r *http.Request) (list []deviceToken) {
	c, err := r.Cookie(DeviceCookie)
	if err != nil {
		return nil
	}
	for _, text := range firstOf(strings.SplitN(c.Value, DeviceSplit, MaxAccounts+1), MaxAccounts) {
		if d, ok := srv.Tokens.VerifyDevice(text); ok {
			list = append(list, deviceToken{d, text})
		}
	}
	return list
}

func firstOf(list []string, n int) []string { return list[:min(n, len(list))] }

// knownDevice names the bucket of a device on which the account of this name was
// entered before; it is empty for any other device. What proves it is a session of
// the account that still lasts, or the device's token.
//
// A token is good until its key expires, 400 to 490 days after the sign-in or
// sign-out that made it, or until the password is changed. The owner may change the
// password because another person knows it, or guesses it on a stolen device. So a
// change leaves only the device known on which it was made. Signing out, there or
// from another device, ends no token: the token alone opens nothing.
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
	// The names of these players are asked for, not the player of the name: what a
	// try costs does not tell whether there is such a name.
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

// typedHandle is the handle of a name as a form has it, of bounded length.
func typedHandle(name string) string { return lobby.NameKey(FirstRunes(name, 2*lobby.MaxName)) }

// RememberDevice makes this device one on which a player's account was entered. A
// device that cannot be remembered is no reason to refuse anything.
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
		if d.Player != player {
			texts = append(texts, d.text)
		}
	}
	c := srv.Cookie(DeviceCookie, strings.Join(firstOf(texts, MaxAccounts), DeviceSplit), CookieLife)
	c.Path = "/account"
	http.SetCookie(w, c)
}

// ForgetDevice makes a browser forget which accounts were entered on it.
func (srv *Site) ForgetDevice(w http.ResponseWriter) {
	c := srv.Cookie(DeviceCookie, "", 0)
	c.Path, c.MaxAge = "/account", -1
	http.SetCookie(w, c)
}
