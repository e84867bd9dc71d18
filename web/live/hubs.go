package live

import (
	"context"

	"mancala/lobby/chat"
	"mancala/lobby/tournament"
	"mancala/lobby/workers"
	"mancala/match/room"
)

// hub returns the hub of a room, and makes it follow the room if it is new. The
// caller releases it.
func (srv *Live) hub(ctx context.Context, id string) (*hub, error) {
	srv.hubsMu.Lock()
	h := srv.hubs[id]
	if h == nil {
		h = newHub(srv, id)
		srv.hubs[id] = h
		if !srv.Workers.Start(h.follow) {
			h.err = room.ErrMoved // this instance is shutting down
			h.ready.Fire()
		}
	}
	h.refs++
	srv.hubsMu.Unlock()
	select {
	case <-h.ready.Done():
	case <-ctx.Done():
		srv.release(h)
		return nil, ctx.Err()
	}
	if h.err != nil {
		srv.release(h)
		return nil, h.err
	}
	return h, nil
}

// follow connects the hub to its room. Several requests may wait for it, so it does
// not use the context of any of them.
func (h *hub) follow() {
	ctx, cancel := context.WithTimeout(h.server.Workers.Context(), workers.Timeout)
	defer cancel()
	h.following, h.err = h.server.Rooms.Follow(ctx, h.id, h)
	if h.err == nil && h.following.First() {
		h.chat.Unfollowed()
	}
	switch {
	case h.err != nil:
		h.server.dropHub(h)
	case h.following.Kind() == tournament.Kind:
		h.hold(ctx)
	}
	h.ready.Fire()
}

// release gives up one use of a hub. The last release closes the hub, so that the
// room can sleep.
func (srv *Live) release(h *hub) {
	srv.hubsMu.Lock()
	h.refs--
	last := h.refs == 0
	if last && srv.hubs[h.id] == h {
		delete(srv.hubs, h.id)
	}
	srv.hubsMu.Unlock()
	if !last {
		return
	}
	<-h.ready.Done()
	srv.Shows.Left(h.id)
	if h.following != nil {
		h.following.Close()
	}
}

// dropHub removes a hub whose room has ended. The next subscriber gets a new hub.
func (srv *Live) dropHub(h *hub) {
	srv.hubsMu.Lock()
	defer srv.hubsMu.Unlock()
	if srv.hubs[h.id] == h {
		delete(srv.hubs, h.id)
	}
}

// beside returns the chat beside a room that clients of this instance follow, and nil
// for another room.
func (srv *Live) beside(id string) *chat.Streams {
	srv.hubsMu.Lock()
	defer srv.hubsMu.Unlock()
	if h := srv.hubs[id]; h != nil {
		return h.chat
	}
	return nil
}

// Any implements [showcase.Followers].
func (srv *Live) Any() bool {
	srv.hubsMu.Lock()
	defer srv.hubsMu.Unlock()
	return len(srv.hubs) > 0
}

// Progress implements [showcase.Followers].
func (srv *Live) Progress(id string) (seq uint64, watchers int, followed bool) {
	srv.hubsMu.Lock()
	h := srv.hubs[id]
	srv.hubsMu.Unlock()
	if h == nil {
		return 0, 0, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seq, h.watching, true
}
