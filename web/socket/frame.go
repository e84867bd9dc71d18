package socket

import (
	"encoding/binary"
	"slices"
)

// A Frame is one message ready to be sent. It is built once, can be sent to any
// number of sockets at the same time, and must not be changed.
type Frame struct{ b []byte }

const (
	opClose  = 0x8
	opPing   = 0x9
	finText  = 0x80 | 0x1
	finClose = 0x80 | opClose
	finPing  = 0x80 | opPing
)

// Text returns the text frame whose payload is all parts in order. The parts are
// copied. So a shared beginning can be kept and completed differently for one
// reader: Text(shared, []byte(`,"ack":"c7"}`)).
func Text(parts ...[]byte) Frame {
	return Frame{appendText(nil, parts)}
}

func appendText(b []byte, parts [][]byte) []byte {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	b = appendHeader(slices.Grow(b, 10+size), finText, size)
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// Len returns the number of bytes that the frame takes on the wire, before TLS.
func (f Frame) Len() int { return len(f.b) }

// Payload returns the message inside the frame, for tests and for relaying it to
// another instance. The caller must not change it.
func (f Frame) Payload() []byte {
	if len(f.b) == 0 {
		return nil
	}
	switch f.b[1] {
	case 126:
		return f.b[4:]
	case 127:
		return f.b[10:]
	}
	return f.b[2:]
}

// appendHeader appends the header of a server's frame, which is never masked.
// Source: RFC 6455, section 5.2.
func appendHeader(b []byte, first byte, size int) []byte {
	switch {
	case size <= 125:
		return append(b, first, byte(size))
	case size <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, first, 126), uint16(size))
	}
	return binary.BigEndian.AppendUint64(append(b, first, 127), uint64(size))
}

// closeFrame returns a close frame. It cuts a reason that is too long for a control
// frame, so that the close can be sent.
func closeFrame(code Code, reason string) Frame {
	const most = 123 // 125 bytes of a control frame less two for the code
	if len(reason) > most {
		reason = reason[:most]
		for len(reason) > 0 && reason[len(reason)-1]&0xc0 == 0x80 {
			reason = reason[:len(reason)-1]
		}
		if len(reason) > 0 && reason[len(reason)-1] >= 0xc0 {
			reason = reason[:len(reason)-1]
		}
	}
	b := appendHeader(make([]byte, 0, 4+len(reason)), finClose, 2+len(reason))
	b = binary.BigEndian.AppendUint16(b, uint16(code))
	return Frame{append(b, reason...)}
}
