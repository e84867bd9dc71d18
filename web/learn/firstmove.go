package learn

// FirstMoves are the percent of the points for the player who moves first, by system. They are measured:
// 200 games of the computer against itself with 10,000 positions for each move, after four random plies:
//
//	mancala duel nodes=10000 nodes=10000 --rules NAME --openings 100 --random 4 --within 0
//
// With 200 games the 95 % interval is about 5 percent to both sides. A game of four sides has no row.
var FirstMoves = map[string]int{
	"kalah": 53, "pressman": 56, "pressman-beginner": 45, "clockwise": 54, "basic": 53, "basic-first-out": 58,
	"basic-teams": 57, "avalanche": 55, "oware": 50, "oware-abapa": 53, "giuthi": 64, "maruba": 59,
	"ignorant": 100, "wise": 63, "toguz-kumalak": 56, "bestemshe": 59, "mangala": 51, "congkak": 50,
	"sungka": 51, "pallanguzhi": 74, "songo": 44, "vai-lung-thlan": 56, "ayoayo": 64, "endodoi": 58,
	"hus": 63, "omweso": 71, "bao-kujifunza": 59, "bao": 46,
}
