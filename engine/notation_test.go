package engine_test

import (
	"errors"
	"hash/fnv"
	"strings"
	"testing"

	"mancala/engine"
)

// TestMovesArePrintedAsTheyWereRead goes through the table of moves in RULES.md §2.
func TestMovesArePrintedAsTheyWereRead(t *testing.T) {
	for _, tt := range []struct {
		text string
		want engine.Move
	}{
		{"c", engine.Move{Pit: 2}},
		{"c>", engine.Move{Pit: 2, Way: engine.CCW}},
		{"c<", engine.Move{Pit: 2, Way: engine.CW}},
		{"z", engine.Move{Pit: 25}},
		{"+c", engine.Move{Kind: engine.MoveGift, Pit: 2}},
		{"-", engine.Move{Kind: engine.MovePass}},
		{"keep", engine.Move{Kind: engine.MoveKeep}},
		{"swap", engine.Move{Kind: engine.MoveSwap}},
		{"=7.6.5.8.6.4/6.5.8.4.9.4", engine.LayOut([]int{7, 6, 5, 8, 6, 4, 6, 5, 8, 4, 9, 4})},
		{"=1/71", engine.LayOut([]int{1, 71})},
	} {
		if m := move(t, tt.text); m != tt.want || m.String() != tt.text {
			t.Errorf("%q was read as %+v and printed as %q", tt.text, m, m)
		}
	}
}

// TestMalformedPositionsAreRefused has a row for each way to break RULES.md §2.
func TestMalformedPositionsAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, rules, text string }{
		{"empty", "kalah", ""},
		{"five fields", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0"},
		{"seven fields", "kalah", fours + " 0"},
		{"two spaces", "kalah", strings.Replace(fours, " ", "  ", 1)},
		{"a space in front", "kalah", " " + fours},
		{"a line end", "kalah", fours + "\n"},
		{"one side", "kalah", "4,4,4,4,4,4 0/0 S play 0 0"},
		{"three sides", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"five pits", "kalah", "4,4,4,4,4/4,4,4,4,4 0/0 S play 0 0"},
		{"sides that differ", "kalah", "4,4,4,4,4,4,4/4,4,4,4,4 0/0 S play 0 0"},
		{"one store", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0 S play 0 0"},
		{"negative", "kalah", "4,4,4,4,4,-4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"negative store", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 -1/0 S play 0 0"},
		{"not an integer", "kalah", "4,4,4,4,4,4.5/4,4,4,4,4,4 0/0 S play 0 0"},
		{"leading zero", "kalah", "04,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"plus", "kalah", "+4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"empty pit text", "kalah", ",4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"251 seeds in a pit", "kalah", "251,0,0,0,0,0/0,0,0,0,0,0 0/0 S play 0 0"},
		{"251 seeds in all", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 200/3 S play 0 0"},
		{"huge", "kalah", "4,4,4,4,4,99999999999999999999/4,4,4,4,4,4 0/0 S play 0 0"},
		{"unknown seat", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 E play 0 0"},
		{"a team's seat", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S1 play 0 0"},
		{"a seat of two for four", "basic-teams", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"unknown phase", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S Play 0 0"},
		{"a phase that the rules don't have", "kalah", "0,0,0,0,0,0/0,0,0,0,0,0 0/0 S setup 0 0"},
		{"no swap here", "ignorant swap=none", "7,6,5,8,6,4/6,5,8,4,9,4 0/0 N swap 0 1"},
		{"seeds before the lay-out", "wise", "1,0,0,0,0,0/0,0,0,0,0,0 0/0 S setup 0 0"},
		{"stores that make the lay-out exceed 250 seeds", "wise", "0,0,0,0,0,0/0,0,0,0,0,0 100/79 S setup 0 0"},
		{"a mark that the rules don't have", "kalah", "x,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"},
		{"a claimed last pit", "toguz-kumalak", strings.Replace(twin, ",1 74", ",x 74", 1)},
		{"claimed twins", "toguz-kumalak", strings.Replace(twin, "2,0,0", "x,0,0", 1)},
		{"two claimed pits of one side", "toguz-kumalak", strings.Replace(twin, "x,1,1", "x,x,1", 1)},
		{"seeds in a claimed pit", "toguz-kumalak", strings.Replace(twin, "x,1,1", "3x,1,1", 1)},
		{"a house where there is none", "toguz-kumalak", strings.Replace(twin, "2,0,0", "2h,0,0", 1)},
		{"negative clock", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play -1 0"},
		{"negative ply", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 -1"},
		{"huge ply", "kalah", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 99999999999"},
		{"bad UTF-8", "kalah", strings.Replace(fours, "S", "\xff", 1)},
		{"long", "kalah", strings.Repeat("4,", 1<<20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if p, err := game(t, tt.rules).Parse(tt.text); err == nil {
				t.Errorf("was read as %v", p)
			} else if len(err.Error()) > 300 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

// TestChecksumIsFNV1aOfTheBoardText compares with the standard library's FNV-1a of
// the first two fields.
func TestChecksumIsFNV1aOfTheBoardText(t *testing.T) {
	for _, text := range []string{fours, capture, endless} {
		rules := "kalah"
		if text == endless {
			rules = "maruba"
		}
		fields := strings.Fields(text)
		want := fnv.New32a()
		want.Write([]byte(fields[0] + " " + fields[1]))
		if p := position(t, game(t, rules), text); p.Checksum() != want.Sum32() {
			t.Errorf("%s: got %#x, want %#x", text, p.Checksum(), want.Sum32())
		}
	}
}

// record is a short game of Kalah in the layout of RULES.md §2.
const record = `[Rules "kalah"]
[South "Ada \"the \\ first\""]
[North "Ben"]
[Date "2026-11-21"]
[Result "3-2"]
[Start "0,0,0,1,0,1/0,0,0,1,1,0 1/0 S play 0 0"]
[Termination "side-empty"]

1. f,d d 2. e e,f 3-2
`

// TestRecordIsPrintedAsItWasReadWhateverItsLayout prints a record, and reads other
// texts with the same meaning.
func TestRecordIsPrintedAsItWasReadWhateverItsLayout(t *testing.T) {
	rec, err := engine.ParseRecord(record)
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.String(); got != record {
		t.Errorf("printed as\n%s", got)
	}
	if got := rec.Tag("South"); got != `Ada "the \ first"` {
		t.Errorf("South is %q", got)
	}
	head, _, _ := strings.Cut(record, "\n\n")
	for name, moves := range map[string]string{
		"spaces for commas":        "f d d e e f 3-2",
		"commas for spaces":        "1.,f,d,d,2.,e,e,f,3-2",
		"lines and tabs":           "1. f,d\r\n\td\n\n2. e e,f\n3-2",
		"comments":                 "{Hello} 1. f{own store},d {[Rules \"oware\"]} d {2. a} e {\n[Rules \"x\"]\n} e f 3-2 {bye}",
		"other numbers":            "7... f 3. d d 99999999999999999999999. e e f 3-2",
		"no empty line before it":  "",
		"no result after the move": "1. f,d d 2. e e,f",
	} {
		t.Run(name, func(t *testing.T) {
			text := head + "\n\n" + moves
			if moves == "" {
				text = strings.Replace(record, "\n\n", "\n", 1)
			}
			rec, err := engine.ParseRecord(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(rec.Moves, " "); got != "f d d e e f" {
				t.Errorf("the moves are %s", got)
			}
			played, err := rec.Replay()
			if err != nil {
				t.Fatal(err)
			}
			if played.Result != "3-2" || played.Termination != "side-empty" {
				t.Errorf("result %s, termination %s", played.Result, played.Termination)
			}
		})
	}
}

// TestRecordNumbersTheTurnsOfTheSeatThatBegan checks the writing rules of RULES.md §2.
// Lay-out and keep/swap are turns of their own.
func TestRecordNumbersTheTurnsOfTheSeatThatBegan(t *testing.T) {
	for _, tt := range []struct{ name, tags, moves, want string }{
		{"turns of two", `[Rules "kalah"]`, "c a b d f", "1. c,a b 2. d f"},
		{"North begins", `[Rules "kalah"]` + "\n" + `[Start "4,4,4,4,4,4/4,4,4,4,4,4 0/0 N play 0 0"]`, "c a b d", "1. c,a b 2. d"},
		{"lay-out, keep, and North begins", `[Rules "wise"]`, "=0.9.10.8.9.0/0.10.9.9.8.0 keep b", "1. =0.9.10.8.9.0/0.10.9.9.8.0 keep b"},
		{"lay-out, swap, and South begins", `[Rules "wise"]`, "=0.9.10.8.9.0/0.10.9.9.8.0 swap b", "1. =0.9.10.8.9.0/0.10.9.9.8.0 swap 2. b"},
		{"four", `[Rules "basic-four"]`, "c a a a a b", "1. c,a a a a 2. b"},
		{"teams", `[Rules "basic-teams"]`, "c a a d b b", "1. c,a a d b 2. b"},
		{"no moves", `[Rules "kalah"]`, "", ""},
		{"cannot be replayed", `[Rules "kalah"]`, "c a g", "c a g"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec, err := engine.ParseRecord(tt.tags + "\n\n" + tt.moves)
			if err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(rec.String(), "\n\n")
			if strings.TrimSpace(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			again, err := engine.ParseRecord(rec.String())
			if err != nil || again.String() != rec.String() {
				t.Errorf("read and printed again: %v, %v", again, err)
			}
		})
	}
}

// TestTerminationMustAgreeWithTheGame checks the end of RULES.md §2: how a game may
// end, and which side it names as the winner.
func TestTerminationMustAgreeWithTheGame(t *testing.T) {
	const (
		kalah  = `[Rules "kalah"]` + "\n"
		ended  = kalah + `[Start "0,0,0,0,0,1/2,0,3,0,1,0 20/21 S play 0 40"]` + "\n"
		read   = kalah + `[Start "0,0,0,0,0,0/0,0,0,0,0,0 25/23 S over 0 60"]` + "\n"
		round  = `[Rules "wise"]` + "\n" + `[Start "` + rule9 + `"]` + "\n"
		laying = `[Rules "wise"]` + "\n"
		four   = `[Rules "basic-four"]` + "\n"
		teams  = `[Rules "basic-teams"]` + "\n"
	)
	for _, tt := range []struct{ name, text, result, termination, code string }{
		{"running", kalah + "\nc *", "*", "", ""},
		{"running, without a result", kalah + "\nc", "*", "", ""},
		{"running, stores given", kalah + "\nc 1-0", "1-0", "", ""},
		{"over", ended + "\nf", "21-27", "side-empty", ""},
		{"over, as the tag says", ended + "[Termination \"side-empty\"]\n\nf 21-27", "21-27", "side-empty", ""},
		{"over for another reason", ended + "[Termination \"majority\"]\n\nf", "", "", engine.CodeBadTermination},
		{"not over", kalah + "[Termination \"side-empty\"]\n\nc", "", "", engine.CodeBadTermination},
		{"read as over: the tag knows why", read + "[Termination \"side-empty\"]\n\n", "25-23", "side-empty", ""},
		{"read as over, for an unknown reason", read + "[Termination \"boredom\"]\n\n", "", "", engine.CodeBadTermination},
		{"resigned", kalah + "[Termination \"resign\"]\n[Winner \"North\"]\n\nc 1-0", "1-0", "resign", ""},
		{"out of time", kalah + "[Termination \"time\"]\n[Winner \"South\"]\n\nc", "1-0", "time", ""},
		{"abandoned", teams + "[Termination \"abandoned\"]\n[Winner \"South2\"]\n\nc", "1-0", "abandoned", ""},
		{"a side may win", teams + "[Termination \"abandoned\"]\n[Winner \"South\"]\n\nc", "1-0", "abandoned", ""},
		{"agreed", kalah + "[Termination \"agreed\"]\n\nc", "1-0", "agreed", ""},
		{"resigned after the end", ended + "[Termination \"resign\"]\n[Winner \"North\"]\n\nf", "", "", engine.CodeBadTermination},
		{"no seat of that name", kalah + "[Termination \"resign\"]\n[Winner \"East\"]\n\nc", "", "", engine.CodeBadTermination},
		{"a round resigned", round + "[Termination \"resign\"]\n[Winner \"South\"]\n\n", "61-11", "resign", ""},
		{"a round resigned before play", laying + "[Termination \"resign\"]\n[Winner \"North\"]\n\n", "0-72", "resign", ""},
		{"a round lost on time keeps its stores", round + "[Termination \"time\"]\n[Winner \"South\"]\n\n", "12-11", "time", ""},
		{"wrong result in the text", ended + "\nf 22-26", "", "", engine.CodeBadResult},
		{"wrong result in the tag", ended + "[Result \"21-26\"]\n\nf", "", "", engine.CodeBadResult},
		{"left a game of four", four + "[Left \"East 1\"]\n\na - a a", "*", "", ""},
		{"left, and still plays", four + "[Left \"East 1\"]\n\na a a a", "", "", string(engine.MustPass)},
		{"left a game of two", kalah + "[Left \"North 1\"]\n\nc", "", "", engine.CodeBadRecord},
		{"a round of a match", round + "[Round \"2\"]\n[Match \"12-0 of 60\"]\n\n", "*", "", ""},
		{"a match to another target", round + "[Match \"12-0 of 50\"]\n\n", "", "", engine.CodeBadRecord},
		{"a match without gains", round + "[Match \"of 60\"]\n\n", "", "", engine.CodeBadRecord},
		{"a match in a game of single rounds", kalah + "[Match \"12-0 of 60\"]\n\n", "", "", engine.CodeBadRecord},
		{"left at no ply", four + "[Left \"East x\"]\n\na", "", "", engine.CodeBadRecord},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec, err := engine.ParseRecord(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			played, err := rec.Replay()
			if tt.code != "" {
				var refused *engine.RecordError
				if !errors.As(err, &refused) || refused.Code != tt.code {
					t.Errorf("got %v, want %s", err, tt.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if played.Result != tt.result || played.Termination != tt.termination {
				t.Errorf("got %s %q, want %s %q", played.Result, played.Termination, tt.result, tt.termination)
			}
		})
	}
}

// TestMalformedRecordsAreRefused has a row for every way in which a record can be
// wrong.
func TestMalformedRecordsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, text, code string
		ply              int
	}{
		{"empty", "", engine.CodeBadRules, 0},
		{"unknown system", "[Rules \"kala\"]\n\nc", engine.CodeBadRules, 0},
		{"unknown option", "[Rules \"kalah\"]\n[Options \"pit=7\"]\n\nc", engine.CodeBadRules, 0},
		{"two spaces between options", "[Rules \"kalah\"]\n[Options \"pits=7  seeds=5\"]\n\nc", engine.CodeBadRules, 0},
		{"invalid combination", "[Rules \"kalah\"]\n[Options \"capture=none cross_own=false\"]\n\nc", engine.CodeBadRules, 0},
		{"wrong start", "[Rules \"kalah\"]\n[Start \"4,4/4,4 0/0 S play 0 0\"]\n\nc", engine.CodeBadPosition, 0},
		{"not a move", "[Rules \"kalah\"]\n\nc,x3", string(engine.BadMove), 2},
		{"illegal move", "[Rules \"kalah\"]\n\nc,c", string(engine.EmptyPit), 2},
		{"a move after the end", "[Rules \"kalah\"]\n[Start \"" + lastOut + "\"]\n\nf a", string(engine.GameOver), 2},
		{"a move after the result", "[Rules \"kalah\"]\n\nc 1-0 a", engine.CodeBadRecord, 0},
		{"two results", "[Rules \"kalah\"]\n\nc 1-0 1-0", engine.CodeBadRecord, 0},
		{"a tag among the moves", "[Rules \"kalah\"]\n\nc\n[South \"Ada\"]", engine.CodeBadRecord, 0},
		{"a comment that does not end", "[Rules \"kalah\"]\n\nc {a", engine.CodeBadRecord, 0},
		{"a comment that did not begin", "[Rules \"kalah\"]\n\nc } a", engine.CodeBadRecord, 0},
		{"a tag twice", "[Rules \"kalah\"]\n[Rules \"oware\"]\n\nc", engine.CodeBadRecord, 0},
		{"a tag twice, first without a value", "[Rules \"kalah\"]\n[Options \"\"]\n[Options \"pits=7\"]\n\nc", engine.CodeBadRecord, 0},
		{"a tag without quotes", "[Rules kalah]\n\nc", engine.CodeBadRecord, 0},
		{"a tag without an end", "[Rules \"kalah\"\n\nc", engine.CodeBadRecord, 0},
		{"a tag without a name", "[ \"kalah\"]\n\nc", engine.CodeBadRecord, 0},
		{"a tag name with a dash", "[Rules-of \"kalah\"]\n\nc", engine.CodeBadRecord, 0},
		{"a quote in a value", "[Rules \"ka\"lah\"]\n\nc", engine.CodeBadRecord, 0},
		{"a backslash at the end", "[Rules \"kalah\\\"]\n\nc", engine.CodeBadRecord, 0},
		{"an escape of nothing", "[Rules \"kal\\ah\"]\n\nc", engine.CodeBadRecord, 0},
		{"bad UTF-8 in a value", "[Rules \"kal\xffah\"]\n\nc", engine.CodeBadRecord, 0},
		{"a control character in a value", "[Rules \"kal\x07ah\"]\n\nc", engine.CodeBadRecord, 0},
		{"too many tags", manyTags(65) + "\nc", engine.CodeBadRecord, 0},
		{"too long", "[Rules \"kalah\"]\n\n{" + strings.Repeat("x", engine.MaxRecordBytes) + "}", engine.CodeTooLong, 0},
		{"too many plies", "[Rules \"kalah\"]\n\n" + strings.Repeat("c ", 20_001), engine.CodeTooLong, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec, err := engine.ParseRecord(tt.text)
			if err == nil {
				_, err = rec.Replay()
			}
			var refused *engine.RecordError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if refused.Code != tt.code || refused.Ply != tt.ply {
				t.Errorf("got %s at ply %d, want %s at ply %d", refused.Code, refused.Ply, tt.code, tt.ply)
			}
			if refused.Message == "" || !strings.Contains(err.Error(), refused.Message) || len(err.Error()) > 500 {
				t.Errorf("the error is %q", err)
			}
		})
	}
}

func manyTags(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("[T" + strings.Repeat("x", i) + " \"\"]\n")
	}
	return b.String()
}
