package match

import (
	"container/list"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/match/refusal"
)

// ruleset is a rule set made ready, with its names. It is shared by all matches
// that play it and never changes.
type ruleset struct {
	system, options, title, canonical string

	rules engine.Rules
	game  *engine.Game
}

// newRuleset reads what people may choose: a system and changes to it.
func newRuleset(system, options string) (*ruleset, error) {
	if len(options) > maxOptions {
		return nil, refusal.New(CodeBadSettings)
	}
	base, ok := engine.System(system)
	if !ok {
		return nil, refuseRules(&engine.RulesError{Control: "system", Reason: "is not known"})
	}
	rules, err := base.With(strings.Fields(options)...)
	if err != nil {
		return nil, refuseRules(err)
	}
	if err := openRules(rules); err != nil {
		return nil, refuseRules(err)
	}
	title := system
	for _, row := range engine.Systems {
		if row.Name == system {
			title = row.Title
		}
	}
	set, err := rulesets.get(system, strings.Join(rules.Changes(base), " "), title, rules.String())
	if err != nil {
		return nil, refuseRules(err)
	}
	return set, nil
}

const (
	maxOptions    = 1000 // bytes
	maxNoProgress = 1000 // plies
)

// openRules refuses what the rules allow and a public server should not: games
// that may go on for thousands of plies without anything being won (RULES.md §7.7).
func openRules(r engine.Rules) error {
	ends := r.Store && r.Direction == engine.DirectionCCW && r.Relay != engine.RelayReverse && r.Feed != engine.FeedGive
	if !ends && (r.NoProgress == 0 || r.NoProgress > maxNoProgress) {
		return &engine.RulesError{Control: "no_progress", Reason: "must be from 1 to 1000 in a game that can go in circles"}
	}
	return nil
}

// rulesets are the rule sets in use lately. A match keeps the one it plays, so
// that forgetting one here costs only time.
var rulesets = cache{max: 256}

// cache is a bounded map that forgets what has not been used for longest. It is
// safe for concurrent use, and asked only when a match is created, changed or
// loaded.
type cache struct {
	max int

	mu    sync.Mutex
	byKey map[string]*list.Element
	order list.List // of *ruleset, the latest used first
}

// get gives the rule set with these names. The canonical form alone says what is
// played; the rest is as it was when the match was made, whatever a later
// release calls it.
func (c *cache) get(system, options, title, canonical string) (*ruleset, error) {
	key := system + "\n" + options + "\n" + title + "\n" + canonical
	c.mu.Lock()
	if e, ok := c.byKey[key]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*ruleset), nil
	}
	c.mu.Unlock()
	rules, err := engine.ParseRules(canonical)
	if err != nil {
		return nil, err
	}
	game, err := engine.Compile(rules)
	if err != nil {
		return nil, err
	}
	s := &ruleset{strings.Clone(system), strings.Clone(options), strings.Clone(title), strings.Clone(canonical), rules, game}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok { // another match was quicker
		return e.Value.(*ruleset), nil
	}
	if c.byKey == nil {
		c.byKey = make(map[string]*list.Element)
	}
	c.byKey[key] = c.order.PushFront(s)
	if c.order.Len() > c.max {
		oldest := c.order.Back()
		c.order.Remove(oldest)
		s := oldest.Value.(*ruleset)
		delete(c.byKey, s.system+"\n"+s.options+"\n"+s.title+"\n"+s.canonical)
	}
	return s, nil
}
