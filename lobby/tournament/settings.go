package tournament

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mancala/lobby/tournament/tiebreak"
	"mancala/match"
	"mancala/match/refusal"
)

// Format is how a tournament is paired.
type Format string

const (
	Swiss       Format = "swiss"       // package swiss
	RoundRobin  Format = "roundrobin"  // package roundrobin: everybody meets everybody
	DoubleRound Format = "doubleround" // the same twice, with the first moves reversed
	Knockout    Format = "knockout"    // package knockout: a player who loses a match is out
	Arena       Format = "arena"       // package arena: players are paired as they become free, for a fixed time
	Class       Format = "class"       // package freeplay: players are paired as they become free, and there are no standings
)

// Settings are the choices of the host. The zero value of a field is the usual choice.
type Settings struct {
	Name      string `json:"name"`
	Format    Format `json:"format"`
	Rounds    int    `json:"rounds,omitempty"`  // of a Swiss; a round robin has as many as its players need
	Minutes   int    `json:"minutes,omitempty"` // of an arena: how long players are paired
	TieBreaks string `json:"tieBreaks"`         // codes of package tiebreak, with commas between them

	// Of the games, as in [match.Settings].
	Rules   string `json:"rules"`
	Options string `json:"options,omitempty"`
	Clock   string `json:"clock"`
	Rated   bool   `json:"rated,omitempty"` // needs accounts

	Games   int  `json:"games,omitempty"`   // on each board of a round: 1, or 2 with the first moves reversed
	BySeeds bool `json:"bySeeds,omitempty"` // two games are scored by their seeds, not by games won

	ThirdPlace        bool `json:"thirdPlace,omitempty"`  // of a knockout: the losers of the semifinals play for it
	Extra             int  `json:"extra,omitempty"`       // of a knockout: pairs of games that a level match goes on with
	SeedNumberDecides bool `json:"seedDecides,omitempty"` // of a knockout: the better seed number wins a match that is still level, without a deciding game

	Accounts bool `json:"accounts,omitempty"` // guests cannot join
	Listed   bool `json:"listed,omitempty"`   // shown in the list of tournaments
	LateHalf bool `json:"lateHalf,omitempty"` // a late player gets half a point for round 1; other missed rounds give nothing
	NoShow   int  `json:"noShow,omitempty"`   // seconds after which a player who has not moved loses; 0: the usual time, see [Settings.noShow]
	Pause    int  `json:"pause,omitempty"`    // seconds until the next round starts by itself; 0: the host starts it

	Days     int    `json:"days,omitempty"`     // how long a round lasts, see closing.go; 0: it has no end
	Ends     int64  `json:"ends,omitempty"`     // ms: when the first round ends, see [Settings.endOfRound]; 0: Days after its start
	Unplayed string `json:"unplayed,omitempty"` // the result of a game in which neither player has moved; empty: both lose

	Starts   int64  `json:"starts,omitempty"`   // ms: when the host means to start, for the list and calendars
	Zone     int    `json:"zone,omitempty"`     // minutes that the host's clock is behind UTC then, for the date in report files; below 0: ahead
	Initials bool   `json:"initials,omitempty"` // pages show others than the hosts the players' initials only
	Chat     string `json:"chat,omitempty"`     // beside each game, as in [match.Settings]; always "off" in a class
}

// Values of [Settings.Unplayed].
const (
	UnplayedDraw = "draw"
	UnplayedHost = "host" // the host decides
)

// Sizes and limits.
const (
	MaxPlayers = 2000
	MaxRounds  = 100
	MaxHosts   = 10
	MaxRating  = 4000
	maxTitle   = 60   // characters of the name
	maxForbid  = 2000 // pairs of players who may not meet

	usualNoShow = 5 * time.Minute
	maxNoShow   = 7 * 24 * 3600 // s
	maxPause    = 3600          // s
	maxMinutes  = 12 * 60
	maxDays     = 28      // less than [match.MaxNoShow]
	maxStarts   = 1 << 43 // ms: the year 2248
	maxZone     = 24 * 60
)

// check reports why no tournament can have these settings, and fills in the usual choices.
func (s *Settings) check() error {
	s.Name = strings.TrimSpace(s.Name)
	if s.Name == "" || utf8.RuneCountInString(s.Name) > maxTitle || !utf8.ValidString(s.Name) || strings.ContainsFunc(s.Name, isHidden) {
		return refusal.With(CodeBadSettings, Problem{"name"})
	}
	usual(&s.Format, Swiss)
	usual(&s.Rules, "kalah")
	usual(&s.Clock, "none")
	usual(&s.Games, 1)
	if s.Format == Arena {
		usual(&s.Minutes, 60)
	}
	if s.Format == Class {
		s.Chat = "off"
	}
	if s.Format == Swiss {
		usual(&s.Rounds, 5)
		usual(&s.TieBreaks, tiebreak.Usual+",SEEDS")
	}
	usual(&s.TieBreaks, usualRoundRobin)
	switch {
	case !slices.Contains([]Format{Swiss, RoundRobin, DoubleRound, Knockout, Arena, Class}, s.Format):
		return refusal.With(CodeBadSettings, Problem{"format"})
	case s.Format != Swiss && s.Rounds != 0, s.Rounds < 0 || s.Rounds > MaxRounds:
		return refusal.With(CodeBadSettings, Problem{"rounds"})
	case s.Format == Arena && (s.Minutes < 5 || s.Minutes > maxMinutes), s.Format != Arena && s.Minutes != 0:
		return refusal.With(CodeBadSettings, Problem{"minutes"})
	case s.Games != 1 && s.Games != 2, s.BySeeds && s.Games != 2, s.Games != 1 && (s.Format == Arena || s.Format == Class):
		return refusal.With(CodeBadSettings, Problem{"games"})
	case s.Format != Knockout && (s.ThirdPlace || s.Extra != 0 || s.SeedNumberDecides), s.knockout().Check() != nil:
		return refusal.With(CodeBadSettings, Problem{"extra"})
	case s.NoShow < 0 || s.NoShow > maxNoShow:
		return refusal.With(CodeBadSettings, Problem{"noShow"})
	case s.Pause < 0 || s.Pause > maxPause, s.Pause != 0 && (s.Format == Arena || s.Format == Class):
		return refusal.With(CodeBadSettings, Problem{"pause"})
	case s.Days < 0 || s.Days > maxDays, s.Days != 0 && (s.Format == Arena || s.Format == Class):
		return refusal.With(CodeBadSettings, Problem{"days"})
	case s.Ends < 0 || s.Ends > maxStarts, s.Ends != 0 && (s.Days == 0 || s.Starts != 0 && !mayEnd(s.Ends, s.Starts)):
		return refusal.New(CodeBadEnd)
	case !slices.Contains([]string{"", UnplayedDraw, UnplayedHost}, s.Unplayed), s.Unplayed == UnplayedDraw && s.Format == Knockout,
		s.Unplayed != "" && (s.Format == Arena || s.Format == Class):
		return refusal.With(CodeBadSettings, Problem{"unplayed"})
	case s.Starts < 0 || s.Starts > maxStarts, s.Zone < -maxZone || s.Zone > maxZone:
		return refusal.With(CodeBadSettings, Problem{"starts"})
	case s.Rated && !s.Accounts, s.Format == Class && s.Rated:
		return refusal.With(CodeBadSettings, Problem{"accounts"})
	}
	if _, err := tiebreak.Parse(s.TieBreaks); err != nil {
		return refusal.With(CodeBadSettings, Problem{"tieBreaks"})
	}
	return s.checkGame()
}

// checkGame reports why no game of two players can have these settings.
func (s *Settings) checkGame() error {
	seats, err := s.game().Seats()
	if err != nil {
		return err
	}
	if seats != 2 {
		return refusal.With(CodeBadSettings, Problem{"rules"})
	}
	return nil
}

// scoring returns the settings that decide what a result counts. The others are empty.
func (s *Settings) scoring() Settings {
	return Settings{
		Format: s.Format, TieBreaks: s.TieBreaks, Games: s.Games, BySeeds: s.BySeeds, LateHalf: s.LateHalf,
		ThirdPlace: s.ThirdPlace, Extra: s.Extra, SeedNumberDecides: s.SeedNumberDecides,
	}
}

// game returns the settings of each game.
func (s *Settings) game() match.Settings {
	return match.Settings{Rules: s.Rules, Options: s.Options, Clock: s.Clock, Rated: s.Rated, Listed: s.Listed, Chat: s.Chat}
}

// noShow returns the time after which a player who has not moved loses. With 0, no player loses for this
// reason. That is usual in a class, without a clock, and with days for a move, where the clock decides. In a
// round with an end, the end decides, so the games have the longest possible time. With 0 instead, the clock
// of a player who has not moved would run.
func (s *Settings) noShow() time.Duration {
	patient := s.Format == Class || s.Clock == "none" || strings.HasSuffix(s.Clock, "/move")
	switch {
	case s.NoShow == 0 && patient:
		return 0
	case s.NoShow == 0 && s.Days > 0:
		return match.MaxNoShow
	}
	return cmp.Or(time.Duration(s.NoShow)*time.Second, usualNoShow)
}

// usualRoundRobin are the tie-breaks of a round robin whose host has chosen none.
const usualRoundRobin = "SB,DE,WON,KS,SEEDS"

// usual sets a choice that was not made.
func usual[T comparable](choice *T, is T) {
	if zero := *new(T); *choice == zero {
		*choice = is
	}
}
