package match

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// A seatmate is a player without a device: they sit at the screen of another player, their
// keeper. The keeper's pages send the commands of both (deploy/decisions/0037). Both are
// players like any other: each has a seat, and each entry names its author. The ID tells
// who the keeper is, so that no instance has to look it up.

// matePrefix begins the ID of every seatmate, and keeperPrefix that of every person with a
// device.
const (
	matePrefix   = "q"
	keeperPrefix = "p"
)

// SeatmateID returns the ID of a keeper's seatmate. Two of them with different keys are
// different players.
func SeatmateID(keeper, key string) string {
	sum := sha256.Sum256([]byte(key))
	return MatesOf(keeper) + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5]))
}

// MatesOf returns what the IDs of all seatmates of a keeper begin with.
func MatesOf(keeper string) string {
	return matePrefix + strings.TrimPrefix(keeper, keeperPrefix) + "."
}

// KeeperOf returns the keeper of a seatmate. It returns false for any other player.
func KeeperOf(player string) (keeper string, ok bool) {
	rest, found := strings.CutPrefix(player, matePrefix)
	if !found {
		return "", false
	}
	id, _, ok := strings.Cut(rest, ".")
	return keeperPrefix + id, ok
}

// PlaysFor reports whether a player's pages send the commands of another player.
func PlaysFor(player, other string) bool {
	keeper, ok := KeeperOf(other)
	return ok && keeper == player
}

// ActsFor reports whether a player's pages send the commands of another: they are one player, or seatmates.
func ActsFor(player, other string) bool { return other == player || PlaysFor(player, other) }

// anySeatmate reports whether these players include a seatmate.
func anySeatmate(players []string) bool {
	for _, p := range players {
		if _, ok := KeeperOf(p); ok {
			return true
		}
	}
	return false
}

// keeps reports whether the player of one seat is the keeper of the player of another.
func (s *state) keeps(seat, other int) bool { return PlaysFor(s.seats[seat], s.seats[other]) }

// asks reports whether a player needs the consent of the player of another seat. The
// players at one screen agree with each other before one of them touches it.
func (s *state) asks(seat, other int) bool {
	if s.keeps(seat, other) || s.keeps(other, seat) {
		return false
	}
	keeper, ok := KeeperOf(s.seats[seat])
	return !ok || !PlaysFor(keeper, s.seats[other])
}
