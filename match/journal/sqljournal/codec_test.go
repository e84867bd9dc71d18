package sqljournal

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"mancala/match/journal"
)

// TestSegmentsHoldEveryEntryOnceAndInOrder also checks that only a single entry makes
// a segment longer than allowed.
func TestSegmentsHoldEveryEntryOnceAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 250, 4000, 30_000, segmentBytes - 4, segmentBytes, 100_000}), 1, 40).Draw(t, "sizes")
		var tail [][]byte
		var want []journal.Row
		for i, n := range sizes {
			want = append(want, journal.Row{Seq: uint64(i) + 1, Epoch: uint64(i / 3), Key: "k", Data: bytes.Repeat([]byte{byte(i)}, n)})
			tail = append(tail, appendBody(nil, want[i]))
		}
		seq := uint64(1)
		for len(tail) > 0 {
			blob, n := cutSegment(tail)
			if n < 1 || n > 1 && len(blob) > segmentBytes {
				t.Fatalf("%d entries in %d bytes", n, len(blob))
			}
			tail = tail[n:]
			in := open(blob)
			for in.More() {
				got, w := in.body(seq), want[seq-1]
				if got.Seq != w.Seq || got.Epoch != w.Epoch || got.Key != w.Key || !bytes.Equal(got.Data, w.Data) {
					t.Fatalf("entry %d: %d bytes of epoch %d", seq, len(got.Data), got.Epoch)
				}
				seq++
			}
			if in.Bad {
				t.Fatal("a segment of ours cannot be read")
			}
		}
		if seq != uint64(len(want))+1 {
			t.Fatalf("%d of %d entries", seq-1, len(want))
		}
	})
}

// FuzzReader checks that reading ends whatever the file holds.
func FuzzReader(f *testing.F) {
	blob := appendBody([]byte{format}, journal.Row{Seq: 1, Epoch: 300, Key: "key", Data: []byte("data")})
	f.Add(blob)
	f.Add(blob[:len(blob)-1])
	f.Add([]byte{format, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, blob []byte) {
		in := open(blob)
		var out []byte
		for n := 0; in.More(); n++ {
			row := in.body(1)
			if !in.Bad {
				out = appendBody(out, row)
			}
		}
		if !in.Bad && len(out) > len(blob) {
			t.Errorf("%d bytes from %d", len(out), len(blob))
		}
	})
}
