package redisbus

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"mancala/match/internal/gate"
)

// hold keeps a node that is away from being tried for every message: what is for
// it is lost meanwhile. Each node of a Cluster has its own.
type hold struct{ gate gate.Gate }

var _ redis.Hook = (*hold)(nil)

// hold is that of a node.
func (b *Bus) hold(node string) *hold {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.holds[node]
	if h == nil {
		h = new(hold)
		b.holds[node] = h
	}
	return h
}

// release lets messages through again: somebody has reached a node.
func (b *Bus) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.holds {
		h.gate.Tell(nil)
	}
}

// held says of a message that was lost whether that was before anybody was tried.
func held(err error) bool {
	var away *gate.Away
	return errors.As(err, &away)
}

// ProcessPipelineHook implements [redis.Hook]. A node that answers, whatever it
// says, is there.
func (h *hold) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, list []redis.Cmder) error {
		if err := h.gate.Enter(ctx); err != nil {
			for _, c := range list {
				c.SetErr(err)
			}
			return err
		}
		err := next(ctx, list)
		var answer redis.Error
		if errors.As(err, &answer) {
			h.gate.Tell(nil)
		} else {
			h.gate.Tell(err)
		}
		return err
	}
}

// ProcessHook implements [redis.Hook].
func (*hold) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// DialHook implements [redis.Hook].
func (*hold) DialHook(next redis.DialHook) redis.DialHook { return next }
