package learn

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"mancala/engine"
)

// A Place is where games are played, or where their rules were written down. Its name is the text
// "learn.places." and Name.
type Place struct {
	Name    string
	lon     float64 // degrees east
	lat     float64 // degrees north
	Systems []engine.Row
}

// known are all places, roughly from west to east. In this order they have their numbers on the map. The rules of
// clockwise come from an article that names no place.
var known = []struct {
	name     string
	lon, lat float64
	systems  string
}{
	{"usa", -17.5, 41, "kalah pressman pressman-beginner basic basic-first-out basic-teams basic-four avalanche"},
	{"ghana", -2, 7.5, "oware oware-abapa"},
	{"nigeria", 8, 11, "ayoayo"},
	{"cameroon", 12.5, 1, "songo"},
	{"namibia", 17, -21, "hus"},
	{"south-africa", 29, -25, "maruba"},
	{"egypt", 31, 27, "ignorant wise"},
	{"uganda", 30, 3.5, "omweso"},
	{"turkey", 34, 39.5, "mangala"},
	{"kenya", 39, 1.5, "giuthi endodoi"},
	{"zanzibar", 37.5, -7.5, "bao bao-kujifunza"},
	{"kazakhstan", 69, 48, "toguz-kumalak bestemshe"},
	{"tamil-nadu", 79, 10, "pallanguzhi"},
	{"mizoram", 93, 23.5, "vai-lung-thlan"},
	{"malaysia", 102, 3.5, "congkak"},
	{"philippines", 122, 12, "sungka"},
}

// Places returns the places of the systems that there are.
func Places() (all []Place) {
	for _, p := range known {
		shown := Place{Name: p.name, lon: p.lon, lat: p.lat}
		for name := range strings.FieldsSeq(p.systems) {
			if i := slices.IndexFunc(engine.Systems, func(row engine.Row) bool { return row.Name == name }); i >= 0 {
				shown.Systems = append(shown.Systems, engine.Systems[i])
			}
		}
		if len(shown.Systems) > 0 {
			all = append(all, shown)
		}
	}
	return all
}

// The part of the world on the map, in degrees, and how many units of the picture a degree has. America
// lies beyond its left edge, where an arrow points to it.
const (
	west, east   = -24.0, 132.0
	north, south = 57.0, -37.0
	perDegree    = 5.0
	discRadius   = 17.0 // larger on a phone
)

// Coasts returns a picture for the map: the land and the sea inside it. It is a file of its own, since it
// would be an eighth of the page.
func Coasts() []byte {
	var b bytes.Buffer
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"><g id="land">`)
	for _, line := range coasts {
		fmt.Fprintf(&b, `<path d="%s"/>`, outline(line))
	}
	fmt.Fprintf(&b, `</g><path id="sea" d="%s"/></svg>`, outline(caspian))
	return b.Bytes()
}

// Map returns a map of the places as an SVG, with [Coasts] from their address. Each place has a disc with
// its number, from 1, in the list of [Places]. Styles give the colours.
func Map(coasts string) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" aria-hidden="true" class="map">`, (east-west)*perDegree, (north-south)*perDegree)
	fmt.Fprintf(&b, `<use class="land" href="%[1]s#land"/><use class="sea" href="%[1]s#sea"/>`, coasts)
	for i, p := range Places() {
		x, y := project(p.lon, p.lat)
		if p.Name == "usa" {
			fmt.Fprintf(&b, `<path class="arrow" d="M%.0f %.0fl-20 17 20 17z"/>`, x-7, y-17)
		}
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="%.0f" r="%g"/><text x="%.0f" y="%.0f" dy="0.35em">%d</text>`, x, y, discRadius, x, y, i+1)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// project returns the point of the map for a place on the earth. Both axes have the same scale, as on
// an equirectangular map.
func project(lon, lat float64) (x, y float64) {
	return (lon - west) * perDegree, (north - lat) * perDegree
}

// outline returns the path of a coast.
func outline(coast string) string {
	var b strings.Builder
	for i, point := range strings.Fields(coast) {
		var lon, lat float64
		if _, err := fmt.Sscanf(point, "%g,%g", &lon, &lat); err != nil {
			panic(err) // the coasts are in this package
		}
		x, y := project(lon, lat)
		fmt.Fprintf(&b, "%c%.0f %.0f", "ML"[min(i, 1)], x, y)
	}
	return b.String() + "z"
}

// coasts are the outlines of land, as longitude and latitude in degrees, drawn by hand for this map. The
// map must only be recognisable, since discs mark the places.
var coasts = []string{
	// Africa
	"-6,36 -2,35 3,37 10,37 11,34 15,32 20,31 22,33 29,31 32,31 33,28 35,24 37,22 37,19 39,15 43,12 44,10.5 51,12 50,8 46,2.5 42,-2 39,-6 " +
		"40.5,-11 40.5,-15 35,-20 35.5,-24 33,-27 31,-30 27,-34 20,-35 18,-33 15,-27 14,-22 12,-18 13.5,-11 12,-6 9,-1 9.5,4 7,4.5 5,6 2,6.2 -3,5 " +
		"-8,4.3 -13,8 -15,11 -17,14 -16.5,19 -17,21 -15,25 -13,28 -10,30 -9,33",
	// Europe and Asia
	"-9,37 -9,43 -2,43.5 -1,46 -4.5,48.3 -1,49.5 2,51 5,53 8,54 8,57 10.5,57.5 10,54 14,54 19,54.5 21,57 24,59 30,60 25,60.5 22,60 21,63 24,65.5 " +
		"20,64 17,61 18.5,59.5 16,56 13,55.5 11,59 7,58 5,60 6,63 14,70 150,70 142,60 141,53 135,44 130,42 127.5,39 129.5,36 128,34.5 126.3,34.5 " +
		"126,37.5 124,39.8 121.5,39 121.5,40.7 118,39 119,37.3 122.3,37.2 119.5,35 122,31 121.5,28 118,24.5 114,22.3 110,21 108,21.5 106,19 109,14 " +
		"109,11.5 106.5,9 104.8,8.8 105,10.5 102.3,12.3 101,13.5 100,13.3 99.3,10 100.5,7 103.3,4.5 104.2,1.4 101.3,2.8 100.3,6 98.3,8 98.6,13 " +
		"97.5,16.5 95,16 94.3,19 92,21.5 89,22 87,21 82.5,16.8 80.2,15.5 80,11.5 79,9.5 77.5,8 76,10.5 74.5,14 72.8,19 72.5,21.3 70,21 67,24.5 " +
		"61.5,25.2 57,26.5 54.5,26.5 51,28 48.8,30.3 48,29.8 50.2,26.5 51.3,25.5 51.8,24.2 54.5,24.3 56.3,26 58.8,23.5 59.5,22.3 55,17.3 52,15.7 " +
		"45,12.8 43.3,12.8 42.5,16.3 39,21 37,24.5 35,28 34.5,31.5 35.8,36 32.5,36 30.5,36.5 27.5,37 26.5,39.5 29,41 31.5,41.3 35,42 38.5,41 " +
		"41.5,41.6 39,44 37,45.3 38.5,47 35,46.3 33.5,44.5 32.5,46 30.5,46.3 28.5,44 28,42 28.5,41.2 26,40.7 23.5,40.3 24,38 23,36.5 21.3,37.5 " +
		"19.5,40.3 19.3,42 14.5,45 12.4,45.3 13.7,43.5 18.4,40.2 17,39 15.7,38 16,40 12.3,42 10.2,43.9 7.5,43.8 4,43.4 3,42 0,40.5 -0.5,38 -2,36.8 -5.5,36.1",
	"-5.5,50 1.3,51.2 1.6,52.7 0,53.5 -2,56 -2,57.5 -4,58.6 -6,57 -4,55 -3,54 -4.5,52.5 -5,51.7 -3,51.3", // Britain
	"-6.3,52.2 -10,51.7 -9.5,54 -8,55.2 -5.6,54.5",                                                       // Ireland
	"12.5,38 15.5,38 15,36.8", "8.5,39 9.7,39.2 9.4,42.8 8.6,42", "32.5,35 34.3,35.4 33,34.7", "23.7,35.3 26.2,35.2 24,35.1", // in the Mediterranean
	"49.3,-12 50.4,-15.6 47.2,-25 44.5,-25 43.5,-22 44.4,-16.5 48,-13.5",                                                   // Madagascar
	"79.9,9.6 81.8,7.4 81,6.2 80,6.2",                                                                                      // Sri Lanka
	"95.3,5.6 97.5,5.2 103.5,-1 106,-3 105.8,-5.8 102.3,-4 98.7,1.7", "105.3,-6 108.5,-6.6 114.4,-7.7 114.4,-8.6 108,-7.8", // Sumatra, Java
	"109,1.8 111.3,2.6 114,4.6 117,7 119.2,5.2 117.6,1 116.2,-4 114.5,-4 110.2,-3",                                                                                                      // Borneo
	"119.5,0.5 120.8,1.3 125.2,1.5 121,0.4 123.3,-0.9 121.6,-2 122.8,-4.5 120.5,-5.5 119.5,-3.4",                                                                                        // Sulawesi
	"120.5,18.5 122.2,18.4 121.6,16 124,13 123.9,12.6 120.8,13.8 120,16", "122,7 125.4,9.8 126.5,7.3 125.6,5.8 124,7.5", "122,11.8 123.2,11.4 125,12.4 125.2,10.2 123.4,9.2 122.4,10.2", // the Philippines
	"131,-0.8 134,-1 138,-1.7 138,-8 133,-4", // New Guinea
	"113.5,-22 114,-26 115.7,-32 115.2,-34.3 118,-35 123.6,-33.8 126,-32.3 131,-31.5 135,-34.8 138,-34 138,-14 132,-11.4 129.5,-15 126.5,-14 122.3,-18", // Australia
	"130,31.3 131.7,33.6 135.5,33.6 135.5,35.5 131,34.4", "120.2,23 121.5,25.2 121,22", "108.7,19.2 110.8,20 109.7,18.2", // Japan, Taiwan, Hainan
}

// caspian is the shore of the largest lake.
const caspian = "47.5,45.5 49.5,46.6 53,46.5 51,44.5 52.8,42 53.8,39 53.9,37 50.5,37.2 49,38.5 49.5,40.5 47.7,43"
