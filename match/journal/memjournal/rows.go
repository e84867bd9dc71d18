package memjournal

import (
	"encoding/binary"
	"slices"

	"mancala/match/journal"
)

// rows holds a room's rows, one after the other in a few blocks of bytes. Rows are
// kept for ever, so they need no padding, and the garbage collector does not have to
// scan them. A row is its epoch and the lengths of key and data as varints, then key
// and data.
type rows struct {
	blocks [][]byte
	n      uint64
}

const (
	firstBlock = 1 << 10
	lastBlock  = 8 << 10 // blocks double up to this
)

func (l *rows) add(row journal.Row) {
	size := 3*binary.MaxVarintLen64 + len(row.Key) + len(row.Data)
	last := len(l.blocks) - 1
	if last < 0 || cap(l.blocks[last])-len(l.blocks[last]) < size {
		l.blocks = append(l.blocks, make([]byte, 0, max(size, min(firstBlock<<len(l.blocks), lastBlock))))
		last++
	}
	b := binary.AppendUvarint(l.blocks[last], row.Epoch)
	b = binary.AppendUvarint(b, uint64(len(row.Key)))
	b = binary.AppendUvarint(b, uint64(len(row.Data)))
	l.blocks[last] = append(append(b, row.Key...), row.Data...)
	l.n++
}

// after returns copies of the rows after a sequence number, at most limit (0: all).
func (l *rows) after(seq uint64, limit int) []journal.Row {
	if seq >= l.n {
		return nil
	}
	want := l.n - seq
	if limit > 0 {
		want = min(want, uint64(limit))
	}
	list := make([]journal.Row, 0, want)
	at := uint64(0)
	for _, b := range l.blocks {
		for len(b) > 0 && uint64(len(list)) < want {
			var head [3]uint64 // epoch, length of the key, length of the data
			for i := range head {
				v, n := binary.Uvarint(b)
				head[i], b = v, b[n:]
			}
			key, data := b[:head[1]], b[head[1]:head[1]+head[2]]
			b = b[head[1]+head[2]:]
			if at++; at > seq {
				list = append(list, journal.Row{Seq: at, Epoch: head[0], Key: string(key), Data: slices.Clone(data)})
			}
		}
	}
	return list
}
