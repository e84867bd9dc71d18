// Package hosting is what hosts and players of tournaments do that the room of a tournament
// cannot: make one, prove who its hosts are, find it by its code or in the list, let people in
// by their names, and show it with names.
//
// The room ([tournament.Tournament]) decides about everything else. Hosts and players send it
// commands of their own, as they do in a game. What only the service may order (a player joins,
// a person becomes a host) goes through [Hosting], which checks who asks.
//
// The table "tournaments" holds a row for each tournament: its place in the list and the hashes
// of its secrets. A task of the room keeps the row up to date.
package hosting
