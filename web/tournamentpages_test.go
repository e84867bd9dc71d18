package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/lobby/tournament"
	"mancala/web/webtest"
)

// cup makes a tournament and returns its ID and the page that its host sees.
func (s *service) cup(host *webtest.Person, form string) (id, page string) {
	s.Helper()
	made := s.post(host, "/t", form)
	found := regexp.MustCompile(`^/t/([a-z0-9]{10})/ready$`).FindStringSubmatch(made.Header.Get("Location"))
	if made.Status != http.StatusSeeOther || found == nil {
		s.Fatalf("POST /t: %d to %q\n%s", made.Status, made.Header.Get("Location"), made.Body)
	}
	return found[1], s.body(host, found[0])
}

const usualCup = "name=Club+evening&format=swiss&rounds=3&rules=kalah&clock=none&listed=on"

// joins enters a new guest by name.
func (s *service) joins(id, name string) *webtest.Person {
	s.Helper()
	p := s.person()
	s.post(p, "/settings", "name=Guest") // makes the person a guest, whose cookie the browser has
	if page := s.post(p, "/t/"+id+"/join", "name="+url.QueryEscape(name)); page.Status != http.StatusSeeOther {
		s.Fatalf("%s cannot join: %d\n%s", name, page.Status, page.Body)
	}
	return p
}

func (s *service) body(p *webtest.Person, path string) string {
	s.Helper()
	page, err := p.Get(s.ctx, path)
	s.must(err)
	return page.Body
}

func TestPlayerWhoDeletesTheirDataIsWithdrawnFromTheirTournament(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), usualCup)
	ada := s.joins(id, "Ada")
	player := s.id(ada)
	s.post(ada, "/settings/forget", "sure=yes")
	hall, err := s.Hosting.Look(s.ctx, id, "")
	s.must(err)
	if p := hall.State.Player(player); p == nil || !p.Out {
		t.Errorf("the deleted player's row is %+v", p)
	}
}

func TestTournamentIsMadeWithoutAnAccountAndShowsItsSecretsOnce(t *testing.T) {
	s := serve(t)
	host := s.person()
	id, page := s.cup(host, usualCup)
	link := regexp.MustCompile(`value="([^"]*/t/` + id + `/host#[A-Z2-7]+)"`).FindStringSubmatch(page)
	if link == nil || !strings.Contains(page, `id="recovery">`) || !strings.Contains(page, "join-code") {
		t.Fatalf("the page shows no host link, recovery code or join code:\n%s", page)
	}
	_, key, _ := strings.Cut(html.UnescapeString(link[1]), "#")
	for _, path := range []string{"/t/" + id, "/t", "/", "/t/" + id + "/embed"} {
		for _, who := range []*webtest.Person{host, s.person()} {
			if strings.Contains(s.body(who, path), key) {
				t.Errorf("%s shows the key of the host link", path)
			}
		}
	}
	if strings.Count(page, key) != 1 {
		t.Error("the key is on the page more than once")
	}
	if again := s.body(host, "/t/"+id+"/ready"); again != page {
		t.Error("the page is another one after a reload")
	}
	if other := s.plain("/t/"+id+"/ready", nil); other.Status != http.StatusSeeOther || strings.Contains(other.Body, key) {
		t.Errorf("another visitor is answered with %d", other.Status)
	}
	for _, tag := range regexp.MustCompile(`<(meta|link|a)[^>]*>`).FindAllString(page, -1) {
		if strings.Contains(tag, key) {
			t.Errorf("the key is in %s", tag)
		}
	}
}

// The secrets are in no address and in no cache, and only the page that shows them is sent the cookie.
// A person who is no host is not shown what their cookie says.
func TestSecretsOfATournamentAreSentToOnePageOfItsHost(t *testing.T) {
	s := serve(t)
	host, other := s.person(), s.person()
	made := s.post(host, "/t", usualCup)
	at := made.Header.Get("Location")
	id := strings.TrimSuffix(strings.TrimPrefix(at, "/t/"), "/ready")
	cookies := (&http.Response{Header: made.Header}).Cookies()
	i := slices.IndexFunc(cookies, func(c *http.Cookie) bool { return c.Name == "mancala-ready" })
	if i < 0 {
		t.Fatalf("the cookies are %v", cookies)
	}
	ready := cookies[i]
	key, recovery, _ := strings.Cut(ready.Value, ".")
	if ready.Path != at || !ready.HttpOnly || ready.SameSite != http.SameSiteStrictMode || ready.MaxAge != 600 || len(key) != 26 || len(recovery) != 14 {
		t.Errorf("the cookie is %+v", ready)
	}
	if strings.Contains(at, key) || strings.Contains(at, recovery) || strings.Contains(made.Body, key) {
		t.Errorf("the answer to the form holds a secret: %q %q", at, made.Body)
	}
	page, err := host.Get(s.ctx, at)
	s.must(err)
	if page.Header.Get("Cache-Control") != "no-store" || page.Header.Get("Referrer-Policy") != "same-origin" || !strings.Contains(page.Body, recovery) {
		t.Errorf("the page is sent with %v", page.Header)
	}

	s.joins(id, "Ada")
	base, err := url.Parse(host.Base)
	s.must(err)
	with := func(p *webtest.Person, value string) webtest.Page {
		t.Helper()
		p.HTTP.Jar.SetCookies(base, []*http.Cookie{{Name: "mancala-ready", Value: value, Path: at}})
		page, err := p.Get(s.ctx, at)
		s.must(err)
		return page
	}
	if page := with(other, ready.Value); page.Status != http.StatusSeeOther || strings.Contains(page.Body, recovery) {
		t.Errorf("a person who is no host gets %d %s", page.Status, page.Body)
	}
	if page := with(host, "x."+recovery); page.Status != http.StatusSeeOther {
		t.Errorf("with another cookie the host gets %d", page.Status)
	}
}

func TestFormOfATournamentKeepsWhatWasTypedAndSaysWhatIsWrong(t *testing.T) {
	s := serve(t)
	for form, want := range map[string]string{
		"name=&format=swiss&rules=kalah&clock=none":                                            "The tournament needs a name",
		"name=Cup+of+tea&format=swiss&rounds=1000&rules=kalah&clock=none":                      `value="Cup of tea"`,
		"name=Cup&format=swiss&rounds=x&rules=kalah&clock=none":                                "Choose 1 to 100 rounds.",
		"name=Cup&format=chess&rules=kalah&clock=none":                                         "Choose one of the formats.",
		"name=Cup&format=swiss&rules=kalah&clock=none&starts=tomorrow":                         "This is not a date and a time.",
		"name=Cup&format=swiss&rules=basic-four&clock=none":                                    "Tournaments need a game for two players.",
		"name=Cup&format=roundrobin&rules=kalah&clock=none&tiebreak=NONE":                      "These tie-breaks cannot be used.",
		"name=Cup&format=swiss&rules=kalah&clock=none&options=seeds%3D99":                      `role="alert"`,
		"name=Cup&format=swiss&rules=kalah&clock=5%2B3&rated=on":                               `role="alert"`,
		"name=" + strings.Repeat("x", 61) + "&format=knockout&rules=kalah&clock=none&third=on": "The tournament needs a name",
		"name=Cup&format=arena&minutes=1&rules=kalah&clock=none":                               "An arena lasts 5 to 720 minutes.",
		"name=Class&format=class&short=on&rules=basic-four&clock=none":                         "Play with a class",
	} {
		page := s.post(s.person(), "/t", form)
		if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, want) {
			t.Errorf("%s: %d, and the page lacks %q", form, page.Status, want)
		}
	}
}

// Without script the form sends the fields of all formats.
func TestFieldsOfOtherFormatsAreIgnored(t *testing.T) {
	s := serve(t)
	all := "&rounds=3&minutes=30&games=seeds&pause=60&extra=1&third=on&seed=on&late=on&tiebreak=BH&tiebreak=&tiebreak=BH&noshow=5"
	for _, format := range []string{"swiss", "roundrobin", "doubleround", "knockout", "arena", "class"} {
		s.cup(s.person(), "name=Cup&rules=oware-abapa&clock=none&format="+format+all)
	}
}

func TestPeopleJoinByCodeWithANameAndCheckIn(t *testing.T) {
	s := serve(t)
	id, made := s.cup(s.person(), usualCup)
	code := regexp.MustCompile(`join-code">(\w+)<`).FindStringSubmatch(made)[1]
	stranger := s.person()
	for path, want := range map[string]string{"/j?code=" + strings.ToLower(code): "/" + id, "/" + id: "/t/" + id} {
		page, err := stranger.Get(s.ctx, path)
		s.must(err)
		if got := page.Header.Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
	if body := s.body(stranger, "/t/"+id); !strings.Contains(body, `name="name"`) || strings.Contains(body, "Bye or withdraw") {
		t.Error("a stranger is not asked for a name")
	}
	ada := s.joins(id, "Ada")
	s.joins(id, "Ada")
	body := s.body(ada, "/t/"+id)
	for _, want := range []string{"You are in. Tap “I am here” when you have come.", "Open to join: 2 players", "<bdi>Ada 2</bdi>", "Bye or withdraw"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page of a player lacks %q", want)
		}
	}
	if page := s.post(ada, "/t/"+id+"/here", ""); page.Header.Get("Location") != "/t/"+id {
		t.Errorf("checking in: %d", page.Status)
	}
	if body := s.body(ada, "/t/"+id); !strings.Contains(body, "You are in and checked in.") || !strings.Contains(body, "✓") {
		t.Error("the player has not checked in")
	}
	if page := s.post(ada, "/t/"+id+"/bye", "round=2&bye=zero"); page.Status != http.StatusSeeOther {
		t.Errorf("asking for a bye: %d", page.Status)
	}
	if body := s.body(ada, "/t/"+id); !strings.Contains(body, "You do not play in round 2.") || strings.Contains(body, "in round 3.") {
		t.Error("the page does not name the round that the player sits out")
	}
	if page := s.post(ada, "/t/"+id+"/join", "name=Ada"); page.Status != http.StatusSeeOther {
		t.Errorf("joining twice: %d", page.Status)
	}
	if page := s.post(ada, "/t/"+id+"/leave", ""); page.Status != http.StatusSeeOther {
		t.Errorf("withdrawing: %d", page.Status)
	}
	if body := s.body(ada, "/t/"+id); !strings.Contains(body, "You are not playing now.") {
		t.Error("the player has not withdrawn")
	}
	for form, want := range map[string]int{"/here": http.StatusUnprocessableEntity, "/bye": http.StatusUnprocessableEntity, "/start": http.StatusNotFound} {
		other := s.person()
		s.post(other, "/settings", "name=Zoe")
		if page := s.post(other, "/t/"+id+form, "round=9"); page.Status != want && page.Status != http.StatusNotFound {
			t.Errorf("POST %s by a person who has not entered: %d", form, page.Status)
		}
	}
}

// A substitute is not paired, as a player who has withdrawn. The page does not mix the two up.
func TestSubstitutesReadThatTheyWaitForAPlace(t *testing.T) {
	s := serve(t)
	c := s.club(tournament.Settings{Format: tournament.Knockout}, "Ada", "Ben", "Cleo", "Dan")
	c.order("start", tournament.Order{Round: 1})
	said := func(who *webtest.Person, want string) {
		t.Helper()
		if body := s.body(who, "/t/"+c.ID); !strings.Contains(body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	sub := s.joins(c.ID, "Eve")
	said(sub, "You are a substitute.")
	players := c.state().Players
	c.order("leave", tournament.Order{Player: players[0].ID})
	c.must(c.Hosting.Replace(c.ctx, c.ID, c.id(c.host), players[0].ID, players[4].ID))
	said(sub, "You play ")
	c.order("leave", tournament.Order{Player: players[4].ID})
	said(sub, "You are not playing now.")
}

func TestTournamentsForAccountsTellGuestsSo(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.member("Ada"), "name=Cup&format=swiss&rounds=3&rules=kalah&clock=5%2B3&rated=on")
	if body := s.body(s.person(), "/t/"+id); !strings.Contains(body, "for players with an account") || strings.Contains(body, `action="/t/`+id+`/join"`) {
		t.Error("a guest is offered to join a rated tournament")
	}
	ben := s.member("Ben")
	if page := s.post(ben, "/t/"+id+"/join", ""); page.Status != http.StatusSeeOther {
		t.Errorf("an account cannot join: %d", page.Status)
	}
}

func TestAddressTypedInFullLeadsToTheTournaments(t *testing.T) {
	s := serve(t)
	for path, want := range map[string]string{"/tournaments": "/t", "/tournaments?lang=fr": "/t?lang=fr"} {
		page, err := s.person().Get(s.ctx, path)
		s.must(err)
		if got := page.Header.Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
}

func TestListsShowTournamentsThatTheirHostsList(t *testing.T) {
	s := serve(t)
	if body := s.plain("/t", nil).Body; !strings.Contains(body, "No tournament is listed now.") || !strings.Contains(body, `href="/t/new"`) {
		t.Error("an empty list does not say what to do")
	}
	listed, _ := s.cup(s.person(), usualCup)
	hidden, _ := s.cup(s.person(), strings.TrimSuffix(usualCup, "&listed=on"))
	for _, path := range []string{"/t", "/"} {
		body := s.plain(path, nil).Body
		if !strings.Contains(body, "/t/"+listed) || strings.Contains(body, "/t/"+hidden) {
			t.Errorf("%s does not show the listed tournament alone", path)
		}
	}
}

func TestHouseRulesOfATournamentAreToldInWords(t *testing.T) {
	s := serve(t)
	host := s.person()
	id, _ := s.cup(host, usualCup+"&options="+url.QueryEscape("pits=3 seeds=2"))
	for _, path := range []string{"/t/" + id, "/t/" + id + "/host", "/t/" + id + "/poster"} {
		page := s.body(host, path)
		if told := "Kalah · House rules: pits in each row: 3 instead of 6 · "; !strings.Contains(page, told) {
			t.Errorf("%s does not say %q:\n%s", path, told, page)
		}
		if strings.Contains(page, "Kalah, pits=3") {
			t.Errorf("%s shows the options as they are typed", path)
		}
	}
}

func TestListsSayWhichTournamentsArePlayedByHouseRules(t *testing.T) {
	s := serve(t)
	host := s.person()
	s.cup(host, usualCup+"&options="+url.QueryEscape("pits=3 seeds=2"))
	for path, want := range map[string]string{
		"/t":         "Kalah, house rules",
		"/":          "Kalah, house rules",
		"/t?lang=fr": "Kalah, règles maison",
		"/t?lang=ar": "، قواعد خاصة",
	} {
		if body := s.body(host, path); !strings.Contains(body, want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
	plain := serve(t)
	plain.cup(plain.person(), usualCup)
	if strings.Contains(plain.plain("/t", nil).Body, "house rules") {
		t.Error("a tournament by the usual rules is listed with house rules")
	}
}

func TestCalendarFileHasThePlannedStart(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), "name=Cup%2C+with+a+very+long+name+that+needs+more+than+one+line&format=swiss&rules=kalah&clock=none&starts=2026-12-05T17:00&zone=-60")
	page := s.plain("/t/"+id+"/calendar", nil)
	for _, want := range []string{"BEGIN:VCALENDAR\r\n", "DTSTART:20261205T160000Z\r\n", `SUMMARY:Cup\, with`, "END:VCALENDAR\r\n"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the file lacks %q:\n%s", want, page.Body)
		}
	}
	for line := range strings.SplitSeq(page.Body, "\r\n") {
		if len(line) > 75 {
			t.Errorf("a line has %d bytes: %s", len(line), line)
		}
	}
	other, _ := s.cup(s.person(), usualCup)
	if got := s.plain("/t/"+other+"/calendar", nil).Status; got != http.StatusNotFound {
		t.Errorf("a tournament without a planned start has a file: %d", got)
	}
}

func TestTournamentsAreEmbeddedWithoutControls(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), usualCup)
	page := s.plain("/t/"+id+"/embed", nil)
	if !strings.HasSuffix(page.Header.Get("Content-Security-Policy"), "frame-ancestors *") {
		t.Error("no other site may frame the tournament")
	}
	if strings.Contains(page.Body, "<form") || strings.Contains(page.Body, "<nav") {
		t.Error("the frame has controls")
	}
	if policy := s.plain("/t/"+id, nil).Header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors 'none'") {
		t.Errorf("the page itself may be framed: %s", policy)
	}
}

func TestThereIsNoGameInTheRoomOfATournament(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), usualCup)
	for _, path := range []string{"/embed/" + id, "/" + id + "/card", "/" + id + "/og.png", "/" + id + "/record", "/" + id + "/analysis", "/" + id + "/annotated", "/t/zzzzzzzzz9", "/t/nothing", "/t/" + id + "/p/1", "/t/" + id + "/p/x"} {
		if got := s.plain(path, nil).Status; got != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, got)
		}
	}
}

func TestGuestsWhoseNameCannotBeUsedStayOnThePage(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), usualCup)
	p := s.person()
	s.post(p, "/settings", "name=Zoe")
	page := s.post(p, "/t/"+id+"/join", "name="+strings.Repeat("x", 200))
	if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, `action="/t/`+id+`/join"`) || !strings.Contains(page.Body, `role="alert"`) {
		t.Errorf("%d: the page does not say what is wrong beside the form", page.Status)
	}
	if page = s.post(p, "/t/"+id+"/join", "name=Zoe%3A"); !strings.Contains(page.Body, `value="Zoe:"`) {
		t.Error("the name is not in its field any more")
	}
}

// The page about a player speaks to that player alone, and a page that is loaded later has the last
// announcement.
func TestPlayersPageNamesTheWinnerToOtherReaders(t *testing.T) {
	s := serve(t)
	host := s.person()
	id, _ := s.cup(host, usualCup)
	ada := s.joins(id, "Ada")
	order := func(command string) {
		t.Helper()
		page, err := host.Send(s.ctx, "/api/v1/games/"+id+"/commands", command)
		s.must(err)
		if page.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", command, page.Status, page.Body)
		}
	}
	s.post(host, "/t/"+id+"/players", "names=Ben&key=k1")
	order(`{"id":"o1","kind":"start","round":1}`)
	if body := s.body(ada, "/t/"+id); !strings.Contains(body, "You play Ben on board 1, at a real board.") {
		t.Error("the player is not told that they play at a real board")
	}
	order(`{"id":"o2","kind":"result","round":1,"board":1,"result":"first"}`)
	order(`{"id":"o3","kind":"announce","text":"Tea is ready"}`)
	first := strings.Contains(s.body(ada, "/t/"+id+"/p/1"), "You won against Ben.")
	won := map[bool]string{true: "Ada won against Ben", false: "Ben won against Ada"}[first]
	if body := s.body(s.person(), "/t/"+id+"/p/1"); !strings.Contains(body, won) || strings.Contains(body, "You ") {
		t.Errorf("a watcher is not told %q", won)
	}
	if !strings.Contains(s.body(s.person(), "/t/"+id), `"announced":{"text":"Tea is ready"`) {
		t.Error("a page that is loaded later has no announcement")
	}
	order(`{"id":"o4","kind":"finish"}`)
	want := map[bool]string{true: "You finished in place 1 of 2, with 1 point.", false: "You finished in place 2 of 2, with 0 points."}[first]
	if !strings.Contains(s.body(ada, "/t/"+id), want) {
		t.Errorf("the player is not told %q", want)
	}
}

// Pupils meet no chat beside their games.
func TestGamesOfAClassShowNoChat(t *testing.T) {
	s := serve(t)
	host := s.person()
	id, _ := s.cup(host, "name=Class&format=class&short=on&rules=kalah&clock=none")
	ada := s.joins(id, "Ada")
	s.joins(id, "Ben")
	page, err := host.Send(s.ctx, "/api/v1/games/"+id+"/commands", `{"id":"o1","kind":"start","round":1}`)
	s.must(err)
	if page.Status != http.StatusOK {
		t.Fatalf("start: %d %s", page.Status, page.Body)
	}
	var game []string
	s.eventually("a game is open", func() bool {
		game = regexp.MustCompile(`data-action="play" href="(/[a-z0-9]{10})"`).FindStringSubmatch(s.body(ada, "/t/"+id))
		return game != nil
	})
	if body := s.body(ada, game[1]); !strings.Contains(body, "data-alone") || !strings.Contains(body, `"waves":true`) {
		t.Error("the game shows a chat, or speaks of rounds")
	}
}

func TestPageOfAClassSpeaksOfPupils(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), "name=Class&format=class&short=on&rules=kalah&clock=none")
	ada := s.joins(id, "Ada")
	s.holds("the page of a class", s.body(ada, "/t/"+id), "Open to join: 1 pupil", ">Pupils</h2>", `"stage.entry":{"one":"Open to join: {n} pupil"`)
	s.post(ada, "/settings", "language=fr")
	s.holds("the page of a class in French", s.body(ada, "/t/"+id), "Inscriptions ouvertes : 1 élève", ">Élèves</h2>")
}

func TestListLeadsHostsAndPlayersBackToTheirTournaments(t *testing.T) {
	s := serve(t)
	host := s.person()
	id, page := s.cup(host, strings.Replace(usualCup, "&listed=on", "", 1))
	ben := s.joins(id, "Ben")
	for who, want := range map[*webtest.Person]string{host: `href="/t/` + id + `/host"`, ben: `href="/t/` + id + `"`} {
		if body := s.body(who, "/t"); !strings.Contains(body, "Your tournaments") || !strings.Contains(body, want) {
			t.Errorf("the list has no %s", want)
		}
	}
	if body := s.body(s.person(), "/t"); strings.Contains(body, "Your tournaments") || strings.Contains(body, id) {
		t.Error("a stranger finds a tournament that is not listed")
	}
	recovery := regexp.MustCompile(`id="recovery">([^<]+)<`).FindStringSubmatch(page)[1]
	wrong := s.post(ben, "/t/recover", "key=ABCD-EFGH-JKLM")
	if wrong.Status < 400 || !strings.Contains(wrong.Body, `aria-invalid="true"`) {
		t.Errorf("a wrong recovery code: %d", wrong.Status)
	}
	right := s.post(ben, "/t/recover", "key="+recovery)
	if at := right.Header.Get("Location"); right.Status != http.StatusSeeOther || at != "/t/"+id+"/host" {
		t.Errorf("the recovery code leads to %q with %d", at, right.Status)
	}
}

func TestStrangerWhoLeavesStaysOnThePageOfTheTournament(t *testing.T) {
	s := serve(t)
	id, _ := s.cup(s.person(), usualCup)
	p := s.person()
	s.post(p, "/settings", "name=Guest")
	page := s.post(p, "/t/"+id+"/leave", "")
	if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, "This player is not in the tournament.") {
		t.Errorf("%d\n%s", page.Status, page.Body)
	}
	gone := s.post(p, "/t/tttttttttt/leave", "")
	if gone.Status != http.StatusNotFound || strings.Contains(gone.Body, "No game here") {
		t.Errorf("%d\n%s", gone.Status, gone.Body)
	}
}
