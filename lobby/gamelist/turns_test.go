package gamelist

import (
	"fmt"
	"testing"
)

func TestTurnsAreRememberedWithinBounds(t *testing.T) {
	var known turns
	for i := range maxTurns + 1 {
		known.learn(fmt.Sprint(i), 1, "ada")
	}
	if n := len(known.known); n == 0 || n > maxTurns {
		t.Errorf("%d games are remembered", n)
	}
	if who, known := known.after(fmt.Sprint(maxTurns), 1); who != "ada" || !known {
		t.Errorf("the last one is %q's, known %t", who, known)
	}
}
