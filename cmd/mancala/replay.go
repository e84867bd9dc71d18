package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"mancala/cmd/internal/cli"
	"mancala/engine"
)

// replayed is the JSON object for one record.
type replayed struct {
	Rules       string     `json:"rules"`
	Options     string     `json:"options"` // as the record gives them
	Start       string     `json:"start"`
	Moves       []string   `json:"moves"`
	Positions   []string   `json:"positions"` // after each ply
	Legal       [][]string `json:"legal"`     // before each ply; empty for a lay-out
	Result      string     `json:"result"`
	Termination string     `json:"termination"`
}

// runReplay reads any number of game records and prints a line with a JSON object for
// each. The object of a record that breaks the rules is an error. All other records are
// still processed, and the exit status is 1.
func runReplay(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	words, err := cli.ParseFlags(flag.NewFlagSet("replay", flag.ContinueOnError), args, errOut)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return fmt.Errorf("%w: replay reads standard input and takes no %.40q: mancala replay < FILE", cli.ErrUsage, words[0])
	}
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	var failed error
	records := newRecordScanner(in)
	for ctx.Err() == nil && records.next() {
		answer, err := replayOne(records.text(), records.tooLong)
		var refused *engine.RecordError
		if errors.As(err, &refused) {
			failed = cli.ErrSilent // the error is in the output
			err = encoder.Encode(map[string]any{"error": refused})
		} else if err == nil {
			err = encoder.Encode(answer)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(buffered.Flush(), records.err, ctx.Err(), failed)
}

func replayOne(text string, tooLong bool) (*replayed, error) {
	record, game, err := readRecord(text, tooLong)
	if err != nil {
		return nil, err
	}
	answer := &replayed{
		Rules: record.Tag("Rules"), Options: record.Tag("Options"), Start: game.Start.String(),
		Moves: moveTexts(game.Moves), Positions: []string{}, Legal: [][]string{},
		Result: game.Result, Termination: game.Termination,
	}
	for i, p := range game.Positions {
		answer.Positions = append(answer.Positions, p.String())
		answer.Legal = append(answer.Legal, moveTexts(game.Legal[i]))
	}
	return answer, nil
}

// readRecord reads a record and plays it. The error is a [*engine.RecordError].
func readRecord(text string, tooLong bool) (*engine.Record, *engine.Replay, error) {
	if tooLong {
		return nil, nil, &engine.RecordError{Code: engine.CodeTooLong, Message: "the record is too long"}
	}
	record, err := engine.ParseRecord(text)
	if err != nil {
		return nil, nil, err
	}
	game, err := record.Replay()
	return record, game, err
}

func moveTexts(moves []engine.Move) []string {
	out := make([]string, len(moves))
	for i, m := range moves {
		out[i] = m.String()
	}
	return out
}

// recordScanner splits a stream into records. A tag line begins a record if moves or an
// empty line came after the tags before it. Within a comment only a Rules tag after an
// empty line begins a record, so that a comment without an end spoils only its own
// record. The part of a record beyond the limit is dropped while it is read.
type recordScanner struct {
	in      *bufio.Reader
	record  bytes.Buffer
	tooLong bool
	err     error

	pending []byte // a piece that has been read but belongs to the next record
	partial bool   // the next piece continues a line

	// State at the end of the added text.
	ended     bool // a tag line would begin the next record
	inTag     bool // the line is a tag line
	inComment bool
	empty     bool // the line is empty
}

func newRecordScanner(in io.Reader) *recordScanner {
	return &recordScanner{in: bufio.NewReaderSize(in, 64<<10)}
}

func (s *recordScanner) text() string { return s.record.String() }

// next reads the next record. It returns false at the end of the stream.
func (s *recordScanner) next() bool {
	s.record.Reset()
	s.tooLong, s.ended, s.inComment = false, false, false
	s.add(s.pending, false)
	s.pending = nil
	for {
		piece, err := s.in.ReadSlice('\n')
		if !s.partial && s.begins(piece) {
			s.pending = bytes.Clone(piece)
			s.partial = errors.Is(err, bufio.ErrBufferFull)
			return true
		}
		s.add(piece, s.partial)
		s.partial = errors.Is(err, bufio.ErrBufferFull)
		switch {
		case err == nil, s.partial:
		case errors.Is(err, io.EOF):
			return s.tooLong || len(bytes.TrimSpace(s.record.Bytes())) > 0
		default:
			s.err = err
			return false
		}
	}
}

// begins reports whether line is the first line of the next record.
func (s *recordScanner) begins(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	if s.inComment {
		return s.empty && bytes.HasPrefix(line, []byte("[Rules "))
	}
	return s.ended && bytes.HasPrefix(line, []byte("["))
}

// add adds a line to the record, or a piece that continues a line.
func (s *recordScanner) add(piece []byte, continues bool) {
	text := bytes.TrimSpace(piece)
	if len(text) == 0 && s.record.Len() == 0 && !s.tooLong {
		return // empty lines before a record
	}
	if !continues {
		s.inTag = !s.inComment && bytes.HasPrefix(text, []byte("["))
		s.empty = true
	}
	if !s.inTag {
		for _, c := range text {
			s.inComment = c == '{' || s.inComment && c != '}'
		}
		s.ended = s.ended || s.tooLong || len(text) > 0 || s.record.Len() > 0
	}
	s.empty = s.empty && len(text) == 0
	if s.tooLong || s.record.Len()+len(piece) > engine.MaxRecordBytes {
		s.tooLong = true
		return
	}
	s.record.Write(piece)
}
