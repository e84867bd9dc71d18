package engine_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"mancala/engine"
)

// The fuzz tests of the parsers prove two laws. Every text gets an answer. A value that
// was read is printed as text with the same meaning.

func FuzzParseRules(f *testing.F) {
	for _, row := range engine.Systems {
		f.Add(row.Name)
		f.Add(row.Text)
	}
	for _, text := range []string{"", " ", "kalah pits=7 seeds=5", "kalah pits=99999999999999999999", "maruba seeds=" + strings.Repeat("1,", 30) + "1", "kalah =", "kalah \xff=\xff", "oware counts=none again=none"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := engine.ParseRules(text)
		if err != nil {
			var refused *engine.RulesError
			if !errors.As(err, &refused) || len(err.Error()) > 300 {
				t.Fatalf("%T of %d bytes", err, len(err.Error()))
			}
			return
		}
		again, err := engine.ParseRules(r.String())
		if err != nil || again.String() != r.String() || again.Hash() != r.Hash() {
			t.Fatalf("read %v, printed and read again %v, %v", r, again, err)
		}
		g, err := engine.Compile(r)
		if err != nil {
			return
		}
		if p := g.Start(); p.Phase == engine.Over || r.Describe() == "" {
			t.Fatalf("%v begins with %v", r, p)
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"a", "c>", "c<", "+c", "n>*", "l<*", "c*", "c**", "*", "-*", "-", "keep", "swap", "=7.6.5.8.6.4/6.5.8.4.9.4", "=0/0", "=250/250", "=1.2/3", "", "é", "=\xff/\xff"} {
		f.Add(text)
	}
	g := engine.MustCompile("wise")
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := engine.ParseMove(text)
		if !ok {
			return
		}
		if m.String() != text {
			t.Fatalf("%q is printed as %q", text, m)
		}
		for _, p := range []engine.Position{g.Start(), benchStart(g)} {
			was := p
			if err := g.Play(&p, nil, m, nil); err != nil && p != was {
				t.Fatalf("%v left %v", err, p)
			}
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	systems := []string{"kalah", "basic-teams", "basic-four", "oware", "giuthi", "maruba", "ignorant", "wise", "toguz-kumalak", "omweso", "bao-kujifunza", "bao"}
	games := map[string]*engine.Game{}
	for _, name := range systems {
		games[name] = engine.MustCompile(name)
		p := games[name].Start()
		f.Add(name, p.String())
	}
	for _, text := range []string{fours, capture, lastOut, slam, rule9, twin, strings.Replace(twin, "2,0,0", "x,0,0", 1), strings.Replace(twin, "x,1,1", "x,x,1", 1), strings.Replace(twin, "x,1,1", "3x,1,1", 1), "", "/", ",,,,,/,,,,, / S play 0 0", strings.Replace(fours, "4", "250", 1), strings.Replace(fours, "4", "-4", 1), fours + "9999999999"} {
		for _, name := range systems {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		g, ok := games[name]
		if !ok {
			return
		}
		p, err := g.Parse(text)
		if err != nil {
			if len(err.Error()) > 600 {
				t.Fatalf("the error has %d bytes", len(err.Error()))
			}
			return
		}
		if p.Phase != engine.Over && p.String() != text {
			t.Fatalf("%q is printed as %q", text, p)
		}
		if sum(p) > 250 {
			t.Fatalf("%v holds %d seeds", p, sum(p))
		}
		for _, m := range g.LegalMoves(&p, nil) {
			q := p
			if err := g.Play(&q, &engine.History{}, m, nil); err != nil || sum(q) > sum(p) {
				t.Fatalf("%v: %v gives %v, %v", p, m, q, err)
			}
		}
	})
}

func FuzzRecord(f *testing.F) {
	f.Add(record)
	f.Add("[Rules \"wise\"]\n[Round \"2\"]\n[Match \"12-0 of 60\"]\n\n1. =0.9.10.8.9.0/0.10.9.9.8.0 swap 2. b *")
	f.Add("[Rules \"basic-four\"]\n[Left \"East 1\"]\n\na - a a")
	f.Add("[Rules \"giuthi\"]\n[Options \"pits=5 seeds=3\"]\n[Termination \"time\"]\n[Winner \"North\"]\n\na> {a {b} 1-1")
	f.Add("{{{{{{")
	f.Add("[A \"\\\\\\\"\"]\n\n-")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := engine.ParseRecord(text)
		if err != nil {
			recordErrorIsShort(t, err)
			return
		}
		printed := rec.String()
		again, err := engine.ParseRecord(printed)
		if err != nil || again.String() != printed {
			t.Fatalf("%q was printed as %q and read as %v, %v", text, printed, again, err)
		}
		played, err := rec.Replay()
		if err != nil {
			recordErrorIsShort(t, err)
			return
		}
		if len(played.Positions) != len(rec.Moves) || len(played.Legal) != len(rec.Moves) {
			t.Fatalf("%d moves, %d positions, %d lists", len(rec.Moves), len(played.Positions), len(played.Legal))
		}
	})
}

func recordErrorIsShort(t *testing.T, err error) {
	t.Helper()
	var refused *engine.RecordError
	if !errors.As(err, &refused) || refused.Code == "" || len(refused.Message) > 500 || len(refused.Move) > 500 || !utf8.ValidString(refused.Message) {
		t.Fatalf("%T %q", err, err)
	}
}

// TestLargeTextIsRefusedWithinTheMemoryLimit gives large texts of every kind to every
// parser.
func TestLargeTextIsRefusedWithinTheMemoryLimit(t *testing.T) {
	const large = 10 << 20
	g := game(t, "kalah")
	parse := map[string]func(text string) error{
		"rules":    func(text string) error { _, err := engine.ParseRules(text); return err },
		"position": func(text string) error { _, err := g.Parse(text); return err },
		"record": func(text string) error {
			rec, err := engine.ParseRecord(text)
			if err == nil {
				_, err = rec.Replay()
			}
			return err
		},
		"move": func(text string) error {
			if _, ok := engine.ParseMove(text); !ok {
				return errors.New("not a move")
			}
			return nil
		},
	}
	texts := map[string]string{
		"nine":        strings.Repeat("9", large),
		"spaces":      "kalah" + strings.Repeat(" ", large),
		"options":     "kalah" + strings.Repeat(" pits=7", large/7),
		"list":        "kalah seeds=" + strings.Repeat("1,", large/2),
		"pits":        strings.Repeat("4,", large/2),
		"sides":       strings.Repeat("/", large),
		"lay-out":     "=" + strings.Repeat("1.", large/2),
		"comment":     "[Rules \"kalah\"]\n\n" + strings.Repeat("{", large),
		"tags":        strings.Repeat("[A \"\"]\n", large/7),
		"moves":       "[Rules \"kalah\"]\n\n" + strings.Repeat("a ", large/2),
		"bad UTF-8":   strings.Repeat("\xff", large),
		"tag":         "[Rules \"" + strings.Repeat("k", large) + "\"]",
		"at limit":    "[Rules \"kalah\"]\n\n" + strings.Repeat("{}", engine.MaxRecordBytes/2-20) + "z",
		"long word":   "[Rules \"kalah\"]\n\n" + strings.Repeat("z", engine.MaxRecordBytes-100),
		"long system": "[Rules \"" + strings.Repeat("k", engine.MaxRecordBytes-100) + "\"]",
	}
	for kind, parse := range parse {
		for name, text := range texts {
			t.Run(kind+" of "+name, func(t *testing.T) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := parse(text)
				runtime.ReadMemStats(&after)
				if err == nil || len(err.Error()) > 1000 {
					t.Errorf("got %.100v", err)
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
					t.Errorf("took %d bytes", used)
				}
			})
		}
	}
}
