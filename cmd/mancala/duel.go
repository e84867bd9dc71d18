package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/engine"
	"mancala/engine/search"
)

// runDuel plays games between two bots. They start from random openings, and each opening
// is played from both sides. After an opening the score so far is printed, at most once a minute: strong
// levels play for hours.
func runDuel(ctx context.Context, args []string, _ io.Reader, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("duel", flag.ContinueOnError)
	rules := fs.String("rules", "kalah", "the game, with its house rules")
	d := search.Duel{}
	fs.IntVar(&d.Openings, "openings", 50, "random openings, each played from both sides")
	fs.IntVar(&d.Random, "random", 6, "random plies of an opening")
	fs.Float64Var(&d.Within, "within", 3, "replace openings that are worth more seeds than this to one side; 0: keep all")
	fs.Uint64Var(&d.Number, "number", 1, "the same number gives the same openings")
	fs.BoolVar(&d.Sequential, "sequential", false, "stop as soon as it is clear whether A is better; the exit status is 1 if A gets no more than half of the points")
	words, err := cli.ParseFlags(fs, args, errOut)
	if err != nil {
		return err
	}
	if len(words) != 2 || d.Openings < 1 || d.Random < 0 || d.Random > 100 {
		return fmt.Errorf("%w: mancala duel A B; each a level (%s) or nodes=N[,WEIGHT=N ...], time=T, plain=DEPTH, time=equal", cli.ErrUsage, levelNames())
	}
	if d.Game, _, err = gameFromWords([]string{*rules}); err != nil {
		return err
	}
	for i, word := range words {
		if word == "time=equal" {
			d.Equal = i + 1
		}
		if d.Movers[i], err = mover(d.Game, word); err != nil {
			return err
		}
	}
	told := time.Now()
	tally, err := d.Run(ctx, func(so search.Tally) {
		if time.Since(told) < time.Minute {
			return
		}
		told = time.Now()
		points, games := so.Score()
		fmt.Fprintf(errOut, "%g of %d so far\n", points, games)
	})
	if points, games := tally.Score(); games > 0 {
		fmt.Fprintf(out, "%s against %s, %s: %g of %d (won %d, drawn %d, lost %d)\n", words[0], words[1], *rules, points, games, tally.Won, tally.Drawn, tally.Lost)
		fmt.Fprintf(out, "%.3f of the points, ± %.3f (95%%)\n", points/float64(games), tally.Interval())
		if d.Game.Shape().Sides == 2 {
			fmt.Fprintf(out, "%.3f of the points for South, who moves first\n", tally.South/float64(games))
		}
		for i, word := range words {
			fmt.Fprintf(out, "%s: %d moves, %v and %d nodes each\n", word, tally.Moves[i],
				(tally.Time[i] / time.Duration(max(1, tally.Moves[i]))).Round(time.Microsecond), tally.Nodes[i]/uint64(max(1, tally.Moves[i])))
		}
		if err == nil && d.Sequential && points <= float64(games)/2 {
			fmt.Fprintf(errOut, "mancala duel: %s is not better than %s\n", words[0], words[1])
			err = cli.ErrSilent
		}
	}
	return err
}

// levelNames returns the levels with their numbers.
func levelNames() string {
	var names []string
	for i, l := range search.Levels {
		names = append(names, fmt.Sprintf("%d %s", i+1, l.Name))
	}
	return strings.Join(names, ", ")
}

// mover returns the bot that word names: a level by number or name, or a setting.
func mover(g *engine.Game, word string) (search.Mover, error) {
	i := slices.IndexFunc(search.Levels[:], func(l search.Level) bool { return strings.EqualFold(l.Name, word) })
	if n, err := strconv.Atoi(word); err == nil {
		i = n - 1
	}
	if i >= 0 && i < len(search.Levels) {
		return search.Levels[i].Player(g), nil
	}
	budget, weights, _ := strings.Cut(word, ",")
	key, value, _ := strings.Cut(budget, "=")
	limits := search.Limits{}
	var err error
	switch key {
	case "plain":
		depth, err := strconv.Atoi(value)
		if err != nil || depth < 1 || depth > 20 {
			return nil, fmt.Errorf("%w: %s: the depth must be 1 to 20", cli.ErrUsage, word)
		}
		return search.Plain{Game: g, Depth: depth}, nil
	case "nodes":
		limits.Nodes, err = strconv.ParseUint(value, 10, 64)
	case "time":
		if limits.Time = 100 * time.Millisecond; value != "equal" {
			limits.Time, err = time.ParseDuration(value)
		}
	default:
		return nil, fmt.Errorf("%w: %.40q is neither a level (%s) nor a setting", cli.ErrUsage, word, levelNames())
	}
	if err != nil || limits.Nodes == 0 && limits.Time <= 0 {
		return nil, fmt.Errorf("%w: %.40s is not a budget", cli.ErrUsage, word)
	}
	memory := int64(64 << 20)
	if value == "equal" {
		memory = 512 << 10 // enough for the few thousand positions of a move, and it fits the CPU cache
	}
	s := search.New(g, memory)
	if weights != "" {
		w, err := weightsFrom(g, weights)
		if err != nil {
			return nil, err
		}
		s.Weigh(w)
	}
	return search.Fixed{Searcher: s, Limits: limits}, nil
}

// weightsFrom reads weights of the evaluation, such as "exposed=-2,inner=6". The others stay as they are.
func weightsFrom(g *engine.Game, text string) (search.Weights, error) {
	w := search.WeightsOf(g.Rules())
	features := w.Features(g.Rules())
	for change := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(change, "=")
		i := slices.IndexFunc(features, func(f search.Feature) bool { return f.Name == name })
		n, err := strconv.ParseInt(value, 10, 8)
		if i < 0 || err != nil {
			return w, fmt.Errorf("%w: %.40q is no weight of this game from -128 to 127; it has %s", cli.ErrUsage, change, weightsText(g, w))
		}
		*features[i].Weight = int32(n)
	}
	return w, nil
}

// weightsText writes the weights that count in a game, as words of duel have them.
func weightsText(g *engine.Game, w search.Weights) string {
	var words []string
	for _, f := range w.Features(g.Rules()) {
		words = append(words, fmt.Sprintf("%s=%d", f.Name, *f.Weight))
	}
	return strings.Join(words, ",")
}
