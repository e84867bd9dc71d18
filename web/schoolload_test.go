package web

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"mancala/lobby"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// Sixty people behind one IPv4 address join, play and chat. None of them meets a limit that
// the program has by default. They do in seconds what takes people an hour, so that the
// limits by address are met harder than in an evening. A refusal of another kind, such as
// "unavailable" on a busy machine, is not counted.
func TestSchoolBehindOneAddressIsNotRefused(t *testing.T) {
	const pairs, rounds = 30, 2
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits.Register(flag.NewFlagSet("defaults", flag.PanicOnError))
	})
	var group sync.WaitGroup
	for n := range pairs {
		pair := []*webtest.Person{s.person(), s.person()}
		group.Go(func() {
			for range rounds {
				if err := playAndChat(s, pair, uint64(n)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	if n := s.counted("refused_total", string(lobby.CodeSlowDown)); n > 0 {
		t.Errorf("%v requests were refused by a limit", n)
	}
}

// playAndChat lets two people find the service, play one game by a link and talk in it.
func playAndChat(s *service, pair []*webtest.Person, run uint64) error {
	for _, p := range pair {
		if page, err := p.Get(s.ctx, "/"); err != nil || page.Status != 200 {
			return fmt.Errorf("the home page: %d, %w", page.Status, err)
		}
	}
	id, err := pair[0].Make(s.ctx, nil)
	if err != nil {
		return err
	}
	if err := pair[1].Sit(s.ctx, id); err != nil {
		return err
	}
	return playAndChatIn(s, id, pair, run)
}

// playAndChatIn lets the two players of a game talk in it and play it to its end.
func playAndChatIn(s *service, id string, pair []*webtest.Person, run uint64) error {
	var group sync.WaitGroup
	errs := make([]error, len(pair))
	for i, p := range pair {
		tab := p.Open(id)
		defer tab.Close()
		group.Go(func() {
			for line := range 5 {
				tab.Send(s.ctx, fmt.Sprintf(`{"t":"chat","room":%q,"id":"l%d","text":"line %d"}`, id, line, line))
			}
			if errs[i] = tab.PlayOn(s.ctx, rand.New(rand.NewPCG(run, uint64(i))), nil); errs[i] == nil {
				errs[i] = tab.Until(s.ctx, "the end", (*webtest.Game).Over)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
