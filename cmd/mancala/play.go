package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"mancala/engine"
)

// runPlay plays in a terminal, everybody at one keyboard.
func runPlay(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	words, err := parseFlags(flag.NewFlagSet("play", flag.ContinueOnError), args, errOut)
	if err != nil {
		return err
	}
	g, _, err := gameFromWords(words)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n\nType a move as in the list, or quit.\n", g.Rules().Describe())
	p, h, lines := g.Start(), &engine.History{}, bufio.NewScanner(in)
	for p.Phase != engine.Over && ctx.Err() == nil {
		draw(out, g, &p)
		fmt.Fprintf(out, "%s> ", g.Shape().SeatTag(p.Seat))
		if !lines.Scan() {
			fmt.Fprintln(out)
			return lines.Err()
		}
		text := strings.TrimSpace(lines.Text())
		if text == "quit" {
			return nil
		}
		m, ok := engine.ParseMove(text)
		if !ok {
			fmt.Fprintln(out, "That is not a move.")
			continue
		}
		var refused *engine.MoveError
		if err := g.Play(&p, h, m, nil); errors.As(err, &refused) {
			fmt.Fprintf(out, "No: %s.\n", refused.Message())
		}
	}
	draw(out, g, &p)
	fmt.Fprintf(out, "Over (%s): %s.\n", p.End, p.ResultText())
	return ctx.Err()
}

// draw prints the board as South sees it: the other sides above, their pits from
// right to left, and what may be played.
func draw(out io.Writer, g *engine.Game, p *engine.Position) {
	shape := g.Shape()
	fmt.Fprintln(out)
	for side := int(shape.Sides) - 1; side >= 0; side-- {
		var pits []string
		for i := range int(shape.Pits) {
			if side > 0 {
				i = int(shape.Pits) - 1 - i
			}
			pits = append(pits, fmt.Sprintf("%c:%-2d", 'a'+i, p.Slots[shape.Slot(side, i)]))
		}
		fmt.Fprintf(out, "%-6s %s   won %d\n", shape.SeatTag(engine.Seat(side)), strings.Join(pits, " "), p.Score(side))
	}
	if p.Phase == engine.Setup {
		fmt.Fprintf(out, "Lay out %d seeds, for example =12.12.…/12.12.…\n", g.Rules().Total)
		return
	}
	if moves := g.LegalMoves(p, nil); len(moves) > 0 {
		fmt.Fprintln(out, "Moves:", strings.Join(moveTexts(moves), " "))
	}
}
