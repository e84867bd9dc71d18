// Package foldtest gives tests rows like those of games that people play.
package foldtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"mancala/match/journal"
)

// Recorded returns the rows of a recorded game. IDs of players and commands are replaced by
// others of the usual length; number selects them.
func Recorded(t testing.TB, file string, number uint64) (rows []journal.Row) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(number, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[rng.IntN(36)]
		}
		return string(b)
	}
	people, pages, n := map[string]string{}, map[string]string{}, 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "snapshot ") {
		var e struct {
			At   int64           `json:"at"`
			Kind string          `json:"k"`
			By   string          `json:"by,omitempty"`
			ID   string          `json:"c"`
			Body json.RawMessage `json:"b"`
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.By != "" && pages[e.By] == "" {
			pages[e.By] = word(10)
		}
		id := e.ID
		if e.By != "" {
			id = fmt.Sprintf("%s-%x", pages[e.By], n)
		}
		data := strings.Replace(lines.Text(), `"c":"`+e.ID+`"`, `"c":"`+id+`"`, 1)
		key := e.By + "\n" + id
		for _, p := range []string{"p0", "p1", "p2", "p3", "p4"} {
			if people[p] == "" {
				people[p] = "p" + word(11)
			}
			data = strings.ReplaceAll(data, `"`+p+`"`, `"`+people[p]+`"`)
			key = strings.Replace(key, p+"\n", people[p]+"\n", 1)
		}
		n++
		rows = append(rows, journal.Row{Seq: uint64(n), Epoch: 1, Key: key, Data: []byte(data)})
	}
	return rows
}
