package fold

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"mancala/match/journal"
	"mancala/match/journal/varint"
)

// Data is taken apart at its tokens, which are the longest runs of lower-case letters and
// digits with at least one digit. What stays is the frame, with a mark for each token:
//
//	markSum     eight hexadecimal digits; the four bytes are a checksum
//	markNumber  up to 18 digits without a leading zero: the change since the last number in
//	            the same place, see [memory]
//	markWord    any other token: its place among the words of the room, or 0 and its length
//	            for a new one
//
// A row ends with markEnd. A byte of the data that is itself a mark has markByte before it.
const (
	markSum byte = 1 + iota
	markNumber
	markWord
	markByte
	markEnd
)

// parts are what rows are taken apart into.
type parts struct {
	frame   []byte
	numbers []byte // varints
	words   []byte // new words, one after the other
	keys    []byte // keys that are not in the data of their rows
	sums    []byte
	known   map[string]uint64 // words by their place, from 1
	memory
}

func newParts() *parts { return &parts{known: map[string]uint64{}, memory: newMemory()} }

func (p *parts) number(n uint64) { p.numbers = binary.AppendUvarint(p.numbers, n) }

// row takes the data of a row apart.
func (p *parts) row(data []byte) {
	p.memory.next()
	for i := 0; i < len(data); {
		n, digits := token(data[i:])
		switch {
		case n == 0 && data[i] >= markSum && data[i] <= markEnd:
			p.frame = append(p.frame, markByte, data[i])
			i++
			continue
		case n == 0:
			p.frame = append(p.frame, data[i])
			i++
			continue
		case digits == 0:
			p.frame = append(p.frame, data[i:i+n]...)
			i += n
			continue
		}
		text := data[i : i+n]
		i += n
		if n == 8 {
			if sum, err := hex.DecodeString(string(text)); err == nil {
				p.frame, p.sums = append(p.frame, markSum), append(p.sums, sum...)
				continue
			}
		}
		if digits == n && n <= 18 && (n == 1 || text[0] != '0') {
			value := int64(0)
			for _, c := range text {
				value = 10*value + int64(c-'0')
			}
			p.number(zigzag(p.memory.change(p.frame, value)))
			p.frame = append(p.frame, markNumber)
			continue
		}
		place := p.known[string(text)]
		p.number(place)
		if place == 0 {
			p.number(uint64(n))
			p.words = append(p.words, text...)
			p.known[string(text)] = uint64(len(p.known)) + 1
		}
		p.frame = append(p.frame, markWord)
	}
	p.frame = append(p.frame, markEnd)
}

// token returns the length of the run of lower-case letters and digits at the front of b, and
// how many of them are digits.
func token(b []byte) (n, digits int) {
	for n < len(b) && (b[n] >= 'a' && b[n] <= 'z' || b[n] >= '0' && b[n] <= '9') {
		if b[n] <= '9' {
			digits++
		}
		n++
	}
	return n, digits
}

// memory knows the last number in each place. A place is the text of the frame before it, and
// how often that text came before a number in the same row.
type memory struct {
	last map[place]int64
	seen map[place]uint16 // in this row
}

type place struct {
	before [6]byte
	times  uint16
}

func newMemory() memory { return memory{map[place]int64{}, map[place]uint16{}} }

// next begins a row.
func (m *memory) next() { clear(m.seen) }

// at returns the place at the end of the frame.
func (m *memory) at(frame []byte) (p place) {
	copy(p.before[:], frame[max(0, len(frame)-len(p.before)):])
	times := m.seen[p]
	m.seen[p] = times + 1
	p.times = times
	return p
}

// change returns the change to a value since the last number in the place at the end of the
// frame.
func (m *memory) change(frame []byte, value int64) int64 {
	p := m.at(frame)
	last := m.last[p]
	m.last[p] = value
	return value - last
}

// since returns the value after a change.
func (m *memory) since(frame []byte, change int64) int64 {
	p := m.at(frame)
	value := m.last[p] + change
	m.last[p] = value
	return value
}

func zigzag(n int64) uint64   { return uint64(n)<<1 ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// rest is what is left of the parts while rows are put together.
type rest struct {
	numbers, words, sums varint.Reader
	frame                []byte
	done                 int // bytes of the frame that are used
	known                []string
	memory
}

func newRest(numbers, text, sums []byte) *rest {
	all := varint.Reader{Buf: text}
	frame := all.Take(all.Uvarint())
	return &rest{
		numbers: varint.Reader{Buf: numbers, Bad: all.Bad}, frame: frame, words: varint.Reader{Buf: all.Buf}, sums: varint.Reader{Buf: sums}, memory: newMemory(),
	}
}

func (r *rest) bad() bool { return r.numbers.Bad || r.words.Bad || r.sums.Bad }

// used reports whether nothing is left.
func (r *rest) used() bool {
	return len(r.numbers.Buf)+len(r.words.Buf)+len(r.sums.Buf) == 0 && r.done == len(r.frame)
}

// row puts the data of a row together.
func (r *rest) row() []byte {
	r.memory.next()
	data := make([]byte, 0, 256)
	for {
		plain := r.done
		for r.done < len(r.frame) && (r.frame[r.done] < markSum || r.frame[r.done] > markEnd) {
			r.done++
		}
		data = append(data, r.frame[plain:r.done]...)
		if r.done == len(r.frame) || r.bad() { // every row ends with a mark
			r.numbers.Bad = true
			return data
		}
		mark := r.frame[r.done]
		switch mark {
		case markEnd:
			r.done++
			return data
		case markSum:
			data = hex.AppendEncode(data, r.sums.Take(4))
		case markNumber:
			value := r.memory.since(r.frame[:r.done], unzigzag(r.numbers.Uvarint()))
			if value < 0 { // no Pack writes such a number
				r.numbers.Bad = true
			}
			data = strconv.AppendInt(data, value, 10)
		case markWord:
			data = append(data, r.word()...)
		case markByte:
			if r.done++; r.done == len(r.frame) {
				continue
			}
			data = append(data, r.frame[r.done])
		}
		r.done++
	}
}

func (r *rest) word() string {
	place := r.numbers.Uvarint()
	if place == 0 {
		text := string(r.words.Take(r.numbers.Uvarint()))
		r.known = append(r.known, text)
		return text
	}
	if place > uint64(len(r.known)) {
		r.numbers.Bad = true
		return ""
	}
	return r.known[place-1]
}

// A key is two words with a line break between them. If both occur in the row's data, one
// after the other, only the places are packed: they are the same in most rows.
//
//	0, length                       the key itself is among the texts
//	1 + place of the first word, its length, distance to the second word, its length
type key struct {
	inData          bool
	at, first       uint64
	between, second uint64
	size            uint64
	text            []byte
}

func (p *parts) key(row journal.Row) {
	if first, second, ok := strings.Cut(row.Key, "\n"); ok && first != "" && second != "" {
		if at := bytes.Index(row.Data, []byte(first)); at >= 0 {
			after := at + len(first)
			if between := bytes.Index(row.Data[after:], []byte(second)); between >= 0 {
				for _, n := range [...]int{1 + at, len(first), between, len(second)} {
					p.number(uint64(n))
				}
				return
			}
		}
	}
	p.number(0)
	p.number(uint64(len(row.Key)))
	p.keys = append(p.keys, row.Key...)
}

func (r *rest) key() (k key) {
	at := r.numbers.Uvarint()
	if at == 0 {
		return key{size: r.numbers.Uvarint()}
	}
	k = key{inData: true, at: at - 1}
	k.first = r.numbers.Uvarint()
	k.between = r.numbers.Uvarint()
	k.second = r.numbers.Uvarint()
	return k
}

// of returns the key of the row with this data.
func (k *key) of(data []byte, r *varint.Reader) string {
	if !k.inData {
		return string(k.text)
	}
	in := varint.Reader{Buf: data}
	in.Take(k.at)
	first := in.Take(k.first)
	in.Take(k.between)
	second := in.Take(k.second)
	r.Bad = r.Bad || in.Bad
	return string(first) + "\n" + string(second)
}
