package fold

import (
	"bytes"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mancala/match/journal"
	"mancala/match/journal/foldtest"
)

func sameRows(a, b []journal.Row) bool {
	return slices.EqualFunc(a, b, func(a, b journal.Row) bool {
		return a.Seq == b.Seq && a.Epoch == b.Epoch && a.Key == b.Key && bytes.Equal(a.Data, b.Data)
	})
}

func TestAnyRowsComeBackAsTheyWere(t *testing.T) {
	row := func(epoch uint64, key, data string) journal.Row {
		return journal.Row{Epoch: epoch, Key: key, Data: []byte(data)}
	}
	for name, rows := range map[string][]journal.Row{
		"none":                      nil,
		"one empty row":             {row(0, "", "")},
		"any bytes":                 {row(3, "\x00\xff", "\xfe\x00"), row(3, "k", strings.Repeat("\x80", 300))},
		"largest epochs":            {row(1<<64-1, "k", "d"), row(0, "k", "d"), row(1<<63, "k", "d")},
		"a key that is in the data": {row(1, "ada\n7", `{"by":"ada","c":"7"}`)},
		"a part of it only":         {row(1, "ada\n7", `{"by":"ada"}`), row(1, "ada\n7", `{"c":"7","by":"ada"}`)},
		"half a key":                {row(1, "\n7", "7"), row(1, "ada\n", "ada"), row(1, "ada", "ada"), row(1, "\n", "\n")},
		"tokens":                    {row(1, "k", "0 00 7 12345678 123456789 deadbeef 1eadbeef DEADBEEF 1EADBEEF x1 1x x1 99999999999999999999 12.5 -3"), row(1, "k", "1 2 3"), row(1, "k", "3 2 1")},
		"marks":                     {row(1, "k", "\x01\x02\x03\x04\x05\x06\x00"), row(1, "k", "\x04"), row(1, "\x05\n\x04", "\x05\x04")},
		"two line breaks":           {row(1, "a\nb\nc", "a b\nc"), row(1, "a\nb\nc", "abc")},
	} {
		for i := range rows {
			rows[i].Seq = uint64(i) + 1
		}
		packed, err := Pack(rows)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := Unpack(packed); err != nil || !sameRows(got, rows) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, rows)
		}
	}
}

func TestGapsAreNotPacked(t *testing.T) {
	for _, seqs := range [][]uint64{{2}, {1, 3}, {0, 1}} {
		var rows []journal.Row
		for _, seq := range seqs {
			rows = append(rows, journal.Row{Seq: seq})
		}
		if packed, err := Pack(rows); err == nil {
			t.Errorf("rows %v: packed into %d bytes", seqs, len(packed))
		}
	}
}

// FuzzUnpack checks that bytes that no Pack has written are an error and never a panic.
func FuzzUnpack(f *testing.F) {
	packed, err := Pack([]journal.Row{{Seq: 1, Epoch: 1, Key: "ada\n7", Data: []byte(`{"by":"ada","c":"7"}`)}, {Seq: 2, Epoch: 1, Key: "k"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add([]byte{})
	f.Add([]byte{version})
	f.Add([]byte{version + 1, 3, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := Unpack(b)
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
		if err == nil && !Fits(rows) {
			t.Skip()
		}
	})
}

// packedByThisRelease is a room packed by the first release that folds rooms.
const packedByThisRelease = "0155dac3486acba6b6961557610e535f010e3f1cf50133b83e60c5d92d50aa65656164616261666161616553605460546056605260064310adcb0442873b995859b9ca0b0c0b8c0c0ccc0d0c2a0c0d0d3000200000ffff42626560626160d06062675365626766606260606068b872e7eafe0c06a6697c0c4c4c4c3b181998191898189858fffd9fffedcb9adb0fa41984b9388400010000ffff46963011d7a767ff"

func TestRoomsOfEarlierReleasesCanBeUnpacked(t *testing.T) {
	packed, err := hex.DecodeString(packedByThisRelease)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := Unpack(packed); err != nil || !sameRows(rows, sample) {
		t.Errorf("%v, %v; want %v", rows, err, sample)
	}
	if now, err := Pack(sample); err != nil || !bytes.Equal(now, packed) {
		t.Logf("packed now, by another version of the deflater: %x, %v", now, err)
	}
}

var sample = []journal.Row{
	{Seq: 1, Key: "p1\ncreate", Data: []byte(`{"k":"create","at":1795252000000,"by":"p1","c":"create","b":{}}`)},
	{Seq: 2, Epoch: 1, Key: "p2\nx-1", Data: []byte(`{"k":"sit","at":1795252000907,"by":"p2","c":"x-1","b":{"set":{"sitters":["p2"]}}}`)},
	{Seq: 3, Epoch: 3, Key: "\nw", Data: []byte(`{"k":"flag","at":1795252000999,"c":"w"}`)},
	{Seq: 4, Epoch: 3, Data: []byte("\x01\x02\x03\x04\x05\x06 46963011 d7a767ff 007 0 00 x1 x1 999999999999999999 1000000000000000000 -5 -4 É9")},
	{Seq: 5, Epoch: 3},
}

// TestFinishedGameTakesAtMostTwoKilobytes packs the recorded games.
func TestFinishedGameTakesAtMostTwoKilobytes(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*.journal")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		rows := foldtest.Recorded(t, file, 1)
		packed, err := Pack(rows)
		if err != nil {
			t.Fatal(err)
		}
		plain := 0
		for _, row := range rows {
			plain += len(row.Key) + len(row.Data)
		}
		t.Logf("%-30s %3d rows, %5d bytes, packed %4d, %3d for each row", filepath.Base(file), len(rows), plain, len(packed), len(packed)/len(rows))
		if got, err := Unpack(packed); err != nil || !sameRows(got, rows) {
			t.Errorf("%s does not come back as it was: %v", file, err)
		}
		if len(rows) <= 43 && len(packed) > 2000 {
			t.Errorf("%s: %d rows take %d bytes", file, len(rows), len(packed))
		}
	}
}

func BenchmarkPack(b *testing.B) {
	rows := foldtest.Recorded(b, "../../testdata/pressman.journal", 1)
	for b.Loop() {
		if _, err := Pack(rows); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	packed, err := Pack(foldtest.Recorded(b, "../../testdata/pressman.journal", 1))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Unpack(packed); err != nil {
			b.Fatal(err)
		}
	}
}
