package site

import (
	"flag"
	"time"

	"mancala/lobby"
)

// Limit names a limit: what one visitor or one address may do how often. The table
// [limits] has a row for each, which gives its flag, its default and its help.
type Limit int

const (
	LimitGames Limit = iota
	LimitGamesPerAddress
	LimitBotGames
	LimitBotGamesPerAddress
	LimitHints
	LimitHintsPerAddress
	LimitGuests
	LimitChat
	LimitSettings
	LimitRequests
	LimitPictures
	LimitMovies
	LimitCodes
	LimitSeeks
	LimitSignIns
	LimitSignInsPerName
	LimitSignInsPerAddress
	LimitReports
	LimitReportsPerAddress
	LimitPasskeys
	LimitToken
	LimitAnalyses
	LimitAnalysesPerAddress
	LimitLooks
	LimitPositions
	LimitReplays
	LimitLessons
	LimitTournaments
	LimitTournamentsPerAddress
	LimitEntries
	flags // the limits before this one have flags of their own

	LimitDevice  = flags     // passwords tried on one device that signed in before; as LimitSignIns
	LimitSecrets = flags + 1 // recovery codes, passkeys and keys of hosts tried from one address; as LimitSignInsPerAddress
	all          = flags + 2
)

// limits is the table of limits.
var limits = [flags]struct {
	flag string // without "limit-"
	n    int
	per  time.Duration
	help string
}{
	LimitGames:              {"games", 120, time.Hour, "games that one visitor may make; off for no limit, here and in the other limits"},
	LimitGamesPerAddress:    {"games-per-address", 2000, time.Hour, "games that one address may make; a school may share one"},
	LimitBotGames:           {"bot-games", 120, time.Hour, "games against the computer that one visitor may make"},
	LimitBotGamesPerAddress: {"bot-games-per-address", 2000, time.Hour, "games against the computer that one address may make"},
	LimitHints:              {"hints", 60, time.Minute, "hints for one visitor"},
	LimitHintsPerAddress:    {"hints-per-address", 300, time.Minute, "hints for one address"},
	LimitGuests:             {"guests", 600, time.Hour, "new guests from one address"},
	LimitChat:               {"chat", 30, time.Minute, "chat lines and changes of name by one visitor"},
	LimitSettings:           {"settings", 120, time.Minute, "changes of settings by one visitor"},
	LimitRequests:           {"requests", 600, 10 * time.Second, "HTTP requests from one address"},
	LimitPictures:           {"pictures", 60, time.Minute, "pictures of positions drawn for one address"},
	LimitMovies:             {"movies", 20, time.Minute, "moving pictures of games drawn for one address; a school may share one"},
	LimitCodes:              {"codes", 300, time.Minute, "invitation codes tried from one address; a school may share one"},
	LimitSeeks:              {"seeks", 60, 10 * time.Minute, "seeks that one visitor may make or accept, and searches for an opponent"},
	LimitSignIns:            {"sign-ins", 10, 15 * time.Minute, "passwords tried for one name from one address, or from one device that signed in before"},
	LimitSignInsPerName:     {"sign-ins-per-name", 100, time.Hour, "passwords tried for one name from all addresses together; this does not limit a device that signed in before"},
	LimitSignInsPerAddress:  {"sign-ins-per-address", 60, 15 * time.Minute, "passwords tried from one address, and accounts made there; the same number again of recovery codes, passkeys and keys of hosts together"},
	LimitReports:            {"reports", 20, time.Hour, "reports that one visitor may make"},
	LimitReportsPerAddress:  {"reports-per-address", 100, time.Hour, "reports from one address; a school may share one"},
	LimitPasskeys:           {"passkeys", 300, 15 * time.Minute, "requests for a passkey to browsers of one address; each view of the sign-in page is one"},
	LimitToken:              {"token", 600, time.Minute, "requests with one API token"},
	LimitAnalyses:           {"analyses", 30, time.Hour, "games that one visitor may have analysed"},
	LimitAnalysesPerAddress: {"analyses-per-address", 300, time.Hour, "games analysed for one address; a school may share one"},
	LimitLooks:              {"looks", 60, time.Minute, "positions that one visitor may have evaluated, and tries of puzzles"},
	LimitPositions:          {"positions", 1200, time.Minute, "positions viewed from one address"},
	LimitReplays:            {"replays", 300, time.Minute, "whole games read from one address, as for a record, a replay, an analysis, or the page of a long game that nobody plays now; a school may share one"},
	LimitLessons:            {"lessons", 300, time.Minute, "explanations of new house rules, and searches of the composer, for one address; a school may share one"},

	LimitTournaments:           {"tournaments", 20, time.Hour, "tournaments that one visitor may make"},
	LimitTournamentsPerAddress: {"tournaments-per-address", 200, time.Hour, "tournaments made from one address; a school may share one"},
	LimitEntries:               {"entries", 1200, time.Hour, "players whom one host may add to tournaments or rename, and names with which one visitor may join them"},
}

// Limits are the rates of all limits that have flags. The zero Limits are no limits.
type Limits [flags]lobby.Rate

// Register gives every limit its default and its flag.
func (l *Limits) Register(fs *flag.FlagSet) {
	for i, row := range limits {
		fs.TextVar(&l[i], "limit-"+row.flag, lobby.Rate{N: row.n, Per: row.per}, row.help)
	}
}

// Limiters enforce the limits.
type Limiters struct {
	made [all]*lobby.Limiter
}

// NewLimiters returns what enforces these limits.
func NewLimiters(l Limits) *Limiters {
	enforced := new(Limiters)
	for i, rate := range l {
		enforced.made[i] = lobby.NewLimiter(rate)
	}
	enforced.made[LimitDevice] = lobby.NewLimiter(l[LimitSignIns])
	enforced.made[LimitSecrets] = lobby.NewLimiter(l[LimitSignInsPerAddress])
	return enforced
}

// Limit returns what enforces a limit.
func (l *Limiters) Limit(which Limit) *lobby.Limiter { return l.made[which] }
