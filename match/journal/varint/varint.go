// Package varint reads the numbers and bytes that journals pack one after the other.
package varint

import "encoding/binary"

// Reader takes values from the front of a buffer. Bad is set when the buffer ends too early or
// a number is invalid. From then on every value is zero and the buffer is empty, so that a
// caller may read several values before it looks at Bad.
type Reader struct {
	Buf []byte
	Bad bool
}

// More reports whether another value can be read.
func (r *Reader) More() bool { return !r.Bad && len(r.Buf) > 0 }

// Uvarint takes an unsigned number.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.Buf)
	return advance(r, v, n)
}

// Varint takes a signed number.
func (r *Reader) Varint() int64 {
	v, n := binary.Varint(r.Buf)
	return advance(r, v, n)
}

func advance[T uint64 | int64](r *Reader, v T, n int) T {
	if n <= 0 {
		r.Buf, r.Bad = nil, true
		return 0
	}
	r.Buf = r.Buf[n:]
	return v
}

// Take takes n bytes. They are part of the buffer, and appending to them does not write there.
func (r *Reader) Take(n uint64) []byte {
	if n > uint64(len(r.Buf)) {
		r.Buf, r.Bad = nil, true
		return nil
	}
	b := r.Buf[:n:n]
	r.Buf = r.Buf[n:]
	return b
}
