package pages

import (
	"net/http"
	"net/url"
	"strconv"

	"mancala/web/site"
)

// ReportForm handles the forms that report a player or the name of a rule set. It leads back to
// their page.
func (srv *Pages) ReportForm(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	var q site.ReportJSON
	if err == nil {
		q = site.ReportJSON{Player: form.Get("player"), Reason: form.Get("reason"), Text: form.Get("text"), Room: form.Get("room"), Stream: form.Get("stream"), Rules: form.Get("rules")}
		if line := form.Get("line"); line != "" {
			if q.Line, err = strconv.ParseInt(line, 10, 64); err != nil {
				err = site.ErrBadFrame
			}
		}
	}
	var player string
	if err == nil {
		player, err = srv.WhoActs(w, r)
	}
	if err == nil {
		err = srv.Report(r.Context(), srv.Address(r), player, q)
	}
	if err != nil {
		return err
	}
	back := "/people/" + url.PathEscape(q.Player) + "?reported"
	switch {
	case q.Rules != "":
		back = "/rules/" + q.Rules + "?reported" // as below
	case q.Room != "":
		back += "&room=" + q.Room // a valid ID: Report has found the room
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}
