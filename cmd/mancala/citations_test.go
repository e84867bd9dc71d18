package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// citations knows what comments, documents, scripts and tests may name.
type citations struct {
	t         *testing.T
	paths     map[string]bool            // of all files and folders, from the top of the repository
	names     map[string][]string        // paths by the last part
	sections  map[string]map[string]bool // of the documents, by their paths: numbered headings, and Q-items as "11 Q3"
	decisions map[string]bool            // by number
	sources   map[string]bool            // of the rules, by number
}

// TestCitationsResolve checks what people name in writing: files, sections of documents,
// decisions, and the sources of the rules.
func TestCitationsResolve(t *testing.T) {
	texts := map[string]string{}
	tree(t, func(path, text string) { texts[path] = text })
	c := newCitations(t, texts)
	files := 0
	for name, text := range texts {
		if strings.Contains(name, "testdata/") && path.Ext(name) != ".md" {
			continue // written by programs, or examples
		}
		files++
		prose := proseOf(name, text)
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			c.checkSections(name, i+1, line)
			c.checkFiles(name, i+1, line, document)
			c.checkFiles(name, i+1, prose[i], file)
			c.checkNumbers(name, i+1, line)
		}
	}
	if files < 500 {
		t.Errorf("found only %d files", files)
	}
}

func newCitations(t *testing.T, texts map[string]string) *citations {
	c := &citations{t, map[string]bool{}, map[string][]string{}, map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if p, err = filepath.Rel(root, p); err != nil {
			return err
		}
		p = filepath.ToSlash(p)
		c.paths[p] = true
		c.names[path.Base(p)] = append(c.names[path.Base(p)], p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if number, _, ok := strings.Cut(strings.TrimPrefix(name, "deploy/decisions/"), "-"); ok && strings.HasPrefix(name, "deploy/decisions/") {
			c.decisions[number] = true
		}
		if path.Ext(name) != ".md" {
			continue
		}
		c.sections[name] = map[string]bool{}
		section := ""
		for line := range strings.Lines(text) {
			if m := regexp.MustCompile(`^#+ (\d+(?:\.\d+)*) `).FindStringSubmatch(line); m != nil {
				section = m[1]
				c.sections[name][section] = true
			}
			if m := regexp.MustCompile(`^\| (Q\d+) \|`).FindStringSubmatch(line); m != nil {
				c.sections[name][section+" "+m[1]] = true
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| seed (\d{3}) \|`).FindAllStringSubmatch(texts["engine/RULES.md"], -1) {
		c.sources[m[1]] = true
	}
	if len(c.sources) == 0 || len(c.decisions) == 0 {
		t.Error("there are no sources or no decisions")
	}
	return c
}

const sign = "\u00a7"

var (
	sectionCited = regexp.MustCompile(sign + ` ?\d`)
	wellCited    = regexp.MustCompile(`([\w./-]*\w\.md) ` + sign + `(\d+(?:\.\d+)*)((?:[:,]? Q\d+)*)`)
)

// checkSections checks that each section is cited as its document, the sign and a number of a
// heading there, perhaps with a Q-item of that section.
func (c *citations) checkSections(name string, line int, text string) {
	good := wellCited.FindAllStringSubmatch(text, -1)
	if n := len(sectionCited.FindAllString(text, -1)); n > len(good) {
		c.t.Errorf("%s:%d: a section without its document right before it: write the document and %sN for each", name, line, sign)
	}
	for _, m := range good {
		where := c.resolve(name, m[1])
		switch {
		case where == "": // checkFiles tells
		case !c.sections[where][m[2]]:
			c.t.Errorf("%s:%d: %s has no heading %s", name, line, where, m[2])
		default:
			for _, item := range regexp.MustCompile(`Q\d+`).FindAllString(m[3], -1) {
				if !c.sections[where][m[2]+" "+item] {
					c.t.Errorf("%s:%d: section %s of %s has no %s", name, line, m[2], where, item)
				}
			}
		}
	}
}

// The names of documents, wherever they are, and of files in prose. A name that begins with
// a slash or follows one is no file of the repository.
var (
	document = regexp.MustCompile(`(?:^|[^\w./*{}<$%-])((?:\.\./)*[\w.-][\w./-]*\.md)\b`)
	file     = regexp.MustCompile(`(?:^|[^\w./*{}<$%-])((?:\.\./)*[\w.-][\w./-]*\.(?:go|js|mjs|css|html|sh|yaml|json|svg|cfg|service|pdf|txt|docx?))\b(?:[^\w(*-]|$)`)
)

// others are names of files that are not in the repository and may be named.
var others = []string{
	"game.txt", "cases.json", // what a command is given
	"module.js", // any
}

// checkFiles checks that the files of a line are in the repository.
func (c *citations) checkFiles(name string, line int, text string, pattern *regexp.Regexp) {
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(others, m[1]) && !placeholder.MatchString(m[1]) && c.resolve(name, m[1]) == "" {
			c.t.Errorf("%s:%d: there is no %s in the repository", name, line, m[1])
		}
	}
}

// placeholder is a name in capitals that stands for any.
var placeholder = regexp.MustCompile(`(^|/)(NAME|FILE|SYSTEM|CODE)\.`)

// resolve returns the path of what is named in a file: from the top of the repository, from
// the file's folder, or the end of one path.
func (c *citations) resolve(from, name string) string {
	for _, p := range []string{path.Clean(name), path.Join(path.Dir(from), name)} {
		if c.paths[p] {
			return p
		}
	}
	for _, p := range c.names[path.Base(name)] {
		if strings.HasSuffix("/"+p, "/"+name) {
			return p
		}
	}
	return ""
}

var (
	decisionCited = regexp.MustCompile(`\bdecisions?[ /](\d{4})\b`)
	sourceCited   = regexp.MustCompile(`\b[Ss]eeds? (0\d\d)\b`)
)

// checkNumbers checks decisions and sources.
func (c *citations) checkNumbers(name string, line int, text string) {
	for _, m := range decisionCited.FindAllStringSubmatch(text, -1) {
		if !c.decisions[m[1]] {
			c.t.Errorf("%s:%d: there is no decision %s", name, line, m[1])
		}
	}
	for _, m := range sourceCited.FindAllStringSubmatch(text, -1) {
		if !c.sources[m[1]] {
			c.t.Errorf("%s:%d: RULES.md has no source %s", name, line, m[1])
		}
	}
}

var lineComment = regexp.MustCompile(`(?:^|\s)//(?: |\t)(.*)`)

// proseOf returns what people write for people in a file, line by line: all of a document or
// a script, the comments of code.
func proseOf(name, text string) []string {
	lines := strings.Split(text, "\n")
	switch path.Ext(name) {
	case ".md", ".sh", ".yaml", ".service", ".cfg":
		return lines
	case ".go", ".js", ".mjs", ".css":
	default:
		return make([]string, len(lines))
	}
	prose := make([]string, len(lines))
	block := false
	for i, line := range lines {
		if block {
			prose[i], _, _ = strings.Cut(line, "*/")
			block = !strings.Contains(line, "*/")
			continue
		}
		if m := lineComment.FindStringSubmatch(line); m != nil {
			prose[i] = m[1]
		} else if before, after, ok := strings.Cut(line, "/*"); ok && !strings.ContainsAny(before, "\"'`") {
			comment, _, ended := strings.Cut(after, "*/")
			prose[i], block = comment, !ended
		}
		if strings.Contains(prose[i], "import(") {
			prose[i] = "" // a type of another module, which the compiler checks
		}
	}
	return prose
}
