package request

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// readPlain and encoding/json give the same result for every message that readPlain
// accepts.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`,
		`{"t":"sub","room":"k3v9qa2mx1","since":12,"take":true}`,
		`{"t":"sub","room":"lobby","rules":"oware","clock":"5+3"}`, `{"t":"sub","quiet":"yes"}`, `{"rules":5}`,
		`{"T":"cmd","ROOM":"x","since":01}`, `{"t":"chat","text":"a\u0041é","text":"b"}`, `{"t":5}`, `{"since":"5"}`,
		`{"kind":"move","ply":4,"room":"k3v9qa2mx1"}`, `{"rated":"yes"}`, `{"rated":1}`,
		`{"t":"cmd",}`, `{"t":"cmd"}}`, `{"t":"cmd"`, `{}`, `{"":""}`, `[]`, ``, `{"t":"a","n":12345678901234567890}`, `{"n":1.5,"t":"x"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, last := range []string{"", "k3v9qa2mx1"} {
			var fast, slow Request
			if !fast.readPlain(bytes.Clone(msg), last) {
				return
			}
			err := json.Unmarshal(msg, &slow)
			slow.Own = ownMembers(msg)
			if err != nil || !reflect.DeepEqual(fast, slow) {
				t.Errorf("%s: %+v, want %+v, %v", msg, fast, slow, err)
			}
		}
	})
}

func TestMovesAreReadFast(t *testing.T) {
	var q Request
	move := []byte(`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`)
	msg := bytes.Clone(move)
	if !q.readPlain(msg, "") {
		t.Errorf("%s goes the slow way", move)
	}
	if got := string(q.Own); got != `{"ply":4,"move":"c"}` {
		t.Errorf("its own members are %s", got)
	}
	if n := testing.AllocsPerRun(100, func() { q.readPlain(append(msg[:0], move...), "k3v9qa2mx1") }); n > 1 {
		t.Errorf("%v allocations for a move, want only the command's ID", n)
	}
}

func TestOwnMembersOfACommandAreWithoutItsFrame(t *testing.T) {
	for _, tt := range []struct{ msg, want string }{
		{`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"resign"}`, `{}`},
		{`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`, `{"ply":4,"move":"c"}`},
		{`{"kind":"move","ply":4,"room":"k3v9qa2mx1","move":"c","t":"cmd","id":"a4"}`, `{"ply":4,"move":"c"}`},
		{"{\n \"kind\": \"settings\", \"rated\": true, \"id\": \"a4\",\n \"t\": \"cmd\", \"clock\" : \"5+3\" }", `{"rated":true,"clock":"5+3"}`},
		{`{"t":"cmd","id":"é","kind":"sit","t":null,"\u0069d":"a4"}`, `{"t":null,"\u0069d":"a4"}`}, // the room refuses these
		{`{"t":"cmd","id":"a4","kind":"move","ply":4,"ply":5}`, `{"ply":4,"ply":5}`},
	} {
		q, err := Read([]byte(tt.msg), "")
		if err != nil || string(q.Own) != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.msg, q.Own, err, tt.want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	move := []byte(`{"t":"cmd","room":"k3v9qa2mx1","id":"a4","kind":"move","ply":4,"move":"c"}`)
	msg := bytes.Clone(move)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = Read(append(msg[:0], move...), "k3v9qa2mx1")
	}
}
