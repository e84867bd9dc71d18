package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"sync"

	"mancala/lobby/bot"
	"mancala/web/webtest"
)

// besideBots is how many games against bots, and how many games of two people, go on
// at the same time.
const besideBots = 50

// playBesideBots is [playRooms] while other people play against bots of all levels, one
// game after the other.
func playBesideBots(ctx context.Context, t target, l roomLoad) (result, error) {
	d, ok := t.driver.(*mancalaDriver)
	if !ok {
		return result{}, errors.New("only mancala has bots")
	}
	playing, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	begun := make(chan error, besideBots)
	for i := range besideBots {
		p := webtest.NewPerson(d.at(i, 0))
		group.Go(func() {
			defer p.Leave()
			for n := uint64(0); playing.Err() == nil; n++ {
				err := playBot(playing, p, i%len(bot.Characters)+1, rand.New(rand.NewPCG(uint64(i), n)), begun)
				if err != nil && playing.Err() == nil {
					select {
					case begun <- err: // received only until all first games have begun
					default:
					}
					return
				}
			}
		})
	}
	for range besideBots {
		if err := <-begun; err != nil {
			return result{}, err
		}
	}
	l.busy = true
	return playRooms(ctx, t, l)
}

// playBot plays one game against a bot. It reports the beginning of the game to begun.
func playBot(ctx context.Context, p *webtest.Person, level int, r *rand.Rand, begun chan<- error) error {
	room, err := p.Make(ctx, url.Values{"bot": {strconv.Itoa(level)}})
	if err != nil {
		return fmt.Errorf("a game against level %d: %w", level, err)
	}
	tab := p.Open(room)
	defer tab.Close()
	if err := tab.Ready(ctx); err != nil {
		return err
	}
	select {
	case begun <- nil:
	default:
	}
	return tab.PlayOn(ctx, r, nil)
}
