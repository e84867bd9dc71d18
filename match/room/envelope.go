package room

import (
	"encoding/json"
	"fmt"

	"mancala/match/machine"
	jsonwire "mancala/match/wire" // "wire" is a type of the tests
)

// appendEntry appends the bytes of an entry's row: the JSON of [machine.Entry].
//
// encoding/json would compact the body once more. That was half of the cost of a
// command. The machine promises that the body is JSON, and its tests check that: a row
// that cannot be read again would end its room.
func appendEntry(b []byte, e machine.Entry) []byte {
	b = jsonwire.AppendText(append(b, `{"k":`...), e.Kind)
	if e.Version != 0 {
		b = jsonwire.AppendInt(append(b, `,"v":`...), int64(e.Version))
	}
	b = jsonwire.AppendInt(append(b, `,"at":`...), e.At)
	if e.By != "" {
		b = jsonwire.AppendText(append(b, `,"by":`...), e.By)
	}
	if e.Command != "" {
		b = jsonwire.AppendText(append(b, `,"c":`...), e.Command)
	}
	if len(e.Body) > 0 {
		b = append(append(b, `,"b":`...), e.Body...)
	}
	return append(b, '}')
}

func decodeEntry(data []byte) (machine.Entry, error) {
	var e machine.Entry
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("room: decode an entry: %w", err)
	}
	return e, nil
}

// rowKey identifies, together with the epoch, the command that a row answers.
func rowKey(c machine.Command) string { return c.By + "\n" + c.ID }

// addSum returns the checksum of a room's entries with one more, FNV-1a. It covers what
// distinguishes two entries that were decided in the same place: their times, kinds,
// authors and commands. Only the checksum of no entries is 0.
func addSum(sum uint32, e machine.Entry) uint32 {
	const offset, prime = 2166136261, 16777619
	if sum == 0 {
		sum = offset
	}
	for at := uint64(e.At); at != 0; at >>= 8 {
		sum = (sum ^ uint32(at&0xff)) * prime
	}
	for _, text := range [...]string{e.Kind, e.By, e.Command} {
		for i := range len(text) {
			sum = (sum ^ uint32(text[i])) * prime
		}
	}
	return max(sum, 1)
}
