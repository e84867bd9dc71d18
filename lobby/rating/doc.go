// Package rating computes and stores how strong players are, by Glicko-2: one rating for
// each player, game and speed.
//
// glicko.go is the arithmetic: pure functions of numbers. Source: Mark E. Glickman,
// "Example of the Glicko-2 system". A rating period is one game. A rating changes when
// the game is over, and the computation uses the ratings of both players before the game.
// A deviation grows while a player does not play. A rating with a large deviation is
// provisional: it is shown with a question mark and is on no leaderboard.
//
// [Ratings] holds the tables. Every rated game has a row for each of its two players.
// [Ratings.Count] looks for these rows first, in the transaction that changes the ratings.
// So a game counts once, however often its room asks and on whichever instance.
//
// Only players with an account are rated, and only games that the match marks as rated
// (match/rated.go has the conditions).
package rating
