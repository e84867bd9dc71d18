package engine

import (
	"fmt"
	"strings"
)

// Marks are the marks that pits may carry (RULES.md §2). Each is listed by the side that owns the
// pit, as the number of the pit's slot plus 1, so that the zero value is a board without marks.
type Marks struct {
	Claimed [2]uint8 // the pit that the other side has claimed; it never holds seeds
	House   [2]uint8 // the pit that is a house still
	Blocked uint8    // the one pit that is blocked
}

// Of returns the marks of a pit as in the position text: x, h, !, h! or nothing.
func (m Marks) Of(slot int) string {
	at := uint8(slot) + 1
	house := m.House[0] == at || m.House[1] == at
	switch {
	case m.Claimed[0] == at || m.Claimed[1] == at:
		return "x"
	case house && m.Blocked == at:
		return "h!"
	case house:
		return "h"
	case m.Blocked == at:
		return "!"
	}
	return ""
}

// put adds the marks of a pit as Of returns them. It returns false if there is no such mark, or if
// the board has it already and only once.
func (m *Marks) put(marks string, side, slot int) bool {
	for _, mark := range marks {
		at := &m.Blocked
		switch mark {
		case 'x':
			at = &m.Claimed[side]
		case 'h':
			at = &m.House[side]
		}
		if *at != 0 {
			return false
		}
		*at = uint8(slot) + 1
	}
	return m.Of(slot) == marks
}

// claimed reports whether a pit is claimed.
func (m *Marks) claimed(slot uint8) bool { return m.Claimed[0] == slot+1 || m.Claimed[1] == slot+1 }

// key returns the marks as one number, which is 0 for a board without marks.
func (m *Marks) key() uint64 {
	return uint64(m.Claimed[0]) | uint64(m.Claimed[1])<<8 | uint64(m.House[0])<<16 | uint64(m.House[1])<<24 | uint64(m.Blocked)<<32
}

// parseMarks reads the marks of one side's pits and returns the text without them. A claimed pit
// becomes an empty one.
func (g *Game) parseMarks(m *Marks, side int, text string) (string, error) {
	if !strings.ContainsAny(text, "xh!") {
		return text, nil
	}
	pits := strings.Split(text, ",")
	for i, pit := range pits[:min(len(pits), g.row)] {
		number := strings.TrimRight(pit, "xh!")
		marks, slot := pit[len(number):], side*g.row+i
		for _, mark := range marks {
			if !g.mayMark(mark, slot) {
				return "", fmt.Errorf("has a mark %q that these rules don't have there", string(mark))
			}
		}
		claimed := marks == "x"
		if !m.put(marks, side, slot) || claimed != (number == "") || number == "0" && strings.Contains(marks, "h") {
			return "", fmt.Errorf("has marks %.9q that no pit can have", pit)
		}
		if claimed {
			number = "0"
		}
		pits[i] = number
	}
	return strings.Join(pits, ","), nil
}

// mayMark reports whether the rules have this mark in this pit.
func (g *Game) mayMark(mark rune, slot int) bool {
	set := map[rune]uint64{'x': g.claimPits, 'h': g.housePits, '!': g.blockPits}[mark]
	return set>>slot&1 != 0
}

// atEnd removes the marks that no board has after the game: the block, and houses that are shown empty.
func (m *Marks) atEnd(slots *[maxSlots]uint8) {
	m.Blocked = 0
	for side, house := range m.House {
		if house != 0 && slots[house-1] == 0 {
			m.House[side] = 0
		}
	}
}

// layHouses fills in the pits that may be a house, and those that may be blocked.
func (g *Game) layHouses() {
	g.house = [2]uint8{NoSlot, NoSlot}
	for side := range min(g.sides, len(g.house)) {
		if pit := g.rules.House.pit(); pit >= 0 {
			g.house[side] = uint8(side*g.row + pit)
			g.housePits |= 1 << g.house[side]
		}
		if g.rules.Block {
			g.blockPits |= g.crossPits[side]
		}
	}
}
