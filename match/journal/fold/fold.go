// Package fold turns the rows of a room that sleeps for good into a few bytes, and back.
//
// A room's rows resemble each other and the rows of other rooms. [Pack] compresses all rows
// of a room together. It knows nothing of what the rows mean: any rows come back as they
// were, byte for byte.
//
// Compression alone spends most bytes on the text between numbers, again and again. So the
// data of the rows is first taken apart (parts.go): what is left without its numbers and IDs is the
// same in most rows.
package fold

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"mancala/match/journal"
	"mancala/match/journal/varint"
)

// A packed room is
//
//	its version, the length of the text, the text, the length of the numbers, the numbers,
//	the checksums
//
// The text and the numbers are deflated. The text begins with a dictionary, which belongs to
// the version. Neither the dictionary of a released version nor how data is taken apart ever
// changes.
const version = 1

// MaxBytes is the size of data and keys up to which a room is folded. A larger room would
// hold up others while it is replaced.
const MaxBytes = 1 << 20

// MaxRows is the number of rows up to which a room is folded.
const MaxRows = 8192

// ErrFormat means that bytes are no packed room, or that a newer release has packed it.
var ErrFormat = errors.New("fold: not a packed room that this program knows")

// Fits reports whether a room with these rows may be folded.
func Fits(rows []journal.Row) bool {
	size := 0
	for _, row := range rows {
		size += len(row.Key) + len(row.Data)
	}
	return len(rows) <= MaxRows && size <= MaxBytes
}

// Pack packs a room's rows, which must be numbered 1, 2, 3, …
func Pack(rows []journal.Row) ([]byte, error) {
	p := newParts()
	p.number(uint64(len(rows)))
	epoch := uint64(0)
	for i, row := range rows {
		if row.Seq != uint64(i)+1 {
			return nil, fmt.Errorf("fold: row %d where %d should be", row.Seq, i+1)
		}
		p.number(zigzag(int64(row.Epoch - epoch)))
		epoch = row.Epoch
	}
	for _, row := range rows {
		p.key(row)
	}
	for _, row := range rows {
		p.row(row.Data)
	}
	text := binary.AppendUvarint(nil, uint64(len(p.frame)))
	text = append(append(append(text, p.frame...), p.keys...), p.words...)
	out := []byte{version}
	for _, part := range []struct {
		pool  *sync.Pool
		plain []byte
	}{{&textWriters, text}, {&numberWriters, p.numbers}} {
		packed, err := deflate(part.pool, part.plain)
		if err != nil {
			return nil, fmt.Errorf("fold: pack: %w", err)
		}
		out = append(binary.AppendUvarint(out, uint64(len(packed))), packed...)
	}
	return append(out, p.sums...), nil
}

// Unpack returns the rows of a packed room. The error is [ErrFormat].
func Unpack(packed []byte) ([]journal.Row, error) {
	if len(packed) == 0 || packed[0] != version {
		return nil, ErrFormat
	}
	in := varint.Reader{Buf: packed[1:]}
	text, err := inflate(in.Take(in.Uvarint()), dictionary)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	numbers, err := inflate(in.Take(in.Uvarint()), nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	r := newRest(numbers, text, in.Buf)
	n := r.numbers.Uvarint()
	if n > uint64(len(numbers)) { // each row has a number at least
		return nil, ErrFormat
	}
	rows, keys := make([]journal.Row, n), make([]key, n)
	epoch := uint64(0)
	for i := range rows {
		epoch += uint64(unzigzag(r.numbers.Uvarint()))
		rows[i].Seq, rows[i].Epoch = uint64(i)+1, epoch
	}
	for i := range keys {
		keys[i] = r.key()
	}
	for i := range keys {
		keys[i].text = r.words.Take(keys[i].size)
	}
	for i := range rows {
		if rows[i].Data = r.row(); r.bad() {
			return nil, ErrFormat
		}
		rows[i].Key = keys[i].of(rows[i].Data, &r.numbers)
	}
	if in.Bad || r.bad() || !r.used() {
		return nil, ErrFormat
	}
	return rows, nil
}

func deflate(pool *sync.Pool, plain []byte) ([]byte, error) {
	w := pool.Get().(*flate.Writer)
	defer pool.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func inflate(packed, preset []byte) ([]byte, error) {
	r := readers.Get().(io.ReadCloser)
	defer readers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), preset); err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// A writer takes 1 MB of memory and a reader 40 kB, so both are used again.
var (
	textWriters   = sync.Pool{New: func() any { return newWriter(dictionary) }}
	numberWriters = sync.Pool{New: func() any { return newWriter(nil) }}
	readers       = sync.Pool{New: func() any { return flate.NewReader(nil) }}
)

func newWriter(preset []byte) *flate.Writer {
	w, err := flate.NewWriterDict(io.Discard, flate.BestCompression, preset)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}
