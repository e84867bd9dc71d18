package lobby

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/match/refusal"
)

// Pref is a setting of a player, for all games and devices: how things look, sound and
// are played.
type Pref struct {
	Name   string
	Usual  string   // the value for a player who has chosen none
	Values []string // in the order in which pages offer them; nil for a number
	Max    int      // for a number, which is 0 to Max
}

// PrefNamed returns the setting with this name, which must exist.
func PrefNamed(name string) Pref {
	return AllPrefs[slices.IndexFunc(AllPrefs, func(p Pref) bool { return p.Name == name })]
}

// AllPrefs lists the settings, in the order in which they are stored.
var AllPrefs = []Pref{
	{"theme", "system", []string{"system", "light", "dark", "contrast", "wood"}, 0},
	{"look", "round", []string{"round", "cowrie", "bean", "glass"}, 0},
	{"counts", "both", []string{"both", "counts", "seeds"}, 0},
	{"heap", "12", []string{"6", "12", "24"}, 0}, // seeds shown one by one in a pit
	{"labels", "on", []string{"on", "off"}, 0},
	{"orient", "auto", []string{"auto", "h", "v"}, 0},
	{"turns", "off", []string{"off", "across", "on"}, 0},                 // the board of two at one screen; across: only the numbers of the far row are turned
	{"language", "auto", append([]string{"auto"}, LanguageTags()...), 0}, // auto: the browser's language
	{"dates", "auto", []string{"auto", "iso", "day", "month"}, 0},        // what comes first in a date; iso: the year; auto: as in the language
	{"speed", "normal", []string{"slow", "normal", "fast", "instant"}, 0},
	{"motion", "system", []string{"system", "on", "off"}, 0}, // "on" is reduced motion
	{"volume", "60", nil, 100},
	{"muted", "off", []string{"off", "on"}, 0},
	{"haptics", "system", []string{"system", "on", "off"}, 0},
	{"confirm", "auto", []string{"auto", "always", "never"}, 0},
	{"preview", "on", []string{"on", "off"}, 0},
	{"premove", "on", []string{"on", "off"}, 0},
	{"forced", "auto", []string{"auto", "on", "off"}, 0},
	{"keys", "on", []string{"on", "off"}, 0},
	{"field", "auto", []string{"auto", "on"}, 0},
	{"verbosity", "normal", []string{"brief", "normal", "full"}, 0},
	{"chat", "free", []string{"free", "presets", "off"}, 0},
	{"seen", "followers", []string{"followers", "nobody"}, 0}, // who can see that the player is online
	{"kids", "off", []string{"off", "on"}, 0},
	{"challenges", "everybody", []string{"everybody", "followed", "nobody"}, 0}, // who may challenge the player
	{"seekgame", "all", append([]string{"all"}, systems()...), 0},               // which seeks the lobby shows
	{"seekclock", "all", append([]string{"all"}, SeekClocks...), 0},
}

// SeekClocks are the clocks that the filter of seeks offers.
var SeekClocks = []string{"none", "3+2", "5+3", "10+5", "30+10", "3/move"}

func systems() (names []string) {
	for _, row := range engine.Systems {
		names = append(names, row.Name)
	}
	return names
}

func (p Pref) allows(value string) bool {
	if p.Values != nil {
		return slices.Contains(p.Values, value)
	}
	n, err := strconv.Atoi(value)
	return err == nil && n >= 0 && n <= p.Max && strconv.Itoa(n) == value
}

// Prefs are the settings that a player has chosen, by name. A missing one has its usual
// value.
type Prefs map[string]string

// Get returns the value that applies: the chosen one or the usual one.
func (p Prefs) Get(pref Pref) string {
	if v, ok := p[pref.Name]; ok {
		return v
	}
	return pref.Usual
}

// readPrefs parses stored settings. It leaves out names and values that it does not
// know: a newer or an older release may have written them.
func readPrefs(text string) Prefs {
	kept := map[string]string{}
	for part := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(part, "=")
		kept[name] = value
	}
	p := Prefs{}
	for _, pref := range AllPrefs {
		if v, ok := kept[pref.Name]; ok && pref.allows(v) {
			p[pref.Name] = v
		}
	}
	return p
}

// text returns the stored form, "theme=dark volume=30". It leaves out settings with the
// usual value.
func (p Prefs) text() string {
	var parts []string
	for _, pref := range AllPrefs {
		if v := p.Get(pref); v != pref.Usual {
			parts = append(parts, pref.Name+"="+v)
		}
	}
	return strings.Join(parts, " ")
}

// Check refuses with [CodePref] an unknown setting, or a value that its setting does not
// have.
func (p Prefs) Check() error {
	for name, value := range p {
		i := slices.IndexFunc(AllPrefs, func(pref Pref) bool { return pref.Name == name })
		if i < 0 || !AllPrefs[i].allows(value) {
			return refusal.New(CodePref)
		}
	}
	return nil
}

// Prefs returns the settings of a player. For a player that does not exist, all have the
// usual value.
func (p *People) Prefs(ctx context.Context, id string) (Prefs, error) {
	var text string
	err := p.db.Reader().QueryRowContext(ctx, "SELECT prefs FROM players WHERE id = $1", id).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, wrap(err, "read settings of %s", id)
	}
	return readPrefs(text), nil
}

// SetPrefs changes some of a player's settings, all or none, and returns all of the
// player's settings. The others stay, so that two tabs may change two settings at once.
// It refuses with [CodePref] and [CodeNoPlayer].
func (p *People) SetPrefs(ctx context.Context, id string, change Prefs) (Prefs, error) {
	if err := change.Check(); err != nil {
		return nil, err
	}
	var all Prefs
	err := p.db.Write(ctx, func(tx Tx) error {
		var text string
		if err := tx.Scan("SELECT prefs FROM players WHERE id = $1", []any{id}, &text); err != nil {
			return err
		}
		all = readPrefs(text)
		for name, value := range change {
			all[name] = value
		}
		_, err := tx.Exec("UPDATE players SET prefs = $2 WHERE id = $1", id, all.text())
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, refusal.New(CodeNoPlayer)
	}
	return all, wrap(err, "keep settings of %s", id)
}
