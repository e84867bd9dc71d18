package web

import (
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"mancala/engine"
	"mancala/lobby"
	"mancala/lobby/analysis"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
)

// api is all of it; openapi.json says what each takes and gives, and a test holds
// them to it.
func (srv *Server) api() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET " + apiPath + "openapi.json":                  srv.openAPI,
		"GET " + apiPath + "rules":                         srv.apiRules,
		"GET " + apiPath + "rules/{system}":                srv.apiSystem,
		"GET " + apiPath + "games":                         srv.apiLive,
		"POST " + apiPath + "games":                        srv.apiNewGame,
		"GET " + apiPath + "games/{id}":                    srv.apiGame,
		"GET " + apiPath + "games/{id}/replay":             srv.apiReplay,
		"GET " + apiPath + "games/{id}/record":             srv.export,
		"POST " + apiPath + "games/{id}/commands":          srv.apiCommand,
		"POST " + apiPath + "games/{id}/hint":              srv.apiHint,
		"GET " + apiPath + "games/{id}/analysis":           srv.apiAnalysis,
		"POST " + apiPath + "games/{id}/analysis":          srv.apiAnalysis,
		"DELETE " + apiPath + "games/{id}/analysis":        srv.apiAnalysis,
		"GET " + apiPath + "games/{id}/analysis/record":    srv.annotated,
		"POST " + apiPath + "positions":                    srv.apiPosition,
		"GET " + apiPath + "seeks":                         srv.apiSeeks,
		"POST " + apiPath + "seeks":                        srv.apiSeek,
		"DELETE " + apiPath + "seeks":                      srv.apiLeave,
		"POST " + apiPath + "pairings":                     srv.apiFind,
		"GET " + apiPath + "me/wait":                       srv.apiWait,
		"POST " + apiPath + "seeks/{id}/accept":            srv.apiAccept,
		"GET " + apiPath + "challenges":                    srv.apiChallenges,
		"POST " + apiPath + "challenges":                   srv.apiChallenge,
		"DELETE " + apiPath + "challenges/{id}":            srv.apiEndChallenge,
		"POST " + apiPath + "challenges/{id}/accept":       srv.apiAccept,
		"GET " + apiPath + "players/{name}":                srv.apiPlayer,
		"GET " + apiPath + "players/{name}/ratings":        srv.apiRatings,
		"GET " + apiPath + "players/{name}/games":          srv.apiPast,
		"GET " + apiPath + "leaderboards":                  srv.apiTops,
		"GET " + apiPath + "leaderboards/{system}/{speed}": srv.apiTop,
		"GET " + apiPath + "me":                            srv.apiWho,
		"PATCH " + apiPath + "me":                          srv.apiMe,
		"GET " + apiPath + "me/settings":                   srv.apiPrefs,
		"PATCH " + apiPath + "me/settings":                 srv.apiSettings,
		"GET " + apiPath + "me/games":                      srv.apiMyGames,

		"GET " + apiPath + "me/circle":                srv.apiCircle,
		"PUT " + apiPath + "me/following/{player}":    srv.apiTie("follow"),
		"DELETE " + apiPath + "me/following/{player}": srv.apiTie("unfollow"),
		"PUT " + apiPath + "me/blocked/{player}":      srv.apiTie("block"),
		"DELETE " + apiPath + "me/blocked/{player}":   srv.apiTie("unblock"),
		"POST " + apiPath + "reports":                 srv.apiReport,
	}
}

const apiPath = "/api/v1/"

//go:embed openapi.json
var openAPI []byte

// noOperation answers what is no operation: what is at the path, if anything.
func (srv *Server) noOperation(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(probe); strings.HasPrefix(pattern, method+" ") {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 {
			srv.refuseAPI(w, r, errNoPath)
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		srv.refuseAPI(w, r, errNoMethod)
	}
}

// openAPI gives the document.
func (srv *Server) openAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(openAPI)
}

// apiError is the answer to a request of the API that is refused.
type apiError struct {
	Code   refusal.Code `json:"code"`
	Msg    string       `json:"msg"`
	Detail any          `json:"detail,omitempty"`
}

func (srv *Server) answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store") // it depends on who asks, and on when
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		srv.log.Debug("web: answer not written", "err", err)
	}
}

// refuseAPI answers with an error's code and the status that fits it.
func (srv *Server) refuseAPI(w http.ResponseWriter, r *http.Request, err error) {
	code, status := srv.failed(w, r, err)
	detail := refusal.Detail(err)
	srv.answer(w, status, apiError{code, srv.catalog(r).sentence(code, detail), detail})
}

// apiGame gives what the asker may see of a game: the snapshot of PROTOCOL.md,
// and who is on turn his legal moves.
func (srv *Server) apiGame(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		srv.refuseAPI(w, r, room.ErrNoRoom)
		return
	}
	player, _ := srv.whoIs(w, r)
	view, err := srv.rooms.View(r.Context(), id, player)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	answer := map[string]any{
		"room": id, "seq": view.Seq, "as": view.Audience, "now": time.Now().Add(-view.Delay).UnixMilli(), "snap": json.RawMessage(view.Snapshot),
	}
	if view.Private != nil {
		answer["you"] = json.RawMessage(view.Private)
	}
	srv.answer(w, http.StatusOK, answer)
}

type boardJSON struct {
	Pits   []int `json:"pits"`
	Stores []int `json:"stores"`
}

type plyJSON struct {
	Seat  int             `json:"seat"`
	Move  string          `json:"move"`
	Trace json.RawMessage `json:"trace"`
	boardJSON
	At    int64   `json:"at"`
	Clock []int64 `json:"clock,omitempty"`
}

type roundJSON struct {
	First boardJSON `json:"first"`
	Plies []plyJSON `json:"plies"`
}

// replayJSON is a game ply by ply: its last round, and all of them.
type replayJSON struct {
	roundJSON
	Rounds []roundJSON `json:"rounds"`
}

func boardOf(p engine.Position) boardJSON {
	n := int(p.Shape.Sides) * int(p.Shape.Pits)
	b := boardJSON{Pits: make([]int, n), Stores: p.Scores()}
	for i := range b.Pits {
		b.Pits[i] = int(p.Slots[i])
	}
	return b
}

// story reads a game from its first entry to the last that somebody may see.
func (srv *Server) story(r *http.Request, player string) (*match.Story, error) {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return nil, room.ErrNoRoom
	}
	return analysis.Story(r.Context(), srv.rooms, id, player)
}

// apiReplay tells a game ply by ply, for stepping through it without rules.
func (srv *Server) apiReplay(w http.ResponseWriter, r *http.Request) {
	player, known := srv.whoIs(w, r)
	story, err := srv.story(r, player)
	if err != nil {
		srv.refuseAPI(w, r, err)
		return
	}
	answer := replayJSON{Rounds: []roundJSON{}}
	for _, c := range story.Rounds {
		round := roundJSON{First: boardOf(c.First), Plies: []plyJSON{}}
		for _, s := range c.Steps {
			round.Plies = append(round.Plies, plyJSON{s.Seat, s.Move, s.Trace, boardOf(s.Position), s.At, s.Clock})
		}
		answer.Rounds = append(answer.Rounds, round)
	}
	if n := len(answer.Rounds); n > 0 {
		answer.roundJSON = answer.Rounds[n-1]
	} else {
		answer.roundJSON = roundJSON{First: boardOf(story.Match.Position()), Plies: []plyJSON{}}
	}
	if known && story.Match.State() == "over" && story.Match.Audience(player).IsSeat() {
		mayStay(w)
	}
	srv.answer(w, http.StatusOK, answer)
}

// export gives a game as text that people keep and other programs read.
func (srv *Server) export(w http.ResponseWriter, r *http.Request) {
	player, _ := srv.whoIs(w, r)
	story, err := srv.story(r, player)
	var names map[string]string
	if err == nil {
		names, err = srv.names(r.Context(), story.Match.Players())
	}
	if err != nil {
		srv.deny(w, r, err)
		return
	}
	giveText(w, "mancala-"+r.PathValue("id")+".txt", story.Match.Record(func(player string) string { return names[player] }))
}

// giveText answers with a text that is to be kept.
func giveText(w http.ResponseWriter, name, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = io.WriteString(w, text)
}
