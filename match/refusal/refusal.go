// Package refusal answers commands and requests that cannot be carried out.
//
// A refusal is the sender's mistake, not the server's: the caller answers the
// sender and logs nothing. Every layer refuses in the same way, from the rules of a
// game to the web pages, so that one path turns each refusal into a sentence.
package refusal

import (
	"errors"
	"fmt"
)

// Code tells programs why something was refused. Its text is stable: clients compare
// it, and the web layer turns it into a sentence.
type Code string

// Error is a refusal.
type Error struct {
	Code   Code
	Detail any // what the sentence needs (which pit, which moves are legal), or nil; encodes as JSON
}

func (e *Error) Error() string { return fmt.Sprintf("refused: %s", e.Code) }

// New returns a refusal with a code.
func New(code Code) error { return &Error{Code: code} }

// With returns a refusal with a code and a detail, which encodes as JSON.
func With(code Code, detail any) error { return &Error{Code: code, Detail: detail} }

// Of returns the code of the refusal in err. ok reports whether err is or wraps one.
func Of(err error) (code Code, ok bool) {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Code, true
	}
	return "", false
}

// Is reports whether err is or wraps a refusal with this code.
func Is(err error, code Code) bool {
	c, ok := Of(err)
	return ok && c == code
}

// Detail returns the detail of the refusal in err, or nil.
func Detail(err error) any {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Detail
	}
	return nil
}
