package engine

import (
	"encoding/json"
	"hash/fnv"
	"strings"
	"testing"
)

// marked is a game whose inner pits may carry any mark, except that only d is a house.
func marked() *Game {
	g := MustCompile("kalah")
	g.claimPits, g.blockPits = g.allPits, g.allPits
	g.housePits = 1<<3 | 1<<9
	return g
}

const withMarks = "4,x,4,4h,5,5/0,0,6,4h!,0,1 1/0 S play 0 1"

func TestMarksArePrintedAsTheyWereRead(t *testing.T) {
	for _, text := range []string{withMarks, "4,4,4,4,4,4/x,0,0!,0,0,1 0/0 N play 3 9", "1,4,4,4!,4,x/1,0,0,0,x,1 0/0 N play 3 9"} {
		p, err := marked().Parse(text)
		if err != nil || p.String() != text {
			t.Errorf("%s was read as %v, %v", text, p, err)
		}
		fields, want := strings.Fields(text), fnv.New32a()
		want.Write([]byte(fields[0] + " " + fields[1]))
		if p.Checksum() != want.Sum32() {
			t.Errorf("%s: got the checksum %#x, want %#x", text, p.Checksum(), want.Sum32())
		}
	}
}

func TestImpossibleMarksAreRefused(t *testing.T) {
	for _, pits := range []string{
		"x,x,4,4,4,4/4,4,4,4,4,4", "4x,4,4,4,4,4/4,4,4,4,4,4", "h,4,4,4,4,4/4,4,4,4,4,4", "4,4,4,0h,4,4/4,4,4,4,4,4",
		"4,4,4h,4,4,4/4,4,4,4,4,4", "4,4,4!,4,4,4/4,4,4!,4,4,4", "4,4,4,4!h,4,4/4,4,4,4,4,4", "4,4,4,4hh,4,4/4,4,4,4,4,4",
		"4,4,4,xh,4,4/4,4,4,4,4,4", "4,4,4,!,4,4/4,4,4,4,4,4", "4,4,4,4,4,4,x/4,4,4,4,4,4",
	} {
		if p, err := marked().Parse(pits + " 0/0 S play 0 0"); err == nil {
			t.Errorf("%s was read as %v", pits, p)
		}
		if p, err := MustCompile("kalah").Parse(pits + " 0/0 S play 0 0"); err == nil {
			t.Errorf("%s: rules without marks read it as %v", pits, p)
		}
	}
	if p, err := marked().Parse(strings.Replace(withMarks, "play", "over", 1)); err == nil {
		t.Errorf("a position that is over was read with a blocked pit: %v", p)
	}
}

// TestPositionsWithOtherMarksAreOthers compares a position with what it is without each of its marks.
func TestPositionsWithOtherMarksAreOthers(t *testing.T) {
	g := marked()
	p, err := g.Parse(withMarks)
	if err != nil {
		t.Fatal(err)
	}
	others := map[uint64]string{g.Key(&p): withMarks}
	for _, mark := range []string{"x", "4h,", "h!", "!"} {
		text := strings.Replace(withMarks, mark, strings.NewReplacer("x", "0", "h", "", "!", "").Replace(mark), 1)
		q, err := g.Parse(text)
		if err != nil || q == p || q.Checksum() == p.Checksum() || others[g.Key(&q)] != "" {
			t.Errorf("%s is taken for %s (%v)", text, others[g.Key(&q)], err)
		}
		others[g.Key(&q)] = text
	}
}

// TestPositionWithoutMarksIsStoredAsBefore keeps checkpoints of older games as they are.
func TestPositionWithoutMarksIsStoredAsBefore(t *testing.T) {
	p, err := marked().Parse(withMarks)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		text, err := json.Marshal(p)
		var again Position
		if err != nil || json.Unmarshal(text, &again) != nil || again != p || strings.Contains(string(text), "Marks") != (p.Marks != Marks{}) {
			t.Errorf("%v is stored as %s and read as %v (%v)", p, text, again, err)
		}
		p.Marks = Marks{}
	}
}
