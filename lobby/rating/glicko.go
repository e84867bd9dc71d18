package rating

import (
	"math"
	"time"
)

// Rating is an estimate of a player's strength. For about 95 of 100 players the strength
// is within two deviations of Value.
type Rating struct {
	Value      float64
	Deviation  float64
	Volatility float64 // how much the strength itself changes
}

// New is the rating of a player who has not played yet.
var New = Rating{Value: 1500, Deviation: maxDeviation, Volatility: 0.06}

const (
	scale = 173.7178 // factor between the numbers that people see and those of the paper
	tau   = 0.5      // how fast a volatility may change; the paper suggests 0.3 to 1.2

	// Bounds. With a deviation below 45 a rating would hardly change any more. A deviation
	// above that of a new player has no meaning.
	minDeviation, maxDeviation   = 45, 350
	minVolatility, maxVolatility = 0.01, 0.1
	minValue, maxValue           = 100, 4000

	// Provisional ratings have a larger deviation. About ten games make it smaller, and
	// more than a year without a game makes it larger again.
	provisional = 110

	// away is the time in which a deviation grows as much as in one period of the paper.
	// It grows from 60 to 110 in about a year.
	away = 5 * 24 * time.Hour
)

// Provisional reports whether r is too uncertain for a leaderboard.
func (r Rating) Provisional() bool { return r.Deviation > provisional }

// Rounded returns the value as people see it.
func (r Rating) Rounded() int { return int(math.Round(r.Value)) }

// After returns the rating after a time without a game.
func (r Rating) After(idle time.Duration) Rating {
	grown := scale * r.Volatility
	r.Deviation = bound(math.Sqrt(r.Deviation*r.Deviation+grown*grown*periods(idle)), minDeviation, maxDeviation)
	return r
}

func periods(idle time.Duration) float64 { return max(0, idle.Seconds()/away.Seconds()) }

// Beat returns the rating after one game. opponent is the opponent's rating before the
// game. score is 1 for a win, 0.5 for a draw, 0 for a loss. idle is the time since the
// player's last game.
func (r Rating) Beat(opponent Rating, score float64, idle time.Duration) Rating {
	n := r.period([]game{{opponent, score}}, periods(idle))
	return Rating{
		Value:      bound(n.Value, minValue, maxValue),
		Deviation:  bound(n.Deviation, minDeviation, maxDeviation),
		Volatility: bound(n.Volatility, minVolatility, maxVolatility),
	}
}

func bound(x, low, high float64) float64 { return min(max(x, low), high) }

// game is one result of a rating period.
type game struct {
	opponent Rating
	score    float64
}

// period is steps 2 to 8 of the paper. length is the time that has passed, in periods of
// the paper. The paper uses 1.
func (r Rating) period(games []game, length float64) Rating {
	mu, phi := (r.Value-New.Value)/scale, r.Deviation/scale
	information, gain := 0.0, 0.0 // 1/v, and Δ/v
	for _, game := range games {
		g := weight(game.opponent.Deviation / scale)
		e := 1 / (1 + math.Exp(-g*(mu-(game.opponent.Value-New.Value)/scale)))
		information += g * g * e * (1 - e)
		gain += g * (game.score - e)
	}
	sigma := volatility(phi, r.Volatility, 1/information, gain/information)
	before := phi*phi + sigma*sigma*length
	phi = 1 / math.Sqrt(1/before+information)
	return Rating{New.Value + scale*(mu+phi*phi*gain), scale * phi, sigma}
}

// weight is g of the paper: a game against an opponent with a larger deviation counts
// less.
func weight(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// volatility is step 5 of the paper, by its "Illinois" procedure.
func volatility(phi, sigma, v, delta float64) float64 {
	const precise = 1e-6
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, math.Log(max(delta*delta-phi*phi-v, 0))
	if delta*delta <= phi*phi+v {
		for high = a - tau; f(high) < 0; high -= tau {
		}
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > precise {
		x := low + (low-high)*fLow/(fHigh-fLow)
		fx := f(x)
		if fx*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = x, fx
	}
	return math.Exp(low / 2)
}
