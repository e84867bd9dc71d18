// Package signin serves the pages of accounts: the account itself, signing in and out, passkeys,
// recovery codes, API tokens, and the move to another device.
//
// Package lobby/account decides who may sign in. The pages here set the cookies of the device.
package signin

import (
	"mancala/web/pages"
	"mancala/web/site"
)

// Pages serves the pages of accounts.
type Pages struct{ *pages.Pages }

// New returns the pages of accounts, beside the other pages of a server.
func New(p *pages.Pages) *Pages { return &Pages{p} }

// Routes calls serve with the pattern and the handler of each route. inJSON makes a handler's errors
// be answered as JSON: its clients are scripts.
func (srv *Pages) Routes(serve func(pattern string, h site.Handler), inJSON func(site.Handler) site.Handler) {
	serve("GET /account", srv.account)
	serve("POST /account/create", srv.createAccount)
	serve("POST /account/password", srv.setPassword)
	serve("POST /account/codes", srv.renewCodes)
	serve("POST /account/sessions", srv.endSessions)
	serve("POST /account/passkey", inJSON(srv.askPasskey))
	serve("POST /account/passkeys", srv.changePasskeys)
	serve("POST /account/tokens", srv.makeToken)
	serve("POST /account/move", srv.offerMove)
	serve("GET /account/move/{secret}", srv.askMove)
	serve("POST /account/move/{secret}", srv.move)
	serve("GET /account/sign-in", srv.signIn)
	serve("POST /account/sign-in", srv.byPassword)
	serve("POST /account/recover", srv.byCode)
	serve("POST /account/sign-out", srv.signOut)
}
