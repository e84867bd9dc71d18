package picture

import "image/color"

// transparent is the index of the transparent colour in a palette of [Board.palette].
const transparent = 0

// palette returns the colours of a moving picture. It has at most 256: the first is
// transparent, and the others are those of the theme, and the mixtures of colours that
// meet at an edge.
func (b Board) palette() color.Palette {
	p := colours{list: color.Palette{color.RGBA{}}, known: map[color.RGBA]bool{}}
	for i := range shadesOfTable + 1 {
		p.add(mix(lit, table, float64(i)/shadesOfTable))
	}
	ground := mix(lit, table, 0.5) // below the scores
	board := materials[b.Made]
	p.add(over(grain, board), over(shadow, ground), over(shadow, table), over(gleam, wood))
	p.edges(3, board, ground)
	p.edges(3, over(gleam, board), board, wall, ground)
	p.edges(3, wall, hollow, board)
	for _, tint := range tints { // seeds
		p.edges(3, tint, hollow)
		p.edges(2, over(shadow, hollow), hollow, tint)
		p.edges(2, over(gleam, tint), tint)
	}
	if b.Hand { // seeds on the table
		for _, tint := range tints {
			p.edges(2, tint, ground)
		}
		p.edges(1, over(shadow, ground), ground)
	}
	p.edges(6, digits, hollow)
	p.edges(4, faint, hollow)
	p.edges(6, onTable, ground)
	p.edges(2, onTable, wall)
	for seat := range b.Sides * b.Partners { // marks on the table and on a claimed pit, and rings
		p.edges(4, players[seat], ground)
		p.edges(2, players[seat], hollow, wall)
	}
	p.edges(3, tints[0], ground) // a star
	p.edges(2, wood, edge, ground)
	return p.list
}

// colours collects colours, each once.
type colours struct {
	list  color.Palette
	known map[color.RGBA]bool
}

func (p *colours) add(all ...color.RGBA) {
	for _, c := range all {
		if !p.known[c] {
			p.known[c] = true
			p.list = append(p.list, c)
		}
	}
}

// edges adds inner, the colours around it, and steps mixtures of inner with each of these.
func (p *colours) edges(steps int, inner color.RGBA, around ...color.RGBA) {
	p.add(inner)
	for _, outer := range around {
		p.add(outer)
		for i := range steps {
			p.add(mix(inner, outer, float64(i+1)/float64(steps+1)))
		}
	}
}

// over returns what light or shadow makes of a colour.
func over(veil, ground color.RGBA) color.RGBA {
	through := func(v, g uint8) uint8 { return v + uint8(int(g)*(255-int(veil.A))/255) }
	return color.RGBA{through(veil.R, ground.R), through(veil.G, ground.G), through(veil.B, ground.B), 255}
}
