package lobby

import (
	"math"
	"time"

	"mancala/match/refusal"
)

// CodeSlowDown refuses a client that sends requests too often.
const CodeSlowDown refusal.Code = "slow-down"

// pause is the detail of a refusal with [CodeSlowDown].
type pause struct {
	Seconds int `json:"seconds"` // until the next try
}

// SlowDown refuses a client that has to wait. It returns nil if wait is 0 or less.
func SlowDown(wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	return refusal.With(CodeSlowDown, pause{int(math.Ceil(wait.Seconds()))})
}

// RetryAfter returns after how many seconds a refused client may try again.
func RetryAfter(err error) int {
	if p, ok := refusal.Detail(err).(pause); ok {
		return p.Seconds
	}
	return 10
}
