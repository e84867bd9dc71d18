package web

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mancala/web/messages"
	"mancala/web/socket"
)

// The test compares the document with the code constants of all packages, and
// with the codes of close frames.
func TestEveryCodeIsDocumented(t *testing.T) {
	text := document(t)
	_, codes, _ := strings.Cut(text, "## Codes")
	constant := regexp.MustCompile(`(?:refusal\.Code|Reason) += "([a-z-]+)"|refusal\.(?:Error\{Code: |New\(|With\()"([a-z-]+)"`)
	found := 0
	for _, pattern := range []string{"*.go", "site/*.go", "live/*.go", "pages/*.go", "api/*.go", "desk/*.go", "event/*.go", "../lobby/*.go", "../lobby/*/*.go", "../match/*.go", "../match/room/*.go", "../engine/*.go"} {
		files, err := filepath.Glob(pattern)
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
			for _, m := range constant.FindAllStringSubmatch(string(source), -1) {
				found++
				if code := m[1] + m[2]; !strings.Contains(codes, "`"+code+"`") {
					t.Errorf("%s: the code %s is not in the document", name, code)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d codes were found", found)
	}
	for code := socket.Code(4000); code < 5000; code++ {
		if name := code.String(); name[0] > '9' && !strings.Contains(codes, fmt.Sprintf("| `%d` |", code)) {
			t.Errorf("the close code %d (%s) is not in the document", code, name)
		}
	}
}

// Each code of the document has a sentence in the catalog. Without one, a page
// would show "That did not work (bad-note)."
func TestEveryCodeHasASentence(t *testing.T) {
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	_, codes, _ := strings.Cut(document(t), "## Codes")
	listed, closes, _ := strings.Cut(codes, "The socket closes")
	found := 0
	for _, row := range regexp.MustCompile(`(?m)^\| [^|]+ \| (.+) \|$`).FindAllStringSubmatch(listed, -1) {
		for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(row[1], -1) {
			found++
			if !c.Has("error." + m[1]) {
				t.Errorf("the catalog has no sentence for %s", m[1])
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d codes were found", found)
	}
	for _, m := range regexp.MustCompile("`(45[0-9]{2})`").FindAllStringSubmatch(closes, -1) {
		if !c.Has("closed." + m[1]) {
			t.Errorf("the catalog has no sentence for a socket that is closed for good with %s", m[1])
		}
	}
}
