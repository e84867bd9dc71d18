package signin

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/account"
	"mancala/match/refusal"
	"mancala/web/messages"
	"mancala/web/pages"
	"mancala/web/site"
)

// accountPage is the page at /account. It lets a guest create an account, and shows a
// player who is signed in their account.
type accountPage struct {
	pages.Head
	Name             string // the player's name, or the name that was refused
	NameProblem      string
	PasswordProblem  string
	Account          bool
	Fresh            bool // the player signed in recently enough to change how they sign in
	HasPassword      bool
	CodesLeft        int
	Sessions         []sessionView
	Passkeys         bool // browsers allow passkeys at this address
	Keys             []keyView
	Tokens           []tokenView
	Scopes           []string
	Secret           string // the token that was just created
	MaxName, MinPass int
	Notice           string
}

// sessionView is a session of the account, on one device.
type sessionView struct {
	ID, Device, Seen string
	Here             bool // the session of this request
}

// keyView is a passkey as the page shows it.
type keyView struct{ ID, Name, Used string }

// tokenView is an API token as the page shows it.
type tokenView struct{ ID, Name, Scopes, Used string }

// accountNotices are the values of ?done= for which the page shows a notice.
var accountNotices = []string{"password", "ended", "others", "recovered", "out", "confirmed", "passkey", "unpasskey", "named", "revoked"}

// account serves the page at /account.
func (srv *Pages) account(w http.ResponseWriter, r *http.Request) error {
	return srv.showAccount(w, r, http.StatusOK, func(p *accountPage) {
		if done := r.URL.Query().Get("done"); slices.Contains(accountNotices, done) {
			p.Notice = srv.Catalog(r).T("account.done." + done)
		}
	})
}

func (srv *Pages) showAccount(w http.ResponseWriter, r *http.Request, status int, change func(*accountPage)) error {
	who, err := srv.WhoCame(w, r)
	if err != nil {
		return err
	}
	title := "account.title.new"
	if who.Session != nil {
		title = "account.title"
	}
	p := accountPage{
		Head:    srv.NewHead(r, srv.Catalog(r).T(title), srv.Catalog(r).T("account.description")),
		Account: who.Session != nil, MaxName: lobby.MaxName, MinPass: account.MinPassword,
	}
	p.Passkeys = srv.site(r).HasPasskeys()
	if who.Player != "" {
		names, err := srv.People.Names(r.Context(), []string{who.Player})
		if err != nil {
			return err
		}
		p.Name = names[who.Player]
	}
	if who.Session != nil {
		if err := srv.fillAccount(r, &p, *who.Session); err != nil {
			return err
		}
	}
	change(&p)
	return srv.Render(w, r, status, "account", p)
}

// fillAccount adds the ways to sign in to the account, its API tokens and its sessions.
func (srv *Pages) fillAccount(r *http.Request, p *accountPage, here account.Session) (err error) {
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
		p.Keys = append(p.Keys, keyView{k.ID, cmp.Or(k.Name, srv.Catalog(r).T("account.device")), ago(srv.Catalog(r), k.Used)})
	}
	tokens, err := srv.Accounts.Tokens(r.Context(), here.Player)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		var scopes []string
		for _, scope := range t.Scopes {
			scopes = append(scopes, srv.Catalog(r).T("token.scope."+scope))
		}
		p.Tokens = append(p.Tokens, tokenView{t.ID, t.Name, srv.Catalog(r).List(scopes), ago(srv.Catalog(r), t.Used)})
	}
	p.Scopes = account.Scopes
	list, err := srv.Accounts.Sessions(r.Context(), here.Player)
	for _, s := range list {
		p.Sessions = append(p.Sessions, sessionView{s.ID, cmp.Or(s.Device, srv.Catalog(r).T("account.device")), ago(srv.Catalog(r), s.Seen), s.ID == here.ID})
	}
	return err
}

// ago returns in words how many whole days have passed since at.
func ago(c *messages.Catalog, at time.Time) string {
	days := int(time.Since(at).Hours() / 24)
	if days < 1 {
		return c.T("account.seen.today")
	}
	return c.T("account.seen.days", "n", days)
}

// createAccount creates an account for the player who sends the form. A guest keeps
// their ID.
func (srv *Pages) createAccount(w http.ResponseWriter, r *http.Request) error {
	form, err := site.FormOf(r)
	name, password := form.Get("name"), form.Get("password")
	if err == nil {
		_, err = lobby.AccountName(name) // checked before a client without identity becomes a guest
	}
	if err == nil && !form.Has("credential") {
		err = account.CheckPassword(password, name)
	}
	if err == nil {
		err = lobby.SlowDown(srv.Limit(site.LimitSignInsPerAddress).WaitAddress(srv.Address(r)))
	}
	var player string
	if err == nil {
		player, err = srv.WhoActs(w, r)
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
		return srv.showProblem(w, r, name, err)
	}
	return srv.welcome(w, r, player, codes)
}

// showProblem shows the page again and states what is wrong with the name or the password.
// Any other error gets an error page.
func (srv *Pages) showProblem(w http.ResponseWriter, r *http.Request, name string, err error) error {
	sentence := srv.Catalog(r).Sentence(lobby.CodeOf(err), refusal.Detail(err))
	var where func(*accountPage)
	switch lobby.CodeOf(err) {
	case lobby.CodeNameCharacters, lobby.CodeNameEmpty, lobby.CodeNameLong, lobby.CodeNameReserved, lobby.CodeNameTaken:
		where = func(p *accountPage) { p.NameProblem = sentence }
	case account.CodePasswordShort, account.CodePasswordLong, account.CodePasswordWeak:
		where = func(p *accountPage) { p.PasswordProblem = sentence }
	default:
		return err
	}
	return srv.showAccount(w, r, http.StatusUnprocessableEntity, func(p *accountPage) {
		if !p.Account {
			p.Name = site.FirstRunes(name, 2*lobby.MaxName)
		}
		where(p)
	})
}

// welcome begins the first session of a new account and shows its recovery codes. They
// are shown only this time.
func (srv *Pages) welcome(w http.ResponseWriter, r *http.Request, player string, codes []string) error {
	if err := srv.begin(w, r, player); err != nil {
		return err
	}
	return srv.showCodes(w, r, player, codes, true)
}

// begin starts a session of the player on this device and sets its cookie.
func (srv *Pages) begin(w http.ResponseWriter, r *http.Request, player string) error {
	s, err := srv.Accounts.Begin(r.Context(), player, device(r.UserAgent()))
	if err != nil {
		return err
	}
	srv.RememberDevice(w, r, player)
	return srv.SetCookie(w, site.Identity{Player: player, Session: &s})
}

// codesPage shows recovery codes. They cannot be shown again.
type codesPage struct {
	pages.Head
	Name  string
	Codes []string
	New   bool // the account is new too
}

func (srv *Pages) showCodes(w http.ResponseWriter, r *http.Request, player string, codes []string, first bool) error {
	names, err := srv.People.Names(r.Context(), []string{player})
	if err != nil {
		lobby.Warn(srv.Log, "web: name not read", err)
	}
	p := codesPage{srv.NewHead(r, srv.Catalog(r).T("account.codes"), srv.Catalog(r).T("account.description")), names[player], codes, first}
	p.Me = names[player]
	return srv.Render(w, r, http.StatusOK, "codes", p)
}

// freshly returns the session of a player who signed in recently. The error sends any
// other player to sign in again. Another person who uses a device that is signed in
// therefore cannot change how its owner signs in.
func (srv *Pages) freshly(w http.ResponseWriter, r *http.Request) (account.Session, error) {
	s, err := srv.signedIn(w, r)
	if err == nil && !s.Fresh {
		err = site.SeeOther("/account/sign-in?confirm")
	}
	return s, err
}

// signedIn returns the session of the request. The error sends a client without a
// session to sign in.
func (srv *Pages) signedIn(w http.ResponseWriter, r *http.Request) (account.Session, error) {
	who, err := srv.WhoCame(w, r)
	switch {
	case err != nil:
		return account.Session{}, err
	case who.Session == nil:
		return account.Session{}, site.SeeOther("/account/sign-in")
	}
	return *who.Session, nil
}

// renewCodes replaces the account's recovery codes and shows the new ones.
func (srv *Pages) renewCodes(w http.ResponseWriter, r *http.Request) error {
	s, err := srv.freshly(w, r)
	if err != nil {
		return err
	}
	codes, err := srv.Accounts.RenewCodes(r.Context(), s.Player)
	if err != nil {
		return err
	}
	return srv.showCodes(w, r, s.Player, codes, false)
}

// setPassword sets or replaces the account's password.
func (srv *Pages) setPassword(w http.ResponseWriter, r *http.Request) error {
	s, err := srv.freshly(w, r)
	if err != nil {
		return err
	}
	form, err := site.FormOf(r)
	if err == nil {
		err = lobby.SlowDown(srv.Limit(site.LimitSignInsPerAddress).WaitAddress(srv.Address(r)))
	}
	var names map[string]string
	if err == nil {
		names, err = srv.People.Names(r.Context(), []string{s.Player})
	}
	if err == nil {
		err = srv.Accounts.SetPassword(r.Context(), s, names[s.Player], form.Get("password"))
	}
	if err != nil {
		return srv.showProblem(w, r, "", err)
	}
	srv.RememberDevice(w, r, s.Player) // the previous device token belonged to the old password
	http.Redirect(w, r, "/account?done=password", http.StatusSeeOther)
	return nil
}

// endSessions ends one session of the account, or all except the session of this
// request.
func (srv *Pages) endSessions(w http.ResponseWriter, r *http.Request) error {
	s, err := srv.signedIn(w, r)
	if err != nil {
		return err
	}
	form, err := site.FormOf(r)
	done := "ended"
	switch {
	case err != nil:
	case form.Has("others"):
		done = "others"
		err = srv.Accounts.EndOthers(r.Context(), s)
	case form.Get("id") == s.ID:
		return srv.signOut(w, r)
	case account.ValidSessionID(form.Get("id")):
		err = srv.Accounts.End(r.Context(), s.Player, form.Get("id"))
	default:
		err = site.ErrBadFrame
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/account?done="+done, http.StatusSeeOther)
	return nil
}
