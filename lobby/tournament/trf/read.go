// Package trf reads and writes the report files of chess federations: TRF26, which FIDE
// approved on 12 May 2025 and applies from 1 September 2025, and TRF16 with the extensions of
// pairing programs (XXR, XXC, XXP, XXA, BBW ...).
//
// A file is lines of fixed columns. The first three characters say what a line holds.
package trf

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"mancala/lobby/tournament/crosstable"
)

// Limits of what is read. Files come from outside.
const (
	MaxBytes   = 8 << 20
	MaxPlayers = 9999 // a number has four columns
	MaxRounds  = 255
)

// reader collects what the lines of a file say.
type reader struct {
	event     *crosstable.Event
	given     map[int]crosstable.Tenths // the points in a player's line, by number
	byes      []crosstable.Asked
	seeds     map[int][]int // the seed differences by round, by number
	pointsSet bool          // the points of the pairing's bye were given
	firstSet  bool          // who moves first in round 1 was given

	accelerates [][MaxRounds/8 + 1]uint8 // by number: a bit for each round with points for the pairing alone
}

// Read reads a report file. A file that is not UTF-8 is read as Windows-1252, which many pairing programs write.
// The error is a [*crosstable.Problem], or that of r. A file of which the points don't follow from the results is
// an error, too.
func Read(r io.Reader) (*crosstable.Event, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("trf: %w", err)
	}
	if len(text) > MaxBytes {
		return nil, &crosstable.Problem{Code: "long", Most: MaxBytes}
	}
	if !utf8.Valid(text) { // the columns of a file count characters
		if text, err = charmap.Windows1252.NewDecoder().Bytes(text); err != nil {
			return nil, fmt.Errorf("trf: %w", err)
		}
	}
	in := &reader{event: &crosstable.Event{Points: crosstable.Usual, OddFirst: true}, given: map[int]crosstable.Tenths{}, seeds: map[int][]int{}}
	lines := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\r' || r == '\n' })
	for i, line := range lines {
		if err := in.line([]rune(strings.TrimPrefix(line, "\ufeff"))); err != nil {
			if problem, ok := errors.AsType[*crosstable.Problem](err); ok {
				problem.Line = i + 1
			}
			return nil, err
		}
	}
	if err := in.finish(); err != nil {
		return nil, err
	}
	return in.event, nil
}

// column returns the characters from column first to column last, both from 1, without the
// spaces around them.
func column(line []rune, first, last int) string {
	if first > len(line) {
		return ""
	}
	return strings.TrimSpace(string(line[first-1 : min(last, len(line))]))
}

func (in *reader) line(line []rune) error {
	if len(line) < 3 {
		return nil
	}
	e := in.event
	rest := column(line, 5, len(line))
	switch string(line[:3]) {
	case "001":
		return in.player(line)
	case "012":
		e.Name = rest
	case "022":
		e.City = rest
	case "032":
		e.Federation = rest
	case "042":
		e.Starts = rest
	case "052":
		e.Ends = rest
	case "092":
		for system, words := range systems {
			if strings.EqualFold(rest, words) {
				e.System = system
			}
		}
	case "102":
		e.Arbiter = rest
	case "122":
		e.Clock = rest
	case "142", "XXR":
		rounds, err := number(rest, MaxRounds)
		e.Rounds = rounds
		return err
	case "152":
		return in.initial(rest)
	case "XXC":
		for _, word := range strings.Fields(rest) {
			if word == "white1" || word == "black1" {
				e.OddFirst, in.firstSet = word == "white1", true
			}
		}
	case "162":
		return in.points(line)
	case "BBW", "BBD", "BBL", "BBZ", "BBU":
		return in.oldPoints(string(line[:3]), rest)
	case "202", "212":
		e.TieBreaks = strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' })
	case "240":
		return in.asked(line)
	case "250":
		return in.accelerated(line)
	case "XXA":
		return in.oldAccelerated(line)
	case "260":
		return in.forbidden(line)
	case "XXP":
		players, err := numbers(strings.Fields(rest))
		e.Forbidden = append(e.Forbidden, crosstable.Forbidden{Players: players, From: 1})
		return err
	case "###":
		switch words := strings.Fields(rest); {
		case len(words) > 1 && words[0] == seedsComment:
			return in.seedDifferences(words[1:])
		case len(words) == 2 && words[0] == comingComment:
			if coming, err := number(words[1], MaxRounds); err == nil { // or it is a comment of a person
				e.Coming = coming
			}
		}
	case "013", "310", "320":
		return &crosstable.Problem{Code: "teams"}
	}
	return nil
}

// number reads a number from 1 to most.
func number(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		problem := crosstable.Quoted("number", text)
		problem.Most = most
		return 0, problem
	}
	return n, nil
}

func numbers(words []string) ([]int, error) {
	var all []int
	for _, word := range words {
		n, err := number(word, MaxPlayers)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// tenths reads points such as 1.5 or 3.
func tenths(text string) (crosstable.Tenths, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	w, err := strconv.ParseUint(whole, 10, 16)
	var f uint64
	if err == nil && fraction != "" {
		f, err = strconv.ParseUint(fraction, 10, 8)
	}
	if err != nil || len(fraction) > 1 {
		return 0, crosstable.Quoted("points", text)
	}
	return crosstable.Tenths(10*w + f), nil
}

// player reads a line of a player.
func (in *reader) player(line []rune) error {
	n, err := number(column(line, 5, 8), MaxPlayers)
	if err != nil {
		return err
	}
	for len(in.event.Players) < n {
		in.event.Players = append(in.event.Players, crosstable.Player{})
	}
	p := in.event.Player(n)
	if p.Number != 0 {
		return &crosstable.Problem{Code: "twice", Number: n}
	}
	extra := p.Extra
	*p = crosstable.Player{
		Number: n, Sex: column(line, 10, 10), Title: column(line, 11, 13), Name: column(line, 15, 47),
		Federation: column(line, 54, 56), ID: column(line, 58, 68), Birth: column(line, 70, 79), Extra: extra,
	}
	if text := column(line, 49, 52); text != "" {
		if p.Rating, err = strconv.Atoi(text); err != nil || p.Rating < 0 {
			return crosstable.Quoted("rating", text)
		}
	}
	if in.given[n], err = tenths(column(line, 81, 84)); err != nil {
		return err
	}
	if text := column(line, 86, 89); text != "" {
		if p.Rank, err = number(text, MaxPlayers); err != nil {
			return err
		}
	}
	for at := 92; at <= len(line); at += 10 {
		round := 1 + (at-92)/10
		r, err := result(column(line, at, at+3), column(line, at+5, at+5), column(line, at+7, at+7))
		if err != nil {
			if problem, ok := errors.AsType[*crosstable.Problem](err); ok {
				problem.Round = round
			}
			return err
		}
		if r.Opponent == n {
			return &crosstable.Problem{Code: "self", Round: round, Number: n}
		}
		p.Results = append(p.Results, r)
	}
	if len(p.Results) > MaxRounds {
		return &crosstable.Problem{Code: "rounds", Most: MaxRounds}
	}
	for len(p.Results) > 0 && p.Results[len(p.Results)-1] == (crosstable.Result{}) {
		p.Results = p.Results[:len(p.Results)-1] // rounds that have not been paired yet
	}
	return nil
}

// result reads one round of a player: the opponent, the side and the result.
func result(opponent, side, code string) (r crosstable.Result, err error) {
	if opponent+side+code == "" {
		return r, nil
	}
	if opponent != "" && opponent != "0000" {
		if r.Opponent, err = number(opponent, MaxPlayers); err != nil {
			return r, err
		}
	}
	switch strings.ToLower(side) {
	case "w":
		r.First = true
	case "b", "-", "":
	default:
		return r, crosstable.Quoted("colour", side)
	}
	if r.Code = crosstable.Code(strings.ToUpper(code + "Z")[0]); code == "" && r.Opponent != 0 {
		r.Code = crosstable.Unfinished
	}
	switch {
	case !strings.ContainsRune("10=WDL+-HFUZ*", rune(r.Code)):
		return r, crosstable.Quoted("result", code)
	case r.Opponent != 0 && strings.ContainsRune("HFUZ", rune(r.Code)):
		return r, &crosstable.Problem{Code: "bye-opponent"}
	case r.Opponent == 0 && r.Code.Played():
		return r, &crosstable.Problem{Code: "game-alone"}
	case r.Code.Played() && side != "w" && side != "b" && side != "W" && side != "B":
		return r, &crosstable.Problem{Code: "game-colour"}
	}
	return r, nil
}

// initial reads who moves first in round 1 (record 152).
func (in *reader) initial(text string) error {
	in.firstSet = true
	switch strings.ToUpper(text) {
	case "W", "WHITE1":
		in.event.OddFirst = true
	case "B", "BLACK1":
		in.event.OddFirst = false
	default:
		return crosstable.Quoted("colour", text)
	}
	return nil
}

// points reads record 162: letters with what they are worth, such as W 1.0.
func (in *reader) points(line []rune) error {
	for at := 6; at+4 <= len(line); at += 9 {
		if err := in.worth(column(line, at, at), column(line, at+1, at+4)); err != nil {
			return err
		}
	}
	return nil
}

// oldPoints reads what records such as BBW say of a result's worth.
func (in *reader) oldPoints(record, text string) error {
	letter := map[string]string{"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBU": "P"}[record]
	return in.worth(letter, text)
}

func (in *reader) worth(letter, text string) error {
	points, err := tenths(text)
	if err != nil {
		return err
	}
	worth := &in.event.Points
	switch letter {
	case "W":
		worth.Win = points
		if !in.pointsSet {
			worth.Bye = points
		}
	case "D":
		worth.Draw = points
	case "L":
		worth.Loss = points
	case "A", "Z":
		worth.Absent = points
	case "P":
		worth.Bye, in.pointsSet = points, true
	default:
		return crosstable.Quoted("letter", letter)
	}
	return nil
}

// maxSeeds bounds a seed difference: no board has more seeds.
const maxSeeds = 999

// seedDifferences reads a comment that [Write] has made.
func (in *reader) seedDifferences(words []string) error {
	n, err := number(words[0], MaxPlayers)
	if err != nil {
		return err
	}
	if len(words) > MaxRounds+1 {
		return &crosstable.Problem{Code: "rounds", Most: MaxRounds}
	}
	in.seeds[n] = nil
	for _, word := range words[1:] {
		seeds, err := strconv.Atoi(word)
		if err != nil || seeds < -maxSeeds || seeds > maxSeeds {
			return crosstable.Quoted("seeds", word)
		}
		in.seeds[n] = append(in.seeds[n], seeds)
	}
	return nil
}

// asked reads record 240: byes that players have asked for in a round that is not paired yet.
func (in *reader) asked(line []rune) error {
	b := crosstable.Asked{Code: crosstable.Absent}
	if code := column(line, 5, 5); code != "" {
		if b.Code = crosstable.Code(code[0]); !strings.Contains("FHZ", code) {
			return crosstable.Quoted("bye", code)
		}
	}
	var err error
	if b.Round, err = number(column(line, 7, 9), MaxRounds); err != nil {
		return err
	}
	b.Players, err = numbers(strings.Fields(column(line, 11, len(line))))
	in.byes = append(in.byes, b)
	return err
}

// accelerated reads record 250: points that count for the pairing of some rounds alone.
func (in *reader) accelerated(line []rune) error {
	points, err := tenths(column(line, 10, 13))
	from, err1 := number(column(line, 15, 17), MaxRounds)
	to, err2 := number(column(line, 19, 21), MaxRounds)
	first, err3 := number(column(line, 23, 26), MaxPlayers)
	last, err4 := number(column(line, 28, 31), MaxPlayers)
	if err := errors.Join(err, err1, err2, err3, err4); err != nil {
		return err
	}
	for n := first; n <= last; n++ {
		for round := from; round <= to; round++ {
			if err := in.extra(n, round, points); err != nil {
				return err
			}
		}
	}
	return nil
}

// oldAccelerated reads record XXA: the same for one player, round by round.
func (in *reader) oldAccelerated(line []rune) error {
	n, err := number(column(line, 5, 8), MaxPlayers)
	if err != nil {
		return err
	}
	for at := 10; at+3 <= len(line); at += 5 {
		text := column(line, at, at+3)
		if text == "" {
			continue
		}
		points, err := tenths(text)
		if err != nil {
			return err
		}
		if err := in.extra(n, 1+(at-10)/5, points); err != nil {
			return err
		}
	}
	return nil
}

// extra notes extra points of a player, whose own line may come later. A round has them once, so that
// a small file of many records does not keep the reader busy for minutes.
func (in *reader) extra(n, round int, points crosstable.Tenths) error {
	if round > MaxRounds {
		return &crosstable.Problem{Code: "rounds", Most: MaxRounds}
	}
	for len(in.accelerates) <= n {
		in.accelerates = append(in.accelerates, [MaxRounds/8 + 1]uint8{})
	}
	rounds, bit := &in.accelerates[n], uint8(1)<<(round%8)
	if rounds[round/8]&bit != 0 {
		return &crosstable.Problem{Code: "twice", Number: n, Round: round}
	}
	rounds[round/8] |= bit
	for len(in.event.Players) < n {
		in.event.Players = append(in.event.Players, crosstable.Player{})
	}
	p := in.event.Player(n)
	for len(p.Extra) < round {
		p.Extra = append(p.Extra, 0)
	}
	p.Extra[round-1] = points
	return nil
}

// forbidden reads record 260: players who may not meet in some rounds.
func (in *reader) forbidden(line []rune) error {
	from, err := number(column(line, 5, 7), MaxRounds)
	to, err1 := number(column(line, 9, 11), MaxRounds)
	players, err2 := numbers(strings.Fields(column(line, 13, len(line))))
	in.event.Forbidden = append(in.event.Forbidden, crosstable.Forbidden{Players: players, From: from, To: to})
	return errors.Join(err, err1, err2)
}
