// Package lobby knows the people: who they are, what they are called, which
// games they are in and what they say beside them.
//
// [Open] brings the lobby's tables up to date in a database and returns its
// parts. [People] are players, guests for now; [Tokens] are the signed values of
// their cookies; [Games] lists which rooms somebody is in; [Chat] keeps what is
// said beside rooms. None of them knows HTTP, and none holds what several people
// share: that is in the database, so any number of instances can work with it.
// A [Limiter] is the exception, in memory and for one instance: what one visitor
// may do how often.
//
// Names and texts of people are untrusted. Those that this package lets through
// hold no characters that cannot be seen, but they may hold markup and may be
// written from right to left: whoever shows them escapes and isolates them.
//
// A refusal is a [refusal.Error] with one of this package's codes.
package lobby
