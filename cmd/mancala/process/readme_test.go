package process

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestCommandsOfTheReadmeWork(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const report = "142 1\n001    1      Ada                               1800                             1.0    1     2 w 1\n" +
		"001    2      Ben                               1700                             0.0    2     1 b 0\n001    3      Cleo                              1600                             1.0    3  0000 - U\n"
	const record = "[Rules \"kalah\"]\n\n1. c\n"
	input := map[string]string{"play": "c\nquit\n", "replay": record, "gif": record, "pair": report, "standings": report}
	lines := regexp.MustCompile(`(?m)^    go run \./cmd/mancala +([^#\n]*)`).FindAllStringSubmatch(string(text), -1)
	if len(lines) < 5 {
		t.Errorf("found only %q", lines)
	}
	for _, m := range lines {
		words, _, _ := strings.Cut(strings.TrimSpace(m[1]), "<") // Stdin stands for the file
		t.Run(words, func(t *testing.T) {
			if words == "" {
				startProgram(t, inMemory)
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := mancala(ctx, strings.Fields(words)...)
			cmd.Stdin = strings.NewReader(input[strings.Fields(words)[0]])
			if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
