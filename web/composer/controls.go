package composer

import (
	"html/template"
	"net/url"
	"strconv"

	"mancala/engine/compose"
	"mancala/web/learn"
	"mancala/web/messages"
)

// control is an option with its words.
type control struct {
	compose.Control
	Sentence string // about a number
	Board    learn.Figure
	Values   []value
	Each     []pit  // the seeds of each pit
	Uniform  string // the seeds of every pit, if they are the same
	Text     string // of a number; empty: never
	Hint     string // of a number that is empty
	Why      string // it stays as it is
}

// value is what one can choose.
type value struct {
	compose.Choice
	Text, Why string
	Take      template.URL // the query that chooses it together with what it needs
}

type pit struct {
	Number int
	Seeds  string
}

// controlOf adds words to an option of a rule set.
func controlOf(c *messages.Catalog, set RuleSet, one compose.Control, board learn.Figure) control {
	out := control{Control: one, Board: board, Why: why(c, one.Why)}
	switch one.Kind {
	case compose.Number:
		out.Hint = c.T("compose.never")
		if off := one.Number.HasOff && one.Value == strconv.Itoa(one.Number.Off); !off {
			out.Text, out.Sentence = one.Value, learn.Say(set.Rules, one.Name, one.Value, c.T)
		}
		return out
	case compose.Seeds:
		out.Uniform = learn.UniformSeeds(set.Rules)
		for i := range set.Rules.PitsPerSide() {
			seeds := ""
			if out.Uniform == "" {
				seeds = strconv.Itoa(set.Rules.SeedsIn(i))
			}
			out.Each = append(out.Each, pit{i + 1, seeds})
		}
		return out
	}
	for _, choice := range one.Choices {
		v := value{Choice: choice, Text: learn.Member(set.Rules, one.Option, choice.Value, c.T)}
		if one.Kind != compose.Set {
			v.Text = learn.Say(set.Rules, one.Name, choice.Value, c.T) // also of sides and rows, which have no words
		}
		if choice.Why != nil {
			v.Why, v.Take = why(c, choice.Why), set.takes(one, choice.Value)
		}
		out.Values = append(out.Values, v)
	}
	return out
}

// takes returns the query of a link that chooses a value together with all that it needs.
func (s RuleSet) takes(one compose.Control, value string) template.URL {
	if one.Kind == compose.Set && one.Value != "none" {
		value = one.Value + "," + value
	}
	if one.Kind == compose.Switch && one.Value == "true" {
		value = "false"
	}
	return s.Query() + "&take=" + template.URL(url.QueryEscape(one.Name+"="+value))
}
