package picture

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Cells of half a face, from the top: distances from the middle of a pit of 64 units.
// The other half mirrors them, so that a face is always symmetric.
var cells = [...][2]int{{0, -17}, {0, 0}, {0, 17}, {10, -9}, {10, 9}, {18, 0}, {9, -22}, {9, 22}, {20, -14}, {20, 14}}

// Rims and seeds of faces. They are decoration and mean nothing, so they are the same in
// every theme.
var (
	rims  = [...]string{"#c99a63", "#a8623a", "#7f8f6a", "#5f8793", "#8c6a9a", "#b0566a", "#d3b06a", "#6b7f4f"}
	stems = [...]string{"#f3bf55", "#fbefd6", "#f0a377", "#b5d8bd", "#e2727a", "#9fc6ee"}
)

// Face returns the face of a player as SVG: a pit with seeds, which follow from the key
// alone, such as the player's ID. It has no text alternative, because the player's name is
// beside it.
func Face(key string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // a hash cannot fail
	bits := h.Sum64()
	bits ^= bits >> 29 // keys that differ in their last letter differ in all bits
	bits *= 0xbf58476d1ce4e5b9
	bits ^= bits >> 32
	draw := func(n int) int {
		k := int(bits % uint64(n))
		bits /= uint64(n)
		return k
	}
	rim, first := rims[draw(len(rims))], draw(len(stems))
	second := (first + 1 + draw(len(stems)-1)) % len(stems)
	var seeds [2]strings.Builder // in two tints
	filled := 0
	for i, c := range cells {
		// At least four cells are filled, so that no face is empty.
		if left := len(cells) - i; draw(2) == 0 && filled+left > 4 {
			continue
		}
		filled++
		tint := &seeds[draw(2)]
		fmt.Fprintf(tint, "M%d %dh0", 32+c[0], 32+c[1])
		if c[0] > 0 {
			fmt.Fprintf(tint, "M%d %dh0", 32-c[0], 32+c[1])
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64" aria-hidden="true" focusable="false">`+
		`<circle cx="32" cy="32" r="30" fill="#3b2210" stroke="%s" stroke-width="4"/>`+
		`<g fill="none" stroke-linecap="round" stroke-width="11"><path d="%s" stroke="%s"/><path d="%s" stroke="%s"/></g></svg>`,
		rim, seeds[0].String(), stems[first], seeds[1].String(), stems[second])
}
