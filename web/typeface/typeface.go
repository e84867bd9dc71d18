// Package typeface is the face of headings, figures and the wordmark: STIX Two Text Bold.
// Its module carries the font, so no font file is part of this repository. Browsers get a
// subset as WOFF2, made when a browser first asks for it. The same input gives the same bytes.
//
// The font is under the SIL Open Font License 1.1. The subset names its copyright and its
// license, as the license asks.
package typeface

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"codeberg.org/go-fonts/stix/stix2textbold"
	tdfont "github.com/tdewolff/font"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// common are the characters of every subset: the letters of English, figures and punctuation. Browsers
// take others, such as those of a player's name, from the system's face.
const common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" +
	" \u00a0.,:;!?'’\"“”()-–…·×+−/&"

// least is the smallest kerning, in thousandths of the size of the letters, that is worth
// its bytes.
const least = 55

const (
	copyright = "Copyright 2001-2021 The STIX Fonts Project Authors (https://github.com/stipub/stixfonts)"
	license   = "This Font Software is licensed under the SIL Open Font License, Version 1.1. This is a subset. https://scripts.sil.org/OFL"
)

// Bold returns the whole face, for pictures.
var Bold = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(stix2textbold.TTF)
	if err != nil {
		panic("typeface: " + err.Error()) // the font is part of the binary
	}
	return f
})

//go:embed typeface.go
var source string

// Version returns a text that changes whenever [WOFF2] is changed: the source of this package.
func Version() string { return source }

// WOFF2 returns the subset for the letters of a language. All its figures have the same width.
func WOFF2(letters string) ([]byte, error) {
	whole, err := tdfont.ParseSFNT(stix2textbold.TTF, 0)
	if err != nil {
		return nil, fmt.Errorf("typeface: %w", err)
	}
	glyphs := []uint16{0} // the glyph of missing characters is always the first
	for _, letter := range common + letters {
		glyph := whole.GlyphIndex(letter)
		if glyph == 0 {
			return nil, fmt.Errorf("typeface: no glyph for %q", letter)
		}
		if !slices.Contains(glyphs, glyph) {
			glyphs = append(glyphs, glyph)
		}
	}
	pairs, err := kerning(glyphs)
	if err != nil {
		return nil, fmt.Errorf("typeface: %w", err)
	}
	cut, err := whole.Subset(slices.Clone(glyphs), tdfont.SubsetOptions{Tables: tdfont.KeepMinTables})
	if err != nil {
		return nil, fmt.Errorf("typeface: %w", err)
	}
	replace(cut, "kern", pairs)
	replace(cut, "name", names(map[uint16]string{0: copyright, 13: license}))
	level(cut, glyphs, whole)
	short, err := cut.WriteWOFF2()
	if err != nil {
		return nil, fmt.Errorf("typeface: %w", err)
	}
	return short, nil
}

// replace sets a table, and corrects the length of the font.
func replace(f *tdfont.SFNT, tag string, table []byte) {
	padded := func(b []byte) uint32 { return uint32(len(b)+3) &^ 3 }
	if old, ok := f.Tables[tag]; ok {
		f.Length -= padded(old) + 16 // 16: the entry in the list of tables
	}
	f.Length += padded(table) + 16
	f.Tables[tag] = table
}

// level gives all figures the width of the zero. In the face, the seven is narrower.
func level(f *tdfont.SFNT, glyphs []uint16, whole *tdfont.SFNT) {
	widths := f.Tables["hmtx"] // four bytes for each glyph: the width and the left margin
	at := func(digit rune) []byte { return widths[4*slices.Index(glyphs, whole.GlyphIndex(digit)):] }
	for digit := '1'; digit <= '9'; digit++ {
		copy(at(digit), at('0')[:2])
	}
}

// kerning returns the table "kern" of the pairs of glyphs. The subset has no other
// positions. Left and right are indices of glyphs.
func kerning(glyphs []uint16) ([]byte, error) {
	var buffer sfnt.Buffer
	em := Bold().UnitsPerEm()
	var pairs []byte
	n := 0
	for left, l := range glyphs {
		for right, r := range glyphs {
			k, err := Bold().Kern(&buffer, sfnt.GlyphIndex(l), sfnt.GlyphIndex(r), fixed.I(int(em)), font.HintingNone)
			if err != nil && !errors.Is(err, sfnt.ErrNotFound) {
				return nil, err
			}
			if k < fixed.I(least) && k > fixed.I(-least) {
				continue
			}
			n++
			pairs = binary.BigEndian.AppendUint16(pairs, uint16(left))
			pairs = binary.BigEndian.AppendUint16(pairs, uint16(right))
			pairs = binary.BigEndian.AppendUint16(pairs, uint16(int16(k.Round())))
		}
	}
	half, steps := 1, 0 // the largest power of two that is not above n, for a binary search
	for ; 2*half <= n; half *= 2 {
		steps++
	}
	var table []byte
	for _, word := range []int{0, 1, 0, 14 + len(pairs), 1, n, 6 * half, steps, 6 * (n - half)} {
		table = binary.BigEndian.AppendUint16(table, uint16(word))
	}
	return append(table, pairs...), nil
}

// names returns the table "name" with English texts by their number.
func names(texts map[uint16]string) []byte {
	type entry struct {
		id   uint16
		text []byte // UTF-16
	}
	var entries []entry
	for id, text := range texts {
		e := entry{id: id}
		for _, letter := range text { // ASCII
			e.text = append(e.text, 0, byte(letter))
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
	var head, body []byte
	for _, word := range []int{0, len(entries), 6 + 12*len(entries)} {
		head = binary.BigEndian.AppendUint16(head, uint16(word))
	}
	for _, e := range entries {
		for _, word := range []int{3, 1, 0x409, int(e.id), len(e.text), len(body)} { // Windows, Unicode, English
			head = binary.BigEndian.AppendUint16(head, uint16(word))
		}
		body = append(body, e.text...)
	}
	return append(head, body...)
}
