package webtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// Person is a person with a browser.
type Person struct {
	Base string // the server's address, "http://127.0.0.1:8080"
	HTTP *http.Client

	// AsPage makes clients wait before they reconnect, as a page does. Without
	// it they reconnect at once. Set it before opening clients.
	AsPage bool

	// Observer is told what the clients ask and see, unless it is nil. Set it before
	// opening clients.
	Observer Observer
}

// NewPerson returns a stranger. They have no cookie until their first action.
func NewPerson(base string) *Person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // only for wrong options
	}
	return &Person{Base: base, HTTP: &http.Client{
		Jar:           jar,
		Transport:     &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Leave closes the idle connections of the person's browser.
func (p *Person) Leave() { p.HTTP.CloseIdleConnections() }

// Page is an answer over HTTP.
type Page struct {
	Status int
	Header http.Header
	Body   string
}

// Get requests a path.
func (p *Person) Get(ctx context.Context, path string) (Page, error) {
	return p.ask(ctx, http.MethodGet, path, "", "")
}

// Post sends a form.
func (p *Person) Post(ctx context.Context, path string, form url.Values) (Page, error) {
	return p.ask(ctx, http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode())
}

// Send posts JSON.
func (p *Person) Send(ctx context.Context, path, body string) (Page, error) {
	return p.ask(ctx, http.MethodPost, path, "application/json", body)
}

// Patch sends JSON with the method PATCH.
func (p *Person) Patch(ctx context.Context, path, body string) (Page, error) {
	return p.ask(ctx, http.MethodPatch, path, "application/json", body)
}

func (p *Person) ask(ctx context.Context, method, path, kind, body string) (Page, error) {
	q, err := http.NewRequestWithContext(ctx, method, p.Base+path, strings.NewReader(body))
	if err != nil {
		return Page{}, err
	}
	if kind != "" {
		q.Header.Set("Content-Type", kind)
	}
	return p.Ask(q)
}

// Ask sends any request.
func (p *Person) Ask(q *http.Request) (Page, error) {
	r, err := p.HTTP.Do(q)
	if err != nil {
		return Page{}, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return Page{r.StatusCode, r.Header, string(text)}, err
}

// Make makes a game and returns its room.
func (p *Person) Make(ctx context.Context, settings url.Values) (string, error) {
	page, err := p.Post(ctx, "/new", settings)
	if err != nil {
		return "", err
	}
	room, ok := strings.CutPrefix(page.Header.Get("Location"), "/")
	if page.Status != http.StatusSeeOther || !ok {
		return "", fmt.Errorf("webtest: POST /new: %d %s", page.Status, page.Body)
	}
	return room, nil
}

// Host makes a tournament and returns its ID.
func (p *Person) Host(ctx context.Context, settings url.Values) (string, error) {
	page, err := p.Post(ctx, "/t", settings)
	if err != nil {
		return "", err
	}
	id, ok := strings.CutPrefix(strings.TrimSuffix(page.Header.Get("Location"), "/ready"), "/t/")
	if !ok {
		return "", fmt.Errorf("POST /t: %d, Location %q", page.Status, page.Header.Get("Location"))
	}
	return id, nil
}

// Sit takes a seat with the form of the game's page.
func (p *Person) Sit(ctx context.Context, room string) error {
	page, err := p.Post(ctx, "/"+room+"/sit", nil)
	if err == nil && page.Status == http.StatusTemporaryRedirect { // the answer to a stranger, who has a cookie now
		page, err = p.Post(ctx, page.Header.Get("Location"), nil)
	}
	if err == nil && page.Status != http.StatusSeeOther {
		err = fmt.Errorf("webtest: POST /%s/sit: %d %s", room, page.Status, page.Body)
	}
	return err
}

// Cookie returns the cookie that identifies the person to the server. It is
// empty for a stranger.
func (p *Person) Cookie() string {
	u, err := url.Parse(p.Base)
	if err != nil {
		return ""
	}
	for _, c := range p.HTTP.Jar.Cookies(u) {
		if c.Name == "mancala" {
			return c.Value
		}
	}
	return ""
}
