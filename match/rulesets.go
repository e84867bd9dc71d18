package match

import (
	"container/list"
	"strings"
	"sync"

	"mancala/engine"
	"mancala/match/refusal"
)

// ruleset is a compiled rule set with its names. All matches that play it share it,
// and it never changes.
type ruleset struct {
	system, options, title, canonical string

	rules  engine.Rules
	game   *engine.Game
	recent bool // the release before this one does not know the rules
}

// same reports whether two rule sets are the same. A room and a change of its settings may hold two
// copies of one rule set, because [rulesets] evicts.
func (r *ruleset) same(o *ruleset) bool {
	return r == o ||
		r.system == o.system && r.options == o.options && r.title == o.title && r.canonical == o.canonical
}

// newRuleset makes the rule set of a system with changes to it.
func newRuleset(system, options string) (*ruleset, error) {
	if len(options) > maxOptions {
		return nil, refusal.New(CodeBadSettings)
	}
	if options == "" {
		if set := unchanged.get(system); set != nil {
			return set, nil
		}
	}
	base, ok := engine.System(system)
	if !ok {
		return nil, refuseRules(&engine.RulesError{Control: "system", Reason: "is not known"})
	}
	rules, err := base.With(strings.Fields(options)...)
	if err != nil {
		return nil, refuseRules(err)
	}
	if engine.Public.In(rules) {
		return nil, refuseRules(engine.Public.Err())
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
	if options == "" {
		unchanged.put(set)
	}
	return set, nil
}

// unchanged caches the rule sets without options, by system. To find such a set in [rulesets] takes
// longer than the rest of the first entry of a match, because its key has all options of the set.
//
// It is not a [sync.Map]: where its methods are inlined, other packages compile the generic
// methods behind sync.Map again.
var unchanged usual

// usual are rule sets by system.
type usual struct {
	mu       sync.RWMutex
	bySystem map[string]*ruleset
}

// get returns the rule set of a system, or nil.
func (u *usual) get(system string) *ruleset {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.bySystem[system]
}

func (u *usual) put(set *ruleset) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.bySystem == nil {
		u.bySystem = map[string]*ruleset{}
	}
	u.bySystem[set.system] = set
}

// Game returns the rules of a system with options applied, and the compiled game, which
// never changes. The rule sets that were used last are cached.
func Game(system, options string) (engine.Rules, *engine.Game, error) {
	set, err := newRuleset(system, options)
	if err != nil {
		return engine.Rules{}, nil, err
	}
	return set.rules, set.game, nil
}

const maxOptions = 1000 // bytes

// rulesets caches the rule sets that were used last. A match keeps a reference to
// its own, so an eviction costs only time.
var rulesets = cache{max: 256}

// cache is a bounded map that evicts the least recently used rule set. It is safe
// for concurrent use. It is used only when a match is created, changed or loaded.
type cache struct {
	max int

	mu    sync.Mutex
	byKey map[string]*list.Element
	order list.List // of *ruleset, the latest used first
}

// get returns the rule set with these names. Only the canonical form decides what is
// played. The other names stay as they were when the match was created, even if a
// later release changes them.
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
	s := &ruleset{strings.Clone(system), strings.Clone(options), strings.Clone(title), strings.Clone(canonical), rules, game, rules.Recent()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok { // another match was faster
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
