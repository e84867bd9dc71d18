// Package bus is the contract for messages between instances.
//
// A bus stores nothing and promises little, so all code above it must expect loss: a
// receiver that misses a message reads the journal. An implementation lives in a
// package beside this one, is named after what it uses (membus, redisbus), and passes
// bustest.
package bus

import "context"

// Instance is the name of one running server. Each start has a new name.
type Instance string

// Backlog is the number of messages that an inbox holds for a slow reader before it
// is closed.
const Backlog = 4096

// Bus carries messages to the inboxes of instances, at most once, and in order for
// each sender.
type Bus interface {
	// Send hands msg to instance to and does not wait for it. The caller must not
	// change msg afterwards. It is no error if the instance does not exist: a message
	// may always be lost.
	Send(ctx context.Context, to Instance, msg []byte) error

	// Inbox returns when this instance can be reached. The channel closes when ctx
	// ends, or when the reader falls [Backlog] messages behind. The reader can still
	// read what has arrived before that. It must then assume that it has missed
	// messages, and open the inbox again. While one name has two inboxes, each gets
	// every message.
	Inbox(ctx context.Context, self Instance) (<-chan []byte, error)
}
