package site

import (
	"net/http"
	"strconv"
	"time"

	"mancala/match/refusal"
)

const CodeManyTries refusal.Code = "too-many-tries"

func TooManyTries(wait time.Duration) error {
	return refusal.With(CodeManyTries, map[string]string{"minutes": Minutes(wait)})
}

// FreshOrGuest refuses with errSignInAgain an account whose owner has not just
// signed in. A program's token never counts as that. Guests and strangers have
// nothing to sign in with, and are let through.
func (srv *Site) FreshOrGuest(w http.ResponseWriter, r *http.Request) error {
	who, err := srv.WhoCame(w, r)
	if err == nil && (who.token != "" || who.Session != nil && !who.Session.Fresh) {
		err = ErrSignInAgain
	}
	return err
}

// Minutes is a time in whole minutes, for people.
func Minutes(d time.Duration) string {
	return strconv.Itoa(max(1, int((d+time.Minute-1)/time.Minute)))
}
