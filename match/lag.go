package match

// What the network takes between a player and the server is given back to his
// clock: for a ply the whole round trip, since the board has to reach him before
// he can think and his move has to reach us. It comes from a bucket for each
// seat, which fills a little with every ply: so everybody's ordinary delay costs
// nothing, and nobody can live on delay, whoever causes it.
//
//	total = base + 40 · increment           (the length of a game of 40 turns)
//	gain  = min(1 s, 150 ms + total / 250)  per ply on a running clock
//	start = 3 · gain, cap = 7 · gain
//
// Source: the constants that lichess uses and publishes in scalachess
// (LagTracker: quota gain of 2/5 centisecond per second of the estimated game
// plus 15, at most 100 centiseconds, three times that at the start, seven times
// at most; a flag waits for the quota, at most two seconds). There the client
// reports its delay; here it is the round trip of the server's own pings,
// measured where the socket is.
const (
	maxGain      = 1_000  // ms
	baseGain     = 150    // ms
	maxFlagWait  = 2_000  // ms
	maxRoundTrip = 60_000 // ms; what is more is no measurement
)

// bucket is what the network has cost a seat: how much was measured, how much of
// it given back, and what is left to give, in ms. Players see it after the game.
type bucket struct {
	Measured int64 `json:"measured"`
	Given    int64 `json:"given"`
	Left     int64 `json:"left"`
}

func gain(c control) int64 { return min(maxGain, baseGain+(c.base+40*c.inc)/250) }

func newBucket(c control) bucket {
	if !c.clocked() {
		return bucket{}
	}
	return bucket{Left: 3 * gain(c)}
}

// give takes a ply's round trip into the account and says how much of it is
// given back: never more than has passed on the clock.
func (b *bucket) give(c control, roundTrip, elapsed int64) int64 {
	roundTrip = max(0, roundTrip)
	given := min(roundTrip, b.Left, elapsed)
	b.Measured += roundTrip
	b.Given += given
	b.Left = min(b.Left-given+gain(c), 7*gain(c))
	return given
}
