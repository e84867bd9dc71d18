package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Record is one game as text (RULES.md §2): tags, moves, result. A parsed record is
// well formed; [Record.Replay] checks whether its moves are legal.
type Record struct {
	Tags   []Tag
	Moves  []string // the text of each ply
	Result string   // stores joined by "-", "*" while running, or empty if not given

	// Notes are comments to print, each after the ply of its index. A note must not
	// contain "}". Parsing drops comments.
	Notes map[int]string // index of the ply, from 0
}

// Tag is one tag line.
type Tag struct{ Name, Value string }

// Tag returns the value of a tag, or an empty string if the tag is absent.
func (rec *Record) Tag(name string) string {
	for _, t := range rec.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// Terminations that are not an [End]: a player's or the server's decision.
const (
	ByResign    = "resign"
	ByTime      = "time"
	ByAbandoned = "abandoned"
	ByAgreement = "agreed"
	ByNoShow    = "no-show"
)

// Codes of a [RecordError] that is not about a move.
const (
	CodeBadRecord      = "bad-record"
	CodeBadRules       = "bad-rules"
	CodeBadPosition    = "bad-position"
	CodeBadResult      = "bad-result"
	CodeBadTermination = "bad-termination"
	CodeTooLong        = "too-long"
)

// RecordError reports what is wrong with a record.
type RecordError struct {
	Ply     int    `json:"ply"`  // the ply that broke the rules, counted from 1 in this record; 0 if the fault is elsewhere
	Move    string `json:"move"` // the text of that ply, or its beginning
	Code    string `json:"code"` // a Code constant or a [Reason]
	Message string `json:"message"`
}

func (e *RecordError) Error() string {
	if e.Ply == 0 {
		return fmt.Sprintf("engine: record: %s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("engine: record: ply %d %s: %s: %s", e.Ply, e.Move, e.Code, e.Message)
}

func recordError(code, format string, args ...any) *RecordError {
	return &RecordError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// moveError returns an error about the ply with the number after+1.
func moveError(after int, text string, code Reason, message string) *RecordError {
	return &RecordError{Ply: after + 1, Move: fmt.Sprintf("%.120s", text), Code: string(code), Message: message}
}

// Limits of a record: it is the text of one game between people.
const (
	MaxRecordBytes = 256 << 10
	maxTags        = 64
	maxRecordPlies = 20_000
)

// ParseRecord reads one record. The error is a [*RecordError].
func ParseRecord(text string) (*Record, error) {
	if len(text) > MaxRecordBytes {
		return nil, recordError(CodeTooLong, "a record has at most %d bytes", MaxRecordBytes)
	}
	rec := &Record{}
	rest := strings.TrimLeft(text, " \t\r\n")
	for strings.HasPrefix(rest, "[") {
		line, after, _ := strings.Cut(rest, "\n")
		tag, err := parseTag(strings.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		twice := slices.ContainsFunc(rec.Tags, func(t Tag) bool { return t.Name == tag.Name })
		if twice || len(rec.Tags) == maxTags {
			return nil, recordError(CodeBadRecord, "tag %.40q is given twice, or there are too many", tag.Name)
		}
		rec.Tags = append(rec.Tags, tag)
		rest = strings.TrimLeft(after, " \t\r\n")
	}
	if err := rec.parseMoves(rest); err != nil {
		return nil, err
	}
	return rec, nil
}

// parseTag reads `[Name "value"]`. In the value, \" and \\ stand for " and \.
func parseTag(line string) (Tag, error) {
	bad := recordError(CodeBadRecord, "%.60q is not a tag line", line)
	name, quoted, ok := strings.Cut(strings.TrimPrefix(line, "["), " ")
	if !ok || name == "" || strings.ContainsFunc(name, func(c rune) bool { return !isAlphanumeric(c) }) {
		return Tag{}, bad
	}
	quoted, ok = strings.CutSuffix(quoted, "]")
	quoted = strings.TrimSpace(quoted)
	if !ok || len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return Tag{}, bad
	}
	var value strings.Builder
	escaped := false
	for _, c := range quoted[1 : len(quoted)-1] {
		switch {
		case escaped && c != '"' && c != '\\', !escaped && c == '"', c < ' ' || c == 0x7f || c == '\uFFFD':
			return Tag{}, bad
		case !escaped && c == '\\':
			escaped = true
			continue
		}
		value.WriteRune(c)
		escaped = false
	}
	if escaped {
		return Tag{}, bad
	}
	return Tag{name, value.String()}, nil
}

func isAlphanumeric(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// parseMoves reads the move text: plies separated by spaces or commas, and the result
// at the end. It ignores turn numbers and {comments}.
func (rec *Record) parseMoves(text string) error {
	for {
		before, rest, found := strings.Cut(text, "{")
		if strings.Contains(before, "}") {
			return recordError(CodeBadRecord, "a comment ends that did not begin")
		}
		for _, token := range strings.FieldsFunc(before, func(c rune) bool { return strings.ContainsRune(", \t\r\n", c) }) {
			switch number := strings.TrimRight(token, "."); {
			case number != token && isDigits(number):
				continue // a turn number
			case rec.Result != "":
				return recordError(CodeBadRecord, "%.20q stands after the result", token)
			case isResult(token):
				rec.Result = token
			case token[0] == '[':
				return recordError(CodeBadRecord, "a tag stands among the moves")
			case len(rec.Moves) == maxRecordPlies:
				return recordError(CodeTooLong, "a record has at most %d plies", maxRecordPlies)
			default:
				rec.Moves = append(rec.Moves, token)
			}
		}
		if !found {
			return nil
		}
		if _, text, found = strings.Cut(rest, "}"); !found {
			return recordError(CodeBadRecord, "a comment does not end")
		}
	}
}

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' })
}

func isResult(s string) bool {
	if s == "*" {
		return true
	}
	parts := strings.Split(s, "-")
	return len(parts) >= 2 && !slices.ContainsFunc(parts, func(p string) bool { return !isDigits(p) })
}

// Replay is a record that has been played through.
type Replay struct {
	Game        *Game
	Start       Position
	Moves       []Move
	Positions   []Position // after each ply
	Legal       [][]Move   // before each ply; empty for a lay-out
	Result      string     // stores joined by "-", or "*" while running
	Termination string     // an [End] or a By constant; empty while running
}

// Game compiles the rules that the record names.
func (rec *Record) Game() (*Game, error) {
	name := rec.Tag("Rules")
	r, ok := System(name)
	if !ok {
		return nil, recordError(CodeBadRules, "there is no system %.40q", name)
	}
	r, err := r.withText(rec.Tag("Options"))
	if err != nil {
		return nil, recordError(CodeBadRules, "%v", err)
	}
	g, err := Compile(r)
	if err != nil {
		return nil, recordError(CodeBadRules, "%v", err)
	}
	return g, nil
}

// Replay plays the record. The error is a [*RecordError].
func (rec *Record) Replay() (*Replay, error) {
	g, err := rec.Game()
	if err != nil {
		return nil, err
	}
	out := &Replay{Game: g, Start: g.Start()}
	if text := rec.Tag("Start"); text != "" {
		if out.Start, err = g.Parse(text); err != nil {
			return nil, recordError(CodeBadPosition, "%v", err)
		}
	}
	if text := rec.Tag("Match"); text != "" {
		_, target, ok := ParseMatchTag(text)
		if !ok || g.rules.Match != MatchDifference || target != g.rules.Target {
			return nil, recordError(CodeBadRecord, "tag Match cannot be %.40q", text)
		}
	}
	left, err := rec.leavers(g)
	if err != nil {
		return nil, err
	}
	p, h := out.Start, &History{}
	for i, text := range rec.Moves {
		for seat, ply := range left {
			if ply <= i {
				p.Out |= 1 << seat
			}
		}
		m, ok := ParseMove(text)
		if !ok {
			return nil, moveError(i, text, BadMove, "this is not a move")
		}
		legal := g.LegalMoves(&p, nil)
		if err := g.Play(&p, h, m, nil); err != nil {
			var refused *MoveError
			errors.As(err, &refused)
			return nil, moveError(i, text, refused.Reason, refused.Message())
		}
		out.Moves = append(out.Moves, m)
		out.Legal = append(out.Legal, legal)
		out.Positions = append(out.Positions, p)
	}
	if err := rec.conclude(out, p); err != nil {
		return nil, err
	}
	return out, nil
}

// leavers reads the tag Left, which is an extension of this project. `Left "East 12,
// North 30"` names the seats that left a game of four (RULES.md §7.9), and how many
// plies of the record had been played by then.
func (rec *Record) leavers(g *Game) (map[Seat]int, error) {
	left := map[Seat]int{}
	text := rec.Tag("Left")
	if text == "" {
		return left, nil
	}
	for part := range strings.SplitSeq(text, ", ") {
		name, ply, _ := strings.Cut(part, " ")
		seat, ok := g.SeatNamed(name)
		n, isNumber := parseInt(ply)
		if !ok || !isNumber || n < 0 || g.sides != 4 {
			return nil, recordError(CodeBadRecord, "tag Left cannot be %.40q", text)
		}
		left[seat] = n
	}
	return left, nil
}

// conclude compares the end that the record states with the end of the replayed game.
func (rec *Record) conclude(out *Replay, p Position) error {
	g, stated := out.Game, rec.Tag("Termination")
	winner, known := 0, true
	if name := rec.Tag("Winner"); name != "" {
		if winner, known = g.SideNamed(name); !known {
			return recordError(CodeBadTermination, "there is no seat or side %.40q to win", name)
		}
	}
	out.Result, out.Termination = "*", stated
	switch stated {
	case ByResign, ByTime, ByAbandoned, ByAgreement, ByNoShow:
		if p.Phase == Over && p.End != "" {
			return recordError(CodeBadTermination, "the game ended by itself (%s)", p.End)
		}
		if stated == ByResign && g.rules.Match == MatchDifference && rec.Tag("Winner") != "" {
			g.ResignRound(&p, Seat(1-winner))
		}
		out.Result = p.ResultText()
	case "":
		if p.Phase == Over {
			out.Result, out.Termination = p.ResultText(), string(p.End)
		}
	default:
		// A position that was read as over holds no reason, so any reason may be
		// right.
		if p.Phase != Over || p.End != "" && stated != string(p.End) || !slices.Contains(ends, End(stated)) {
			return recordError(CodeBadTermination, "the game did not end by %.40q", stated)
		}
		out.Result = p.ResultText()
	}
	for _, result := range []string{rec.Result, rec.Tag("Result")} {
		if result != "" && result != "*" && result != p.ResultText() {
			return recordError(CodeBadResult, "the result is %s, not %.40s", p.ResultText(), result)
		}
		if result != "" && result != "*" {
			out.Result = result
		}
	}
	return nil
}

// ResultText returns the stores in side order joined by "-".
func (p *Position) ResultText() string {
	scores := p.Scores()
	parts := make([]string, len(scores))
	for i, n := range scores {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, "-")
}

// SeatTag returns a seat's name in records: South, East, South1 …
func (s Shape) SeatTag(seat Seat) string {
	short := s.SeatName(seat)
	return sideNames[short[0]] + short[1:]
}

var sideNames = map[byte]string{'S': "South", 'E': "East", 'N': "North", 'W': "West"}

// SeatNamed returns the seat with a given name in records.
func (g *Game) SeatNamed(tag string) (Seat, bool) {
	for s := range Seat(g.seats) {
		if g.shape.SeatTag(s) == tag {
			return s, true
		}
	}
	return 0, false
}

// SideNamed returns the side with a given name, or the side of the seat with that
// name.
func (g *Game) SideNamed(tag string) (int, bool) {
	if seat, ok := g.SeatNamed(tag); ok {
		return g.Side(seat), true
	}
	seat, ok := g.SeatNamed(tag + "1")
	return g.Side(seat), ok
}

// String returns the record as text: tags, an empty line, the moves, and the result.
// The moves of one turn are joined by commas, and each turn of the seat that began
// has a number. A record that cannot be replayed is printed ply by ply.
func (rec *Record) String() string {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, t := range rec.Tags {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.Name, escape.Replace(t.Value))
	}
	b.WriteByte('\n')
	for i, turn := range rec.turns() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(turn)
	}
	if rec.Result != "" {
		if len(rec.Moves) > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(rec.Result)
	}
	b.WriteByte('\n')
	return b.String()
}

// turns joins the plies of each turn and numbers the turns of the seat that began.
func (rec *Record) turns() []string {
	played, err := rec.Replay()
	if err != nil {
		return rec.Moves
	}
	var out []string
	var last Seat
	number, joinable := 0, false
	before := played.Start
	for i, text := range rec.Moves {
		if note := rec.Notes[i]; note != "" {
			text += " {" + note + "}"
		}
		separate := before.Phase != Play // lay-out and keep/swap are turns of their own
		switch {
		case joinable && !separate && before.Seat == last:
			out[len(out)-1] += "," + text
		case before.Seat == played.Start.Seat:
			number++
			out = append(out, strconv.Itoa(number)+". "+text)
		default:
			out = append(out, text)
		}
		last, joinable = before.Seat, !separate
		before = played.Positions[i]
	}
	return out
}
