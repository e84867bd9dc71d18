package live

import (
	"sync"

	"mancala/web/site"
)

// Live serves the sockets of one instance.
type Live struct {
	*site.Site
	lobby *lobbyHub

	hubsMu sync.Mutex // taken alone, or after a room's feed
	hubs   map[string]*hub
}
