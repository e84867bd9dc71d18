package room

import (
	"encoding/json"
	"fmt"
	"strconv"

	"mancala/match/machine"
)

// appendEntry appends the bytes of an entry's row: the JSON of [machine.Entry].
// By hand, because encoding/json compacts the body once more and that was half
// of what a command costs. That the body is JSON is the machine's promise; its
// tests hold it to that, since a row that cannot be read again would end its room.
func appendEntry(b []byte, e machine.Entry) ([]byte, error) {
	if !plain(e.Kind) || !plain(e.By) || !plain(e.Command) {
		data, err := json.Marshal(e)
		return append(b, data...), err
	}
	b = append(append(append(b, `{"k":"`...), e.Kind...), '"')
	if e.Version != 0 {
		b = strconv.AppendInt(append(b, `,"v":`...), int64(e.Version), 10)
	}
	b = strconv.AppendInt(append(b, `,"at":`...), e.At, 10)
	if e.By != "" {
		b = append(append(append(b, `,"by":"`...), e.By...), '"')
	}
	if e.Command != "" {
		b = append(append(append(b, `,"c":"`...), e.Command...), '"')
	}
	if len(e.Body) > 0 {
		b = append(append(b, `,"b":`...), e.Body...)
	}
	return append(b, '}'), nil
}

// plain says whether s is a JSON string as it stands.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func decodeEntry(data []byte) (machine.Entry, error) {
	var e machine.Entry
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("room: decode an entry: %w", err)
	}
	return e, nil
}

// rowKey tells, together with the epoch, whether a row is ours.
func rowKey(c machine.Command) string { return c.By + "\n" + c.ID }
