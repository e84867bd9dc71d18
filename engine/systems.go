package engine

// Row is a system of RULES.md §5: its name, the source of its rules, and the options
// that differ from the defaults of RULES.md §4.
type Row struct {
	Name   string
	Title  string // the name shown to people
	Source string // the document that the rules come from, or where a living game is played; see RULES.md
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
	{"toguz-kumalak", "Toguz kumalak", "played in Kazakhstan and Kyrgyzstan",
		"pits=9 seeds=9 capture=count count_chain=false end=majority keep_first=true count_even=true claim=3 claim_ban=last,twin"},
	{"bestemshe", "Bestemshe", "played in Kazakhstan",
		"pits=5 seeds=5 capture=count count_chain=false end=majority keep_first=true count_even=true"},
	{"mangala", "Mangala", "played in Turkey",
		"store=true capture=both count_chain=false again=store end=side-empty remaining=emptier keep_first=true count_even=true"},
	{"congkak", "Congkak", "played in Malaysia and Indonesia",
		"pits=7 seeds=7 store=true relay=same capture=cross again=store end=side-empty"},
	{"sungka", "Sungka", "played in the Philippines",
		"pits=7 seeds=7 store=true relay=same capture=cross again=store stuck=pass"},
	{"pallanguzhi", "Pallanguzhi", "played in Tamil Nadu, Kerala and Sri Lanka",
		"pits=7 seeds=6 relay=next capture=gap sow_counts=4"},
	{"songo", "Songo", "played by the Ekang of Cameroon, Gabon and Equatorial Guinea",
		"pits=7 seeds=5 direction=cw skip_origin=true capture=count counts=2,3,4 grand_slam=none feed=must second_round=opponent count_spare=first end_total=9"},
	{"vai-lung-thlan", "Vai lung thlan", "played by the Mizo of Mizoram and Myanmar",
		"seeds=5 direction=cw capture=count counts=1 count_side=any stuck=pass"},
	{"ayoayo", "Ayoayo", "played by the Yoruba of Nigeria",
		"skip_origin=true relay=same capture=cross feed=must"},
	{"endodoi", "Endodoi", "played by the Maasai of Kenya and Tanzania",
		"pits=8 relay=same capture=cross"},
	{"hus", "Hus", "played by the Nama, Damara and Herero of Namibia",
		"rows=2 pits=8 seeds=2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 lift=two relay=same capture=cross cross_own=false remaining=rival cycle_remaining=split cross_at=occupied captured=onward"},
	{"omweso", "Omweso", "played in Uganda",
		"rows=2 pits=8 seeds=4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0 lift=two relay=same capture=cross cross_own=false remaining=rival cycle_remaining=split backward=2 cross_at=occupied cross_depth=full captured=restart"},
	{"bao-kujifunza", "Bao la kujifunza", "played in East Africa",
		"rows=2 pits=8 seeds=2 direction=choice lift=two relay=same capture=cross cross_own=false end=row-empty remaining=rival cycle_remaining=split must_capture=true cross_at=occupied cross_depth=inner captured=head"},
	{"bao", "Bao", "played in Zanzibar, Tanzania and Kenya",
		"rows=2 pits=8 seeds=0,0,0,0,0,0,0,0,0,2,2,6,0,0,0,0 direction=choice lift=two relay=same capture=cross cross_own=false end=row-empty remaining=rival cycle_remaining=split reserve=22 must_capture=true cross_at=occupied cross_depth=inner captured=head house=l block=true"},
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
