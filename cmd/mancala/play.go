package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mancala/cmd/internal/cli"
	"mancala/engine"
)

// runPlay plays a game in the terminal, with all players at one keyboard.
func runPlay(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	words, err := cli.ParseFlags(flag.NewFlagSet("play", flag.ContinueOnError), args, errOut)
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

// rows returns the pits of a side, row by row from the top, as South sees them. The first
// row of a side is the outer one and runs to the side's right. The second row runs back.
func rows(r engine.Rules, side int) [][]int {
	var list [][]int
	for row := range r.Rows {
		var pits []int
		for i := range r.Pits {
			pits = append(pits, row*r.Pits+i)
		}
		if (side == 0) == (row == 1) {
			slices.Reverse(pits)
		}
		list = append(list, pits)
	}
	if side == 0 {
		slices.Reverse(list)
	}
	return list
}

// inPit returns the seeds of a pit and its marks, as in the text of a position: "6h!", or "x" for a claimed pit.
func inPit(p *engine.Position, slot int) string {
	if marks := p.Marks.Of(slot); marks != "x" {
		return strconv.Itoa(int(p.Slots[slot])) + marks
	}
	return "x"
}

// draw prints the board as South sees it, with the other sides above, and the legal moves.
func draw(out io.Writer, g *engine.Game, p *engine.Position) {
	shape, rules := g.Shape(), g.Rules()
	stores, wide := "won", 2
	if rules.Reserve > 0 && p.Phase != engine.Over {
		stores = "in hand"
	}
	if rules.House != engine.HouseNone || rules.Block {
		wide = 4 // "12h!"
	}
	fmt.Fprintln(out)
	for side := int(shape.Sides) - 1; side >= 0; side-- {
		fmt.Fprintf(out, "%-6s %s %d\n", shape.SeatTag(engine.Seat(side)), stores, p.Score(side))
		for _, row := range rows(rules, side) {
			var pits []string
			for _, i := range row {
				pits = append(pits, fmt.Sprintf("%c:%-*s", 'a'+i, wide, inPit(p, shape.Slot(side, i))))
			}
			fmt.Fprintf(out, "       %s\n", strings.Join(pits, " "))
		}
	}
	if p.Phase == engine.Setup {
		fmt.Fprintf(out, "Lay out %d seeds, for example =12.12.…/12.12.…\n", g.Rules().Total)
		return
	}
	if moves := g.LegalMoves(p, nil); len(moves) > 0 {
		fmt.Fprintln(out, "Moves:", strings.Join(moveTexts(moves), " "))
	}
}
