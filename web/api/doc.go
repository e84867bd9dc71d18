// Package api is what programs see: JSON under /api/v1, as openapi.json describes it.
// Everything that a person may do a program may do with a token of that person's.
package api

import (
	"mancala/web/live"
	"mancala/web/site"
)

// API serves the operations of one server.
type API struct {
	*site.Site
	live *live.Live
}

// New makes it.
func New(s *site.Site, l *live.Live) *API { return &API{s, l} }
