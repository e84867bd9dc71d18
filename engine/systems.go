package engine

// Row is a system of RULES.md §5: its name, the source of its rules, and the options
// that differ from the defaults of RULES.md §4.
type Row struct {
	Name   string
	Title  string // the name shown to people
	Source string // the document that the rules come from; RULES.md lists the seed documents
	Text   string // canonical form
}

// Systems are the games that the product knows by name, in the order of RULES.md §5.
// To add a game, add a row.
var Systems = []Row{
	{"kalah", "Kalah", "seed 000",
		"store=true capture=cross again=store end=side-empty"},
	{"pressman", "Kalah, Pressman's leaflet", "seed 001",
		"store=true capture=cross cross_empty=true again=store end=side-empty"},
	{"pressman-beginner", "Kalah, Pressman's beginners", "seed 001",
		"seeds=3 store=true capture=cross cross_empty=true again=store end=side-empty"},
	{"clockwise", "Clockwise Mancala", "seed 003",
		"direction=cw store=true capture=cross again=store end=side-empty"},
	{"basic", "Basic Mancala", "seed 004",
		"store=true capture=cross cross_own=false again=store end=side-empty"},
	{"basic-first-out", "Basic Mancala, first out takes the rest", "seed 004",
		"store=true capture=cross cross_own=false again=store end=side-empty remaining=emptier"},
	{"basic-teams", "Basic Mancala in teams", "seed 004",
		"partners=2 store=true capture=cross cross_own=false again=store end=side-empty"},
	{"basic-four", "Basic Mancala for four", "seed 004",
		"sides=4 store=true capture=cross cross_own=false again=store end=side-empty"},
	{"avalanche", "Avalanche", "known from the GamePigeon app",
		"store=true relay=same again=store end=side-empty"},
	{"oware", "Oware", "seed 004",
		"skip_origin=true capture=count counts=2,3 feed=must stuck=pass cycle_remaining=split"},
	{"oware-abapa", "Oware Abapa", "tournament rules",
		"skip_origin=true capture=count counts=2,3 grand_slam=none feed=must"},
	{"giuthi", "Giuthi", "seed 004",
		"seeds=6 direction=choice lift=two relay=reverse capture=cross cross_run=true cross_needs=pit stuck=pass end_at_most=4 repetition=2"},
	{"maruba", "Maruba", "seed 002",
		"rows=2 pits=8 seeds=2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,0 lift=two-first relay=same capture=cross cross_own=false remaining=nobody cycle_remaining=nobody"},
	{"ignorant", "El-Ghasheem", "seed 003",
		"seeds=0 opening=free total=72 swap=keeps-first start=rightmost relay=same capture=count counts=2,4 count_side=any count_opposite=true " +
			"feed=give stuck=pass end=lone-seed repetition=2 match=difference target=60"},
	{"wise", "El-Akil", "seed 003",
		"seeds=0 opening=paired total=72 swap=loses-first relay=same capture=count counts=2,4 count_side=any count_opposite=true " +
			"again=capture feed=give stuck=pass end=lone-seed match=difference target=60"},
}

// System returns the rules of a row of [Systems].
func System(name string) (Rules, bool) {
	for _, row := range Systems {
		if row.Name == name {
			r, err := ParseRules(row.Text)
			if err != nil {
				panic("engine: row " + name + ": " + err.Error()) // a test reads every row
			}
			return r, true
		}
	}
	return Rules{}, false
}
