package pages

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"mancala/lobby/rating"
)

// chartSVG draws a chart of a rating after each game. There must be at least two
// points. alt describes the chart in words. A table beside the chart has the numbers.
func chartSVG(points []rating.Point, alt string) template.HTML {
	const width, height, left, right, edge = 440.0, 180.0, 44.0, 6.0, 10.0
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	step := gridStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if high == low {
		high += step
	}
	x := func(i int) float64 { return left + (width-left-right)*float64(i)/float64(len(points)-1) }
	y := func(v float64) float64 { return edge + (height-2*edge)*(high-v)/(high-low) }

	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="course" viewBox="0 0 %g %g" role="img" aria-label="%s">`, width, height, html.EscapeString(alt))
	for v := low; v <= high; v += step {
		fmt.Fprintf(&b, `<path class="grid" d="M%g %.1fH%g"/><text x="%g" y="%.1f" text-anchor="end">%.0f</text>`, left, y(v), width-right, left-6, y(v)+5, v)
	}
	b.WriteString(`<polyline points="`)
	for i, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", x(i), y(p.Value))
	}
	last := len(points) - 1
	fmt.Fprintf(&b, `"/><circle cx="%.1f" cy="%.1f" r="4"/></svg>`, x(last), y(points[last].Value))
	return template.HTML(b.String())
}

// gridStep returns the distance between grid lines, in rating points. It gives three to
// six lines.
func gridStep(span float64) float64 {
	for _, step := range []float64{10, 20, 50, 100, 200, 500} {
		if span <= 4*step {
			return step
		}
	}
	return 1000
}
