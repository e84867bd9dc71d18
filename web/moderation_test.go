package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// reports sends a report and expects a status.
func (s *service) reports(who *webtest.Person, form url.Values, want int) {
	s.Helper()
	page, err := who.Post(s.ctx, "/report", form)
	s.must(err)
	if page.Status != want {
		s.Errorf("%v: %d, want %d: %.300s", form, page.Status, want, page.Body)
	}
}

// queue returns the open reports and expects a number of them.
func (s *service) queue(want int) []moderation.Report {
	s.Helper()
	list, err := s.Moderation.Queue(s.ctx, 100)
	s.must(err)
	if len(list) != want {
		s.Fatalf("%d reports wait, want %d: %+v", len(list), want, list)
	}
	return list
}

// operator sends requests to the admin address.
type operator struct {
	*service
	mux *http.ServeMux
}

func (s *service) operator() operator {
	mux := http.NewServeMux()
	s.ModerationRoutes(mux)
	return operator{s, mux}
}

// ask sends a request with this host name. A form makes it a POST.
func (o operator) ask(host string, form url.Values, header ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(http.MethodGet, "http://"+host+"/moderation", nil)
	if form != nil {
		q = httptest.NewRequest(http.MethodPost, "http://"+host+"/moderation", strings.NewReader(form.Encode()))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	o.mux.ServeHTTP(w, q.WithContext(o.ctx))
	return w
}

// get requests a page of the admin address.
func (o operator) get(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	o.mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil).WithContext(o.ctx))
	return w
}

// does performs an action on a report and expects a status. It returns the body
// of the answer.
func (o operator) does(what string, report int64, more url.Values, want int) string {
	o.Helper()
	form := url.Values{"report": {fmt.Sprint(report)}, "what": {what}, "who": {"Olga"}, "why": {"seen"}}
	for k, v := range more {
		form[k] = v
	}
	w := o.ask("localhost:8081", form)
	if w.Code != want {
		o.Fatalf("%s: %d, want %d: %.500s", what, w.Code, want, w.Body)
	}
	return w.Body.String()
}

// A report about a line holds the line's text and its author from the server,
// whatever the reporter sends. A player can report only lines that they can
// read.
func TestReportHoldsTheLineAsTheServerKnowsIt(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	ada, ben, cleo := s.people[0], s.people[1], s.guest()
	seats[1].Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1","text":"you fool"}`, id))
	s.says(seats[0], "you fool")
	s.reports(ada, url.Values{"player": {s.id(cleo)}, "reason": {"rude"}, "room": {id}, "line": {"1"}, "text": {"he said <b>it</b>"}}, http.StatusSeeOther)
	r := s.queue(1)[0]
	if r.Player != s.id(ben) || r.By != s.id(ada) || r.Said != "you fool" || r.Stream != lobby.StreamPlayers || r.Room != id || r.Text != "he said <b>it</b>" {
		t.Errorf("the report is %+v", r)
	}
	s.reports(cleo, url.Values{"player": {s.id(ben)}, "reason": {"rude"}, "room": {id}, "line": {"1"}}, http.StatusUnprocessableEntity) // watchers do not read it
	for name, form := range map[string]url.Values{
		"no line":   {"player": {s.id(ben)}, "reason": {"rude"}, "room": {id}, "line": {"7"}},
		"no number": {"player": {s.id(ben)}, "reason": {"rude"}, "room": {id}, "line": {"x"}},
		"no room":   {"player": {s.id(ben)}, "reason": {"rude"}, "room": {"nosuchgam0"}},
		"bad room":  {"player": {s.id(ben)}, "reason": {"rude"}, "room": {"../x"}},
		"no reason": {"player": {s.id(ben)}},
		"no player": {"player": {"nobody"}, "reason": {"rude"}},
		"oneself":   {"player": {s.id(ada)}, "reason": {"rude"}},
	} {
		if page, err := ada.Post(s.ctx, "/report", form); err != nil || page.Status < 400 || page.Status >= 500 {
			t.Errorf("%s: %d, %v", name, page.Status, err)
		}
	}
	s.queue(1)
}

// talked returns a listed game that is over. Each stream has a first line: one
// of the second player and one of a watcher.
func (s *service) talked(settings string) (id string, seats []*webtest.Client, watcher *webtest.Client, fan *webtest.Person) {
	s.Helper()
	id, seats = s.game("rules=kalah" + settings)
	fan = s.member("Fan")
	watcher = s.open(fan, id)
	for c, text := range map[*webtest.Client]string{seats[1]: "from a seat", watcher: "from the gallery"} {
		c.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h","text":%q}`, id, text))
		s.says(c, text)
	}
	s.must(seats[1].Must(s.ctx, "resign", nil))
	for _, c := range []*webtest.Client{seats[0], seats[1], watcher} {
		s.must(c.Until(s.ctx, "the end", (*webtest.Game).Over))
		c.Send(s.ctx, fmt.Sprintf(`{"t":"sub","room":%q}`, id)) // asks for both streams, which every client may read now
	}
	s.says(seats[0], "from the gallery")
	s.says(watcher, "from a seat")
	return id, seats, watcher, fan
}

// Each stream has a first line. A report is about the line in the stream that
// it names, and accuses the player who wrote that line.
func TestReportNamesALineByItsStream(t *testing.T) {
	s := serve(t)
	id, _, _, fan := s.talked("&listed=true")
	ada, ben, cleo := s.people[0], s.people[1], s.guest()
	form := func(stream, player string) url.Values {
		return url.Values{"player": {player}, "reason": {"rude"}, "room": {id}, "line": {"1"}, "stream": {stream}}
	}
	for i, tt := range []struct {
		by             *webtest.Person
		stream, player string // the values in the report
		want           *webtest.Person
		said           string
	}{
		{ada, lobby.StreamWatchers, s.id(fan), fan, "from the gallery"},
		{ada, lobby.StreamPlayers, s.id(ben), ben, "from a seat"},
		{cleo, lobby.StreamPlayers, s.id(fan), ben, "from a seat"}, // the author counts, not the player whom the reporter names
		{fan, lobby.StreamPlayers, s.id(ben), ben, "from a seat"},
		// Pages of the previous release name no stream. The player whom they
		// name decides the stream.
		{s.guest(), "", s.id(fan), fan, "from the gallery"},
		{s.guest(), "", s.id(ben), ben, "from a seat"},
	} {
		s.reports(tt.by, form(tt.stream, tt.player), http.StatusSeeOther)
		r := s.queue(i + 1)[i]
		if r.Player != s.id(tt.want) || r.Said != tt.said || (tt.stream != "" && r.Stream != tt.stream) {
			t.Errorf("%d: the report is %+v", i, r)
		}
	}
	s.reports(cleo, form("", s.id(cleo)), http.StatusUnprocessableEntity) // the stream is ambiguous
	s.reports(cleo, form("gallery", s.id(ben)), http.StatusBadRequest)
	page := s.request(ben, "POST", "/api/v1/reports", "application/json", fmt.Sprintf(`{"player":%q,"reason":"rude","room":%q,"stream":"watchers","line":1}`, s.id(fan), id), nil)
	if r := s.queue(7)[6]; page.Status != http.StatusCreated || r.Player != s.id(fan) || r.Stream != lobby.StreamWatchers {
		t.Errorf("over the API: %d, %+v", page.Status, r)
	}
}

// A player cannot report a line that they cannot read: the players' chat during
// the game, the players' chat of an unlisted game, and lines that the delay
// still hides from watchers.
func TestOnlyReadableLinesCanBeReported(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah")
	seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1","text":"secret"}`, id))
	s.says(seats[1], "secret")
	stranger := s.guest()
	form := func(id, stream string) url.Values {
		return url.Values{"player": {s.id(s.people[0])}, "reason": {"rude"}, "room": {id}, "line": {"1"}, "stream": {stream}}
	}
	s.reports(stranger, form(id, lobby.StreamPlayers), http.StatusUnprocessableEntity)
	s.reports(stranger, form(id, ""), http.StatusUnprocessableEntity)
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.must(seats[0].Until(s.ctx, "the end", (*webtest.Game).Over))
	s.reports(stranger, form(id, lobby.StreamPlayers), http.StatusUnprocessableEntity)
	s.reports(stranger, form(id, ""), http.StatusUnprocessableEntity)
	late, seats := s.game("rules=kalah&delay=60&listed=true")
	s.must(seats[1].Must(s.ctx, "resign", nil))
	seats[0].Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1","text":"secret"}`, late))
	s.says(seats[1], "secret")
	s.reports(stranger, form(late, lobby.StreamPlayers), http.StatusUnprocessableEntity)
	s.queue(0)
}

// A removal removes only the reported line, also on pages that show both
// streams.
func TestRemovalNamesTheLineByItsStream(t *testing.T) {
	for _, stream := range []string{lobby.StreamPlayers, lobby.StreamWatchers} {
		t.Run(stream, func(t *testing.T) {
			s := serve(t)
			id, seats, watcher, _ := s.talked("&listed=true")
			gone, kept := "from a seat", "from the gallery"
			if stream == lobby.StreamWatchers {
				gone, kept = kept, gone
			}
			s.reports(s.people[0], url.Values{"player": {s.id(s.people[1])}, "reason": {"rude"}, "room": {id}, "line": {"1"}, "stream": {stream}}, http.StatusSeeOther)
			op := s.operator()
			op.does("erase", s.queue(1)[0].ID, nil, http.StatusSeeOther)
			for _, c := range []*webtest.Client{seats[0], watcher} {
				_, err := c.Expect(s.ctx, "the line to be gone", func(f webtest.Frame) bool {
					return f.T == "erased" && strings.Contains(f.Raw, `"stream":"`+stream+`","n":1}`)
				})
				s.must(err)
			}
			again := s.open(s.person(), id)
			s.says(again, kept)
			again.Send(s.ctx, `{"t":"ping"}`)
			_, err := again.Expect(s.ctx, "a pong", func(f webtest.Frame) bool { return f.T == "pong" })
			s.must(err)
			if heard(again, gone) {
				t.Error("the removed line is still there")
			}
		})
	}
}

// A game that was made from a kept rule set has its name on its page, in the lists and in the frame, until its
// rules change or an operator deletes the rule set. Its record has none: it follows from the journal alone.
func TestGameHasTheNameOfTheRuleSetThatItWasMadeFrom(t *testing.T) {
	s := serve(t)
	ben := s.guest()
	page, err := ben.Post(s.ctx, "/rules", url.Values{"rules": {"kalah"}, "options": {"pits=9"}, "name": {"Long Kalah"}})
	s.must(err)
	path := page.Header.Get("Location")
	kept := strings.TrimPrefix(path, "/rules/")
	s.holds("the rule set", s.page(ben, path, http.StatusOK), `name="kept" value="`+kept+`"`, "&amp;kept="+kept)
	s.holds("the form", s.page(ben, "/bot?rules=kalah&options=pits%3D9&kept="+kept, http.StatusOK), `name="kept" value="`+kept+`"`)
	made := func(options, more string) string {
		t.Helper()
		form, err := url.ParseQuery("rules=kalah&listed=on&kept=" + kept + more)
		s.must(err)
		form.Set("options", options)
		page, err := ben.Post(s.ctx, "/new", form)
		s.must(err)
		return strings.TrimPrefix(page.Header.Get("Location"), "/")
	}
	const name = "<q><bdi>Long Kalah</bdi></q>"
	id, waits := made("pits=9", "&screen=1&name=Ben&name=Zoe"), made("pits=9", "")
	page, err = ben.Get(s.ctx, "/me")
	s.must(err)
	for _, path := range []string{"/" + id, "/" + waits, "/embed/" + id, "/" + id + "/card", "/", page.Header.Get("Location")} {
		s.holds(path, s.page(ben, path, http.StatusOK), name)
	}
	if other := s.page(ben, "/"+made("pits=8", ""), http.StatusOK); strings.Contains(other, name) {
		t.Error("a game with other rules has the name")
	}
	_, err = ben.Post(s.ctx, "/"+waits+"/settings", url.Values{"rules": {"kalah"}, "options": {"pits=7"}, "clock": {"none"}, "start": {"random"}})
	s.must(err)
	if page := s.page(ben, "/"+waits, http.StatusOK); strings.Contains(page, name) {
		t.Error("a game whose rules have changed has the name")
	}
	left := made("pits=9", "")
	s.holds("its page", s.page(ben, "/"+left, http.StatusOK), name)
	link, tab := `data-game="`+left+`">`, s.open(ben, left)
	s.holds("the list", s.page(ben, "/", http.StatusOK), link+"Kalah "+name)
	tab.Send(s.ctx, fmt.Sprintf(`{"t":"cmd","room":%q,"id":"s1","kind":"settings","rules":"oware"}`, left))
	s.eventually("the list has the new game and no name of a rule set", func() bool {
		return strings.Contains(s.page(ben, "/", http.StatusOK), link+"Oware</a>")
	})
	_, err = s.Rulebook.Remove(s.ctx, kept)
	s.must(err)
	if page := s.page(ben, "/"+id, http.StatusOK); strings.Contains(page, "Long Kalah") {
		t.Error("a deleted rule set has left its name")
	}
}

// The name of a rule set is reported on its page. The report concerns its author, whatever the reporter
// sends. An operator deletes the rule set.
func TestOperatorDeletesARuleSetWithABadName(t *testing.T) {
	s := serve(t)
	ben, ada := s.guest(), s.guest()
	page, err := ben.Post(s.ctx, "/rules", url.Values{"rules": {"kalah"}, "options": {"pits=9"}, "name": {"You fools"}})
	s.must(err)
	path := page.Header.Get("Location")
	id := strings.TrimPrefix(path, "/rules/")
	if text := s.page(ben, path, http.StatusOK); strings.Contains(text, `action="/report"`) {
		t.Error("authors can report themselves")
	}
	s.holds("the page", s.page(ada, path, http.StatusOK), `action="/report"`, `name="rules" value="`+id+`"`)
	page, err = ada.Post(s.ctx, "/report", url.Values{"rules": {id}, "reason": {"name"}, "player": {s.id(ada)}, "text": {"it is rude"}})
	s.must(err)
	if back := page.Header.Get("Location"); page.Status != http.StatusSeeOther || back != path+"?reported" {
		t.Fatalf("the report: %d, to %q", page.Status, back)
	}
	s.holds("the page", s.page(ada, path+"?reported", http.StatusOK), "Thank you. A person will look at it.")
	r := s.queue(1)[0]
	if r.Player != s.id(ben) || r.By != s.id(ada) || r.Said != "You fools" || r.Rules != id || r.Room != "" || r.Text != "it is rude" {
		t.Errorf("the report is %+v", r)
	}
	s.reports(ada, url.Values{"rules": {id}, "reason": {"name"}}, http.StatusSeeOther) // the same again
	for form, want := range map[string]int{
		"rules=aaaaaaaaa2&reason=name": http.StatusNotFound, "rules=..&reason=name": http.StatusBadRequest,
		"rules=" + id + "&room=aaaaaaaaa2&reason=name": http.StatusNotFound,
	} {
		q, err := url.ParseQuery(form)
		s.must(err)
		s.reports(ada, q, want)
	}
	s.reports(ben, url.Values{"rules": {id}, "reason": {"name"}}, http.StatusUnprocessableEntity)
	op := s.operator()
	s.holds("the operators' page", op.get("/moderation").Body.String(), "/rules/"+id, "You fools", `value="unkeep"`)
	op.does("unkeep", s.queue(1)[0].ID, nil, http.StatusSeeOther)
	s.page(ada, path, http.StatusNotFound)
	s.holds("the log", op.get("/moderation").Body.String(), "deleted a rule set of", "You fools")
	op.does("unkeep", s.queue(1)[0].ID, nil, http.StatusNotFound) // it is gone
	op.does("dismiss", s.queue(1)[0].ID, nil, http.StatusSeeOther)
}

// The operator sees the reported line marked, with the three lines before it
// and the three lines after it in its stream.
func TestModerationPageShowsTheLineInItsContext(t *testing.T) {
	s := serve(t)
	op := s.operator()
	id, seats := s.game("rules=kalah")
	watcher := s.open(s.member("Fan"), id)
	for i := range 9 {
		c := seats[i%2]
		c.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h","text":"<i>seat %d</i>"}`, id, i+1))
		s.says(c, fmt.Sprintf("seat %d", i+1))
		watcher.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h","text":"gallery %d"}`, id, i+1))
		s.says(watcher, fmt.Sprintf("gallery %d", i+1))
	}
	s.reports(s.people[0], url.Values{"player": {s.id(s.people[1])}, "reason": {"rude"}, "room": {id}, "line": {"4"}, "stream": {lobby.StreamPlayers}}, http.StatusSeeOther)
	context := func() []string {
		t.Helper()
		_, list, found := strings.Cut(op.ask("localhost", nil).Body.String(), `<ol class="around"`)
		list, _, _ = strings.Cut(list, "</ol>")
		if !found || strings.Contains(list, "gallery") || strings.Contains(list, "<i>seat") {
			t.Errorf("around the line is %s", list)
		}
		return strings.Split(list, "<li ")[1:]
	}
	lines := context()
	if len(lines) != 7 {
		t.Fatalf("%d lines are shown, want 7: %q", len(lines), lines)
	}
	for i, line := range lines {
		if !strings.Contains(line, fmt.Sprintf("seat %d", i+1)) || strings.Contains(line, `aria-current="true"`) != (i == 3) {
			t.Errorf("line %d is %s", i+1, line)
		}
	}
	op.does("erase", s.queue(1)[0].ID, nil, http.StatusSeeOther)
	if lines = context(); !strings.Contains(lines[3], "removed") || strings.Contains(lines[3], "seat 4") {
		t.Errorf("once it is removed the line is %s", lines[3])
	}
}

func TestReportsAreLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitReports], c.Limits[site.LimitReportsPerAddress] = lobby.Rate{N: 2, Per: time.Hour}, lobby.Rate{N: 3, Per: time.Hour}
	})
	bad := url.Values{"player": {s.id(s.guest())}, "reason": {"name"}}
	ada, ben := s.guest(), s.guest()
	s.reports(ada, bad, http.StatusSeeOther)
	s.reports(ada, bad, http.StatusSeeOther)
	s.reports(ada, bad, http.StatusTooManyRequests)
	s.reports(ben, bad, http.StatusSeeOther)
	s.reports(ben, bad, http.StatusTooManyRequests) // the limit of the address
	s.queue(2)
}

// The test follows a report from the queue to the removal of the line. The line
// disappears from open pages and from later ones. The log records every step.
func TestRemovedLineDisappearsFromPagesAndIsLogged(t *testing.T) {
	s := serve(t)
	op := s.operator()
	id, seats := s.game("rules=kalah")
	ada, ben := s.people[0], s.people[1]
	for _, c := range []*webtest.Client{seats[1], seats[0]} {
		c.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"h1","text":"<i>word</i>"}`, id))
		s.says(c, "word")
	}
	s.reports(ada, url.Values{"player": {s.id(ben)}, "reason": {"rude"}, "room": {id}, "line": {"1"}}, http.StatusSeeOther)
	if page := op.ask("127.0.0.1:8081", nil).Body.String(); !strings.Contains(page, "&lt;i&gt;word&lt;/i&gt;") || !strings.Contains(page, "1 open report") {
		t.Errorf("the page is %s", page)
	}
	r := s.queue(1)[0]
	if n := s.counted("reports_open", ""); n != 1 {
		t.Errorf("the metrics count %v open reports", n)
	}
	op.does("erase", r.ID, nil, http.StatusSeeOther)
	for _, c := range seats {
		_, err := c.Expect(s.ctx, "the line to be gone", func(f webtest.Frame) bool { return f.T == "erased" && strings.Contains(f.Raw, `"n":1}`) })
		s.must(err)
	}
	again := s.open(ada, id)
	s.says(again, `"n":2`)
	for _, f := range again.Frames() {
		if f.T == "chat" && strings.Contains(f.Raw, `"n":1,`) {
			t.Errorf("a client that connects later reads %s", f.Raw)
		}
	}
	op.does("erase", r.ID, nil, http.StatusUnprocessableEntity) // the line is removed already
	op.does("dismiss", r.ID, nil, http.StatusSeeOther)
	op.does("dismiss", r.ID, nil, http.StatusUnprocessableEntity)
	page := op.ask("[::1]:8081", nil).Body.String()
	for _, want := range []string{"0 open reports", "removed a line of", "closed the report", "Olga", "seen"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q: %s", want, page)
		}
	}
}

// A muted player is told so, even when they send a preset, and may chat again
// later.
func TestMutedPlayerIsToldSo(t *testing.T) {
	s := serve(t)
	op := s.operator()
	id, _ := s.game("rules=kalah")
	ada, ben := s.people[0], s.people[1]
	s.reports(ada, url.Values{"player": {s.id(ben)}, "reason": {"rude"}}, http.StatusSeeOther)
	r := s.queue(1)[0]
	say := func(kind, want string) { // each call has a new socket; earlier lines arrive as chat frames too
		t.Helper()
		c := s.talk(s.bare(ben, nil))
		c.say(`{"t":"sub","room":%q}`, id)
		c.hear("sync")
		c.say(`{"t":"chat","room":%q,"id":"h1","preset":"hello"}`, id)
		if f := c.hear(kind); !strings.Contains(f.Raw, want) {
			t.Errorf("Ben hears %s, want %s", f.Raw, want)
		}
	}
	op.does("mute", r.ID, nil, http.StatusUnprocessableEntity) // the hours are missing
	op.does("mute", r.ID, url.Values{"hours": {"24"}}, http.StatusSeeOther)
	say("err", "because of what you wrote. Hours left: 24.")
	op.does("unmute", r.ID, nil, http.StatusSeeOther)
	say("chat", "hello")
	op.does("mute", r.ID, url.Values{"hours": {"876000"}}, http.StatusSeeOther)
	say("err", "You may not chat any more")
}

func TestOperatorRenamesAPlayer(t *testing.T) {
	s := serve(t)
	op := s.operator()
	_, seats := s.game("rules=kalah")
	ada, ben := s.people[0], s.people[1]
	s.reports(ada, url.Values{"player": {s.id(ben)}, "reason": {"name"}}, http.StatusSeeOther)
	r := s.queue(1)[0]
	op.does("rename", r.ID, url.Values{"name": {"<b>"}}, http.StatusUnprocessableEntity)
	op.does("rename", r.ID, url.Values{"name": {"Quiet Owl"}}, http.StatusSeeOther)
	_, err := seats[0].Expect(s.ctx, "the new name", func(f webtest.Frame) bool { return f.T == "names" && strings.Contains(f.Raw, "Quiet Owl") })
	s.must(err)
	if page := op.ask("localhost", nil).Body.String(); !strings.Contains(page, "now called Quiet Owl") {
		t.Errorf("the page is %s", page)
	}
}

// A closed account loses its access: its sockets end and its games are given
// up. Neither its cookie nor a new socket restores the access, until the
// operator reopens the account.
func TestClosedAccountLosesItsAccess(t *testing.T) {
	s := serve(t)
	op := s.operator()
	_, seats := s.game("rules=kalah")
	ada, ben := s.people[0], s.people[1]
	banned := s.id(ben)
	open := s.talk(s.bare(ben, nil))
	s.reports(ada, url.Values{"player": {banned}, "reason": {"cheats"}}, http.StatusSeeOther)
	r := s.queue(1)[0]
	op.does("close", r.ID, nil, http.StatusSeeOther)
	if code := open.closed(); code != 4504 {
		t.Errorf("Ben's socket closes with %d", code)
	}
	if page, err := ben.Get(s.ctx, "/api/v1/me"); err != nil || page.Status != http.StatusUnauthorized {
		t.Errorf("Ben's request is answered with %d %s, %v", page.Status, page.Body, err)
	}
	s.must(seats[0].Until(s.ctx, "the end of the game", (*webtest.Game).Over))
	op.does("reopen", r.ID, nil, http.StatusSeeOther)
	if got := s.id(ben); got != banned {
		t.Errorf("after the account was opened again, Ben is %q, was %q", got, banned)
	}
}

// The page is for operators only. Other sites cannot send its forms or frame it. The
// public address does not serve it. Package main decides by which names it is reached.
func TestModerationIsForOperators(t *testing.T) {
	s := serve(t)
	op := s.operator()
	form := url.Values{"report": {"1"}, "what": {"dismiss"}, "who": {"Olga"}}
	w := op.ask("localhost:8081", nil)
	if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("%d, and it may be framed: %v", w.Code, w.Header())
	}
	for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if w := op.ask("localhost:8081", form, header...); w.Code != http.StatusForbidden {
			t.Errorf("%v: %d", header, w.Code)
		}
	}
	if w := op.ask("localhost:8081", form, "Sec-Fetch-Site", "same-origin"); w.Code != http.StatusUnprocessableEntity { // no such report
		t.Errorf("its own form: %d", w.Code)
	}
	for _, more := range []url.Values{{"report": {"x"}}, {"who": {""}}, {"what": {"hang"}}} {
		bad := url.Values{"report": {"1"}, "what": {"mute"}, "who": {"Olga"}}
		for k, v := range more {
			bad[k] = v
		}
		if w := op.ask("localhost:8081", bad); w.Code < 400 || w.Code >= 500 {
			t.Errorf("%v: %d", bad, w.Code)
		}
	}
	if page, err := s.person().Get(s.ctx, "/moderation"); err != nil || page.Status != http.StatusNotFound {
		t.Errorf("the public address has it: %d, %v", page.Status, err)
	}
	if page, err := s.person().Post(s.ctx, "/moderation", form); err != nil || page.Status < 400 {
		t.Errorf("the public address takes its forms: %d, %v", page.Status, err)
	}
}

func TestNameOfAnOperatorKeepsItsLetters(t *testing.T) {
	s := serve(t)
	s.reports(s.guest(), url.Values{"player": {s.id(s.guest())}, "reason": {"rude"}}, http.StatusSeeOther)
	o := s.operator()
	answer := o.ask("localhost:8081", url.Values{"report": {"7"}, "what": {"dismiss"}, "who": {"Zoë Müller"}})
	cookie, _, _ := strings.Cut(answer.Header().Get("Set-Cookie"), ";")
	page := httptest.NewRequest(http.MethodGet, "http://localhost:8081/moderation", nil)
	page.Header.Set("Cookie", cookie)
	shown := httptest.NewRecorder()
	o.mux.ServeHTTP(shown, page.WithContext(o.ctx))
	if !strings.Contains(shown.Body.String(), `value="Zoë Müller"`) {
		t.Errorf("after the cookie %q:\n%s", cookie, shown.Body)
	}
}
