// Package bot provides the computer opponents: their names and levels, and their answers
// to the tasks of a match.
//
// A bot is a player with a fixed ID ([match.BotID]) and no socket. It is seated when its
// game is created. From then on the match derives a task ([match.TaskBot]) whenever the
// bot has to answer, and [Bots.Answer] returns the command that the bot gives. The answer
// depends only on the task and the room, and its search is limited by nodes and not by
// time. So a task that is carried out again, after a restart or by another instance, gets
// the same answer.
package bot

import (
	"fmt"

	"mancala/engine/search"
	"mancala/match"
)

// Character is a bot as people see it.
type Character struct {
	Level  int // from 1
	ID     string
	Name   string
	Rating int // estimated
}

// ratings are the estimated ratings of the levels.
var ratings = [len(search.Levels)]int{500, 700, 900, 1100, 1300, 1500, 1750, 2000}

// Characters are all levels, weakest first.
var Characters = func() (list [len(search.Levels)]Character) {
	for i, l := range search.Levels {
		list[i] = Character{i + 1, match.BotID(i+1, 1), l.Name, ratings[i]}
	}
	return list
}()

// Known reports whether this release has the level.
func Known(level int) bool { return level >= 1 && level <= len(Characters) }

// Name returns a bot's name, and false if the player is not a bot. If several bots of a
// level play in one game, the second is "Pip 2".
func Name(player string) (string, bool) {
	level, nth, ok := match.Bot(player)
	if !ok {
		return "", false
	}
	name := fmt.Sprintf("Level %d", level) // a level of a later release
	if Known(level) {
		name = Characters[level-1].Name
	}
	if nth > 1 {
		name = fmt.Sprintf("%s %d", name, nth)
	}
	return name, true
}

// Table returns the IDs of seats bots of a level.
func Table(level, seats int) []string {
	ids := make([]string, seats)
	for i := range ids {
		ids[i] = match.BotID(level, i+1)
	}
	return ids
}

// adviser is the level that gives hints. It makes no deliberate mistakes, and is fast
// enough to be asked often.
const adviser = 0

// settings returns the search settings of a level or of the adviser.
func settings(level int) search.Level {
	if level == adviser {
		return search.Level{Nodes: 200_000}
	}
	return search.Levels[level-1]
}
