package api

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"

	"mancala/lobby"
	"mancala/lobby/social"
	"mancala/match"
	"mancala/match/room"
	"mancala/web/site"
)

// Api returns the handlers of all operations by their patterns. openapi.json describes
// the requests and answers of each, and a test compares them.
func (srv *API) Api() map[string]site.Handler {
	return map[string]site.Handler{
		"GET " + site.ApiPath + "openapi.json":                  srv.openAPI,
		"GET " + site.ApiPath + "rules":                         srv.apiRules,
		"GET " + site.ApiPath + "rules/{system}":                srv.apiSystem,
		"GET " + site.ApiPath + "games":                         srv.apiLive,
		"POST " + site.ApiPath + "games":                        srv.apiNewGame,
		"GET " + site.ApiPath + "games/{id}":                    srv.apiGame,
		"GET " + site.ApiPath + "games/{id}/replay":             srv.apiReplay,
		"GET " + site.ApiPath + "games/{id}/record":             srv.Export,
		"POST " + site.ApiPath + "games/{id}/commands":          srv.apiCommand,
		"POST " + site.ApiPath + "games/{id}/hint":              srv.apiHint,
		"GET " + site.ApiPath + "games/{id}/analysis":           srv.apiAnalysis,
		"POST " + site.ApiPath + "games/{id}/analysis":          srv.apiAnalysis,
		"DELETE " + site.ApiPath + "games/{id}/analysis":        srv.apiAnalysis,
		"GET " + site.ApiPath + "games/{id}/analysis/record":    srv.Annotated,
		"POST " + site.ApiPath + "positions":                    srv.apiPosition,
		"GET " + site.ApiPath + "seeks":                         srv.apiSeeks,
		"POST " + site.ApiPath + "seeks":                        srv.apiSeek,
		"DELETE " + site.ApiPath + "seeks":                      srv.apiLeave,
		"POST " + site.ApiPath + "pairings":                     srv.apiFind,
		"GET " + site.ApiPath + "me/wait":                       srv.apiWait,
		"POST " + site.ApiPath + "seeks/{id}/accept":            srv.apiAccept,
		"GET " + site.ApiPath + "challenges":                    srv.apiChallenges,
		"POST " + site.ApiPath + "challenges":                   srv.apiChallenge,
		"DELETE " + site.ApiPath + "challenges/{id}":            srv.apiEndChallenge,
		"POST " + site.ApiPath + "challenges/{id}/accept":       srv.apiAccept,
		"GET " + site.ApiPath + "players/{name}":                srv.apiPlayer,
		"GET " + site.ApiPath + "players/{name}/ratings":        srv.apiRatings,
		"GET " + site.ApiPath + "players/{name}/games":          srv.apiPast,
		"GET " + site.ApiPath + "leaderboards":                  srv.apiTops,
		"GET " + site.ApiPath + "leaderboards/{system}/{speed}": srv.apiTop,
		"GET " + site.ApiPath + "me":                            srv.apiWho,
		"PATCH " + site.ApiPath + "me":                          srv.apiMe,
		"GET " + site.ApiPath + "me/settings":                   srv.apiPrefs,
		"PATCH " + site.ApiPath + "me/settings":                 srv.apiSettings,
		"GET " + site.ApiPath + "me/games":                      srv.apiMyGames,
		"GET " + site.ApiPath + "me/lessons":                    srv.apiLessons,
		"PATCH " + site.ApiPath + "me/lessons":                  srv.apiLearnt,
		"GET " + site.ApiPath + "me/push":                       srv.apiPush,
		"POST " + site.ApiPath + "me/push":                      srv.apiAddPushDevice,
		"DELETE " + site.ApiPath + "me/push/{device}":           srv.apiRemovePushDevice,

		"GET " + site.ApiPath + "me/circle":                srv.apiSocial,
		"PUT " + site.ApiPath + "me/following/{player}":    srv.apiRelation(social.Follow),
		"DELETE " + site.ApiPath + "me/following/{player}": srv.apiRelation(social.Unfollow),
		"PUT " + site.ApiPath + "me/blocked/{player}":      srv.apiRelation(social.Block),
		"DELETE " + site.ApiPath + "me/blocked/{player}":   srv.apiRelation(social.Unblock),
		"POST " + site.ApiPath + "reports":                 srv.apiReport,

		"GET " + site.ApiPath + "tournaments":                     srv.apiTournaments,
		"POST " + site.ApiPath + "tournaments":                    srv.apiNewTournament,
		"GET " + site.ApiPath + "tournaments/{id}":                srv.apiTournament,
		"POST " + site.ApiPath + "tournaments/{id}/players":       srv.apiJoin,
		"PATCH " + site.ApiPath + "tournaments/{id}/players/{n}":  srv.apiChangePlayer,
		"DELETE " + site.ApiPath + "tournaments/{id}/players/{n}": srv.apiWithdraw,
		"POST " + site.ApiPath + "tournaments/{id}/hosts":         srv.apiBecomeHost,
		"POST " + site.ApiPath + "tournaments/{id}/commands":      srv.apiTournamentCommand,
		"GET " + site.ApiPath + "tournaments/{id}/preview":        srv.apiPreview,
		"GET " + site.ApiPath + "tournaments/{id}/log":            srv.apiLog,
		"GET " + site.ApiPath + "tournaments/{id}/files/{file}":   srv.apiExport,
		"POST " + site.ApiPath + "tournaments/{id}/import":        srv.apiImport,
		"GET " + site.ApiPath + "tournaments/{id}/names":          srv.apiNames,
		"GET " + site.ApiPath + "tournaments/{id}/standings":      srv.apiStandings,
	}
}

// Document is the OpenAPI description of the API.
//
//go:embed openapi.json
var Document []byte

// NoOperation answers a request that is no operation. If the path has operations with
// other methods, the answer lists those methods.
func (srv *API) NoOperation(mux *http.ServeMux) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(probe); strings.HasPrefix(pattern, method+" ") {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 {
			return site.ErrNoPath
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return site.ErrNoMethod
	}
}

// openAPI serves Document.
func (srv *API) openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(Document)
	return nil
}

// apiGame answers with a game as the client may see it: the snapshot of PROTOCOL.md, and
// the legal moves for the player who is on turn.
func (srv *API) apiGame(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !lobby.ValidRoomID(id) {
		return room.ErrNoRoom
	}
	player, _ := srv.WhoIs(w, r)
	view, err := srv.Rooms.View(r.Context(), id, player)
	if err == nil && view.Kind != match.Kind {
		err = room.ErrNoRoom
	}
	if err != nil {
		return err
	}
	answer := map[string]any{
		"room": id, "seq": view.Seq, "as": view.Audience, "now": view.Now - view.Delay.Milliseconds(), "snap": json.RawMessage(view.Snapshot),
	}
	if view.Private != nil {
		answer["you"] = json.RawMessage(view.Private)
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// apiReplay answers with a game ply by ply. A program can step through it without
// knowing the rules.
func (srv *API) apiReplay(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	story, err := srv.Story(r, player)
	if err != nil {
		return err
	}
	if known && story.Match.Over() && story.Match.Audience(player).IsSeat() {
		site.MayStay(w)
	}
	return srv.Answer(w, http.StatusOK, story.JSON())
}
