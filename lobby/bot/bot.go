// Package bot is the opponents that are always there: who they are, and what they
// answer when a match asks them.
//
// A bot is a player with a fixed ID ([match.BotID]) and no socket. Whoever makes a
// game with one seats it at the creation; from then on the match says by a task
// ([match.TaskBot]) when it has to answer, and [Bots.Answer] finds the command that it
// sends. That depends on the question and the room alone, in nodes and not in time: a
// task that is done again, after a restart or by another instance, is answered the
// same.
package bot

import (
	"fmt"

	"mancala/engine/search"
	"mancala/match"
)

// Character is a level as people meet it.
type Character struct {
	Level  int // from 1
	ID     string
	Name   string
	Rating int // how strong it is, about
}

// ratings are what people of about that strength have; guesses, until enough people
// have played.
var ratings = [len(search.Levels)]int{500, 700, 900, 1100, 1300, 1500, 1750, 2000}

// Characters are all levels, weakest first.
var Characters = func() (list [len(search.Levels)]Character) {
	for i, l := range search.Levels {
		list[i] = Character{i + 1, match.BotID(i+1, 1), l.Name, ratings[i]}
	}
	return list
}()

// Known says whether there is such a level.
func Known(level int) bool { return level >= 1 && level <= len(Characters) }

// Name is what a bot is called; false if the player is none. Of several of a level at
// one table the second is "Pip 2".
func Name(player string) (string, bool) {
	level, nth, ok := match.Bot(player)
	if !ok {
		return "", false
	}
	name := fmt.Sprintf("Level %d", level) // of a later release
	if Known(level) {
		name = Characters[level-1].Name
	}
	if nth > 1 {
		name = fmt.Sprintf("%s %d", name, nth)
	}
	return name, true
}

// Table are the bots of a level that take so many seats.
func Table(level, seats int) []string {
	ids := make([]string, seats)
	for i := range ids {
		ids[i] = match.BotID(level, i+1)
	}
	return ids
}
