package review

import (
	"fmt"
	"strings"

	"mancala/engine"
)

// Annotate writes the results of a review as notes into the record that was reviewed:
// at the plies that lost seeds, and at the ply where the game turned.
func Annotate(rec *engine.Record, r *Review) {
	rec.Notes = map[int]string{}
	for i, p := range r.Plies {
		var words []string
		if p.Label != "" && p.Label != Fine {
			words = append(words, fmt.Sprintf("%s: loses %s", p.Label, seeds(p.Loss, p.Sure)),
				fmt.Sprintf("better: %s (%s)", strings.Join(p.Best, " "), worth(p.Worth)))
		}
		if r.Turning == i+1 {
			words = append(words, "here the game turned")
		}
		if len(words) > 0 {
			rec.Notes[i] = strings.Join(words, "; ")
		}
	}
	if n := len(r.Plies); n > 0 && r.Plies[0].Label != "" {
		first := "at first " + worth(r.Plies[0].Worth)
		if rec.Notes[0] != "" {
			first += "; " + rec.Notes[0]
		}
		rec.Notes[0] = first
	}
}

// seeds returns a number of seeds as text, and marks it if it is not exact.
func seeds(n float64, exact bool) string {
	if exact {
		return fmt.Sprintf("%g", n)
	}
	return fmt.Sprintf("about %.1f", n)
}

func worth(w Worth) string {
	if w.Exact {
		return fmt.Sprintf("%+g exactly", w.Value)
	}
	return fmt.Sprintf("about %+.1f", w.Value)
}
