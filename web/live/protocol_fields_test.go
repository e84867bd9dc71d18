package live

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mancala/lobby/presence"
	"mancala/lobby/seeks"
	"mancala/web/protocoltest"
	"mancala/web/request"
	"mancala/web/site"
)

// messageSections returns the sections that describe messages.
func messageSections(t *testing.T) map[string]*protocoltest.Section {
	t.Helper()
	all := protocoltest.Sections(t, "../PROTOCOL.md")
	maps.DeleteFunc(all, func(name string, _ *protocoltest.Section) bool { return !strings.Contains(name, " messages/") })
	return all
}

// frameTypes are the types whose JSON form is a section of PROTOCOL.md.
var frameTypes = map[string]any{
	"Games: server messages/names":              namesFrame{},
	"Games: server messages/chat":               chatFrame{},
	"Games: server messages/erased":             erasedFrame{},
	"Games: server messages/note watching":      watchingFrame{},
	"Lobby: server messages/snap":               lobbyFrame{},
	"Lobby: server messages/seeks":              seeksFrame{},
	"Lobby: server messages/wait":               waitFrame{},
	"Lobby: server messages/asked":              askedFrame{},
	"Lobby: server messages/go":                 goFrame{},
	"Lobby: server messages/games":              gamesFrame{},
	"People: server messages/snap":              peopleFrame{},
	"People: server messages/note here":         hereFrame{},
	"All rooms: server messages/ack":            ackFrame{},
	"All rooms: server messages/err":            errFrame{},
	"All rooms: server messages/gone":           goneFrame{},
	"Tournaments: server messages/ev opened":    openingFrame{},
	"Tournaments: server messages/table":        tableFrame{},
	"Tournaments: server messages/note away":    awayFrame{},
	"Tournaments: server messages/note renamed": renamedFrame{},
	"Object: opening":                           opening{},
	"Object: standing":                          site.TableRow{},
	"Object: seek":                              seeks.Shown{},
	"Object: wait":                              seeks.OwnWait{},
	"Object: challenge":                         site.AskShown{},
	"Object: person":                            presence.Present{},
}

func TestTablesOfFieldsMatchTheFrameTypes(t *testing.T) {
	all := protocoltest.Sections(t, "../PROTOCOL.md")
	for name, v := range frameTypes {
		if s := all[name]; s == nil {
			t.Errorf("PROTOCOL.md has no section %q", name)
		} else if got, want := sorted(s.Fields), sorted(jsonFields(reflect.TypeOf(v))); !slices.Equal(got, want) {
			t.Errorf("%s: the table has %q, the type has %q", name, got, want)
		}
	}
}

func TestEveryFrameTypeIsComparedWithTheDocument(t *testing.T) {
	compared := map[string]bool{}
	for _, v := range frameTypes {
		compared[reflect.TypeOf(v).Name()] = true
	}
	found := 0
	inspectPackage(t, func(n ast.Node) {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return
		}
		for _, f := range fields.Fields.List {
			if f.Tag != nil && strings.Contains(f.Tag.Value, `json:"t"`) {
				found++
				if !compared[spec.Name.Name] {
					t.Errorf("the type %s is a message, and no section of PROTOCOL.md is compared with it", spec.Name.Name)
				}
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d types of messages were found", found)
	}
}

// TestEveryMessageHasATableAndAnExample also checks that an example has no field
// beyond the table, and that the table of a frame without a type of its own has no
// field beyond the examples.
func TestEveryMessageHasATableAndAnExample(t *testing.T) {
	all := messageSections(t)
	if len(all) < 40 {
		t.Fatalf("PROTOCOL.md describes only %d messages", len(all))
	}
	for name, s := range all {
		chapter, message, _ := strings.Cut(name, "/")
		allowed := s.Fields
		if kind, isCommand := strings.CutPrefix(message, "cmd "); isCommand {
			allowed = slices.Concat(s.Fields, all[chapter+"/cmd"].Fields)
			for _, m := range s.Examples {
				if m["kind"] != kind {
					t.Errorf("%s has an example of the kind %v", name, m["kind"])
				}
			}
		} else if len(s.Fields) == 0 {
			t.Errorf("%s has no table of fields", name)
		}
		if message == "cmd" {
			continue // each kind has an example
		}
		if len(s.Examples) == 0 {
			t.Errorf("%s has no example", name)
		}
		shown := map[string]bool{}
		for _, m := range s.Examples {
			for field := range m {
				shown[field] = true
				if !slices.Contains(allowed, field) {
					t.Errorf("%s: an example has %q, which is not in the table", name, field)
				}
			}
		}
		if _, typed := frameTypes[name]; typed || strings.Contains(chapter, "client") {
			continue
		}
		for _, field := range s.Fields {
			if !shown[field] {
				t.Errorf("%s: no example has %q", name, field)
			}
		}
	}
}

// TestEveryFieldOfARequestIsDocumented compares what the server reads with the
// tables of the client's messages. The commands to a game are compared in package
// match.
func TestEveryFieldOfARequestIsDocumented(t *testing.T) {
	all := messageSections(t)
	documented, inLobby := map[string]bool{}, map[string]bool{}
	for name, s := range all {
		for _, field := range s.Fields {
			if strings.Contains(name, "client messages") {
				documented[field] = true
			}
			if strings.HasPrefix(name, "Lobby: client messages/cmd ") {
				inLobby[field] = true
			}
		}
	}
	for _, field := range jsonFields(reflect.TypeFor[request.Request]()) {
		if !documented[field] {
			t.Errorf("the server reads %q, and no message of a client has it", field)
		}
	}
	if got, want := sorted(all["Games: client messages/note filling"].Fields), sorted(append(jsonFields(reflect.TypeFor[filling]()), "t", "room", "kind")); !slices.Equal(got, want) {
		t.Errorf("the note of a client has %q, want %q", got, want)
	}
	order := slices.DeleteFunc(jsonFields(reflect.TypeFor[seeks.Order]()), func(field string) bool {
		return slices.Contains([]string{"facts", "task", "late", "apart"}, field) // added by the server
	})
	if got, want := slices.Sorted(maps.Keys(inLobby)), sorted(append(order, "again")); !slices.Equal(got, want) {
		t.Errorf("commands to the lobby have %q, want %q", got, want)
	}
	for _, kind := range []string{seeks.KindSeek, seeks.KindFind, seeks.KindChallenge, seeks.KindDecline, seeks.KindLeave, seeks.KindAccept} {
		if all["Lobby: client messages/cmd "+kind] == nil {
			t.Errorf("PROTOCOL.md does not describe the command %s to the lobby", kind)
		}
	}
}

func TestEveryMessageThatIsReadIsDocumented(t *testing.T) {
	read := map[string]bool{}
	isType := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		x, _ := s.X.(*ast.Ident)
		return ok && s.Sel.Name == "T" && x != nil && x.Name == "q"
	}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value != `""` {
			read[strings.Trim(lit.Value, `"`)] = true
		}
	}
	inspectPackage(t, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if s, ok := n.X.(*ast.SelectorExpr); ok && isType(s) {
				add(n.Y)
			}
		case *ast.SwitchStmt:
			if s, ok := n.Tag.(*ast.SelectorExpr); ok && isType(s) {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						add(e)
					}
				}
			}
		}
	})
	if len(read) < 7 {
		t.Errorf("only %d messages of clients were found", len(read))
	}
	all := messageSections(t)
	for message := range read {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(name string) bool {
			chapter, rest, _ := strings.Cut(name, "/")
			first, _, _ := strings.Cut(rest, " ")
			return strings.Contains(chapter, "client") && first == message
		}) {
			t.Errorf("the server reads %q, and PROTOCOL.md does not describe it", message)
		}
	}
}

// jsonFields returns the names of a type's fields in JSON.
func jsonFields(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		if f.Anonymous {
			names = append(names, jsonFields(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" { // the server fills it in
			names = append(names, name)
		}
	}
	return names
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// inspectPackage visits the syntax of this package without its tests.
func inspectPackage(t *testing.T, visit func(ast.Node)) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}
