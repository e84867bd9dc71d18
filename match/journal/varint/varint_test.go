package varint

import (
	"encoding/binary"
	"math"
	"testing"
)

func TestValuesAreReadAsTheyWereWritten(t *testing.T) {
	buf := binary.AppendUvarint(nil, math.MaxUint64)
	buf = binary.AppendVarint(buf, math.MinInt64)
	buf = append(buf, "abc"...)
	in := Reader{Buf: buf}
	if u, i := in.Uvarint(), in.Varint(); u != math.MaxUint64 || i != math.MinInt64 {
		t.Errorf("got %d and %d", u, i)
	}
	got := in.Take(2)
	if _ = append(got, 'x'); string(got) != "ab" || string(in.Buf) != "c" || !in.More() {
		t.Errorf("got %q, and %q is left", got, in.Buf)
	}
	if in.Take(1); in.More() || in.Bad {
		t.Errorf("at the end: %+v", in)
	}
}

func TestReaderOfADamagedBufferStaysBad(t *testing.T) {
	for name, read := range map[string]func(*Reader){
		"no number":     func(r *Reader) { r.Take(2); r.Uvarint() },
		"half a number": func(r *Reader) { r.Take(1); r.Varint() },
		"few bytes":     func(r *Reader) { r.Take(math.MaxUint64) },
		"a long number": func(r *Reader) { r.Buf = []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"); r.Uvarint() },
	} {
		in := Reader{Buf: []byte{1, 0x80}}
		read(&in)
		if n, b := in.Uvarint(), in.Take(1); !in.Bad || in.More() || n != 0 || b != nil {
			t.Errorf("%s: %+v, then %d and %v", name, in, n, b)
		}
	}
}
