package pages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The pages of all languages are clones of one template, which people of two languages may ask for at
// the same time.
func TestEveryPageIsClonedForAllLanguagesAtOnce(t *testing.T) {
	spoken, err := loadPages()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for lang, pages := range spoken {
		group.Go(func() {
			for _, name := range pageNames {
				if page, err := pages[name](); err != nil || page.Lookup("layout.html") == nil {
					t.Errorf("%s in %s: %v", name, lang, err)
				}
			}
		})
	}
	group.Wait()
}

// A template that calls a method fails when it is executed, perhaps only in a branch that no other test reaches
// (deploy/decisions/0046).
func TestTemplatesReadFieldsAndCallNoMethods(t *testing.T) {
	fields := fieldsOfStructs(t)
	action, text, name := regexp.MustCompile(`(?s){{.*?}}`), regexp.MustCompile(`"[^"]*"`), regexp.MustCompile(`\.([A-Z]\w*)`)
	files, err := fs.Glob(pageFiles, "page/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d templates, %v", len(files), err)
	}
	for _, file := range files {
		b, err := fs.ReadFile(pageFiles, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range action.FindAllString(string(b), -1) {
			for _, read := range name.FindAllStringSubmatch(text.ReplaceAllString(code, ""), -1) {
				if !fields[read[1]] {
					t.Errorf("%s: in %s, %s is no field: for a method, add a function to functions", file, code, read[1])
				}
			}
		}
	}
}

// fieldsOfStructs returns the names of the fields of all structs in this module.
func fieldsOfStructs(t *testing.T) map[string]bool {
	t.Helper()
	fields := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						fields[name.Name] = true
					}
					if f.Names == nil {
						fields[embedded(f.Type)] = true
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// embedded returns the name of a field that a struct has of an embedded type.
func embedded(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return embedded(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	default:
		return ""
	}
}
