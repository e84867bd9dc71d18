// Package pages is what browsers show: HTML with real addresses, rendered on the
// server and useful before any script runs (UX.md).
//
// A page has a file, and so has what several pages share. What decides about players
// and games is asked of the services in package site.
package pages

import (
	"sync"

	"mancala/lobby"
	"mancala/web/live"
	"mancala/web/messages"
	"mancala/web/site"
)

// Pages serves the pages of one server.
type Pages struct {
	*site.Site
	live      *live.Live
	pages     map[string]pages // by language
	previews  *previews
	puzzles   []solved
	installed map[string]*installed // by language
	lessons   sync.Map              // lesson → func() []learn.Section, called once
	learning  sync.Mutex
	bills     bills
}

// New reads the templates and makes what is made once. The error says what is wrong
// with the pages that are part of the binary.
func New(s *site.Site, l *live.Live) (*Pages, error) {
	srv := &Pages{Site: s, live: l, previews: &previews{limit: lobby.NewLimiter(s.Limits.Pictures), drawn: map[string]drawn{}}}
	s.FailPage = srv.Fail
	var err error
	if srv.installed, err = loadInstalled(srv); err != nil {
		return nil, err
	}
	if srv.puzzles, err = loadPuzzles(); err != nil {
		return nil, err
	}
	srv.pages, err = loadPages()
	return srv, err
}

// SpeakOnly makes the server speak other languages than those of the catalogs. It is
// for tests, before anything is served.
func (srv *Pages) SpeakOnly(l *messages.Languages) error {
	assets := srv.Assets.Copy()
	all := map[string]pages{}
	for _, c := range l.Catalogs {
		texts, err := c.BrowserTexts()
		if err != nil {
			return err
		}
		assets.Add(c.Asset(), texts)
		if all[c.Lang], err = parsePages(assets, c); err != nil {
			return err
		}
	}
	srv.Assets, srv.Languages, srv.pages = assets, l, all
	var err error
	srv.installed, err = loadInstalled(srv)
	return err
}
