package api

import (
	"net/http"
	"slices"

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

// apiLearnt adds steps that the client has done. It answers with all of them. Steps that this
// release does not know are left out: the page may be of another one.
func (srv *API) apiLearnt(w http.ResponseWriter, r *http.Request) error {
	var done lessons.Done
	if err := site.ReadJSON(r, &done); err != nil {
		return err
	}
	asked := len(done)
	for system, steps := range done {
		done[system] = slices.DeleteFunc(steps, func(kind string) bool { return !learn.HasStep(system, kind) })
		if len(done[system]) == 0 {
			delete(done, system)
		}
	}
	if asked > 0 && len(done) == 0 {
		return refusal.New(codeLesson)
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
