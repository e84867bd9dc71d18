package pages

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/lobby/rating"
	"mancala/lobby/workers"
	"mancala/web/messages"
	"mancala/web/site"
)

// This file is the operators' pages. They are served only on the admin address.

const (
	queueShown = 50 // reports
	logShown   = 50 // actions
	linesAside = 3  // lines before and after a reported line
)

// ModerationRoutes adds the operators' pages to the handlers of the admin address. A page of
// another site that is open in a browser on this machine cannot send their forms. answer
// turns the errors of handlers into answers.
func (srv *Pages) ModerationRoutes(mux *http.ServeMux, answer func(site.Handler) http.HandlerFunc) {
	cross := http.NewCrossOriginProtection()
	guard := func(serve site.Handler) http.Handler {
		return cross.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Security-Policy", site.ContentPolicy+"frame-ancestors 'none'")
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "same-origin")
			r.Body = http.MaxBytesReader(w, r.Body, site.MaxBody)
			ctx, cancel := context.WithTimeout(r.Context(), workers.Timeout)
			defer cancel()
			answer(serve)(w, r.WithContext(ctx))
		}))
	}
	mux.Handle("GET /moderation", guard(srv.moderationPage))
	mux.Handle("POST /moderation", guard(srv.moderate))
	mux.Handle("GET /moderation/pairs", guard(srv.pairsPage))
	mux.Handle("GET /static/{name}", answer(srv.Assets.Serve))
}

// moderationPage is the page at /moderation.
type moderationPage struct {
	head
	Who     string // the name that the operator entered last
	Problem string
	Waiting int
	Queue   []reportView
	Log     []moderation.Action
}

// reportView is a report on the page.
type reportView struct {
	moderation.Report
	Now    string // the player's name now
	By     string // the reporter's name
	Muted  time.Time
	Closed bool
	Done   []moderation.Action // the actions on this report
	Around []lineView          // the reported line among those before and after it
}

// lineView is a line of chat on the page.
type lineView struct {
	lobby.Line
	Name     string // the name of the player who wrote it
	Reported bool
}

// moderatorCookie keeps the name that the operator entered.
const moderatorCookie = "moderator"

func (srv *Pages) moderationPage(w http.ResponseWriter, r *http.Request) error {
	return srv.showModeration(w, r, http.StatusOK, "")
}

func (srv *Pages) showModeration(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	ctx := r.Context()
	p := moderationPage{head: srv.head(r, srv.Catalog(r).T("moderation.title"), ""), Problem: problem}
	if c, err := r.Cookie(moderatorCookie); err == nil {
		p.Who, _ = url.QueryUnescape(c.Value)
	}
	queue, err := srv.Moderation.Queue(ctx, queueShown)
	if err == nil {
		p.Waiting, err = srv.Moderation.Waiting(ctx)
	}
	if err == nil {
		p.Log, err = srv.Moderation.Log(ctx, logShown)
	}
	if err == nil {
		p.Queue, err = srv.reportViews(ctx, srv.Catalog(r), queue)
	}
	if err != nil {
		return err
	}
	return srv.render(w, r, status, "moderation", p)
}

func (srv *Pages) reportViews(ctx context.Context, c *messages.Catalog, queue []moderation.Report) ([]reportView, error) {
	var ids []string
	for _, r := range queue {
		ids = append(ids, r.Player, r.By)
	}
	names, err := srv.PlayerNames(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	views := make([]reportView, len(queue))
	for i, r := range queue {
		views[i] = reportView{Report: r, Now: names[r.Player], By: names[r.By], Muted: srv.Moderation.Muted(r.Player), Closed: srv.Moderation.Closed(r.Player)}
		if views[i].Done, err = srv.Moderation.About(ctx, r.ID); err != nil {
			return nil, err
		}
		if views[i].Around, err = srv.linesAround(ctx, c, r); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// linesAround returns the reported line with the lines before and after it in its
// stream. It is nil if the report is not about a line, or if the chat no longer has the
// line.
func (srv *Pages) linesAround(ctx context.Context, c *messages.Catalog, r moderation.Report) ([]lineView, error) {
	if r.Line == 0 {
		return nil, nil
	}
	lines, err := srv.Chat.Around(ctx, r.Room, r.Stream, r.Line, linesAside)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, l := range lines {
		ids = append(ids, l.Player)
	}
	names, err := srv.PlayerNames(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	views := make([]lineView, len(lines))
	for i, l := range lines {
		views[i] = lineView{l, names[l.Player], l.N == r.Line && !l.At.After(r.At)}
	}
	return views, nil
}

// moderate handles the forms of the page.
func (srv *Pages) moderate(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	var report int64
	if err == nil {
		if report, err = strconv.ParseInt(form.Get("report"), 10, 64); err != nil {
			err = site.ErrBadFrame
		}
	}
	if err == nil {
		a := moderation.Action{
			Who: form.Get("who"), What: form.Get("what"), Why: form.Get("why"), Detail: form.Get("name"), For: hours(form.Get("hours")),
		}
		if a.What == moderation.Mute {
			a.Detail = srv.muteInWords(a.For)
		}
		err = srv.Operators.CarryOut(r.Context(), report, a)
	}
	if who, clean := lobby.CleanText(form.Get("who")); clean == nil {
		http.SetCookie(w, &http.Cookie{Name: moderatorCookie, Value: url.QueryEscape(who), Path: "/moderation", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	if err != nil {
		code, status := srv.Failed(w, r, err)
		return srv.showModeration(w, r, status, srv.Catalog(r).Sentence(code, nil))
	}
	http.Redirect(w, r, "/moderation", http.StatusSeeOther)
	return nil
}

// hours reads a number of hours. It is 0 if the text is not a number in range.
func hours(text string) time.Duration {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > int(moderation.Forever/time.Hour) {
		return 0
	}
	return time.Duration(n) * time.Hour
}

// muteInWords returns the time of a mute as the log shows it.
func (srv *Pages) muteInWords(d time.Duration) string {
	c := srv.Languages.Usual()
	if d >= moderation.Forever {
		return c.T("moderation.for-good")
	}
	return c.T("moderation.hours", "n", int(d/time.Hour))
}

// pairsPage is the operators' page at /moderation/pairs: accounts whose rated games look
// arranged.
type pairsPage struct {
	head
	Pairs []pairRow
}

// pairRow is a pair with the names of its players.
type pairRow struct {
	rating.Pair
	WinnerName, LoserName string
}

func (srv *Pages) pairsPage(w http.ResponseWriter, r *http.Request) error {
	list, err := srv.Ratings.Arranged(r.Context())
	if err != nil {
		return err
	}
	var ids []string
	for _, p := range list {
		ids = append(ids, p.Winner, p.Loser)
	}
	names, err := srv.PlayerNames(r.Context(), srv.Catalog(r), ids)
	if err != nil {
		return err
	}
	p := pairsPage{head: srv.head(r, srv.Catalog(r).T("pairs.title"), "")}
	for _, pair := range list {
		p.Pairs = append(p.Pairs, pairRow{pair, names[pair.Winner], names[pair.Loser]})
	}
	return srv.render(w, r, http.StatusOK, "pairs", p)
}
