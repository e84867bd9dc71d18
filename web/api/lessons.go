package api

import (
	"net/http"

	"mancala/lobby"
	"mancala/lobby/lessons"
	"mancala/match/refusal"
	"mancala/web/learn"
	"mancala/web/site"
)

// codeLesson refuses a lesson or a step that does not exist.
const codeLesson refusal.Code = "no-lesson"

// apiLessons answers with the steps of lessons that the client has done.
func (srv *API) apiLessons(w http.ResponseWriter, r *http.Request) error {
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	done, err := srv.Lessons.Of(r.Context(), player)
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, done)
}

// apiLearnt adds steps that the client has done. It answers with all of them.
func (srv *API) apiLearnt(w http.ResponseWriter, r *http.Request) error {
	var done lessons.Done
	if err := site.ReadJSON(r, &done); err != nil {
		return err
	}
	for system, steps := range done {
		for _, kind := range append(steps, "sow") { // every lesson begins with it
			if !learn.HasStep(system, kind) {
				return refusal.New(codeLesson)
			}
		}
	}
	player, known := srv.WhoIs(w, r)
	if !known {
		return site.ErrNoIdentity
	}
	if err := lobby.SlowDown(srv.Limit(site.LimitSettings).Wait(player)); err != nil {
		return err
	}
	if err := srv.Lessons.Add(r.Context(), player, done); err != nil {
		return err
	}
	return srv.apiLessons(w, r)
}
