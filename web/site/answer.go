package site

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/room"
)

// ApiPath is the beginning of every path of the API.
const ApiPath = "/api/v1/"

// APIError is the body of the answer to a refused request of the API.
type APIError struct {
	Code   refusal.Code `json:"code"`
	Msg    string       `json:"msg"`
	Detail any          `json:"detail,omitempty"`
}

// Answer writes v as JSON with a status. If v cannot be encoded, Answer returns an error
// and has written nothing.
func (srv *Site) Answer(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("web: answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store") // the answer depends on the player and the time
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // fails only if the client has gone
	return nil
}

// Story reads a game from its first entry to the last entry that the player may see.
func (srv *Site) Story(r *http.Request, player string) (*match.Story, error) {
	return srv.StoryOf(r, r.PathValue("id"), player)
}

// StoryOf is Story for a game that the path does not name.
func (srv *Site) StoryOf(r *http.Request, id, player string) (*match.Story, error) {
	if !lobby.ValidRoomID(id) {
		return nil, room.ErrNoRoom
	}
	if err := srv.mayReplay(r); err != nil {
		return nil, err
	}
	return srv.story(r.Context(), id, player)
}

// story reads a game. There is no game in a room of another kind.
func (srv *Site) story(ctx context.Context, id, player string) (*match.Story, error) {
	switch view, err := srv.Rooms.View(ctx, id, ""); {
	case err != nil:
		return nil, err
	case view.Kind != match.Kind:
		return nil, room.ErrNoRoom
	}
	return analysis.Story(ctx, srv.Rooms, id, player)
}

// mayReplay counts the reading of a whole game, which costs up to a tenth of a second. A
// request counts once.
func (srv *Site) mayReplay(r *http.Request) error {
	a := KeptBy(r)
	if a.paid {
		return nil
	}
	err := lobby.SlowDown(srv.Limit(LimitReplays).WaitAddress(srv.Address(r)))
	a.paid = err == nil
	return err
}

// Charged returns a request whose replays of long games are counted, see [room.Charged].
func (srv *Site) Charged(r *http.Request) *http.Request {
	r = r.WithContext(Remembering(r.Context()))
	return r.WithContext(room.Charged(r.Context(), func() error { return srv.mayReplay(r) }))
}

// Export answers with a game as text, for people to keep and for other programs to
// read.
func (srv *Site) Export(w http.ResponseWriter, r *http.Request) error {
	player, _ := srv.WhoIs(w, r)
	story, err := srv.Story(r, player)
	var names map[string]string
	if err == nil {
		names, err = srv.Names(r.Context(), story.Match.Players())
	}
	if err != nil {
		return err
	}
	giveText(w, "mancala-"+r.PathValue("id")+".txt", story.Match.Record(func(player string) string { return names[player] }))
	return nil
}

// Do carries out a player's command that did not come by a socket. rated reports whether
// it makes the game rated. The room may have no follower, so a new seat and new settings come
// to the players' lists here.
func (srv *Site) Do(ctx context.Context, id string, c machine.Command, rated bool) (room.Answer, error) {
	a, err := srv.Policy.Do(ctx, id, c, rated)
	if err == nil && (c.Kind == match.KindSit || c.Kind == match.KindSettings) {
		srv.Gamelist.Changed(id)
	}
	return a, err
}

// giveText answers with a text file to download.
func giveText(w http.ResponseWriter, name, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = io.WriteString(w, text)
}

// FormOf reads the form of a request. A form that cannot be read, or that holds bytes that
// are not text, is an error, not an empty form.
func FormOf(r *http.Request) (url.Values, error) {
	err := r.ParseForm()
	if err == nil {
		err = r.ParseMultipartForm(MaxBody) // all of it in memory
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, ErrTooLarge
	case err != nil && !errors.Is(err, http.ErrNotMultipart), !areTexts(r.PostForm):
		return nil, ErrBadFrame
	}
	return r.PostForm, nil
}

// MayStay tells the service worker to keep a page for reading without a network.
func MayStay(w http.ResponseWriter) { w.Header().Set("X-Offline", "keep") }

// FileStem returns the letters and digits of a tournament's title, which are safe in a file's name on
// every system.
func FileStem(title string) string {
	var b strings.Builder
	for _, c := range norm.NFKD.String(strings.ToLower(title)) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
		case unicode.IsMark(c): // the accent of the letter before it
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return cmp.Or(strings.Trim(b.String(), "-"), "tournament")
}
