package compose

import (
	"strings"

	"mancala/engine"
)

// Known is a game that people play by a name of its own, and that differs from a system only in options. So it has
// no row in [engine.Systems].
type Known struct {
	Name    string // in addresses and catalogs
	Title   string // the name shown to people
	System  string // the row with the fewest differences
	Options string // what differs from the system, in canonical form; empty: only the name does
}

// KnownRules are the named house rules of RULES.md §5, in its order.
var KnownRules = []Known{
	{"giuthi-kikuyu", "Giuthi of the Kikuyu", "giuthi", "cross_needs=side again=home"},
	{"toguz-korgool", "Toguz korgool", "toguz-kumalak", ""},
	{"toguz-kumalak-7", "Toguz kumalak with seven pits", "toguz-kumalak", "pits=7 seeds=7"},
	{"toguz-kumalak-5", "Toguz kumalak with five pits", "toguz-kumalak", "pits=5 seeds=5"},
	{"songo-duala", "Songo of the Duala", "songo", "seeds=8 count_spare=none"},
	{"songo-1931", "Songo as described in 1931", "songo", "counts=2,4"},
	{"bohnenspiel", "Bohnenspiel", "vai-lung-thlan", "seeds=6 direction=ccw counts=2,4,6 stuck=end"},
	{"hawalis", "Hawalis (Bao la kiarabu)", "maruba", "pits=7 seeds=2"},
	{"hus-full", "Hus, both opposite pits filled", "hus", "cross_depth=full"},
}

// Text returns the rules as the command line takes them.
func (k Known) Text() string { return strings.TrimSpace(k.System + " " + k.Options) }

// Rules returns the rules.
func (k Known) Rules() engine.Rules {
	r, err := engine.ParseRules(k.Text())
	if err != nil {
		panic("compose: " + k.Name + ": " + err.Error()) // a test reads every one
	}
	return r
}

// KnownAs returns the named house rules that are exactly r. It returns false if there are none.
func KnownAs(r engine.Rules) (Known, bool) {
	text := r.String()
	for _, k := range KnownRules {
		if k.Rules().String() == text {
			return k, true
		}
	}
	return Known{}, false
}

// KnownNamed returns the named house rules of a name. It returns false if there are none.
func KnownNamed(name string) (Known, bool) {
	for _, k := range KnownRules {
		if k.Name == name {
			return k, true
		}
	}
	return Known{}, false
}

// KnownOf returns the named house rules of a system.
func KnownOf(system string) (all []Known) {
	for _, k := range KnownRules {
		if k.System == system {
			all = append(all, k)
		}
	}
	return all
}
