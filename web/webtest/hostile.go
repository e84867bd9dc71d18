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

// hostilePaths have VALUE in place of a value, and GAME and CUP in place of a room that exists.
var hostilePaths = []string{
	"/VALUE", "/learn?lang=VALUE&VALUE=1", "/VALUE/record", "/VALUE/analysis", "/@/VALUE", "/top/VALUE", "/learn/VALUE", "/learn/kalah?options=VALUE", "/learn/VALUE/lesson", "/learn/kalah/lesson?step=VALUE&move=VALUE", "/puzzles/VALUE", "/puzzles?theme=VALUE&left=VALUE", "/puzzles/aaaaaaaaa0?move=VALUE&theme=VALUE", "/people/VALUE", "/embed/VALUE", "/oembed?url=VALUE",
	"/static/VALUE", "/account/move/VALUE", "/mine?before=VALUE", "/mine?after=VALUE", "/j?code=VALUE", "/watch?rules=VALUE", "/@/Nobody?page=VALUE&before=VALUE",
	"/people?back=VALUE", "/challenge?player=VALUE", "/?rules=VALUE&VALUE=1", "/aaaaaaaaa0/board.svg?ply=VALUE", "/aaaaaaaaa0/picture.png?n=VALUE",
	"/VALUE/game.gif", "/position.png?rules=VALUE", "/position.png?rules=kalah&options=VALUE", "/position.png?rules=kalah&position=VALUE",
	"/api/v1/VALUE", "/api/v1/rules/VALUE", "/api/v1/games/VALUE", "/api/v1/games/VALUE/replay?after=VALUE", "/api/v1/games?rules=VALUE&before=VALUE",
	"/api/v1/players/VALUE", "/api/v1/players/VALUE/games?before=VALUE", "/api/v1/leaderboards/VALUE/VALUE", "/api/v1/me/games?before=VALUE",
	"/GAME/VALUE", "/GAME/card?ply=VALUE", "/GAME/og.png?ply=VALUE", "/GAME/square.png?ply=VALUE", "/GAME?ply=VALUE", "/embed/GAME?ply=VALUE", "/print/VALUE", "/sheet?rules=VALUE", "/sheet?rules=kalah&options=VALUE", "/face/VALUE", "/bot?rules=VALUE", "/here?rules=VALUE", "/here?options=VALUE", "/class?rules=VALUE",
	"/api/v1/games/GAME/replay?after=VALUE", "/api/v1/games/GAME/record?VALUE=1", "/api/v1/games/VALUE/analysis", "/api/v1/games/VALUE/analysis/record",
	"/api/v1/games/VALUE/record", "/api/v1/players/VALUE/ratings",
	"/t?format=VALUE&before=VALUE", "/t/new?format=VALUE&rules=VALUE", "/t/VALUE", "/t/CUP/VALUE", "/t/CUP/p/VALUE", "/t/VALUE/p/1", "/t/CUP/rounds/VALUE", "/t/VALUE/rounds/1", "/t/CUP?round=VALUE",
	"/t/CUP/screen?round=VALUE", "/t/CUP/pairings?round=VALUE", "/t/CUP/plan?round=VALUE", "/t/CUP/poster?VALUE=1", "/t/CUP/certificates?n=VALUE",
	"/t/CUP/embed?VALUE=1", "/t/CUP/export.trf?round=VALUE", "/t/CUP/games.csv?VALUE=1",
	"/t/VALUE/ready", "/t/VALUE/host", "/t/VALUE/log", "/t/VALUE/calendar", "/t/VALUE/standings.csv", "/t/VALUE/games.ndjson", "/t/VALUE/tournament.json",
	"/api/v1/tournaments?before=VALUE&stage=VALUE", "/api/v1/tournaments/VALUE", "/api/v1/tournaments/CUP/files/VALUE", "/api/v1/tournaments/CUP/standings?round=VALUE",
	"/api/v1/tournaments/CUP/VALUE", "/api/v1/tournaments/CUP/log?after=VALUE", "/api/v1/tournaments/CUP/preview?round=VALUE", "/api/v1/tournaments/VALUE/names",
	"/rules/new?rules=VALUE&options=VALUE", "/rules/new?options=VALUE", "/rules/new?set=1&boxes=VALUE&relay=VALUE&seeds=VALUE&pit=VALUE", "/rules/new?take=VALUE", "/rules/VALUE", "/rules/VALUE?reported=VALUE",
	"/rules/compare?rules=VALUE&with=VALUE&theirs=VALUE", "/rules/compare?theirs=x?rules=VALUE",
	"//VALUE", "/%5CVALUE", "/%2FVALUE",
}

// hostileOrders are sent without a form, and with the value in place of VALUE.
var hostileOrders = []string{
	"PUT /api/v1/me/following/VALUE", "DELETE /api/v1/me/following/VALUE", "PUT /api/v1/me/blocked/VALUE", "DELETE /api/v1/me/blocked/VALUE",
	"DELETE /api/v1/challenges/VALUE", "DELETE /api/v1/games/VALUE/analysis", "DELETE /api/v1/me/push/VALUE", "DELETE /api/v1/tournaments/CUP/players/VALUE",
	"POST /api/v1/seeks/VALUE/accept", "POST /api/v1/challenges/VALUE/accept", "POST /GAME/VALUE", "POST /t/VALUE/players/VALUE", "POST /account/move/VALUE", "POST /puzzles/VALUE",
}

// hostileForms are sent as a form, and with the value in place of each %.
var hostileForms = map[string]string{
	"/new": "rules=%&options=%&clock=%&start=%", "/rules": "rules=%&options=%&name=%", "/rules/aaaaaaaaa2/forget": "%=%", "/find": "rules=%&clock=%", "/seek": "rules=%&clock=%&low=%&high=%", "/leave": "%=%",
	"/j": "code=%", "/settings": "name=%&theme=%&language=%&back=%", "/people": "what=%&player=%&back=%", "/challenge": "player=%&rules=%",
	"/report": "player=%&room=%&line=%&stream=%&rules=%&reason=%&text=%", "/account/create": "name=%&password=%",
	"/account/sign-in": "name=%&password=%", "/account/recover": "name=%&code=%&password=%", "/account/password": "old=%&password=%",
	"/account/sessions": "session=%", "/account/tokens": "name=%&scope=%", "/account/passkeys": "key=%&name=%",
	"/aaaaaaaaa0/sit": "seat=%", "/aaaaaaaaa0/move": "move=%&ply=%", "/GAME/sit": "seat=%", "/GAME/move": "move=%&ply=%", "/GAME/note": "text=%",
	"/t": "name=%&format=%&rules=%&clock=%&rounds=%&starts=%", "/t/recover": "key=%", "/t/CUP/host": "key=%", "/t/CUP/players": "names=%",
	"/t/CUP/players/1": "name=%&other=%", "/t/CUP/join": "name=%", "/t/CUP/here": "name=%", "/t/CUP/announce": "text=%", "/t/CUP/settings": "name=%&rounds=%",
	"/t/CUP/result": "board=%&result=%&reason=%", "/t/CUP/import": "file=%",
	"/puzzles/aaaaaaaaa0": "move=%&theme=%", "/account/codes": "%=%", "/account/move": "%=%", "/account/move/nothing": "%=%",
}

// hostileBodies are sent as JSON, and with each text in place of "%".
var hostileBodies = map[string]string{
	"POST /api/v1/games": `{"rules":"%","clock":"%"}`, "POST /api/v1/seeks": `{"rules":"%"}`, "POST /api/v1/pairings": `{"rules":"%","clock":"%"}`,
	"POST /api/v1/challenges": `{"player":"%","rules":"%"}`, "POST /api/v1/positions": `{"rules":"%","position":"%"}`,
	"POST /api/v1/games/GAME/commands": `{"kind":"move","id":"%","move":"%"}`, "POST /api/v1/games/GAME/hint": `{"%":"%"}`, "POST /api/v1/games/GAME/analysis": `{"%":"%"}`,
	"POST /api/v1/seeks/aaaaaaaaa0/accept": `{"%":"%"}`, "POST /api/v1/challenges/aaaaaaaaa0/accept": `{"%":"%"}`,
	"PUT /api/v1/me/following/paaaaaaaaa": `{"%":"%"}`, "PUT /api/v1/me/blocked/paaaaaaaaa": `{"%":"%"}`,
	"POST /api/v1/tournaments": `{"name":"%","format":"%","rules":"%","clock":"%"}`, "POST /api/v1/tournaments/CUP/players": `{"name":"%","rating":"%"}`,
	"PATCH /api/v1/tournaments/CUP/players/1": `{"name":"%"}`, "POST /api/v1/tournaments/CUP/hosts": `{"key":"%"}`,
	"POST /api/v1/tournaments/CUP/commands": `{"kind":"announce","id":"%","text":"%","reason":"%"}`, "POST /api/v1/tournaments/CUP/import": "012 %\n001    1      %",
	"POST /t/CUP/plan": `{"pairings":"%"}`,
	"PATCH /api/v1/me": `{"name":"%"}`, "PATCH /api/v1/me/settings": `{"theme":"%"}`, "PATCH /api/v1/me/lessons": `{"%":["%"],"kalah":["%"]}`, "POST /api/v1/me/push": `{"endpoint":"https://%","keys":{"p256dh":"%","auth":"%"}}`, "POST /api/v1/reports": `{"player":"%","reason":"%","text":"%"}`,
	"POST /api/v1/games/aaaaaaaaa0/commands": `{"kind":"%","id":"%","move":"%"}`, "POST /account/passkey": `{"what":"%","answer":{"id":"%"}}`,
}

// HostileRequests returns requests with hostile values in every place that a client can
// fill. game and cup are a game and a tournament of the person who sends them.
func HostileRequests(game, cup string) (list []Hostile) {
	rooms := strings.NewReplacer("GAME", game, "CUP", cup)
	for _, v := range hostileValues {
		for _, path := range hostilePaths {
			list = append(list, Hostile{Method: http.MethodGet, Target: strings.ReplaceAll(rooms.Replace(path), "VALUE", v)})
		}
		for _, order := range hostileOrders {
			method, path, _ := strings.Cut(order, " ")
			list = append(list, Hostile{Method: method, Target: strings.ReplaceAll(rooms.Replace(path), "VALUE", v)})
		}
		for path, form := range hostileForms {
			list = append(list, Hostile{http.MethodPost, rooms.Replace(path), "application/x-www-form-urlencoded", strings.ReplaceAll(form, "%", v)})
		}
	}
	for _, text := range []string{`\u0000`, `a\u0000b`, `\ud800`, "\xff", `\\u0000`, strings.Repeat("🌱", 300), "99999999999999999999"} {
		for operation, body := range hostileBodies {
			method, path, _ := strings.Cut(operation, " ")
			list = append(list, Hostile{method, rooms.Replace(path), "application/json", strings.ReplaceAll(body, "%", text)})
		}
	}
	return list
}

// foreignLink is a link that leads to the host that a client named.
var foreignLink = regexp.MustCompile(`(?i)(href|src|action|url)="?(https?:)?[/\\]*evil\.example`)

// linkElsewhere returns a link of the page that leads to the host that a client named. Most pages do
// not name the host, and the expression would cost more than the request.
func linkElsewhere(page string) string {
	if !strings.Contains(strings.ToLower(page), "evil.example") {
		return ""
	}
	return foreignLink.FindString(page)
}

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
	if link := linkElsewhere(page.Body); link != "" {
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
