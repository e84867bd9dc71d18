package sqljournal

import (
	"encoding/binary"
	"errors"

	"mancala/match/journal"
	"mancala/match/journal/varint"
)

// A log row holds the entries of one batch. A segment holds entries of one room:
//
//	log:     version, then for each entry: room number, sequence, wake (ms, signed), body
//	segment: version, then for each entry: body
//	body:    epoch, length and bytes of the key, length and bytes of the data
//
// Numbers are varints. The body is the same in both, so splitting copies bytes and
// parses nothing.
const format = 1

var errFormat = errors.New("an entry cannot be decoded")

func appendBody(buf []byte, r journal.Row) []byte {
	buf = binary.AppendUvarint(buf, r.Epoch)
	buf = binary.AppendUvarint(buf, uint64(len(r.Key)))
	buf = append(buf, r.Key...)
	buf = binary.AppendUvarint(buf, uint64(len(r.Data)))
	return append(buf, r.Data...)
}

func appendRecord(buf []byte, num int64, seq uint64, wake int64) []byte {
	buf = binary.AppendUvarint(buf, uint64(num))
	buf = binary.AppendUvarint(buf, seq)
	return binary.AppendVarint(buf, wake)
}

// reader takes entries from the front of a log row or a segment.
type reader struct{ varint.Reader }

// open checks the version of a log row or a segment.
func open(blob []byte) reader {
	if len(blob) == 0 || blob[0] != format {
		return reader{varint.Reader{Bad: true}}
	}
	return reader{varint.Reader{Buf: blob[1:]}}
}

func (r *reader) bytes() []byte { return r.Take(r.Uvarint()) }

// body reads the body of one entry.
func (r *reader) body(seq uint64) journal.Row {
	return journal.Row{Seq: seq, Epoch: r.Uvarint(), Key: string(r.bytes()), Data: r.bytes()}
}

// skip reads over the body of one entry and returns its bytes.
func (r *reader) skip() []byte {
	start := r.Buf
	r.Uvarint()
	r.bytes()
	r.bytes()
	n := len(start) - len(r.Buf)
	return start[:n:n]
}

// segmentBytes is the largest size of a segment. Only a segment with a single entry
// may be larger.
const segmentBytes = 64 << 10

// cutSegment makes a segment of the bodies at the front of tail and returns their
// number.
func cutSegment(tail [][]byte) (blob []byte, n int) {
	size := 1
	for n < len(tail) && (n == 0 || size+len(tail[n]) <= segmentBytes) {
		size += len(tail[n])
		n++
	}
	blob = append(make([]byte, 0, size), format)
	for _, body := range tail[:n] {
		blob = append(blob, body...)
	}
	return blob, n
}
