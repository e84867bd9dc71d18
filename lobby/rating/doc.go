// Package rating says how strong players are: Glicko-2, one rating for each
// game and speed.
//
// glicko.go is the arithmetic, pure functions of numbers. Source: Mark E.
// Glickman, "Example of the Glicko-2 system". A rating period is one game: a
// rating changes when the game is over, and both players are measured by what
// they were before it. A deviation grows with the time that somebody does not
// play, and a rating whose deviation is large is provisional: it is shown with
// a question mark and is on no leaderboard.
//
// [Ratings] are the tables. Every game has a row for each of its two players,
// and whoever counts a game looks for its rows first, in the transaction that
// changes the ratings: so a game counts once, however often its room asks for
// it and from wherever.
//
// Only players with an account are rated, and only games of two that the match
// calls rated (match/rated.go says which).
package rating
