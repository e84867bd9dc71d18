// Package wire reads and writes JSON without reflection.
//
// It serves the few places where encoding/json is a measurable part of what a move
// costs: a command's members, an entry's body, its row in the journal, its frame to a
// client. Everything else uses encoding/json.
//
// The readers are lenient: they read every valid JSON text as encoding/json does, and
// they accept some texts that are not valid. So the caller checks every value that it
// takes, and [Members] gives the key as it is written, without resolving escapes. The
// writers produce valid JSON, with one text for each value.
package wire

import "errors"

// ErrSyntax means that a text is not the JSON that was expected.
var ErrSyntax = errors.New("wire: not the JSON that was expected")
