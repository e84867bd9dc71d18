package wire_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"unicode/utf8"

	"mancala/match/wire"
)

// member is one member of an object.
type member struct{ key, raw string }

// membersOf returns the members of an object as encoding/json reads them. plain reports
// whether every key is written as it is read.
func membersOf(t *testing.T, object []byte) (list []member, plain bool) {
	t.Helper()
	plain = true
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		from := d.InputOffset()
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		written := object[from:d.InputOffset()]
		plain = plain && !bytes.ContainsRune(written, '\\') && utf8.Valid(written)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		list = append(list, member{key.(string), string(raw)})
	}
	return list, plain
}

func FuzzMembersAreThoseOfEncodingJSON(f *testing.F) {
	for _, s := range []string{
		``, `{}`, ` { } `, `{"ply":0,"move":"c"}`, "{\n\"a\" : [1,{\"b\":\"]}\"}] ,\t\"c\":null}", `{"a":"\"","a":"\\"}`,
		`{"a":1,}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `[]`, `{"\u0061":1}`, `{"é":"\ud83d\ude00"}`, `{"a":-1.5e3,"b":true}`, `{"a":"\`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got []member
		err := wire.Members(b, func(key, raw []byte) error {
			got = append(got, member{string(key), string(raw)})
			return nil
		})
		if !json.Valid(b) || bytes.TrimSpace(b)[0] != '{' {
			return // some of these are accepted
		}
		want, plain := membersOf(t, b)
		if err != nil || plain && !slices.Equal(got, want) || len(got) != len(want) {
			t.Errorf("%s: got %q, %v, want %q", b, got, err, want)
		}
	})
}

func FuzzValuesAreThoseOfEncodingJSON(f *testing.F) {
	for _, s := range []string{
		`"c"`, `""`, `"a\u0041é\n"`, `"\ud800"`, "\"\xff\"", `"a`, `0`, `-0`, `12`, `-9223372036854775807`, `9223372036854775807`, `1.5`, `1e3`,
		`true`, `false`, `null`, `[]`, `[1, 2,-3]`, "[\n1\t]", `[1,"2"]`, `[[1,2],[3]]`, `[1.5]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.Trim(raw, " \t\r\n")
		if !json.Valid(raw) {
			return // some of these are accepted
		}
		var text string
		isString := raw[0] == '"' && json.Unmarshal(raw, &text) == nil
		if got, err := wire.Text(raw); got != text || (err == nil) != isString || (wire.CheckText(raw) == nil) != isString {
			t.Errorf("%s: the text is %q, %v, want %q, %v", raw, got, err, text, isString)
		}
		if got, rest, ok := wire.CutText(raw); ok && (string(got) != text || len(rest) > 0 || !isString) {
			t.Errorf("%s: cut to %q and %q, want %q", raw, got, rest, text)
		}
		var n int64
		isInt := json.Unmarshal(raw, &n) == nil && !wire.IsNull(raw) && len(raw) < 20
		if got, err := wire.Int(raw); (err == nil) != isInt || isInt && got != n {
			t.Errorf("%s: the integer is %d, %v, want %d, %v", raw, got, err, n, isInt)
		}
		if got, rest, ok := wire.CutUint(raw); ok && len(rest) == 0 && (!isInt || int64(got) != n) {
			t.Errorf("%s: cut to %d, want %d, %v", raw, got, n, isInt)
		}
		var yes bool
		isBool := json.Unmarshal(raw, &yes) == nil && !wire.IsNull(raw)
		if got, err := wire.Bool(raw); (err == nil) != isBool || isBool && got != yes {
			t.Errorf("%s: the truth is %v, %v, want %v, %v", raw, got, err, yes, isBool)
		}
		var list []int64
		if raw[0] == '[' && json.Unmarshal(raw, &list) == nil && len(raw) < 20 && !bytes.Contains(raw, []byte("null")) {
			var got [20]int64
			if n, err := wire.Ints(raw, got[:]); err != nil || !slices.Equal(got[:n], list) {
				t.Errorf("%s: the integers are %v, %v, want %v", raw, got[:n], err, list)
			}
		}
	})
}

func FuzzEncodingJSONReadsWhatIsAppended(f *testing.F) {
	for _, s := range []string{"", "c", "<&>", "a\"b\\c\n\x00\x7f", "é😀\u2028", "\xff", "a\xf0\x9f", "\ufffd"} {
		f.Add(s, int64(len(s)*97), uint32(len(s))<<28, true)
	}
	f.Add("", int64(math.MinInt64), uint32(math.MaxUint32), false)
	f.Fuzz(func(t *testing.T, text string, n int64, sum uint32, yes bool) {
		appended := wire.AppendText([]byte(`{"text":`), text)
		appended = wire.AppendTexts(append(appended, `,"texts":`...), []string{text, "", text})
		appended = wire.AppendInt(append(appended, `,"int":`...), n)
		appended = wire.AppendInts(append(appended, `,"ints":`...), []int64{n, n % 1000, n % 100, n % 10})
		appended = wire.AppendBool(append(appended, `,"bool":`...), yes)
		appended = append(wire.AppendHex(append(appended, `,"hex":`...), sum), '}')
		type values struct {
			Text  string   `json:"text"`
			Texts []string `json:"texts"`
			Int   int64    `json:"int"`
			Ints  []int64  `json:"ints"`
			Bool  bool     `json:"bool"`
			Hex   string   `json:"hex"`
		}
		want := values{text, []string{text, "", text}, n, []int64{n, n % 1000, n % 100, n % 10}, yes, hex(sum)}
		encoded, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := json.Unmarshal(encoded, &b); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(appended, &a); err != nil {
			t.Fatalf("%s: %v", appended, err)
		}
		again, _ := json.Marshal(a)
		wanted, _ := json.Marshal(b)
		if !bytes.Equal(again, wanted) {
			t.Errorf("got %s, want %s", again, wanted)
		}
	})
}

func hex(n uint32) string {
	const digits = "0123456789abcdef"
	var b [8]byte
	for i := range b {
		b[7-i] = digits[n>>(4*i)&15]
	}
	return string(b[:])
}

func TestErrorOfACallerEndsTheMembers(t *testing.T) {
	calls := 0
	err := wire.Members([]byte(`{"a":1,"b":2}`), func([]byte, []byte) error { calls++; return wire.ErrSyntax })
	if err != wire.ErrSyntax || calls != 1 {
		t.Errorf("got %v after %d calls, want ErrSyntax after 1", err, calls)
	}
}

func TestIntsRefusesMoreThanFit(t *testing.T) {
	var dst [2]int64
	if n, err := wire.Ints([]byte(`[1,2]`), dst[:]); n != 2 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	if _, err := wire.Ints([]byte(`[1,2,3]`), dst[:]); err == nil {
		t.Error("three integers fit into two")
	}
}

func TestCutReturnsWhatFollows(t *testing.T) {
	text, rest, ok := wire.CutText([]byte(`"ply":4,"move"`))
	if string(text) != "ply" || string(rest) != `:4,"move"` || !ok {
		t.Errorf("got %q, %q, %v", text, rest, ok)
	}
	n, rest, ok := wire.CutUint([]byte(`42,"move"`))
	if n != 42 || string(rest) != `,"move"` || !ok {
		t.Errorf("got %d, %q, %v", n, rest, ok)
	}
	for _, s := range []string{``, `x`, `01`, `123456789012345678`} {
		if n, _, ok := wire.CutUint([]byte(s)); ok {
			t.Errorf("%q is cut to %d", s, n)
		}
	}
	for _, s := range []string{``, `"`, `"a`, `a"`, "\"\x01\"", `"\n"`, `"é"`} {
		if text, _, ok := wire.CutText([]byte(s)); ok {
			t.Errorf("%q is cut to %q", s, text)
		}
	}
}
