package learn

import "mancala/engine"

// A Background is what surrounds the rules of a system: a game that a reader may know, and where the rules are
// written down. Since when it is played is the text "learn.since.", how it differs from the other game is the
// text "learn.differs.", both with the name of the system.
type Background struct {
	Neighbour string   // a system
	differs   []string // the options that the text about the difference names
	Sources   []Source
}

// A Source is a publication as a reader would look it up. Its words are not translated.
type Source struct {
	Author, Title, Year string // the title alone is always known
}

// Only reports whether a text names all options in which a system differs from its neighbour.
func (b Background) Only(system engine.Rules) bool {
	neighbour, _ := engine.System(b.Neighbour)
	return len(engine.Differences(system, neighbour)) == len(b.differs)
}

// BackgroundOf returns the background of a system.
func BackgroundOf(system string) Background { return backgrounds[system] }

var (
	article2019  = Source{"", "Understanding the Rules of Mancala: Capture the Win", "2019"}
	deVoogt      = Source{"Alex de Voogt", "Limits of the Mind: Towards a Characterisation of Bao Mastership", "1995"}
	gamePigeon   = Source{"", "Mancala Rules On Game Pigeon", ""}
	lane         = Source{"Edward William Lane", "An Account of the Manners and Customs of the Modern Egyptians", "1836"}
	ludii        = Source{"", "Ludii Portal", ""}
	mancalaGames = Source{"StoneShark", "MancalaGames", ""}
	mancalaWorld = Source{"", "Mancala World", ""}
	mohr         = Source{"Merilyn Simonds Mohr", "The New Games Treasury", "1997"}
	playStrategy = Source{"", "PlayStrategy", ""}
	pressman     = Source{"Pressman Toy Corporation", "Mancala Rules", "2008"}
	rattray      = Source{"R. S. Rattray", "Religion and Art in Ashanti", "1927"}
	russ         = Source{"Larry Russ", "The Complete Mancala Games Book", "2000"}
	unesco       = Source{"UNESCO", "Traditional intelligence and strategy game: Togyzqumalaq, Toguz Korgool, Mangala/Göçürme", "2020"}
	wagner       = Source{"P. A. Wagner", "A Contribution to our Knowledge of the National Game of Skill of Africa", "1917"}
	worldEthno   = Source{"World Ethnosport", "Mangala", ""}
	jobson       = Source{"Richard Jobson", "The Golden Trade", "1623"}
	sungka       = Source{"Alex de Voogt", "Philippine Sungka and Cultural Contact in Southeast Asia", "2010"}
)

// backgrounds are the backgrounds by system. The sources of the rules come first, see engine/RULES.md, then those
// of the dates.
var backgrounds = map[string]Background{
	"kalah": {"congkak", []string{"pits", "seeds", "relay"}, []Source{
		{"", "Mancala Game", ""}, {"G. Irving, J. Donkers and J. Uiterwijk", "Solving Kalah", "2000"}, mancalaWorld}},
	"pressman":          {"kalah", []string{"cross_empty"}, []Source{pressman}},
	"pressman-beginner": {"pressman", []string{"seeds"}, []Source{pressman}},
	"clockwise":         {"kalah", []string{"direction"}, []Source{gamePigeon}},
	"basic":             {"kalah", []string{"cross_own"}, []Source{article2019}},
	"basic-first-out":   {"basic", []string{"remaining"}, []Source{article2019}},
	"basic-teams":       {"basic", []string{"partners"}, []Source{article2019}},
	"basic-four":        {"basic", []string{"sides"}, []Source{article2019}},
	"avalanche":         {"kalah", []string{"relay", "capture"}, []Source{{"Vitalii Zlotskii", "GamePigeon", "2016"}}},
	"oware":             {"oware-abapa", []string{"grand_slam", "stuck"}, []Source{article2019, rattray, jobson}},
	"oware-abapa":       {"kalah", []string{"store", "capture", "counts", "feed"}, []Source{mancalaGames, rattray, jobson}},
	"giuthi": {"endodoi", []string{"direction", "lift", "relay"}, []Source{
		article2019, mancalaGames, {"John P. Pratt", "Giuthi Rules", "2009"}, {"G. St. J. Orde Browne", "The Vanishing Tribes of Kenya", "1925"}}},
	"maruba":   {"hus", []string{"cross_at", "captured"}, []Source{{"", "Maruba (or Moruba)", ""}, wagner}},
	"ignorant": {"wise", []string{"start", "again"}, []Source{lane, gamePigeon}},
	"wise":     {"ignorant", []string{"opening", "start", "again"}, []Source{lane, gamePigeon}},
	"toguz-kumalak": {"oware-abapa", []string{"keep_first", "count_even", "claim"}, []Source{
		playStrategy, mancalaGames, {"Tengrinews", "Togyz Kumalak tournament held in Germany", "2011"}, unesco}},
	"bestemshe": {"toguz-kumalak", []string{"pits", "seeds", "claim"}, []Source{playStrategy, mancalaGames}},
	"mangala": {"kalah", []string{"capture", "keep_first", "count_even"}, []Source{
		worldEthno, mancalaGames, {"Thomas Hyde", "De ludis orientalibus", "1694"},
		{"Anadolu Agency", "Ancient counting game sweeps Turkish schools", ""}, mancalaWorld, unesco}},
	"congkak": {"kalah", []string{"pits", "seeds", "relay"}, []Source{
		mancalaGames, {"", "congkak-solver", ""}, {"G. E. Rumphius", "Het Amboinsche kruid-boek", "1741–1750"}, mancalaWorld}},
	"sungka": {"congkak", []string{"stuck", "end"}, []Source{mancalaGames, sungka, mancalaWorld}},
	"pallanguzhi": {"congkak", []string{"store", "relay", "sow_counts"}, []Source{
		mancalaGames, {"The New Indian Express", "Researcher Finds Stone Age Pallankuzhi", "2014"}}},
	"songo": {"oware-abapa", []string{"pits", "seeds", "direction", "counts", "second_round"}, []Source{
		{"Serge Mbarga Owona", "Le jeu de songo", "2005"}, mancalaGames, mancalaWorld}},
	"vai-lung-thlan": {"oware-abapa", []string{"seeds", "direction", "counts", "count_side"}, []Source{
		mancalaGames, mohr, {"J. Shakespear", "The Lushei Kuki Clans", "1912"}}},
	"ayoayo": {"oware-abapa", []string{"relay", "capture"}, []Source{mancalaGames, mohr, {"John P. Pratt", "Ayoayo", ""}}},
	"endodoi": {"giuthi", []string{"direction", "lift", "relay", "cross_run"}, []Source{
		mancalaGames, russ, {"Moritz Merker", "Die Masai", "1904"}}},
	"hus": {"maruba", []string{"cross_at", "captured"}, []Source{
		ludii, {"Leonhard Schultze", "Aus Namaland und Kalahari", "1907"}, wagner}},
	"omweso": {"hus", []string{"backward", "cross_depth", "captured"}, []Source{
		{"R. S. Shackell", "Mweso: the board game", "1934"}, ludii, {"M. B. Nsimbi", "Omweso, a Game People Play in Uganda", "1970"}, mancalaWorld}},
	"bao-kujifunza": {"bao", []string{"seeds", "reserve", "house", "block"}, []Source{deVoogt}},
	"bao": {"omweso", []string{"reserve", "must_capture", "captured", "house"}, []Source{
		deVoogt, {"Étienne de Flacourt", "Histoire de la grande isle Madagascar", "1661"},
		{"Alex de Voogt", "Muyaka’s Poetry in the History of Bao", "2003"}}},
}
