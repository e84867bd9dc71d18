package rating

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWorkedExampleOfThePaperIsReproduced is from Glickman, "Example of the Glicko-2
// system".
func TestWorkedExampleOfThePaperIsReproduced(t *testing.T) {
	got := Rating{1500, 200, 0.06}.period([]game{
		{Rating{Value: 1400, Deviation: 30}, 1},
		{Rating{Value: 1550, Deviation: 100}, 0},
		{Rating{Value: 1700, Deviation: 300}, 0},
	}, 1)
	for _, x := range []struct {
		name               string
		got, want, precise float64
	}{
		{"rating", got.Value, 1464.06, 0.01},
		{"deviation", got.Deviation, 151.52, 0.01},
		{"volatility", got.Volatility, 0.05999, 0.00001},
	} {
		if math.Abs(x.got-x.want) > x.precise {
			t.Errorf("%s %v, want %v", x.name, x.got, x.want)
		}
	}
}

// ratings draws ratings that can be in the tables.
var ratings = rapid.Custom(func(t *rapid.T) Rating {
	return Rating{
		rapid.Float64Range(minValue, maxValue).Draw(t, "value"),
		rapid.Float64Range(minDeviation, maxDeviation).Draw(t, "deviation"),
		rapid.Float64Range(minVolatility, maxVolatility).Draw(t, "volatility"),
	}
})

var idles = rapid.Map(rapid.IntRange(0, 10*365*24), func(hours int) time.Duration { return time.Duration(hours) * time.Hour })

func TestWinningNeverLowersARatingAndEveryResultIsInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, idle := ratings.Draw(t, "a"), ratings.Draw(t, "b"), idles.Draw(t, "idle")
		won, drew, lost := a.Beat(b, 1, idle), a.Beat(b, 0.5, idle), a.Beat(b, 0, idle)
		if won.Value < a.Value || lost.Value > a.Value {
			t.Errorf("%v becomes %v by winning, %v by losing", a, won, lost)
		}
		if won.Value < drew.Value || drew.Value < lost.Value {
			t.Errorf("winning gives %v, a draw %v, losing %v", won, drew, lost)
		}
		if a.Value > b.Value && drew.Value > a.Value || a.Value < b.Value && drew.Value < a.Value {
			t.Errorf("a draw against %v makes %v of %v", b, drew, a)
		}
		for _, r := range []Rating{won, drew, lost} {
			if !(r.Deviation >= minDeviation && r.Deviation <= maxDeviation && r.Volatility >= minVolatility &&
				r.Volatility <= maxVolatility && r.Value >= minValue && r.Value <= maxValue) {
				t.Errorf("%v is outside the bounds", r)
			}
		}
		if quick := a.Beat(b, 1, 0); quick.Deviation > math.Max(a.Deviation, minDeviation)+1e-9 {
			t.Errorf("a game without idle time makes %v less certain: %v", a, quick)
		}
	})
}

// TestMirroredGameGivesMirroredRatings mirrors ratings at 1500 and swaps the result.
func TestMirroredGameGivesMirroredRatings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.Float64Range(-1000, 1000)
		x, y := near.Draw(t, "x"), near.Draw(t, "y")
		score := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "score")
		idle := idles.Draw(t, "idle")
		a, b := ratings.Draw(t, "a"), ratings.Draw(t, "b")
		at := func(r Rating, value float64) Rating { r.Value = 1500 + value; return r }
		one := at(a, x).Beat(at(b, y), score, idle)
		other := at(a, -x).Beat(at(b, -y), 1-score, idle)
		if math.Abs(one.Value+other.Value-3000) > 1e-6 || math.Abs(one.Deviation-other.Deviation) > 1e-6 {
			t.Errorf("the ratings are %v, and mirrored %v", one, other)
		}
	})
}

func TestDrawOfEqualRatingsChangesNoValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ratings.Draw(t, "a"), ratings.Draw(t, "b")
		b.Value = a.Value
		if got := a.Beat(b, 0.5, idles.Draw(t, "idle")); math.Abs(got.Value-a.Value) > 1e-9 {
			t.Errorf("a draw makes %v of %v", got, a)
		}
	})
}

func TestDeviationGrowsWithTimeWithoutAGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, short, more := ratings.Draw(t, "a"), idles.Draw(t, "short"), idles.Draw(t, "more")
		early, late := a.After(short), a.After(short+more)
		if early.Deviation < a.Deviation || late.Deviation < early.Deviation || late.Deviation > maxDeviation || late.Value != a.Value {
			t.Errorf("%v becomes %v and then %v", a, early, late)
		}
	})
	year := Rating{1700, 60, 0.06}.After(365 * 24 * time.Hour)
	if year.Deviation < 100 || year.Deviation > provisional {
		t.Errorf("after a year the rating is %v", year)
	}
	if r := New.After(-time.Hour); r != New {
		t.Errorf("after a negative time the rating is %v", r)
	}
}

func TestNewRatingIsProvisionalForFiveToFifteenGames(t *testing.T) {
	r := New
	for games := 1; r.Provisional(); games++ {
		if games > 15 {
			t.Fatalf("%v after %d games", r, games)
		}
		r = r.Beat(Rating{1500, 60, 0.06}, float64(games%2), time.Hour)
		if games < 5 && !r.Provisional() {
			t.Fatalf("%v after %d games", r, games)
		}
	}
}
