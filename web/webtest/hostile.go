package webtest

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Hostile is a request that no page of this service makes.
type Hostile struct {
	Method, Target, Type, Body string // Target is the path and the query, as they are sent
}

// hostileValues are put wherever a client can put a value. They are escaped for a URL.
var hostileValues = []string{
	"%00", "a%00b", "%ff", "%c3", "%ed%a0%80", "%F4%90%80%80", "%5Cevil.example", "%2F%2Fevil.example", "..%2f..%2fx",
	"99999999999999999999", "-9223372036854775808", "9223372036854775808", "1e400", "NaN", "%27%3B--", "%25", "%0d%0aX-Evil:1",
	strings.Repeat("%F0%9F%8C%B1", 300),
}

// hostilePaths have VALUE in place of a value.
var hostilePaths = []string{
	"/VALUE", "/VALUE/record", "/VALUE/analysis", "/@/VALUE", "/top/VALUE", "/learn/VALUE", "/learn/kalah?options=VALUE", "/people/VALUE", "/embed/VALUE", "/oembed?url=VALUE",
	"/static/VALUE", "/account/move/VALUE", "/mine?before=VALUE", "/mine?after=VALUE", "/j?code=VALUE", "/watch?rules=VALUE", "/@/Nobody?page=VALUE&before=VALUE",
	"/people?back=VALUE", "/challenge?player=VALUE", "/?rules=VALUE&VALUE=1", "/aaaaaaaaa0/board.svg?ply=VALUE", "/aaaaaaaaa0/picture.png?n=VALUE",
	"/api/v1/VALUE", "/api/v1/rules/VALUE", "/api/v1/games/VALUE", "/api/v1/games/VALUE/replay?after=VALUE", "/api/v1/games?rules=VALUE&before=VALUE",
	"/api/v1/players/VALUE", "/api/v1/players/VALUE/games?before=VALUE", "/api/v1/leaderboards/VALUE/VALUE", "/api/v1/me/games?before=VALUE",
	"//VALUE", "/%5CVALUE", "/%2FVALUE",
}

// hostileForms are sent as a form, and with the value in place of each %.
var hostileForms = map[string]string{
	"/new": "rules=%&options=%&clock=%&start=%", "/find": "rules=%&clock=%", "/seek": "rules=%&clock=%&low=%&high=%", "/leave": "%=%",
	"/j": "code=%", "/settings": "name=%&theme=%", "/people": "what=%&player=%&back=%", "/challenge": "player=%&rules=%",
	"/report": "player=%&room=%&line=%&stream=%&reason=%&text=%", "/account/create": "name=%&password=%",
	"/account/sign-in": "name=%&password=%", "/account/recover": "name=%&code=%&password=%", "/account/password": "old=%&password=%",
	"/account/sessions": "session=%", "/account/tokens": "name=%&scope=%", "/account/passkeys": "key=%&name=%",
	"/aaaaaaaaa0/sit": "seat=%", "/aaaaaaaaa0/move": "move=%&ply=%",
}

// hostileBodies are sent as JSON, and with each text in place of "%".
var hostileBodies = map[string]string{
	"POST /api/v1/games": `{"rules":"%","clock":"%"}`, "POST /api/v1/seeks": `{"rules":"%"}`, "POST /api/v1/pairings": `{"rules":"%","clock":"%"}`,
	"POST /api/v1/challenges": `{"player":"%","rules":"%"}`, "POST /api/v1/positions": `{"rules":"%","position":"%"}`,
	"PATCH /api/v1/me": `{"name":"%"}`, "PATCH /api/v1/me/settings": `{"theme":"%"}`, "POST /api/v1/reports": `{"player":"%","reason":"%","text":"%"}`,
	"POST /api/v1/games/aaaaaaaaa0/commands": `{"kind":"%","id":"%","move":"%"}`, "POST /account/passkey": `{"what":"%","answer":{"id":"%"}}`,
}

// HostileRequests returns requests with hostile values in every place that a client can
// fill.
func HostileRequests() (list []Hostile) {
	for _, v := range hostileValues {
		for _, path := range hostilePaths {
			list = append(list, Hostile{Method: http.MethodGet, Target: strings.ReplaceAll(path, "VALUE", v)})
		}
		for path, form := range hostileForms {
			list = append(list, Hostile{http.MethodPost, path, "application/x-www-form-urlencoded", strings.ReplaceAll(form, "%", v)})
		}
	}
	for _, text := range []string{`\u0000`, `a\u0000b`, `\ud800`, "\xff", `\\u0000`, strings.Repeat("🌱", 300), "99999999999999999999"} {
		for operation, body := range hostileBodies {
			method, path, _ := strings.Cut(operation, " ")
			list = append(list, Hostile{method, path, "application/json", strings.ReplaceAll(body, "%", text)})
		}
	}
	return list
}

// foreignLink is a link that leads to the host that a client named.
var foreignLink = regexp.MustCompile(`(?i)(href|src|action|url)="?(https?:)?[/\\]*evil\.example`)

// Check sends the request as a person, and returns an error if the server failed on it,
// or answered with a link to another host.
func (h Hostile) Check(ctx context.Context, p *Person) error {
	q, err := http.NewRequestWithContext(ctx, h.Method, p.Base, strings.NewReader(h.Body))
	if err != nil {
		return err
	}
	q.URL.Opaque = h.Target // as it is, without escaping it again
	if h.Type != "" {
		q.Header.Set("Content-Type", h.Type)
	}
	page, err := p.Ask(q)
	if err != nil {
		return err
	}
	if page.Status >= 500 && page.Status != http.StatusNotImplemented {
		return fmt.Errorf("%s %.100s %.200s: %d %.300s", h.Method, h.Target, h.Body, page.Status, page.Body)
	}
	if link := foreignLink.FindString(page.Body); link != "" {
		return fmt.Errorf("%s %.100s: the page has a link to another host: %s", h.Method, h.Target, link)
	}
	for _, name := range []string{"Location", "Refresh", "Link"} {
		to := strings.TrimPrefix(page.Header.Get(name), "3; url=")
		if strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) || strings.Contains(to, "evil.example") && !strings.HasPrefix(to, "/") {
			return fmt.Errorf("%s %.100s: %s is %s", h.Method, h.Target, name, to)
		}
	}
	return nil
}
