package site

import (
	"net/http"
	"strconv"
	"time"

	"mancala/match/refusal"
)

// CodeManyTries is the code of a refusal after too many tries to sign in.
const CodeManyTries refusal.Code = "too-many-tries"

// TooManyTries returns that refusal, with the time to wait.
func TooManyTries(wait time.Duration) error {
	return refusal.With(CodeManyTries, map[string]string{"minutes": Minutes(wait)})
}

// FreshOrGuest refuses with [ErrSignInAgain] an account whose owner has not signed
// in recently. It also refuses every token of a program. Guests and strangers cannot
// sign in, so they pass.
func (srv *Site) FreshOrGuest(w http.ResponseWriter, r *http.Request) error {
	who, err := srv.WhoCame(w, r)
	if err == nil && (who.token != "" || who.Session != nil && !who.Session.Fresh) {
		err = ErrSignInAgain
	}
	return err
}

// Minutes returns a duration in whole minutes, rounded up, for texts.
func Minutes(d time.Duration) string {
	return strconv.Itoa(max(1, int((d+time.Minute-1)/time.Minute)))
}
