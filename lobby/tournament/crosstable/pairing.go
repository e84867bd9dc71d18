package crosstable

import "fmt"

// A Pairing is two players who meet in a round, by their numbers. Second is 0 where First has a
// bye.
type Pairing struct{ First, Second int }

// IsBye reports whether First has no opponent.
func (p Pairing) IsBye() bool { return p.Second == 0 }

// String returns both numbers, such as 3-12.
func (p Pairing) String() string { return fmt.Sprintf("%d-%d", p.First, p.Second) }
