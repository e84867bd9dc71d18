// Package bus is the contract for messages between instances.
//
// A bus stores nothing and promises little, so that everything above it is
// written for loss: whoever misses a message reads the journal. An
// implementation lives in a package beside this one, named after what it uses
// (membus, redisbus), and passes bustest.
package bus

import "context"

// Instance is the name of one running server, unique for each start.
type Instance string

// Backlog is how many messages an inbox holds for a slow reader before it is
// closed.
const Backlog = 4096

// Bus carries messages to the inboxes of instances, at most once and in order
// for each sender.
type Bus interface {
	// Send hands msg to instance to and does not wait for it. The caller must
	// not change msg afterwards. That nobody is there is not an error: a
	// message may always be lost.
	Send(ctx context.Context, to Instance, msg []byte) error

	// Inbox returns once this instance can be reached. The channel closes when
	// ctx ends, or when the reader falls [Backlog] messages behind: what has
	// arrived can still be read, then it ends. The reader then assumes that it
	// has missed some and opens it again. While one name has two inboxes, each
	// gets every message.
	Inbox(ctx context.Context, self Instance) (<-chan []byte, error)
}
