package testenv

import (
	"strings"
	"sync"
)

// Logbook collects what a process writes, to be read while the process runs. Its zero
// value is empty.
type Logbook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *Logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *Logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
