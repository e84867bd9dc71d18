package match

import (
	"math/rand/v2"
	"strings"

	"mancala/engine"
)

// randomRules returns a system, or a system with changes that make valid rules.
func randomRules(r *rand.Rand, run uint64) (string, string) {
	row := engine.Systems[int(run)%len(engine.Systems)]
	if int(run) < len(engine.Systems) || r.IntN(2) == 0 {
		return row.Name, ""
	}
	changes := []string{"seeds=3", "seeds=2", "pits=4", "pits=7", "direction=cw", "direction=choice", "store=false", "relay=same", "relay=reverse",
		"capture=cross", "capture=none", "again=store", "again=none", "feed=must", "feed=give", "stuck=pass", "end_at_most=2", "remaining=split", "remaining=nobody",
		"repetition=2", "no_progress=20", "cycle_remaining=split", "partners=2", "lift=two", "skip_origin=true", "match=difference target=20",
		"match=difference target=100 max_rounds=3", "swap=loses-first", "swap=none", "start=rightmost", "capture=count counts=2,3"}
	for range 50 {
		var options []string
		for range 1 + r.IntN(3) {
			options = append(options, changes[r.IntN(len(changes))])
		}
		if text := strings.Join(options, " "); Settings.Check(Settings{Rules: row.Name, Options: text}) == nil {
			return row.Name, text
		}
	}
	return row.Name, ""
}

// randomLayout lays out the total as the opening requires.
func randomLayout(r *rand.Rand, g *engine.Game) string {
	row := g.Rules().PitsPerSide()
	seeds := make([]int, 2*row)
	var free []int
	for i := range seeds {
		if at := i % row; g.Rules().Opening == engine.OpeningFree || at > 0 && at < row-1 {
			free = append(free, i)
			seeds[i] = 1
		}
	}
	for n := len(free); n < g.Rules().Total; n++ {
		seeds[free[r.IntN(len(free))]]++
	}
	return engine.LayOut(seeds).String()
}
