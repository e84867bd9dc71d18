// Package messages holds every text for people, in each language. A catalog is one
// JSON file. The package chooses the language for a request and fills the texts in.
//
// It knows no page and no frame.
package messages

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"mancala/engine"
	"mancala/lobby"
	"mancala/match/refusal"
)

// Catalog holds the user-visible texts of one language. Its file is a flat object. A
// key maps to a text with places such as {name}, or to an object of plural forms
// chosen by {n}.
type Catalog struct {
	Lang  string
	Name  string // the language's own name for itself
	Read  bool   // a native speaker has read it
	tag   language.Tag
	raw   string                    // the file
	text  func() map[string]plurals // parses the file when it is first asked for
	point string                    // before the decimals of a number
}

// plurals are the forms of a text by CLDR category. The form "other" always exists.
type plurals map[string]string

// formsOf returns the forms of a text in a catalog's file. A plain text is the form for every number.
func formsOf(text any) (plurals, error) {
	forms := plurals{}
	switch text := text.(type) {
	case string:
		forms["other"] = text
	case map[string]any:
		for form, v := range text {
			s, ok := v.(string)
			if !ok {
				return nil, fmt.Errorf("its form %q is no text", form)
			}
			forms[form] = s
		}
	}
	if _, ok := forms["other"]; !ok {
		return nil, errors.New("it has no form \"other\"")
	}
	return forms, nil
}

//go:embed *.json
var texts embed.FS

// source is part of what names the file of [Catalog.BrowserTexts].
//
//go:embed messages.go
var source string

// Load reads the catalog of one of the languages in package lobby.
func Load(lang string) (*Catalog, error) {
	c, err := find(lang)
	if err != nil {
		return nil, err
	}
	all, err := c.parse()
	if err != nil {
		return nil, err
	}
	c.text = func() map[string]plurals { return all }
	return c, nil
}

// find is Load without parsing the file. Most servers are asked for few languages.
func find(lang string) (*Catalog, error) {
	raw, err := texts.ReadFile(lang + ".json")
	if err != nil {
		return nil, fmt.Errorf("web: catalog: %w", err)
	}
	tag, err := language.Parse(lang)
	if err != nil {
		return nil, fmt.Errorf("web: catalog %s: %w", lang, err)
	}
	row, _ := lobby.LanguageTagged(lang)
	c := &Catalog{Lang: lang, Name: row.Name, Read: row.Read, tag: tag, raw: string(raw), point: decimalPoint(tag)}
	c.text = sync.OnceValue(func() map[string]plurals {
		all, err := c.parse()
		if err != nil {
			panic(err) // the file is part of the binary, and a test parses each
		}
		return all
	})
	return c, nil
}

// parse parses the file of a catalog.
func (c *Catalog) parse() (map[string]plurals, error) {
	var read map[string]any
	if err := json.Unmarshal([]byte(c.raw), &read); err != nil {
		return nil, fmt.Errorf("web: catalog %s: %w", c.Lang, err)
	}
	all := map[string]plurals{}
	for key, text := range read {
		forms, err := formsOf(text)
		if err != nil {
			return nil, fmt.Errorf("web: catalog %s: text %q: %w", c.Lang, key, err)
		}
		all[key] = forms
	}
	if all["direction"]["other"] == "rtl" {
		isolate(all)
	}
	return all, nil
}

// isolate encloses each place of each text in the characters of Unicode that isolate a direction. A
// name in Latin letters, or "+5", then keeps its order in a text from right to left.
func isolate(all map[string]plurals) {
	enclose := strings.NewReplacer("{", "\u2068{", "}", "}\u2069")
	for key, forms := range all {
		if key == "list" || strings.HasPrefix(key, "list.") { // the text that has the list isolates it
			continue
		}
		for form, text := range forms {
			forms[form] = enclose.Replace(text)
		}
	}
}

// ServerTexts are the first words of the keys that only the server's pages use.
var ServerTexts = []string{
	"account", "analysis", "bot", "challenge", "compose", "date", "delay", "desk", "embed", "fail", "filter",
	"footer", "handover", "home", "join", "learn", "lobby", "local", "moderation", "month", "nav", "noscript",
	"option", "outcome", "pager", "pairs", "paper", "passkey", "people", "person", "pick", "pref", "prefs",
	"profile", "push", "puzzle", "ratings", "report", "rules", "signin", "skip", "together", "token", "tools", "top",
	"tournament", "updated", "watch",
}

// ServerKeys are the other keys that only the server's pages, its refusals and the API use.
var ServerKeys = []string{
	"action.abort", "action.claim", "action.claim-draw", "action.close", "action.draw", "action.export", "action.flip", "action.hint", "action.later", "action.new", "action.next",
	"action.rematch", "action.rematch.open", "action.resign", "action.resign-match", "action.share", "action.sound", "action.step", "action.step.last", "action.takeback", "action.undo", "action.wait",
	"actions.label", "brand", "field.go", "field.label", "game.description", "game.description.over", "game.title", "help.heading", "moves.back", "moves.copy", "moves.end", "moves.first", "moves.forward", "moves.heading", "moves.last",
	"moves.link", "moves.play", "moves.step", "moves.stop", "offers.label", "offline.button", "offline.heading", "offline.help", "offline.kept", "offline.retry", "pit.name", "preview.alt",
	"confirm.abort", "confirm.close", "confirm.resign", "confirm.resign-match", "layout.clear", "layout.deal", "layout.done", "layout.label", "layout.less", "layout.more", "layout.same",
	"row.name", "waiting.code", "waiting.copy", "waiting.link", "waiting.name", "waiting.play", "waiting.rename", "waiting.share", "waiting.sitters", "waiting.stand",
	"waiting.reach.machine", "waiting.reach.network", "waiting.watch", "waiting.youngest", "waiting.qr", "why",
	"board.label", "store.name", "pit.name.claimed", "pit.name.house", "pit.name.blocked", "pit.name.blocked-house", "chat.heading", "chat.mute", "chat.presets", "chat.send", "chat.text", "status.over", "status.turnOf",
	"status.yourTurn", "settings.assists", "settings.change", "settings.chat", "settings.clock", "settings.delay", "settings.for-others", "settings.listed",
	"settings.rated", "settings.rules", "settings.save",
	"start.random", "start.creator", "start.friend", "start.youngest", "outdated.reload", "superseded.take",
}

// scriptRefusals are the refusals that scripts tell by themselves. Scripts also have those that name pits,
// since a page shows numbers for them. Any other refusal comes with its sentence.
var scriptRefusals = []string{"error.other", "error.no-room", "error.quarantined", "error.unavailable"}

// inScripts reports whether scripts need the text of a key.
func inScripts(key string, forms plurals) bool {
	first, rest, _ := strings.Cut(key, ".")
	switch {
	case first == "system": // a game has its name in English with it
		return !slices.ContainsFunc(engine.Systems, func(row engine.Row) bool { return row.Name == rest && row.Title == forms["other"] })
	case slices.Contains(ServerTexts, first), slices.Contains(ServerKeys, key):
		return false
	case first == "error" && !slices.Contains(scriptRefusals, key):
		return strings.Contains(forms["other"], "{pit}") || strings.Contains(forms["other"], "{legal}")
	}
	return true
}

// Asset returns the name of the file from which scripts read their texts.
func (c *Catalog) Asset() string { return "messages." + c.Lang + ".json" }

// Source returns what [Catalog.BrowserTexts] follows from: the whole catalog, and which texts scripts need.
func (c *Catalog) Source() string { return source + c.raw }

// BrowserTexts returns the texts that scripts need, as JSON. A form that says the same as "other" is left out, since
// scripts take "other" where a form is missing.
func (c *Catalog) BrowserTexts() ([]byte, error) {
	texts := map[string]any{}
	for key, forms := range c.text() {
		if !inScripts(key, forms) {
			continue
		}
		sent := maps.Clone(forms)
		maps.DeleteFunc(sent, func(form, text string) bool { return form != "other" && text == forms["other"] })
		if len(sent) == 1 {
			texts[key] = sent["other"]
		} else {
			texts[key] = sent
		}
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	err := w.Encode(texts)
	return b.Bytes(), err
}

// Latin reports whether the language is written in Latin letters.
func (c *Catalog) Latin() bool {
	script, _ := c.tag.Script()
	return script.String() == "Latn"
}

// Letters returns the Latin letters of the catalog and its marks beyond ASCII, such as “ and ¿, each
// once, in order. A letter that occurs once, such as one of a name from another language, is not among them.
// It reads the file without parsing it. So the letters of keys are among them, which are English.
func (c *Catalog) Letters() string {
	times := map[rune]int{}
	var ascii [unicode.MaxASCII + 1]int // nearly all of most texts, and faster than a map
	for _, letter := range c.raw {
		if letter <= unicode.MaxASCII {
			ascii[letter]++
		} else if times[letter] > 0 || unicode.Is(unicode.Latin, letter) || unicode.IsPunct(letter) {
			times[letter]++
		}
	}
	for letter, n := range ascii {
		if unicode.IsLetter(rune(letter)) {
			times[rune(letter)] = n
		}
	}
	maps.DeleteFunc(times, func(_ rune, n int) bool { return n < 2 })
	return string(slices.Sorted(maps.Keys(times)))
}

// T returns a text with its places filled from pairs of name and value. For a missing
// key it returns the key, so that a page never fails.
func (c *Catalog) T(key string, pairs ...any) string {
	forms, ok := c.text()[key]
	if !ok {
		return key
	}
	values := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	text := forms["other"]
	if len(forms) > 1 {
		if form, ok := forms[c.category(values["n"])]; ok {
			text = form
		}
	}
	for name, v := range values {
		if title, ok := v.(string); ok && name == "game" {
			v = c.Game(title)
		}
		text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(v))
	}
	return text
}

// Game returns the name of a game in the language. The title is that of package engine, in English, with
// house rules after a comma. Any other text stays. [Catalog.T] does so for the place {game}.
func (c *Catalog) Game(title string) string {
	longest := engine.Row{}
	for _, row := range engine.Systems { // a title can begin with another
		if rest, ok := strings.CutPrefix(title, row.Title); ok && (rest == "" || rest[0] == ',') && len(row.Title) > len(longest.Title) {
			longest = row
		}
	}
	if longest.Name == "" {
		return title
	}
	return c.T("system."+longest.Name) + title[len(longest.Title):]
}

// List returns the items of a list as one text, such as "4, 3, 2".
func (c *Catalog) List(items []string) string { return List(c.T, items) }

// List does so with the texts of a function such as [Catalog.T].
func List(text func(key string, pairs ...any) string, items []string) string {
	joined := ""
	for i, item := range items {
		if i == 0 {
			joined = item
		} else {
			joined = text("list", "a", joined, "b", item)
		}
	}
	return joined
}

// categories are the names of CLDR's plural categories.
var categories = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// category returns the plural category of a number. The number may be a text.
func (c *Catalog) category(n any) string {
	whole, decimals, _ := strings.Cut(strings.Replace(fmt.Sprint(n), c.point, ".", 1), ".")
	i, err := strconv.Atoi(whole)
	if err != nil {
		return "other"
	}
	trimmed := strings.TrimRight(decimals, "0")
	f, _ := strconv.Atoi(decimals)
	t, _ := strconv.Atoi(trimmed)
	return categories[plural.Cardinal.MatchPlural(c.tag, max(i, -i), len(decimals), len(trimmed), f, t)]
}

// Sentence returns a refusal in words: the text of its code, filled with the
// detail's fields.
func (c *Catalog) Sentence(code refusal.Code, detail any) string {
	key := "error." + string(code)
	if _, ok := c.text()[key]; !ok {
		return c.T("error.other", "code", string(code))
	}
	var fields map[string]any
	if raw, err := json.Marshal(detail); err == nil {
		_ = json.Unmarshal(raw, &fields) // a detail that is not an object fills no place
	}
	var pairs []any
	for name, v := range fields {
		if list, ok := v.([]any); ok {
			words := make([]string, len(list))
			for i, w := range list {
				words[i] = fmt.Sprint(w)
			}
			v = c.List(words)
		}
		pairs = append(pairs, name, v)
	}
	return c.T(key, pairs...)
}

// Under returns the texts whose keys have this first word, by the rest of the key. A
// page's own script gets them.
func (c *Catalog) Under(first string) map[string]any {
	texts := map[string]any{}
	for key, forms := range c.text() {
		if name, ok := strings.CutPrefix(key, first+"."); ok {
			texts[name] = forms
		}
	}
	return texts
}

// Own returns the text of the key own, or if there is none, that of the key usual.
func (c *Catalog) Own(own, usual string) string {
	if c.Has(own) {
		return c.T(own)
	}
	return c.T(usual)
}

// Has reports whether the catalog has a text for this key.
func (c *Catalog) Has(key string) bool {
	_, ok := c.text()[key]
	return ok
}
