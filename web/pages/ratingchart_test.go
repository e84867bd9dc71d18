package pages

import (
	"fmt"
	"strings"
	"testing"

	"mancala/lobby/rating"
)

// Any chart is drawn within its bounds.
func TestChartStaysWithinItsBounds(t *testing.T) {
	for _, values := range [][]float64{{1500, 1500}, {100, 4000, 100}, {1499.6, 1500.4}, {1500, 1662, 1338}} {
		var points []rating.Point
		for _, v := range values {
			points = append(points, rating.Point{Value: v})
		}
		svg := string(chartSVG(points, `a "game" <b>`))
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "<b>") || strings.Contains(svg, "-") && strings.Contains(svg, "=\"-") {
			t.Errorf("%v: %s", values, svg)
		}
		if n := strings.Count(svg, "<text"); n < 2 || n > 7 {
			t.Errorf("%v: %d lines", values, n)
		}
		_, line, _ := strings.Cut(svg, `points="`)
		line, _, _ = strings.Cut(line, `"`)
		for _, p := range strings.Fields(line) {
			var x, y float64
			if _, err := fmt.Sscanf(p, "%f,%f", &x, &y); err != nil || x < 44 || x > 434 || y < 10 || y > 170 {
				t.Errorf("%v: the point %s", values, p)
			}
		}
	}
}
