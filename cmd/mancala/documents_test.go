package main

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mancala/match/testenv"
)

const root = "../.."

// tree walks over the files of the repository that people write, with their paths from its
// top. Folders that begin with a dot are left out, except those that the repository has.
func tree(t *testing.T, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && strings.HasPrefix(name, ".") && name != ".." && name != ".github" && name != ".ci", d.IsDir() && name == "node_modules":
			return filepath.SkipDir
		case d.IsDir(), !slices.Contains(written, filepath.Ext(name)):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			path, err = filepath.Rel(root, path)
			visit(filepath.ToSlash(path), string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// written are the kinds of files that people write.
var written = []string{"", ".go", ".js", ".mjs", ".css", ".html", ".md", ".sh", ".json", ".yaml", ".yml", ".cfg", ".service", ".mod", ".svg", ".txt", ".txtar"}

// declared is every function, type, variable and method of the Go code, and the text of
// every module of the pages.
type declared struct {
	files   map[string][]string // by name, such as "room.Registry.Do": where it is
	modules map[string]string   // by path from web/static: its text
}

// declarations reads the whole tree.
func declarations(t *testing.T) *declared {
	t.Helper()
	d := &declared{files: map[string][]string{}, modules: map[string]string{}}
	tree(t, func(path, text string) {
		switch {
		case strings.HasPrefix(path, "web/static/") && filepath.Ext(path) == ".js":
			d.modules[strings.TrimPrefix(path, "web/static/")] = text
		case filepath.Ext(path) == ".go":
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				return
			}
			d.add(path, file)
		}
	})
	return d
}

func (d *declared) add(path string, file *ast.File) {
	name := func(parts ...string) {
		n := strings.TrimSuffix(file.Name.Name, "_test") + "." + strings.Join(parts, ".")
		d.files[n] = append(d.files[n], path)
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				name(decl.Name.Name)
			} else {
				name(receiver(decl.Recv.List[0].Type), decl.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					name(spec.Name.Name)
					if i, ok := spec.Type.(*ast.InterfaceType); ok {
						for _, m := range i.Methods.List {
							for _, n := range m.Names {
								name(spec.Name.Name, n.Name)
							}
						}
					}
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						name(n.Name)
					}
				}
			}
		}
	}
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// identifier is a name in a document that stands for something in the code: package.Name,
// package.Type.Method, package.(*Type).Method, or module.js:function. A module whose name another
// folder has too is named with its folder.
var identifier = regexp.MustCompile("`((?:\\w+/)?[\\w-]+\\.js:#?\\w+|[a-z][a-z0-9]*\\.(?:\\(\\*?\\w+\\)|\\w+)(?:\\.\\w+)?)`")

// notCode are names with a dot that are none of the code's: files, what a browser has, and
// keys of texts that end in a placeholder.
var notCode = regexp.MustCompile(`\.(md|sh|json|js|go)$|^(mancala|navigator)\.|\.[A-Z]+$`)

// find returns the files where an identifier of a document is declared: none if modules of several
// folders could be meant.
func (d *declared) find(name string) []string {
	if module, function, ok := strings.Cut(name, ".js:"); ok {
		var found []string
		for path, text := range d.modules {
			if strings.HasSuffix("/"+path, "/"+module+".js") {
				found = append(found, path)
				if !regexp.MustCompile(`(?m)(^|[\s.])` + regexp.QuoteMeta(function) + `\(`).MatchString(text) {
					return nil
				}
			}
		}
		if len(found) > 1 {
			return nil
		}
		return found
	}
	return d.files[strings.NewReplacer("(", "", "*", "", ")", "").Replace(name)]
}

// hasTest reports whether some package has a test of this name.
func (d *declared) hasTest(name string) bool {
	for declared := range d.files {
		if _, last, _ := strings.Cut(declared, "."); last == name {
			return true
		}
	}
	return false
}

// TestWalksNameFunctionsThatExist checks every hop of the walks in the document of the
// architecture, and the counts at the head of each walk and of its detours.
func TestWalksNameFunctionsThatExist(t *testing.T) {
	const file = "deploy/ARCHITECTURE.md"
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(text), "\n## 10 ")
	walks, _, _ = strings.Cut(walks, "\n## 11 ")
	code := declarations(t)
	found := 0
	for _, walk := range strings.Split(walks, "\n### ")[1:] {
		title, walk, _ := strings.Cut(walk, "\n")
		functions, files := map[string]bool{}, map[string]bool{} // of the walk, and of its detours so far
		counts := regexp.MustCompile(`(\d+) functions in (\d+) files`)
		for _, part := range strings.Split(walk, "\n#### ") {
			before, beforeFiles := len(functions), len(files)
			for _, m := range identifier.FindAllStringSubmatch(part, -1) {
				places := code.find(m[1])
				if len(places) == 0 {
					t.Errorf("%s: %s: there is no %s", file, title, m[1])
					continue
				}
				functions[m[1]] = true
				files[places[0]] = true
			}
			more, moreFiles := len(functions)-before, len(files)-beforeFiles
			want := counts.FindStringSubmatch(part)
			if want == nil || want[1] != strconv.Itoa(more) || want[2] != strconv.Itoa(moreFiles) {
				t.Errorf("%s: %s: write %d functions in %d files at the head of %.40q", file, title, more, moreFiles, part)
			}
			counts = regexp.MustCompile(`(\d+) more functions in (\d+) more files`)
		}
		found += len(functions)
	}
	if found < 50 {
		t.Errorf("found only %d hops", found)
	}
}

// TestDocumentsNameCodeThatExists checks the identifiers in the tables of the documents: words
// of the architecture, tests that show a guarantee or a quality bar.
func TestDocumentsNameCodeThatExists(t *testing.T) {
	code := declarations(t)
	named := 0
	for _, file := range []string{"deploy/ARCHITECTURE.md", "web/UX.md", "engine/RULES.md"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			for _, m := range identifier.FindAllStringSubmatch(line, -1) {
				if notCode.MatchString(m[1]) {
					continue
				}
				named++
				if len(code.find(m[1])) == 0 {
					t.Errorf("%s:%d: there is no %s", file, number, m[1])
				}
			}
			for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(line, -1) {
				named++
				if !code.hasTest(m[1]) {
					t.Errorf("%s:%d: there is no test %s", file, number, m[1])
				}
			}
		}
	}
	if named < 50 {
		t.Errorf("found only %d names", named)
	}
}

// TestNamesOfTestsAreSentences refuses the two usual shapes of a name that proves nothing: a
// noun with a relative clause, such as FormsThatCannotBeRead, and a "who" without its noun.
func TestNamesOfTestsAreSentences(t *testing.T) {
	incomplete := regexp.MustCompile(`That(?:Are|Cannot)|Who(?:m|ever)?[A-Z]`)
	complete := regexp.MustCompile(`(?:Player|People|Guest|Stranger)s?Who[A-Z]`)
	tests := 0
	for name, files := range declarations(t).files {
		_, name, _ := strings.Cut(name, ".")
		if !strings.HasPrefix(name, "Test") || !strings.HasSuffix(files[0], "_test.go") {
			continue
		}
		tests++
		if found := incomplete.FindString(complete.ReplaceAllString(name, "")); found != "" {
			t.Errorf("%s: %s: name the test by the sentence that it proves, without %q", files[0], name, found)
		}
	}
	if tests < 500 {
		t.Errorf("found only %d tests", tests)
	}
}

const contributing = ".github/CONTRIBUTING.md"

// recipe is a section of the document for contributors.
type recipe struct{ title, text string }

func recipes(t *testing.T) (list []recipe) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, contributing))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		list = append(list, recipe{title, text})
	}
	return list
}

// commands are the indented lines of a recipe.
func (r recipe) commands() (lines []string) {
	for _, m := range regexp.MustCompile(`(?m)^ {4,7}((?:go|node|\./)\S* ?.*)$`).FindAllStringSubmatch(r.text, -1) {
		lines = append(lines, m[1])
	}
	return lines
}

// TestContributorsCommandsWork runs the commands of the recipes to run and to test. Of the
// others, which may write files or take long, it checks that their tests exist.
func TestContributorsCommandsWork(t *testing.T) {
	run := map[string]bool{"Run": true, "Test one package": true, "Test in the browser": true}
	found := 0
	for _, r := range recipes(t) {
		for _, line := range r.commands() {
			found++
			t.Run(line, func(t *testing.T) {
				command, args, _ := strings.Cut(line, " ")
				switch {
				case command == "./deploy/test.sh": // it runs this test, or takes long
					if info, err := os.Stat(filepath.Join(root, command)); err != nil || info.Mode()&0o111 == 0 {
						t.Errorf("not a program: %v", err)
					}
				case strings.HasPrefix(line, "go run ./cmd/mancala --"):
					var f serveFlags
					fs := flag.NewFlagSet("serve", flag.ContinueOnError)
					f.register(fs)
					if err := fs.Parse(strings.Fields(args)[2:]); err != nil {
						t.Error(err)
					}
					_, port, err := net.SplitHostPort(f.addr)
					_, adminPort, adminErr := net.SplitHostPort(f.admin)
					if err != nil || adminErr != nil || port == adminPort {
						t.Errorf("the server cannot listen on --addr %s and --admin %s", f.addr, f.admin)
					}
				case strings.HasPrefix(line, "go generate "): // it takes minutes
					folder := strings.Fields(line)[2]
					if info, err := os.Stat(filepath.Join(root, folder)); err != nil || !info.IsDir() {
						t.Errorf("not a package: %v", err)
					}
				case command == "node":
					testenv.Installed(t, command)
					inShell(t, line)
				case strings.HasPrefix(line, "go test "):
					if run[r.title] && !strings.Contains(line, "/e2e") {
						inShell(t, line)
					}
					testsExist(t, line)
				default:
					t.Error("this test does not know such a command")
				}
			})
		}
	}
	if found < 10 {
		t.Errorf("%s has only %d commands", contributing, found)
	}
}

// inShell runs a command in the top folder of the repository, as somebody would who has set no flags of the
// compiler. With those of deploy/test.sh for the race detector, each package would be compiled once more.
func inShell(t *testing.T, line string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = root
	flags := slices.DeleteFunc(strings.Fields(os.Getenv("GOFLAGS")), func(f string) bool { return strings.HasPrefix(f, "-gcflags") })
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.Join(flags, " "))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// testsExist checks the folders of a "go test" command, and that the name of a test there
// begins with each of the names that follow -run.
func testsExist(t *testing.T, line string) {
	t.Helper()
	var text strings.Builder
	words := strings.Fields(line)
	for _, word := range words {
		if folder, ok := strings.CutPrefix(word, "./"); ok {
			files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Errorf("there are no tests in %s", word)
			}
			for _, file := range files {
				source, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				text.Write(source)
			}
		}
	}
	if i := slices.Index(words, "-run"); i >= 0 && i+1 < len(words) {
		for name := range strings.SplitSeq(strings.Trim(words[i+1], "'"), "|") {
			if !strings.Contains(text.String(), "\nfunc "+name) {
				t.Errorf("there is no %s", name)
			}
		}
	}
}

// TestRecipesNameWhatExists checks every file, function and test that the recipes name.
func TestRecipesNameWhatExists(t *testing.T) {
	code := declarations(t)
	named := 0
	for _, r := range recipes(t) {
		for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(r.text, -1) {
			name := m[1]
			switch first, _, _ := strings.Cut(name, "/"); {
			case strings.Contains(name, "§"), strings.ContainsAny(name, " :") && !strings.Contains(name, ".js:"):
				continue // citations and examples, which other tests read
			case slices.Contains([]string{"cmd", "web", "lobby", "match", "engine", "deploy"}, first) && strings.Contains(name, "/"), name == "go.mod":
				named++
				if found, _ := filepath.Glob(filepath.Join(root, name+"*")); len(found) == 0 {
					t.Errorf("%s: %s: there is no file %s", contributing, r.title, name)
				}
			case strings.HasPrefix(name, "Test"):
				named++
				if !code.hasTest(name) {
					t.Errorf("%s: %s: there is no %s", contributing, r.title, name)
				}
			case identifier.MatchString(m[0]) && !notCode.MatchString(name):
				named++
				if len(code.find(name)) == 0 {
					t.Errorf("%s: %s: there is no %s", contributing, r.title, name)
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("%s names only %d things", contributing, named)
	}
}

// TestSupersededDecisionsNameTheNewOne checks that a reader of an old decision learns what holds now. A decision
// is never rewritten, only its third line is.
func TestSupersededDecisionsNameTheNewOne(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "deploy/decisions/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[int]string{} // by number
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		number, _ := strconv.Atoi(filepath.Base(file)[:4])
		texts[number] = string(text)
	}
	newer := regexp.MustCompile(`This (?:supersedes|adds to decision \d+ and replaces)[^.]*\.`)
	older := regexp.MustCompile(`\bdecisions? 0*(\d+)`)
	found := 0
	for number, text := range texts {
		for _, m := range older.FindAllStringSubmatch(newer.FindString(text), -1) {
			found++
			old, _ := strconv.Atoi(m[1])
			line := strings.Split(texts[old]+"\n\n\n", "\n")[2]
			if mark := "superseded by decision " + strconv.Itoa(number); !strings.Contains(line, mark) {
				t.Errorf("deploy/decisions: the third line of decision %d is %q, without %q", old, line, mark)
			}
		}
	}
	if found < 6 {
		t.Errorf("found only %d decisions that are superseded", found)
	}
}

// TestRecipeForAGameNamesEveryTableOfGames looks for the tables that have a row for a game, by the examples of Hus
// and of Songo, which stands on the home page.
func TestRecipeForAGameNamesEveryTableOfGames(t *testing.T) {
	all := recipes(t)
	i := slices.IndexFunc(all, func(r recipe) bool { return r.title == "Add a game" })
	if i < 0 {
		t.Fatal("there is no such recipe")
	}
	looked := regexp.MustCompile(`^(engine|engine/compose|web/learn|web/pages)/\w+\.go$`)
	tables := 0
	tree(t, func(path, text string) {
		if strings.HasSuffix(path, "_test.go") || !looked.MatchString(path) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR || !regexp.MustCompile(`\b(hus|songo)\b`).MatchString(text[decl.Pos()-1:decl.End()-1]) {
				continue
			}
			for _, spec := range decl.Specs {
				tables++
				name := file.Name.Name + "." + spec.(*ast.ValueSpec).Names[0].Name
				if !strings.Contains(all[i].text, "`"+name+"`") {
					t.Errorf("%s: the recipe %q does not name %s of %s", contributing, all[i].title, name, path)
				}
			}
		}
	})
	if tables < 6 {
		t.Errorf("found only %d tables", tables)
	}
}
