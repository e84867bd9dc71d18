// Package pages serves the HTML pages. Each has an address of its own, is rendered on
// the server, and is useful before any script runs (UX.md).
//
// Each page has a file, and so has each part that several pages share. The pages ask
// the services in package site for every decision about players and games.
package pages

import (
	"sync"

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
	lessons   sync.Map              // lesson → func() []learn.Section, which computes once
	learning  sync.Mutex
	bills     bills
}

// New parses the templates, solves the puzzles and renders the manifests and service
// workers. The error reports what is wrong with the pages that are part of the binary.
func New(s *site.Site, l *live.Live) (*Pages, error) {
	srv := &Pages{Site: s, live: l, previews: newPreviews(s.Limits[site.LimitPictures])}
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

// SpeakOnly replaces the server's languages by those of l. Only tests call it, before
// the server serves anything.
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
