package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"mancala/cmd/internal/cli"
	"mancala/engine"
	"mancala/web/movie"
)

// runGif reads one game record on standard input and writes the game as a moving picture.
// It refuses a record that breaks the rules, and writes nothing then.
func runGif(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	words, err := cli.ParseFlags(flag.NewFlagSet("gif", flag.ContinueOnError), args, errOut)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return fmt.Errorf("%w: gif reads standard input and takes no %.40q: mancala gif < FILE > FILE.gif",
			cli.ErrUsage, words[0])
	}
	records := newRecordScanner(in)
	if !records.next() {
		return errors.Join(records.err, fmt.Errorf("%w: there is no game record on standard input", cli.ErrUsage))
	}
	record, game, err := readRecord(records.text(), records.tooLong)
	if err != nil {
		return err
	}
	if records.next() {
		return fmt.Errorf("%w: there is more than one game record on standard input", cli.ErrUsage)
	}
	m := movie.New(game, winnersOf(record, game))
	for complete := false; !complete; {
		if complete, err = m.Draw(25); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
	_, err = out.Write(m.GIF())
	return err
}

// winnersOf returns the sides that have won a game: the side that the record names, or those
// with the most seeds in a game that has ended by itself.
func winnersOf(record *engine.Record, game *engine.Replay) []int {
	if name := record.Tag("Winner"); name != "" {
		side, _ := game.Game.SideNamed(name) // known: the record was played through
		return []int{side}
	}
	end := game.Start
	if n := len(game.Positions); n > 0 {
		end = game.Positions[n-1]
	}
	if end.Phase != engine.Over {
		return nil
	}
	return end.Leaders()
}
