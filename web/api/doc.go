// Package api serves the HTTP API for programs: JSON under /api/v1, as openapi.json
// describes it. With a player's token a program may do what that player may do.
package api

import "mancala/web/site"

// API serves the operations of one server.
type API struct {
	*site.Site
}

// New returns the API of a server.
func New(s *site.Site) *API { return &API{s} }
