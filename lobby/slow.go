package lobby

import (
	"math"
	"time"

	"mancala/match/refusal"
)

// CodeSlowDown refuses a client who asks too often.
const CodeSlowDown refusal.Code = "slow-down"

// pause is the detail of such a refusal.
type pause struct {
	Seconds int `json:"seconds"` // until the next try
}

// SlowDown refuses a client who has to wait for so long, and nobody if that is 0.
func SlowDown(wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	return refusal.With(CodeSlowDown, pause{int(math.Ceil(wait.Seconds()))})
}

// RetryAfter returns in how many seconds a client that was refused may try again.
func RetryAfter(err error) int {
	if p, ok := refusal.Detail(err).(pause); ok {
		return p.Seconds
	}
	return 10
}
