package pages

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"mancala/web/messages"
	"mancala/web/site"
)

// spoken is what a page says of its language, and the others that a reader can choose.
type spoken struct {
	Unread bool     // no native speaker has read the catalog
	Here   string   // the page's path, without a choice of language; "/" after a form was sent
	Others []tongue // the languages that the foot of the page offers
	listed bool     // search engines list the page in each language
	asked  string   // the language that the page's address chooses
	tags   []string
}

// tongue is a language by its own name.
type tongue struct{ Lang, Name string }

// listed are the pages that stand for themselves, so that a search engine can list them in each
// language. The others are games, tournaments and persons.
var listed = regexp.MustCompile(`^/(|bot|watch|t|top(/[^/]+)?|learn(/.+)?)$`)

// maxQuery bounds the query of a page's address that the page repeats, in bytes. The longest query
// of our own links names house rules.
const maxQuery = 1500

func (srv *Pages) spoken(r *http.Request, c *messages.Catalog) spoken {
	s := spoken{Unread: !c.Read, Here: "/", listed: listed.MatchString(r.URL.Path)}
	query := r.URL.Query()
	if l := srv.Languages.Named(query.Get(site.LanguageQuery)); l != nil {
		s.asked = l.Lang
	}
	if r.Method == http.MethodGet {
		query.Del(site.LanguageQuery)
		s.Here = local(r.URL.EscapedPath(), "/")
		if rest := query.Encode(); len(rest) <= maxQuery {
			s.Here = withQuery(s.Here, rest)
		}
	}
	for _, l := range srv.Languages.Catalogs {
		s.tags = append(s.tags, l.Lang)
		if l != c {
			s.Others = append(s.Others, tongue{l.Lang, l.Name})
		}
	}
	return s
}

// withQuery returns an address with one more query.
func withQuery(address, query string) string {
	switch {
	case query == "":
		return address
	case strings.Contains(address, "?"):
		return address + "&" + query
	default:
		return address + "?" + query
	}
}

func inLanguage(address, lang string) string {
	return withQuery(address, url.Values{site.LanguageQuery: {lang}}.Encode())
}

// CanonicalURL returns the address by which search engines list the page. A page in the language
// that its address chooses has its own.
func (h head) CanonicalURL() string {
	if h.Spoken.listed && h.Spoken.asked != "" {
		return inLanguage(h.Canonical, h.Spoken.asked)
	}
	return h.Canonical
}

// alternate is the address of a page in one language.
type alternate struct{ Lang, URL string }

// Alternates returns the addresses of the page in each language. The first is for readers of every
// other language: there the browser's language counts.
func (h head) Alternates() []alternate {
	if !h.Spoken.listed {
		return nil
	}
	all := []alternate{{"x-default", h.Canonical}}
	for _, lang := range h.Spoken.tags {
		all = append(all, alternate{lang, inLanguage(h.Canonical, lang)})
	}
	return all
}
