package match

// A player's clock is compensated for the delay of the network. For a ply that is
// the whole round trip: the board has to reach the player before they can think, and
// their move has to reach the server. The compensation comes from a bucket for each
// seat, which is filled a little with every ply. So ordinary delay costs no player
// any time, and no player can gain time from long delays, whatever causes them.
//
//	total = base + 40 · increment           (the length of a game of 40 turns)
//	gain  = min(1 s, 150 ms + total / 250)  per ply on a running clock
//	start = 3 · gain, cap = 7 · gain
//
// Source: the constants that lichess uses and publishes in scalachess (LagTracker:
// quota gain of 2/5 centisecond per second of the estimated game plus 15, at most
// 100 centiseconds, three times that at the start, seven times at most; a flag waits
// for the quota, at most two seconds). There the client reports its delay. Here it
// is the round trip of the server's own pings, measured at the socket.
const (
	maxGain      = 1_000  // ms
	baseGain     = 150    // ms
	maxFlagWait  = 2_000  // ms
	maxRoundTrip = 60_000 // ms; a longer round trip counts as this one
)

// bucket is what the network has cost a seat, in ms: the delay that was measured,
// the part of it that was given back, and what is left to give. Players see it after
// the game, in the receipt (credit.go).
type bucket struct {
	Measured int64 `json:"measured"`
	Given    int64 `json:"given"`
	Left     int64 `json:"left"`
}

func gain(c control) int64 { return min(maxGain, baseGain+(c.base+40*c.inc)/250) }

func newBucket(c control) bucket {
	if !c.atBoard() {
		return bucket{}
	}
	return bucket{Left: 3 * gain(c)}
}

// give adds a ply's round trip to the account. It returns how much of it is given
// back, at most the time that has passed on the clock.
func (b *bucket) give(c control, roundTrip, elapsed int64) int64 {
	roundTrip = max(0, roundTrip)
	given := min(roundTrip, b.Left, elapsed)
	b.Measured += roundTrip
	b.Given += given
	b.Left = min(b.Left-given+gain(c), 7*gain(c))
	return given
}
