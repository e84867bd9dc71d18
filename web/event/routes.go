package event

import "mancala/web/site"

// Routes calls serve with the pattern and the handler of each route.
func (srv *Pages) Routes(serve func(pattern string, h site.Handler)) {
	serve("GET /t", srv.list)
	serve("GET /tournaments", srv.toList)
	serve("GET /t/new", srv.newPage)
	serve("POST /t", srv.open)
	serve("GET /t/{id}/ready", srv.ready)
	serve("POST /t/recover", srv.recover)
	serve("GET /class", srv.newClass)
	serve("GET /t/{id}", srv.hall)
	serve("GET /t/{id}/p/{number}", srv.player)
	serve("GET /t/{id}/rounds/{round}", srv.round)
	serve("GET /t/{id}/calendar", srv.calendar)
	serve("GET /t/{id}/embed", srv.embed)
	serve("POST /t/{id}/{what}", srv.act)
}
