package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/match/refusal"
)

// accountPage is the page at /account: how to make one, or what one has.
type accountPage struct {
	head
	Name             string // also a name that could not be taken
	NameProblem      string
	PasswordProblem  string
	Account          bool
	Fresh            bool // he may change how he signs in
	HasPassword      bool
	CodesLeft        int
	Sessions         []sessionView
	Passkeys         bool // browsers have passkeys for this site
	Keys             []keyView
	Tokens           []tokenView
	Scopes           []string
	Secret           string // a token that was just made
	MaxName, MinPass int
	Notice           string
}

// sessionView is a device on which somebody is signed in.
type sessionView struct {
	ID, Device, Seen string
	Here             bool
}

// keyView is a passkey as the page shows it.
type keyView struct{ ID, Name, Used string }

// tokenView is a program's token as the page shows it.
type tokenView struct{ ID, Name, Scopes, Used string }

// accountNotices are what the page may have to say of what was just done.
var accountNotices = []string{"password", "ended", "others", "recovered", "out", "confirmed", "passkey", "unpasskey", "named", "revoked"}

func (srv *Server) account(w http.ResponseWriter, r *http.Request) {
	srv.showAccount(w, r, http.StatusOK, func(p *accountPage) {
		if done := r.URL.Query().Get("done"); slices.Contains(accountNotices, done) {
			p.Notice = srv.catalog(r).t("account.done." + done)
		}
	})
}

func (srv *Server) showAccount(w http.ResponseWriter, r *http.Request, status int, change func(*accountPage)) {
	who, err := srv.whoCame(w, r)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	title := "account.title.new"
	if who.session != nil {
		title = "account.title"
	}
	p := accountPage{
		head:    srv.head(r, srv.catalog(r).t(title), srv.catalog(r).t("account.description")),
		Account: who.session != nil, MaxName: lobby.MaxName, MinPass: account.MinPassword,
	}
	p.Passkeys = srv.site(r).HasPasskeys()
	if who.player != "" {
		names, err := srv.People.Names(r.Context(), []string{who.player})
		if err != nil {
			srv.failWith(w, r, err)
			return
		}
		p.Name = names[who.player]
	}
	if who.session != nil {
		if err := srv.fillAccount(r, &p, *who.session); err != nil {
			srv.failWith(w, r, err)
			return
		}
	}
	change(&p)
	srv.render(w, r, status, "account", p)
}

// fillAccount puts on the page what somebody's account is entered by, and where.
func (srv *Server) fillAccount(r *http.Request, p *accountPage, here account.Session) (err error) {
	p.Fresh = here.Fresh
	if p.HasPassword, err = srv.Accounts.HasPassword(r.Context(), here.Player); err != nil {
		return err
	}
	if p.CodesLeft, err = srv.Accounts.CodesLeft(r.Context(), here.Player); err != nil {
		return err
	}
	keys, err := srv.Accounts.Passkeys(r.Context(), here.Player)
	if err != nil {
		return err
	}
	for _, k := range keys {
		p.Keys = append(p.Keys, keyView{k.ID, cmp.Or(k.Name, srv.catalog(r).t("account.device")), srv.catalog(r).ago(k.Used)})
	}
	tokens, err := srv.Accounts.Tokens(r.Context(), here.Player)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		var scopes []string
		for _, scope := range t.Scopes {
			scopes = append(scopes, srv.catalog(r).t("token.scope."+scope))
		}
		p.Tokens = append(p.Tokens, tokenView{t.ID, t.Name, strings.Join(scopes, ", "), srv.catalog(r).ago(t.Used)})
	}
	p.Scopes = account.Scopes
	list, err := srv.Accounts.Sessions(r.Context(), here.Player)
	for _, s := range list {
		p.Sessions = append(p.Sessions, sessionView{s.ID, cmp.Or(s.Device, srv.catalog(r).t("account.device")), srv.catalog(r).ago(s.Seen), s.ID == here.ID})
	}
	return err
}

// ago is how long ago something was, in whole days.
func (c *catalog) ago(at time.Time) string {
	days := int(time.Since(at).Hours() / 24)
	if days < 1 {
		return c.t("account.seen.today")
	}
	return c.t("account.seen.days", "n", days)
}

// createAccount makes an account of who asks, in place: a guest stays who he is.
func (srv *Server) createAccount(w http.ResponseWriter, r *http.Request) {
	form, err := formOf(r)
	name, password := form.Get("name"), form.Get("password")
	if err == nil {
		_, err = lobby.AccountName(name) // before a stranger is made a guest for nothing
	}
	if err == nil && !form.Has("credential") {
		err = account.CheckPassword(password, name)
	}
	if err == nil {
		err = lobby.SlowDown(srv.signInAddressLimit.WaitAddress(srv.address(r)))
	}
	var player string
	if err == nil {
		player, err = srv.whoActs(w, r)
	}
	var codes []string
	switch {
	case err != nil:
	case form.Has("credential"):
		codes, err = srv.Accounts.CreateWithPasskey(r.Context(), srv.site(r), player, name, srv.ceremony(w, r), form.Get("credential"), device(r.UserAgent()))
	default:
		codes, err = srv.Accounts.Create(r.Context(), player, name, password)
	}
	if err != nil {
		srv.showProblem(w, r, name, err)
		return
	}
	srv.welcome(w, r, player, codes)
}

// showProblem shows the page once more with what is wrong with a name or a
// password.
func (srv *Server) showProblem(w http.ResponseWriter, r *http.Request, name string, err error) {
	sentence := srv.catalog(r).sentence(lobby.CodeOf(err), refusal.Detail(err))
	var where func(*accountPage)
	switch lobby.CodeOf(err) {
	case lobby.CodeNameCharacters, lobby.CodeNameEmpty, lobby.CodeNameLong, lobby.CodeNameReserved, lobby.CodeNameTaken:
		where = func(p *accountPage) { p.NameProblem = sentence }
	case account.CodePasswordShort, account.CodePasswordLong, account.CodePasswordWeak:
		where = func(p *accountPage) { p.PasswordProblem = sentence }
	default:
		srv.failWith(w, r, err)
		return
	}
	srv.showAccount(w, r, http.StatusUnprocessableEntity, func(p *accountPage) {
		if !p.Account {
			p.Name = firstRunes(name, 2*lobby.MaxName)
		}
		where(p)
	})
}

// welcome begins the first session of a new account and shows its recovery
// codes, this once.
func (srv *Server) welcome(w http.ResponseWriter, r *http.Request, player string, codes []string) {
	if err := srv.begin(w, r, player); err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.tellRenamed(player)
	srv.showCodes(w, r, player, codes, true)
}

// begin makes this device one on which a player is signed in.
func (srv *Server) begin(w http.ResponseWriter, r *http.Request, player string) error {
	s, err := srv.Accounts.Begin(r.Context(), player, device(r.UserAgent()))
	if err != nil {
		return err
	}
	srv.rememberDevice(w, r, player)
	return srv.setCookie(w, identity{player: player, session: &s})
}

// codesPage shows recovery codes, which nobody can see again.
type codesPage struct {
	head
	Name  string
	Codes []string
	New   bool // with the account
}

func (srv *Server) showCodes(w http.ResponseWriter, r *http.Request, player string, codes []string, first bool) {
	names, err := srv.People.Names(r.Context(), []string{player})
	if err != nil {
		lobby.Warn(srv.log, "web: name not read", err)
	}
	p := codesPage{srv.head(r, srv.catalog(r).t("account.codes"), srv.catalog(r).t("account.description")), names[player], codes, first}
	p.Me = names[player]
	srv.render(w, r, http.StatusOK, "codes", p)
}

// freshly is the session of who has just shown who he is, or sends him to do
// so. Whoever borrows a device that is signed in changes nothing about how one
// signs in.
func (srv *Server) freshly(w http.ResponseWriter, r *http.Request) (account.Session, bool) {
	s, ok := srv.signedIn(w, r)
	if ok && !s.Fresh {
		http.Redirect(w, r, "/account/sign-in?confirm", http.StatusSeeOther)
		return s, false
	}
	return s, ok
}

// freshOrGuest refuses with errSignInAgain an account whose owner has not just
// signed in. A program's token never counts as that. Guests and strangers have
// nothing to sign in with, and are let through.
func (srv *Server) freshOrGuest(w http.ResponseWriter, r *http.Request) error {
	who, err := srv.whoCame(w, r)
	if err == nil && (who.token != "" || who.session != nil && !who.session.Fresh) {
		err = errSignInAgain
	}
	return err
}

// signedIn is the session of who asks, or sends him to sign in.
func (srv *Server) signedIn(w http.ResponseWriter, r *http.Request) (account.Session, bool) {
	who, err := srv.whoCame(w, r)
	switch {
	case err != nil:
		srv.failWith(w, r, err)
		return account.Session{}, false
	case who.session == nil:
		http.Redirect(w, r, "/account/sign-in", http.StatusSeeOther)
		return account.Session{}, false
	}
	return *who.session, true
}

// renewCodes gives other recovery codes.
func (srv *Server) renewCodes(w http.ResponseWriter, r *http.Request) {
	s, ok := srv.freshly(w, r)
	if !ok {
		return
	}
	codes, err := srv.Accounts.RenewCodes(r.Context(), s.Player)
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	srv.showCodes(w, r, s.Player, codes, false)
}

// setPassword gives an account a password, or another one.
func (srv *Server) setPassword(w http.ResponseWriter, r *http.Request) {
	s, ok := srv.freshly(w, r)
	if !ok {
		return
	}
	form, err := formOf(r)
	if err == nil {
		err = lobby.SlowDown(srv.signInAddressLimit.WaitAddress(srv.address(r)))
	}
	var names map[string]string
	if err == nil {
		names, err = srv.People.Names(r.Context(), []string{s.Player})
	}
	if err == nil {
		err = srv.Accounts.SetPassword(r.Context(), s, names[s.Player], form.Get("password"))
	}
	if err != nil {
		srv.showProblem(w, r, "", err)
		return
	}
	srv.rememberDevice(w, r, s.Player) // the token before was of the old password
	http.Redirect(w, r, "/account?done=password", http.StatusSeeOther)
}

// endSessions ends one session of who asks, or all but his own.
func (srv *Server) endSessions(w http.ResponseWriter, r *http.Request) {
	s, ok := srv.signedIn(w, r)
	if !ok {
		return
	}
	form, err := formOf(r)
	done := "ended"
	switch {
	case err != nil:
	case form.Has("others"):
		done = "others"
		err = srv.Accounts.EndOthers(r.Context(), s)
	case form.Get("id") == s.ID:
		srv.signOut(w, r)
		return
	case account.ValidSessionID(form.Get("id")):
		err = srv.Accounts.End(r.Context(), s.Player, form.Get("id"))
	default:
		err = errBadFrame
	}
	if err != nil {
		srv.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, "/account?done="+done, http.StatusSeeOther)
}

// minutes is a time in whole minutes, for people.
func minutes(d time.Duration) string {
	return strconv.Itoa(max(1, int((d+time.Minute-1)/time.Minute)))
}
