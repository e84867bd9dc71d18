package crosstable

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// A Problem is the error of a report file that can't be used. The error's text is English. Pages have
// texts of their own for each code.
type Problem struct {
	Code   string `json:"code"`
	Line   int    `json:"line,omitempty"` // from 1; 0 if no single line is at fault
	Round  int    `json:"round,omitempty"`
	Number int    `json:"number,omitempty"` // of a player
	Other  int    `json:"other,omitempty"`  // the number of that player's opponent
	Most   int    `json:"most,omitempty"`
	Text   string `json:"text,omitempty"`  // from the file, at most 20 characters
	Worth  string `json:"worth,omitempty"` // the points that the results give
}

// ProblemTexts are the problems in English, by code. A word in braces stands for the field of that name.
var ProblemTexts = map[string]string{
	"missing":      "there is no player with the number {number}",
	"twice":        "the number {number} is there twice",
	"number":       "“{text}” is not a number from 1 to {most}",
	"points":       "“{text}” is not a number of points",
	"rating":       "“{text}” is not a rating",
	"colour":       "“{text}” is not a colour",
	"result":       "“{text}” is not a result",
	"bye":          "“{text}” is not a bye",
	"letter":       "points for “{text}” can't be read",
	"seeds":        "“{text}” is not a difference of seeds",
	"seeds-round":  "number {number} has seeds of a round that is not there",
	"self":         "number {number} meets themselves",
	"opponent":     "number {number} meets {other}, who is not there",
	"disagree":     "the lines of {number} and {other} disagree",
	"bye-opponent": "a bye has an opponent",
	"game-alone":   "a game has no opponent",
	"game-colour":  "a game has no colour",
	"rounds":       "there are more than {most} rounds",
	"long":         "the file is longer than {most} bytes",
	"sum":          "number {number} has {text} points, but the results are worth {worth}",
	"teams":        "tournaments of teams can't be read",
	"system":       "the tournament in the file is not a Swiss",
	"other-points": "the file counts other points than 1, ½ and 0",
	"first":        "number 1 did not move first in round 1",
	"extra":        "number {number} has points for the pairing alone",
	"unusable":     "the result of {number} against {other} can't be used",
	"full-bye":     "number {number} has a bye of a full point",
	"no-players":   "there are no players",
	"many":         "a file may have at most {most} players",
	"large":        "it has too many players and rounds to go on from",
	"apart":        "more than {most} pairs of players may not meet",
	"rating-range": "the rating is out of range",
	"name":         "the name can't be used",
}

// textRunes bounds what an error shows of a file.
const textRunes = 20

// Quoted returns a problem with a word of the file.
func Quoted(code, word string) *Problem {
	if r := []rune(word); len(r) > textRunes {
		word = string(r[:textRunes])
	}
	return &Problem{Code: code, Text: strings.ToValidUTF8(word, "\ufffd")}
}

func (p *Problem) Error() string {
	text := strings.NewReplacer(
		"{number}", strconv.Itoa(p.Number), "{other}", strconv.Itoa(p.Other), "{most}", strconv.Itoa(p.Most),
		"{text}", p.Text, "{worth}", p.Worth,
	).Replace(cmp.Or(ProblemTexts[p.Code], p.Code))
	if p.Round > 0 {
		text = fmt.Sprintf("round %d: %s", p.Round, text)
	}
	if p.Line > 0 {
		text = fmt.Sprintf("line %d: %s", p.Line, text)
	}
	return text
}
