package push

import (
	"context"
	"net/http"
)

// What the tests of this package call.
var (
	CheckEndpoint = checkEndpoint
	IsPublic      = isPublic
)

// Work does what is due once.
func (p *Push) Work(ctx context.Context, s Services) (int, error) {
	p.countWith(s.Count)
	return p.work(ctx, s)
}

// Client returns what sends messages.
func (p *Push) Client() *http.Client { return p.client }
