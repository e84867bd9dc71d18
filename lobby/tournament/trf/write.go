package trf

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"mancala/lobby/tournament/crosstable"
)

// Write writes e as a report file in the format TRF26. [Read] returns e again if its texts fit into their
// columns. It also fills in ranks, and the ends of forbidden pairs, that e lacks.
func Write(w io.Writer, e *crosstable.Event) error {
	out := &writer{Writer: bufio.NewWriter(w)}
	out.text("012", e.Name)
	out.text("022", e.City)
	out.text("032", e.Federation)
	out.text("042", e.Starts)
	out.text("052", e.Ends)
	out.record("062", "%d", len(e.Players))
	out.text("092", systems[e.System])
	out.text("102", e.Arbiter)
	out.text("122", e.Clock)
	if e.Rounds > 0 {
		out.record("142", "%d", e.Rounds)
	}
	out.text("152", map[bool]string{true: "W", false: "B"}[e.OddFirst])
	out.points(e.Points)
	if e.System == crosstable.Swiss {
		out.text("192", "FIDE_DUTCH_2025")
	}
	out.text("202", strings.Join(e.TieBreaks, ","))
	for i := range e.Players {
		out.extra(&e.Players[i])
	}
	for _, b := range e.Asked {
		out.record("240", "%c %3d%s", b.Code, b.Round, columns(b.Players))
	}
	if e.Coming > 0 {
		out.record("###", "%s %d", comingComment, e.Coming)
	}
	for _, f := range e.Forbidden {
		out.forbidden(f, e.Rounds)
	}
	ranks := places(e)
	for i := range e.Players {
		out.player(e, &e.Players[i], ranks[i])
	}
	for i := range e.Players {
		out.seeds(&e.Players[i])
	}
	return out.Flush()
}

// systems are the words of record 092.
var systems = map[crosstable.System]string{
	crosstable.Swiss: "Swiss System", crosstable.RoundRobin: "Round Robin", crosstable.DoubleRoundRobin: "Double Round Robin",
}

// writer writes records. Each line ends with a carriage return, as the format says.
type writer struct{ *bufio.Writer }

func (w *writer) record(code, format string, args ...any) {
	fmt.Fprintf(w, "%s %s\r", code, fmt.Sprintf(format, args...))
}

// text writes a record of free text, unless the text is empty.
func (w *writer) text(code, text string) {
	if text = oneLine(text); text != "" {
		w.record(code, "%s", text)
	}
}

// oneLine returns text without characters that would end or hide a line.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, text))
}

// cell returns text in a field of the given number of columns, at its left end.
func cell(text string, columns int) string {
	runes := []rune(oneLine(text))
	runes = runes[:min(len(runes), columns)]
	return string(runes) + strings.Repeat(" ", columns-len(runes))
}

func decimal(t crosstable.Tenths) string { return fmt.Sprintf("%d.%d", t/10, t%10) }

// points writes what results are worth, unless they are worth the usual.
func (w *writer) points(p crosstable.Points) {
	if p == crosstable.Usual {
		return
	}
	line := ""
	for _, worth := range []struct {
		letter string
		points crosstable.Tenths
	}{{"W", p.Win}, {"D", p.Draw}, {"L", p.Loss}, {"A", p.Absent}, {"P", p.Bye}} {
		line += fmt.Sprintf(" %s%4s   ", worth.letter, decimal(worth.points))
	}
	w.record("162", "%s", strings.TrimRight(line, " "))
}

// extra writes the points that count for the pairing alone, one record for rounds in a row.
func (w *writer) extra(p *crosstable.Player) {
	for from := 0; from < len(p.Extra); {
		to := from + 1
		for to < len(p.Extra) && p.Extra[to] == p.Extra[from] {
			to++
		}
		if p.Extra[from] != 0 {
			w.record("250", "     %4s %3d %3d %4d %4d", decimal(p.Extra[from]), from+1, to, p.Number, p.Number)
		}
		from = to
	}
}

func (w *writer) forbidden(f crosstable.Forbidden, rounds int) {
	to := f.To
	if to == 0 {
		to = max(rounds, f.From)
	}
	w.record("260", "%3d %3d%s", f.From, to, columns(f.Players))
}

// columns returns numbers of players in columns of their own.
func columns(players []int) (line string) {
	for _, n := range players {
		line += fmt.Sprintf(" %4d", n)
	}
	return line
}

func (w *writer) player(e *crosstable.Event, p *crosstable.Player, rank int) {
	rating := ""
	if p.Rating != 0 {
		rating = fmt.Sprint(p.Rating)
	}
	line := fmt.Sprintf("%4d %s%s %s %4s %s %11s %s %4s %4d", p.Number, cell(p.Sex, 1), cell(p.Title, 3), cell(p.Name, 33), rating,
		cell(p.Federation, 3), strings.TrimSpace(cell(p.ID, 11)), cell(p.Birth, 10), decimal(e.Score(p, len(p.Results))), rank)
	for _, r := range p.Results {
		line += "  " + round(r)
	}
	w.record("001", "%s", line)
}

// seeds writes the seed differences of a player's rounds as a comment, since the format has no
// place for them. Other programs skip it.
func (w *writer) seeds(p *crosstable.Player) {
	line, known := fmt.Sprintf("%s %4d", seedsComment, p.Number), false
	for _, r := range p.Results {
		line += fmt.Sprintf(" %+d", r.Seeds)
		known = known || r.Seeds != 0
	}
	if known {
		w.record("###", "%s", line)
	}
}

// Words that begin comments.
const (
	seedsComment  = "seeds"  // the seed differences of a player
	comingComment = "coming" // the round to come, whose absent players are all in the file
)

// round writes one round of a player in eight columns.
func round(r crosstable.Result) string {
	code := r.Code
	if code == crosstable.Unfinished {
		code = ' '
	}
	if r.Opponent == 0 {
		return fmt.Sprintf("0000 - %c", code)
	}
	side := 'b'
	if r.First {
		side = 'w'
	}
	return fmt.Sprintf("%4d %c %c", r.Opponent, side, code)
}

// places returns the place of each player in the standings: those that were given, or else
// by points and number.
func places(e *crosstable.Event) []int {
	order := make([]int, len(e.Players))
	ranks := make([]int, len(e.Players))
	given := true
	for i := range e.Players {
		order[i], ranks[i] = i, e.Players[i].Rank
		given = given && ranks[i] != 0
	}
	if given {
		return ranks
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &e.Players[i], &e.Players[j]
		return int(e.Score(b, len(b.Results)) - e.Score(a, len(a.Results)))
	})
	for place, i := range order {
		ranks[i] = place + 1
	}
	return ranks
}
