package engine_test

import (
	"strings"
	"testing"

	"mancala/engine"
)

// Positions from which several examples of RULES.md start.
const (
	fours   = "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"
	capture = "4,2,1,3,0,5/0,1,0,6,2,2 11/11 N play 0 20"
	lastOut = "0,0,0,0,0,1/2,0,3,0,1,0 20/21 S play 0 40"
	slam    = "2,0,0,0,0,3/1,1,1,0,0,0 20/20 S play 0 50"
	slamAll = "0,0,0,0,0,3/1,1,1,0,0,0 20/22 S play 0 50"
	wander  = "2,0,0,0,5,3/1,1,1,0,0,0 17/18 S play 0 50"
	unsown  = "3,0,0,0,2,2/1,3,6,0,0,5 25/25 S play 0 30"
	singles = "1,0,0,1,1,0,0,0,0,0,1,0,0,1,0,0/0,0,3,0,0,2,0,0,1,2,0,0,1,0,2,0 18/24 S play 4 60"
	endless = "0,1,0,2,2,2,2,1,1,2,1,0,1,0,4,3/1,0,4,1,4,0,1,0,1,2,3,1,2,4,1,0 4/7 N play 3 5"
	ring    = "6,5,2,3,1,4/5,3,4,6,1,1 15/16 N play 0 6"
	rule9   = "1,6,3,1,1,7/8,7,7,6,1,1 12/11 N play 0 6"
	starved = "0,0,0,0,0,0/1,2,0,3,0,1 30/35 N play 2 30"
	sevens  = "7,7,7,7,7,7,7/7,7,7,7,7,7,7 0/0 S play 0 0"
	homing  = "0,0,0,0,0,1,0/0,0,0,0,9,0,2 36/50 N play 1 28"
	twin    = "2,0,0,1,1,1,1,2,3/x,1,1,0,1,2,1,2,1 74/68 N play 3 163"
	shells  = "0,0,0,0,0,0,0/0,0,0,0,1,0,0 33/64 N play 3 49"
)

// TestWorkedExamplesOfTheRulesHold plays every worked example of RULES.md. A row is
// named after its paragraph. A game that is over is written as its reason and result.
func TestWorkedExamplesOfTheRulesHold(t *testing.T) {
	for _, tt := range []struct {
		name, rules, from, moves, want string
	}{
		{"2 position", "kalah", "", "c", "4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1"},

		{"8.1.1 last in the store: again", "kalah", fours, "c", "4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1"},
		{"8.1.2 captures 3 + 1", "kalah", capture, "b", "4,2,1,0,0,5/0,0,0,6,2,2 11/15 S play 0 21"},
		{"8.1.3 opposite empty: no capture", "kalah", "0,1,0,2,0,3/1,0,4,0,2,1 17/17 S play 0 30", "b", "0,0,1,2,0,3/1,0,4,0,2,1 17/17 N play 1 31"},
		{"8.1.4 full lap", "kalah", "13,0,1,0,2,0/3,1,0,2,1,4 10/11 S play 0 20", "a", "0,1,2,1,3,1/4,2,1,3,2,0 17/11 N play 0 21"},
		{"8.1.5 no extra ply at the end", "kalah", lastOut, "f", "side-empty 21-27"},

		{"8.2.1 illustration 1", "pressman", fours, "c", "4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1"},
		{"8.2.2 illustration 2", "pressman", capture, "b", "4,2,1,0,0,5/0,0,0,6,2,2 11/15 S play 0 21"},
		{"8.2.3 the stone is won anyhow", "pressman", "0,1,0,2,0,3/1,0,4,0,2,1 17/17 S play 0 30", "b", "0,0,0,2,0,3/1,0,4,0,2,1 18/17 N play 0 31"},
		{"8.2 beginner's version", "pressman-beginner", "", "d", "3,3,3,0,4,4/3,3,3,3,3,3 1/0 S play 0 1"},

		{"8.3.1 clockwise, literally", "clockwise", fours, "c", "5,5,0,4,4,4/4,4,4,4,5,5 0/0 N play 1 1"},
		{"8.3.2 seven seeds reach the store", "clockwise", "7,4,4,4,4,4/4,4,4,4,4,1 0/0 S play 0 2", "a", "0,4,4,4,4,4/5,5,5,5,5,2 1/0 S play 0 3"},
		{"8.3.3 captures 4 + 1", "clockwise", "3,0,0,1,0,2/4,4,0,4,4,4 12/10 S play 0 20", "d", "3,0,0,0,0,2/4,4,0,0,4,4 17/10 N play 0 21"},

		{"8.4.1 picture 1", "basic", fours, "c", "4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1"},
		{"8.4.2 picture 2: three, not four", "basic", capture, "b", "4,2,1,0,0,5/0,0,1,6,2,2 11/14 S play 0 21"},
		{"8.4.3 first out takes the rest", "basic-first-out", lastOut, "f", "side-empty 27-21"},
		{"8.4.3 in basic each keeps its own", "basic", lastOut, "f", "side-empty 21-27"},

		{"8.5.1 relay on any pit", "avalanche", fours, "a", "1,4,1,10,1,1/3,0,2,9,2,9 5/0 N play 0 1"},
		{"8.5.2 last in the store: again", "avalanche", fours, "c", "4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1"},

		{"8.6.1 a four breaks the chain", "oware", "0,0,0,0,0,5/1,2,2,3,2,1 16/16 S play 0 30", "f", "0,0,0,0,0,0/2,3,3,4,0,1 19/16 N play 0 31"},
		{"8.6.2 grand slam, capture", "oware", slam, "f", "all-stuck 28-20"},
		{"8.6.2 grand slam, none", "oware-abapa", slam, "f", "2,0,0,0,0,0/2,2,2,0,0,0 20/20 N play 1 51"},
		{"8.6.2 grand slam, leave-last", "oware grand_slam=leave-last", slam, "f", "2,0,0,0,0,0/0,0,2,0,0,0 24/20 N play 0 51"},
		{"8.6.2 grand slam, leave-first", "oware grand_slam=leave-first", slam, "f", "2,0,0,0,0,0/2,0,0,0,0,0 24/20 N play 0 51"},
		{"8.6.2 grand slam, opponent-keeps", "oware grand_slam=opponent-keeps", slam, "f", "grand-slam 26-22"},
		{"8.6.3 twelve seeds skip their pit", "oware", "12,1,0,3,1,0/2,0,4,1,0,2 10/12 S play 0 40", "a", "0,3,1,4,2,1/3,1,5,2,1,3 10/12 N play 1 41"},
		{"8.6.5 nothing left", "oware", slamAll, "f", "board-empty 26-22"},
		{"8.6.5 abapa keeps six", "oware-abapa", slamAll, "f", "stuck 20-28"},
		{"8.6.6 all taken", "oware", wander, "f", "2,0,0,0,5,0/0,0,0,0,0,0 23/18 N play 0 51"},
		{"8.6.6 pass", "oware", wander, "f -", "2,0,0,0,5,0/0,0,0,0,0,0 23/18 S play 1 52"},

		{"8.7.1 three laps to and fro", "giuthi", "", "f>", "6,6,6,6,0,2/9,9,9,9,9,1 0/0 N play 1 1"},
		{"8.7.2 run", "giuthi", "2,0,0,0,3,8/1,1,2,4,3,5 20/23 S play 0 30", "f>", "3,0,0,0,3,0/2,2,0,0,0,6 33/23 N play 0 31"},
		{"8.7.3 not sown, so not taken", "giuthi", unsown, "f>", "3,0,0,1,3,1/3,0,6,0,0,5 25/25 N play 1 31"},
		{"8.7.3 some pit of that side was sown", "giuthi cross_needs=side", unsown, "f>", "3,0,0,0,3,1/3,0,0,0,0,5 32/25 N play 0 31"},

		{"8.8.1 takes both holes", "maruba", "", "n", "2,2,2,2,2,2,2,2,2,2,2,2,2,0,2,1/2,2,2,2,2,2,2,0,0,2,2,2,2,2,1,0 4/0 N play 0 1"},
		{"8.8.2 ends in the outer row", "maruba", "", "a", "1,3,0,3,3,0,3,3,0,3,3,0,3,3,0,1/2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,0 0/0 N play 1 1"},
		{"8.8.3 single k takes m", "maruba", singles, "k", "1,0,0,1,1,0,0,0,0,0,0,1,0,1,0,0/0,0,3,0,0,2,0,0,1,2,0,0,0,0,2,0 19/24 N play 0 61"},
		{"8.8.3 single n takes j", "maruba", singles, "n", "1,0,0,1,1,0,0,0,0,0,1,0,0,0,1,0/0,0,3,0,0,2,0,0,1,0,0,0,1,0,2,0 20/24 N play 0 61"},
		{"8.8.3 single a takes nothing", "maruba", singles, "a", "0,1,0,1,1,0,0,0,0,0,1,0,0,1,0,0/0,0,3,0,0,2,0,0,1,2,0,0,1,0,2,0 18/24 N play 5 61"},
		{"8.8.3 single e takes nothing", "maruba", singles, "e", "1,0,0,1,0,1,0,0,0,0,1,0,0,1,0,0/0,0,3,0,0,2,0,0,1,2,0,0,1,0,2,0 18/24 N play 5 61"},

		{"8.9.1 on with seven, takes 4 + 2", "ignorant", ring, "f", "0,6,3,4,0,5/6,0,4,6,1,0 15/22 S play 0 7"},
		{"8.9.2 rule 9's example", "ignorant start=any", rule9, "d", "2,7,0,0,1,7/8,7,0,0,2,2 12/24 S play 0 7"},
		{"8.9.3 gift", "ignorant", starved, "+d", "1,0,0,0,0,0/1,2,0,2,0,1 30/35 S play 3 31"},
		{"8.9.4 takes the last two", "ignorant", "1,0,0,0,0,0/0,0,0,0,0,1 40/30 N play 2 30", "f", "board-empty 40-32"},
		{"8.9.5 lay-out and swap", "ignorant", "", "=6.5.8.4.9.4/7.6.5.8.6.4 swap", "7,6,5,8,6,4/6,5,8,4,9,4 0/0 N play 0 2"},
		{"8.9.5 lay-out and keep", "ignorant", "", "=6.5.8.4.9.4/7.6.5.8.6.4 keep", "6,5,8,4,9,4/7,6,5,8,6,4 0/0 N play 0 2"},
		{"8.9 lay-out", "ignorant", "", "=6.5.8.4.9.4/7.6.5.8.6.4", "6,5,8,4,9,4/7,6,5,8,6,4 0/0 N swap 0 1"},
		{"8.9 loses-first, as in Lane's book", "ignorant swap=loses-first", "", "=6.5.8.4.9.4/7.6.5.8.6.4 swap", "7,6,5,8,6,4/6,5,8,4,9,4 0/0 S play 0 2"},
		{"8.9 lay-out without an answer", "ignorant swap=none", "", "=6.5.8.4.9.4/7.6.5.8.6.4", "6,5,8,4,9,4/7,6,5,8,6,4 0/0 N play 0 1"},

		{"8.10.1 captures 13 and plays again", "wise", rule9, "d", "2,7,0,0,1,7/8,7,0,0,2,2 12/24 N play 0 7"},
		{"8.10.2 keep: North begins", "wise", "", "=0.9.10.8.9.0/0.10.9.9.8.0 keep", "0,9,10,8,9,0/0,10,9,9,8,0 0/0 N play 0 2"},
		{"8.10.2 swap: South begins", "wise", "", "=0.9.10.8.9.0/0.10.9.9.8.0 swap", "0,10,9,9,8,0/0,9,10,8,9,0 0/0 S play 0 2"},

		{"8.11.1 the first ball stays, an even pit is captured", "toguz-kumalak", "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0/0 S play 0 0", "e", "9,9,9,9,1,10,10,10,10/10,10,10,0,9,9,9,9,9 10/0 N play 0 1"},
		{"8.11.2 three claim the pit", "toguz-kumalak", "0,2,3,1,0,2,1,1,2/x,1,3,3,1,2,3,2,3 54/78 N play 0 91", "i", "1,x,3,1,0,2,1,1,2/x,1,3,3,1,2,3,2,1 54/81 S play 0 92"},
		{"8.11.3 not the last pit", "toguz-kumalak", "1,11,11,11,1,10,10,10,2/11,10,10,10,1,11,11,1,10 10/10 N play 1 3", "i", "2,12,12,12,2,11,11,11,3/11,10,10,10,1,11,11,1,1 10/10 S play 2 4"},
		{"8.11.4 not the twin of the opponent's claim", "toguz-kumalak", twin, "i", "3,0,0,1,1,1,1,2,3/x,1,1,0,1,2,1,2,0 74/68 S play 4 164"},
		{"8.11.4 without the ban it is claimed", "toguz-kumalak claim_ban=last", twin, "i", "x,0,0,1,1,1,1,2,3/x,1,1,0,1,2,1,2,0 74/71 S play 0 164"},
		{"8.11.5 a ball for each claimed pit", "toguz-kumalak", "0,1,0,1,0,1,6,x,0/0,x,0,0,0,0,1,0,1 74/77 S play 4 206", "g", "0,1,0,1,0,1,1,x,1/1,x,1,0,0,0,1,0,1 75/78 N play 0 207"},
		{"8.11.6 a draw", "toguz-kumalak", "3,x,0,4,0,0,3,0,0/0,0,0,0,0,0,0,x,0 71/81 S play 1 118", "d", "stuck 81-81"},

		{"8.12.1 the first ball stays", "bestemshe", "5,5,5,5,5/5,5,5,5,5 0/0 S play 0 0", "c", "5,5,1,6,6/6,0,5,5,5 6/0 N play 0 1"},
		{"8.12.2 eight balls make two", "bestemshe", "0,0,1,1,3/1,8,2,9,1 6/18 N play 5 11", "b", "1,1,2,0,3/1,1,3,10,2 6/20 S play 0 12"},
		{"8.12.3 the player on turn has none", "bestemshe", "1,0,1,2,16/0,0,0,0,0 14/16 S play 4 40", "a", "stuck 34-16"},

		{"8.13.1 the first stone stays, the last in the treasury", "mangala", "4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0", "c", "4,4,1,5,5,5/4,4,4,4,4,4 0/0 N play 1 1"},
		{"8.13.2 a single takes across", "mangala", "5,0,2,6,1,3/3,1,0,6,1,7 11/2 N play 0 9", "b", "5,0,2,0,1,3/3,0,0,6,1,7 11/9 S play 0 10"},
		{"8.13.3 even in the opponent's pit", "mangala", "0,3,1,0,2,5/4,0,1,3,0,2 13/14 S play 0 20", "f", "0,3,1,0,2,1/5,1,0,3,0,2 16/14 N play 0 21"},
		{"8.13.4 first out takes the rest", "mangala", "0,0,0,0,0,1/1,4,2,3,0,9 18/10 S play 0 22", "f", "side-empty 38-10"},
		{"8.13.5 captured empty, South keeps its own", "mangala", "0,1,1,0,1,1/0,0,2,0,0,0 21/21 S play 0 26", "c", "side-empty 27-21"},
		{"8.13.6 emptied by the mover's own capture", "mangala", "1,1,2,0,4,0/0,0,0,0,1,0 21/18 N play 0 31", "e", "side-empty 21-27"},

		{"8.14.1 the seventh falls into the store", "congkak", sevens, "a", "0,8,8,8,8,8,8/7,7,7,7,7,7,7 1/0 S play 0 1"},
		{"8.14.2 the relay comes home and captures", "congkak", homing, "e", "1,1,1,1,1,0,0/0,0,0,0,0,1,3 36/53 S play 0 29"},
		{"8.14.2 in Sungka too", "sungka", homing, "e", "1,1,1,1,1,0,0/0,0,0,0,0,1,3 36/53 S play 0 29"},
		{"8.14.3 over although the mover has a ply left", "congkak", "0,0,0,0,0,0,1/0,0,0,0,0,0,1 34/62 N play 5 44", "g", "side-empty 35-63"},
		{"8.14.4 Sungka goes on", "sungka", shells, "e", "0,0,0,0,0,0,0/0,0,0,0,0,1,0 33/64 S play 4 50"},

		{"8.15.1 lifts the next pit, and wins beyond the gap", "pallanguzhi", "0,0,0,0,0,0,1/0,1,0,0,1,0,0 55/26 S play 0 10", "g", "0,0,0,0,0,0,0/1,0,1,0,0,0,0 56/26 N play 0 11"},
		{"8.15.2 pasu is its owner's", "pallanguzhi", "3,0,0,0,3,0,2/0,3,0,0,0,17,0 26/30 S play 0 6", "g", "3,0,0,0,3,0,0/1,0,0,0,0,17,0 26/34 N play 0 7"},
		{"8.15 pasu may be the sower's", "pallanguzhi sow_winner=mover", "3,0,0,0,3,0,2/0,3,0,0,0,17,0 26/30 S play 0 6", "g", "3,0,0,0,3,0,0/1,0,0,0,0,17,0 30/30 N play 0 7"},

		{"8.16.1 clockwise", "songo", "5,5,5,5,5,5,5/5,5,5,5,5,5,5 0/0 S play 0 0", "c", "6,6,0,5,5,5,5/5,5,5,5,6,6,6 0/0 N play 1 1"},
		{"8.16.2 the second round is the opponent's", "songo", "0,0,3,0,0,0,2/0,3,0,0,23,2,2 12/23 N play 0 83", "e", "2,2,5,2,0,0,5/1,4,1,1,0,3,3 12/29 S play 0 84"},
		{"8.16.3 the first pit is spared", "songo", "0,2,0,0,0,0,3/0,0,0,4,0,0,1 26/34 S play 2 106", "b", "1,0,0,0,0,0,3/0,0,0,4,0,0,2 26/34 N play 3 107"},
		{"8.16.4 few are left", "songo", "0,0,0,0,0,1,1/0,3,1,1,0,0,4 20/39 N play 19 147", "b", "few-left 22-48"},

		{"8.17.1 single seeds on both sides", "vai-lung-thlan", "9,1,9,9,2,8/0,0,0,6,7,9 0/0 S play 6 6", "d", "10,2,10,0,2,8/0,0,0,7,8,10 3/0 N play 0 7"},

		{"8.18.1 lifts on with eight and captures", "ayoayo", "0,0,0,0,1,7/0,0,3,0,0,4 12/21 S play 0 16", "e", "1,0,0,0,0,0/1,1,4,1,0,5 14/21 N play 0 17"},
		{"8.18 the capturing seed may stay", "ayoayo cross_own=false", "0,0,0,0,1,7/0,0,3,0,0,4 12/21 S play 0 16", "e", "1,1,0,0,0,0/1,1,4,1,0,5 13/21 N play 0 17"},

		{"8.19.1 the last two", "endodoi", "0,0,0,1,1,0,0,0/0,1,0,0,0,0,0,0 25/36 S play 2 30", "d", "stuck 28-36"},

		{"8.20.1 two to the right", "hus", "", "a", "0,3,0,3,3,0,3,3,0,3,3,0,1,1,1,0/2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 0/0 N play 1 1"},
		{"8.20.2 captured seeds are sown on", "hus", "0,3,0,3,3,0,3,3,0,3,3,0,1,1,1,0/2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0 0/0 N play 1 1", "h", "0,0,0,3,3,0,3,3,0,3,3,0,1,1,0,0/2,2,2,2,2,2,2,0,3,3,3,3,1,1,0,0 0/0 S play 0 2"},
		{"8.20.3 who cannot lift has lost", "hus", "0,0,1,0,0,0,0,0,0,0,0,0,0,0,1,1/2,1,0,4,0,2,1,0,5,0,4,5,5,5,10,1 0/0 N play 1 19", "a", "stuck 0-48"},
		{"8.21.1 relay to an empty pit", "omweso", "4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0/4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0 0/0 S play 0 0", "a", "0,5,5,5,0,5,5,5,1,1,0,0,0,0,0,0/4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0 0/0 N play 1 1"},
		{"8.21.2 captured seeds are sown from where the lap began", "omweso", "0,5,1,6,0,6,1,6,2,2,0,2,1,0,0,0/4,4,4,0,5,5,5,0,1,1,1,1,1,0,0,0 0/0 N play 3 3", "g", "0,5,1,0,0,6,1,6,2,2,0,2,0,0,0,0/4,4,4,0,5,5,0,2,3,3,3,3,2,1,0,0 0/0 S play 0 4"},
		{"8.21.3 against the direction to capture", "omweso", "4,0,5,0,6,1,6,6,0,2,0,1,1,0,0,0/4,4,4,0,5,5,5,0,1,1,1,1,1,0,0,0 0/0 N play 3 3", "a<", "4,0,5,0,0,1,6,6,0,2,0,0,1,0,0,0/0,5,5,1,6,6,6,1,1,1,1,1,2,1,1,1 0/0 S play 0 4"},
		{"8.22.1 captured seeds are sown from the head", "bao-kujifunza", "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2 0/0 S play 0 0", "j>", "2,2,2,2,2,2,2,2,3,1,3,3,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2,0,2,2,2 0/0 N play 0 1"},
		{"8.22.2 a flank turns the direction", "bao-kujifunza", "2,2,2,2,2,2,2,2,2,2,2,2,3,3,1,3/2,2,2,2,2,2,2,2,2,2,2,0,2,2,2,2 0/0 N play 0 1", "k<", "2,2,2,2,2,2,2,2,2,2,2,2,3,3,1,0/2,2,2,2,2,2,2,2,4,4,1,0,2,2,2,2 0/0 S play 0 2"},
		{"8.22.3 nothing to capture", "bao-kujifunza", "3,0,3,3,0,3,3,0,0,0,5,0,4,0,0,0/3,0,2,2,2,2,2,2,6,2,1,6,4,3,3,0 0/0 S play 0 2", "k>", "3,0,3,3,0,3,3,0,0,0,0,1,5,1,1,1/3,0,2,2,2,2,2,2,6,2,1,6,4,3,3,0 0/0 N play 1 3"},
		{"8.22.4 the inner row is empty", "bao-kujifunza", "1,2,1,2,0,4,1,1,0,0,0,0,1,0,0,0/1,5,4,2,2,1,0,6,3,4,1,9,0,1,11,1 0/0 N play 1 9", "i>", "row-empty 0-64"},
		{"8.23.1 one seed from the hand, then two are sown", "bao", "0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0/0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0 22/22 S play 0 0", "j<", "0,0,0,0,0,0,1,1,1,0,2,6h,0,0,0,0/0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0 21/22 N play 0 1"},
		{"8.23.2 the captured seed goes to the left head", "bao", "0,0,0,0,0,0,0,0,0,0,3,7h,1,0,0,0/0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0 21/22 N play 0 1", "l<", "0,0,0,0,0,0,0,0,0,0,3,7h,0,0,0,0/0,0,0,0,0,0,0,0,0,2,2,7h,0,0,0,1 21/21 S play 0 2"},
		{"8.23.2 or to the right head", "bao", "0,0,0,0,0,0,0,0,0,0,3,7h,1,0,0,0/0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0 21/22 N play 0 1", "l>", "0,0,0,0,0,0,0,0,0,0,3,7h,0,0,0,0/0,0,0,0,0,0,0,0,1,2,2,7h,0,0,0,0 21/21 S play 0 2"},
		{"8.23.3 in a flank only inwards", "bao", "0,0,0,0,0,0,0,0,0,0,0,8h,1,1,1,0/0,0,0,0,0,0,0,0,0,2,2,7h,0,0,0,1 20/21 N play 0 3", "j>", "0,0,0,0,0,0,0,0,0,0,0,8h,1,1,0,0/0,0,0,0,0,0,0,0,1,3,2,7h,0,0,0,1 20/20 S play 0 4"},
		{"8.23.4 two seeds of the house are sown", "bao", "0,0,0,1,1,2,0,4,0,0,0,6h,0,0,0,0/0,0,0,1,1,1,4,0,1,0,0,6h,0,0,0,0 18/18 S play 0 8", "l<", "0,0,0,1,1,2,0,4,0,1,1,5h,0,0,0,0/0,0,0,1,1,1,4,0,1,0,0,6h,0,0,0,0 17/18 N play 0 9"},
		{"8.23.5 the mover ends in the house", "bao", "0,0,0,0,0,0,0,0,0,2,1,8h,3,1,0,0/0,0,0,0,0,0,0,0,0,4,4,1,0,0,0,0 20/20 S play 0 4", "n>", "0,0,0,0,0,0,0,0,1,3,2,9h,3,2,0,0/0,0,0,0,0,0,0,0,0,4,0,1,0,0,0,0 19/20 N play 0 5"},
		{"8.23.5 or sows the house on", "bao", "0,0,0,0,0,0,0,0,0,2,1,8h,3,1,0,0/0,0,0,0,0,0,0,0,0,4,4,1,0,0,0,0 20/20 S play 0 4", "n>*", "1,1,1,1,1,0,0,0,1,3,2,0,4,3,1,1/0,0,0,0,0,0,0,0,0,4,0,1,0,0,0,0 19/20 N play 0 5"},
		{"8.23.6 a threat blocks the pit", "bao", "1,4,1,3,4,1,4,4,0,9,3,0,4,0,0,0/1,0,2,0,2,2,2,2,1,4,5,3,2,0,0,0 0/0 S play 0 44", "m<", "1,4,1,3,4,1,4,4,1,10,4,1,0,0,0,0/1,0,2,0,2,2,2,2,1,4,5,3,2!,0,0,0 0/0 N play 1 45"},
		{"8.23.7 the blocked pit must be taken", "bao", "2,1,2,0,1,2,1,2,1,1,0,0,0,0,0,0/4,1,4,0,4,1,4,11,2,7,0,0,9,0,4!,0 0/0 S play 4 56", "h>", "2,1,2,0,1,2,1,0,3,3,1,1,0,0,0,0/4,1,4,0,4,1,4,11,2,7,0,0,9,0,0,0 0/0 N play 0 57"},
		{"8.23.8 won while entering", "bao", "0,0,0,0,1,1,2,2,1,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,1,3,3,8h,3,3,0,1 17/18 N play 0 9", "p<", "row-empty 0-64"},

		{"9.1 round the ring of four", "basic-four", "", "f", "4,4,4,4,4,0/5,5,5,4,4,4/4,4,4,4,4,4/4,4,4,4,4,4 1/0/0/0 E play 0 1"},
		{"9.2 straight across", "basic-four", "1,0,4,4,4,4/4,4,4,4,4,4/4,4,4,4,5,4/4,4,4,4,4,4 6/0/0/0 S play 0 9", "a", "0,1,4,4,4,4/4,4,4,4,4,4/4,4,4,4,0,4/4,4,4,4,4,4 11/0/0/0 E play 0 10"},
		{"9.3 teams", "basic-teams", "4,4,0,5,5,5/4,4,4,4,4,4 1/0 S1 play 0 1", "a", "0,5,1,6,6,5/4,4,4,4,4,4 1/0 N1 play 1 2"},

		// Traditional variants that are rows of the same table (RULES.md §5,
		// RULES.md §7.2, RULES.md §8).
		{"5 giuthi of the Kikuyu stays at home and plays again", "giuthi cross_needs=side again=home", "2,0,0,0,0,6/3,3,3,3,3,3 20/10 S play 0 30", "a>", "0,1,1,0,0,6/3,3,3,3,3,3 20/10 S play 1 31"},
		{"5 without a need it captures and runs", "giuthi cross_needs=nothing", "2,0,0,0,0,6/3,3,3,3,3,3 20/10 S play 0 30", "a>", "0,1,0,0,0,6/3,0,0,0,3,3 30/10 N play 0 31"},
		{"5 ayoayo-like: b becomes two and goes on to capture", "kalah relay=same", "1,1,0,0,0,3/0,2,3,0,4,0 5/5 S play 0 9", "a", "0,0,1,0,0,3/0,2,0,0,4,0 9/5 N play 0 10"},
		{"8.4 first out, four sides", "basic-four remaining=emptier", "0,0,0,0,0,1/1,0,0,0,0,0/1,0,0,0,0,0/1,0,0,0,0,0 5/5/5/5 S play 0 60", "f", "side-empty 9-5-5-5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := game(t, tt.rules)
			p := position(t, g, tt.from)
			if tt.from != "" && p.String() != tt.from {
				t.Fatalf("reading %s gave %v", tt.from, p)
			}
			play(t, g, &p, &engine.History{}, tt.moves)
			got := p.String()
			if p.Phase == engine.Over {
				got = string(p.End) + " " + p.ResultText()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestWorkedExamplesHaveTheListedMoves checks the lists of legal moves in RULES.md.
func TestWorkedExamplesHaveTheListedMoves(t *testing.T) {
	for _, tt := range []struct {
		name, rules, from, moves, want string
	}{
		{"8.6.4 feeding", "oware", "2,1,0,0,0,4/0,0,0,0,0,0 20/21 S play 0 60", "", "f"},
		{"8.6.6 only a pass", "oware", wander, "f", "-"},
		{"8.6.6 then only feeding", "oware", wander, "f -", "e"},
		{"8.6 forbidden grand slam", "oware grand_slam=forbidden", slam, "", "a"},
		{"8.7.4 pass", "giuthi", "1,1,1,0,1,1/3,4,0,0,2,0 30/28 S play 0 30", "", "-"},
		{"8.7 both ways", "giuthi", "", "", "a> a< b> b< c> c< d> d< e> e< f> f<"},
		{"8.8.3 singles", "maruba", singles, "", "a e k n"},
		{"8.8.4 endless", "maruba", endless, "", "c j k m n"},
		{"8.9.1 rightmost", "ignorant", ring, "", "f"},
		{"8.9.3 gift", "ignorant", starved, "", "+d"},
		{"8.9 singles only: one plays on", "ignorant", "0,0,0,0,0,0/1,1,0,1,0,0 30/35 N play 2 30", "", "d"},
		{"8.10.3 gift, a choice", "wise", starved, "", "+b +d"},
		{"8.10.4 pass", "wise", "0,0,0,0,0,0/1,2,0,3,0,1 30/35 S play 2 30", "", "-"},
		{"8.14.4 then South passes", "sungka", shells, "e", "-"},
		{"8.18.2 feeding", "ayoayo", "0,0,0,0,0,0/0,1,0,1,0,1 29/16 N play 0 11", "", "f"},
		{"8.21.3 legal there", "omweso", "4,0,5,0,6,1,6,6,0,2,0,1,1,0,0,0/4,4,4,0,5,5,5,0,1,1,1,1,1,0,0,0 0/0 N play 3 3", "", "a< a b c e f g"},
		{"8.23.1 legal there", "bao", "0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0/0,0,0,0,0,0,0,0,0,2,2,6h,0,0,0,0 22/22 S play 0 0", "", "j< j> k< k>"},
		{"8.23.3 legal there", "bao", "0,0,0,0,0,0,0,0,0,0,0,8h,1,1,1,0/0,0,0,0,0,0,0,0,0,2,2,7h,0,0,0,1 20/21 N play 0 3", "", "j> k< k> l< l>"},
		{"8.23.5 legal there", "bao", "0,0,0,0,0,0,0,0,0,2,1,8h,3,1,0,0/0,0,0,0,0,0,0,0,0,4,4,1,0,0,0,0 20/20 S play 0 4", "", "m< m> n< n> n>*"},
		{"8.23.7 only the capture of the blocked pit", "bao", "2,1,2,0,1,2,1,2,1,1,0,0,0,0,0,0/4,1,4,0,4,1,4,11,2,7,0,0,9,0,4!,0 0/0 S play 4 56", "", "h>"},
		{"3 a lay-out has no list", "wise", "", "", ""},
		{"3 keep or swap", "wise", "", "=0.9.10.8.9.0/0.10.9.9.8.0", "keep swap"},
		{"3 direction stays free with rightmost", "giuthi start=rightmost", "", "", "f> f<"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := game(t, tt.rules)
			p := position(t, g, tt.from)
			play(t, g, &p, &engine.History{}, tt.moves)
			if got := moveTexts(g.LegalMoves(&p, nil)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestOppositeCellsAddUpToThirteen checks Lane's numbers (RULES.md §1): South is 1–6
// and North is 7–12. A capture by count with the opposite pit shows which pit that
// is.
func TestOppositeCellsAddUpToThirteen(t *testing.T) {
	g := game(t, "wise start=any again=none count_chain=false")
	for cell := 2; cell <= 6; cell++ { // the last seed falls into South's cell and makes two
		pits := make([]int, 12)
		pits[cell-2], pits[cell-1] = 1, 1 // South
		for i := 6; i < 12; i++ {
			pits[i] = i // as many as the cell's number minus one
		}
		p := g.Start()
		p.Phase = engine.Play
		for i, n := range pits {
			p.Slots[i] = uint8(n)
		}
		if err := g.Play(&p, nil, engine.Move{Pit: uint8(cell - 2)}, nil); err != nil {
			t.Fatal(err)
		}
		facing := 13 - cell
		if p.Slots[facing-1] != 0 || p.Score(0) != 2+facing-1 {
			t.Errorf("cell %d: got %v, want cell %d taken", cell, p, facing)
		}
	}
}

// TestOpenSpielPositionsPlayAsInOpenSpiel plays positions from open_spiel's own
// tests, under the rows of our table that are the same games (RULES.md §5).
func TestOpenSpielPositionsPlayAsInOpenSpiel(t *testing.T) {
	const oware = "oware-abapa end=majority repetition=2"
	for _, tt := range []struct {
		name, rules, from, moves, want, legal string
	}{
		{"legal actions", oware, "1,0,9,0,0,1/1,0,0,0,0,0 0/0 S play 0 0", "", "", "a c f"},
		{"leave the opponent seeds", oware, "1,0,0,0,0,1/0,0,0,0,0,0 0/0 S play 0 0", "", "", "f"},
		{"capture till the beginning", oware, "0,0,8,0,0,1/1,1,1,1,2,3 0/0 S play 0 0", "c", "15-3", ""},
		{"capture most houses", oware, "0,0,8,0,0,1/3,1,1,1,2,0 0/0 S play 0 0", "c", "13-4", ""},
		{"too few seeds", oware, "3,1,1,1,0,0/0,0,8,0,0,1 0/0 N play 0 0", "c", "4,2,2,2,1,0/0,0,0,1,1,2 0/0 S play 1 1", ""},
		{"too many seeds", oware, "0,0,8,0,0,1/3,1,1,1,3,0 0/0 S play 0 0", "c", "0,0,0,1,1,2/4,2,2,2,4,0 0/0 N play 1 1", ""},
		{"grand slam", oware, "1,1,1,1,1,0/0,0,8,0,0,1 0/0 N play 0 0", "c", "2,2,2,2,2,0/0,0,0,1,1,2 0/0 S play 1 1", ""},
		{"repetition", oware, "1,0,0,0,0,0/1,0,0,0,0,0 23/23 S play 0 0", "a a b b c c d d e e f f", "24-24", ""},
		{"opposite pit not empty", "kalah", "0,0,1,0,0,0/0,0,4,0,0,0 0/0 S play 0 0", "c", "5-0", ""},
		{"opposite pit empty", "kalah", "0,0,1,0,0,0/0,4,0,0,0,0 0/0 S play 0 0", "c", "0,0,0,1,0,0/0,4,0,0,0,0 0/0", ""},
		{"passes the opponent's store", "kalah", "1,0,0,0,0,8/0,1,0,0,0,0 0/0 S play 0 0", "f", "2,0,0,0,0,0/1,2,1,1,1,1 1/0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := game(t, tt.rules)
			p := position(t, g, tt.from)
			if tt.legal != "" {
				if got := moveTexts(g.LegalMoves(&p, nil)); got != tt.legal {
					t.Errorf("got %q, want %q", got, tt.legal)
				}
				return
			}
			play(t, g, &p, &engine.History{}, tt.moves)
			got := p.String()
			if p.Phase == engine.Over {
				got = p.ResultText()
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
