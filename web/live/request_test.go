package live

import (
	"encoding/json"
	"testing"
)

// readPlain and encoding/json give the same result for every message that readPlain
// accepts.
func FuzzReadRequest(f *testing.F) {
	for _, s := range []string{
		`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`,
		`{"t":"sub","room":"k3v9qa2mx1","since":12,"take":true}`,
		`{"t":"sub","room":"lobby","rules":"oware","clock":"5+3"}`, `{"t":"sub","quiet":"yes"}`, `{"rules":5}`,
		`{"T":"cmd","ROOM":"x","since":01}`, `{"t":"chat","text":"a\u0041é","text":"b"}`, `{"t":5}`, `{"since":"5"}`,
		`{"t":"cmd",}`, `{"t":"cmd"}}`, `{"t":"cmd"`, `{}`, `{"":""}`, `[]`, ``, `{"t":"a","n":12345678901234567890}`, `{"n":1.5,"t":"x"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, last := range []string{"", "k3v9qa2mx1"} {
			var fast, slow request
			if !fast.readPlain(msg, last) {
				return
			}
			if err := json.Unmarshal(msg, &slow); err != nil || fast != slow {
				t.Errorf("%s: %+v, want %+v, %v", msg, fast, slow, err)
			}
		}
	})
}

func TestReadRequestReadsMovesFast(t *testing.T) {
	var q request
	move := []byte(`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`)
	if !q.readPlain(move, "") {
		t.Errorf("%s goes the slow way", move)
	}
	if n := testing.AllocsPerRun(100, func() { q.readPlain(move, "k3v9qa2mx1") }); n > 1 {
		t.Errorf("%v allocations for a move, want only the command's ID", n)
	}
}

func BenchmarkReadRequest(b *testing.B) {
	move := []byte(`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = ReadRequest(move, "k3v9qa2mx1")
	}
}
