package api

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"

	"mancala/lobby/hosting"
	"mancala/lobby/tournament"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/web/request"
	"mancala/web/site"
)

// This file lets programs do what hosts do at the desk, and players on a tournament's page.

// madeJSON is a new tournament. Its secrets are shown this once.
type madeJSON struct {
	ID       string `json:"id"`
	Code     string `json:"code,omitempty"` // by which people join
	HostKey  string `json:"hostKey"`
	Recovery string `json:"recovery"`
}

// apiNewTournament makes a tournament whose host is the client.
func (srv *API) apiNewTournament(w http.ResponseWriter, r *http.Request) error {
	var s tournament.Settings
	if err := site.ReadJSON(r, &s); err != nil {
		return err
	}
	player, err := srv.WhoActs(w, r)
	if err != nil {
		return err
	}
	m, err := srv.Hosting.Open(r.Context(), player, srv.Address(r), s)
	if err != nil {
		return err
	}
	w.Header().Set("Location", site.ApiPath+"tournaments/"+m.ID)
	return srv.Answer(w, http.StatusCreated, madeJSON{m.ID, m.Code, m.Key, m.Recovery})
}

type listedJSON struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Format  tournament.Format `json:"format"`
	Rules   string            `json:"rules"`
	Clock   string            `json:"clock"`
	Rated   bool              `json:"rated"`
	Stage   tournament.Stage  `json:"stage"`
	Starts  int64             `json:"starts,omitempty"` // ms since 1970
	Changed int64             `json:"changed"`          // when the stage last changed
}

// maxListed is how many tournaments of a stage are listed.
const maxListed = 50

// apiTournaments lists the tournaments that are listed, of one stage or of all.
func (srv *API) apiTournaments(w http.ResponseWriter, r *http.Request) error {
	stages := []tournament.Stage{tournament.Running, tournament.Entry, tournament.Over}
	switch stage := tournament.Stage(r.URL.Query().Get("stage")); stage {
	case "":
	case tournament.Running, tournament.Entry, tournament.Over:
		stages = []tournament.Stage{stage}
	default:
		return site.ErrBadFrame
	}
	list := []listedJSON{}
	for _, stage := range stages {
		rows, err := srv.Hosting.Index.List(r.Context(), stage, maxListed)
		if err != nil {
			return err
		}
		for _, t := range rows {
			list = append(list, listedJSON{t.ID, t.Name, t.Format, t.Rules, t.Clock, t.Rated, t.Stage, t.Starts, t.Changed.UnixMilli()})
		}
	}
	return srv.Answer(w, http.StatusOK, map[string]any{"tournaments": list})
}

// hallJSON is a tournament as the client sees it.
type hallJSON struct {
	Room  string            `json:"room"`
	Seq   uint64            `json:"seq"` // a socket that has this answer subscribes since here
	Now   int64             `json:"now"`
	Host  bool              `json:"host"`         // the client is a host
	Me    int               `json:"me,omitempty"` // the client's number
	State *tournament.State `json:"state"`
	Names map[string]string `json:"names"`
}

// apiTournament answers with a tournament.
func (srv *API) apiTournament(w http.ResponseWriter, r *http.Request) error {
	person, _ := srv.WhoIs(w, r)
	hall, err := srv.Hosting.Look(r.Context(), r.PathValue("id"), person)
	if err != nil {
		return err
	}
	answer := hallJSON{Room: hall.ID, Seq: hall.Seq, Now: hall.Now, Host: hall.Host, State: &hall.State, Names: hall.Names}
	if hall.Me != nil {
		answer.Me = hall.Me.Number
	}
	return srv.Answer(w, http.StatusOK, answer)
}

// apiJoin enters the client, or as a host a player without a device.
func (srv *API) apiJoin(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Name  string `json:"name"`
		Paper bool   `json:"paper"`
	}
	if err := site.ReadJSON(r, &q); err != nil {
		return err
	}
	if q.Paper {
		if err := site.MayHost(r); err != nil {
			return err
		}
	}
	person, err := srv.WhoActs(w, r)
	if err != nil {
		return err
	}
	player, id := person, r.PathValue("id")
	if q.Paper {
		player, err = srv.Hosting.Add(r.Context(), id, person, q.Name)
	} else {
		err = srv.Hosting.Join(r.Context(), id, person, q.Name)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusCreated, map[string]string{"player": player})
}

// entered returns the client and the player whom the path names.
func (srv *API) entered(w http.ResponseWriter, r *http.Request) (person, player string, err error) {
	person, known := srv.WhoIs(w, r)
	if !known {
		return "", "", site.ErrNoIdentity
	}
	hall, err := srv.Hosting.Look(r.Context(), r.PathValue("id"), person)
	if err != nil {
		return "", "", err
	}
	for _, p := range hall.State.Players {
		if r.PathValue("n") == strconv.Itoa(p.Number) && p.ID != "" {
			return person, p.ID, nil
		}
	}
	return "", "", refusal.New(tournament.CodeNotEntered)
}

// apiWithdraw withdraws the client, or as a host another player.
func (srv *API) apiWithdraw(w http.ResponseWriter, r *http.Request) error {
	person, player, err := srv.entered(w, r)
	if err != nil {
		return err
	}
	body, err := json.Marshal(tournament.Order{Player: player})
	if err != nil {
		return err
	}
	if err := site.MaySend(r, tournament.KindLeave, person, body); err != nil {
		return err
	}
	c := machine.Command{ID: "leave-" + rand.Text(), Kind: tournament.KindLeave, By: person, Body: body}
	if _, err := srv.Rooms.Do(r.Context(), r.PathValue("id"), c); err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, struct{}{})
}

// apiChangePlayer renames a player, or gives their place to another person.
func (srv *API) apiChangePlayer(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Name   string `json:"name"`
		Person string `json:"person"` // the ID of the one who takes the place
	}
	if err := site.ReadJSON(r, &q); err != nil {
		return err
	}
	if (q.Name == "") == (q.Person == "") { // one thing at a time, so that nothing is half done
		return site.ErrBadFrame
	}
	host, player, err := srv.entered(w, r)
	switch {
	case err != nil:
	case q.Name != "":
		err = srv.Hosting.Rename(r.Context(), r.PathValue("id"), host, player, q.Name)
	default:
		err = srv.Hosting.Replace(r.Context(), r.PathValue("id"), host, player, q.Person)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, struct{}{})
}

// apiBecomeHost makes the client a host by the key of the host link, or by the recovery code.
func (srv *API) apiBecomeHost(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Key string `json:"key"`
	}
	if err := site.ReadJSON(r, &q); err != nil {
		return err
	}
	person, err := srv.WhoActs(w, r)
	if err == nil {
		err = srv.Hosting.Become(r.Context(), r.PathValue("id"), person, srv.Address(r), q.Key)
	}
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, struct{}{})
}

// apiTournamentCommand is apiCommand for a tournament.
func (srv *API) apiTournamentCommand(w http.ResponseWriter, r *http.Request) error {
	var body json.RawMessage
	if err := site.ReadJSON(r, &body); err != nil {
		return err
	}
	q, err := request.Read(body, "")
	if err != nil {
		return err
	}
	person, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	if err := site.MaySend(r, q.Kind, person, q.Own); err != nil {
		return err
	}
	if _, err := srv.Hosting.Hosts(r.Context(), r.PathValue("id")); err != nil { // it is no tournament
		return err
	}
	a, err := srv.Rooms.Do(r.Context(), r.PathValue("id"), machine.Command{ID: q.ID, Kind: q.Kind, By: person, Body: q.Own})
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, answerJSON{a.Seq, a.Repeat})
}

// apiPreview answers with the next round as it would start now.
func (srv *API) apiPreview(w http.ResponseWriter, r *http.Request) error {
	person, _ := srv.WhoIs(w, r)
	p, err := srv.Hosting.Preview(r.Context(), r.PathValue("id"), person)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, p)
}

// loggedJSON is an entry of a tournament's room: who did what.
type loggedJSON struct {
	Seq    uint64          `json:"seq"`
	Kind   string          `json:"kind"`
	At     int64           `json:"at"`
	By     string          `json:"by,omitempty"` // empty: the service
	Change json.RawMessage `json:"change"`
}

// apiLog answers a host with the latest entries, oldest first.
func (srv *API) apiLog(w http.ResponseWriter, r *http.Request) error {
	person, _ := srv.WhoIs(w, r)
	_, entries, err := srv.Hosting.History(r.Context(), r.PathValue("id"), person)
	if err != nil {
		return err
	}
	list := []loggedJSON{}
	for _, p := range entries[max(0, len(entries)-hosting.MostLogged):] {
		list = append(list, loggedJSON{p.Seq, p.Entry.Kind, p.Entry.At, p.Entry.By, p.Entry.Body})
	}
	return srv.Answer(w, http.StatusOK, map[string]any{"entries": list})
}

// apiImport enters the players of a report file, which is the body. With ?results=true a Swiss goes on from
// its rounds.
func (srv *API) apiImport(w http.ResponseWriter, r *http.Request) error {
	person, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	hall, err := srv.Hosting.Look(r.Context(), r.PathValue("id"), person)
	switch {
	case err != nil:
		return err
	case !hall.Host:
		return refusal.New(tournament.CodeNotHost)
	}
	results := r.URL.Query().Get("results")
	if !slices.Contains([]string{"", "false", "true"}, results) {
		return site.ErrBadFrame
	}
	file, err := io.ReadAll(r.Body)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return site.ErrTooLarge
	case err != nil:
		return site.ErrBadFrame
	}
	in, err := srv.Hosting.Import(r.Context(), hall.ID, person, file, results == "true")
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusCreated, in)
}
