package refusal_test

import (
	"errors"
	"fmt"
	"testing"

	"mancala/match/refusal"
)

func TestRefusalIsFoundInWrappedErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		code   refusal.Code
		ok     bool
		detail any
	}{
		{"no error", nil, "", false, nil},
		{"another error", errors.New("broken"), "", false, nil},
		{"a refusal", refusal.New("late"), "late", true, nil},
		{"a refusal with a detail", refusal.With("late", 3), "late", true, 3},
		{"a wrapped refusal", fmt.Errorf("room: %w", refusal.With("late", 3)), "late", true, 3},
		{"an empty code", refusal.New(""), "", true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, ok := refusal.Of(tt.err); code != tt.code || ok != tt.ok {
				t.Errorf("Of: got %q, %v, want %q, %v", code, ok, tt.code, tt.ok)
			}
			if got := refusal.Detail(tt.err); got != tt.detail {
				t.Errorf("Detail: got %v, want %v", got, tt.detail)
			}
			if got := refusal.Is(tt.err, tt.code); got != tt.ok {
				t.Errorf("Is(%q): got %v, want %v", tt.code, got, tt.ok)
			}
			if refusal.Is(tt.err, "other") {
				t.Error(`Is("other"): got true`)
			}
		})
	}
}
