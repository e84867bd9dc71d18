package engine

// Rules has one value for each option of RULES.md §4. The zero value is not a valid
// rule set: start from [Default], [System] or [ParseRules]. Rules are only data;
// [Compile] decides what they mean together.
type Rules struct {
	// Board.
	Sides    int // home rows in the ring: 2 or 4
	Partners int // seats sharing a side: 1 or 2
	Rows     int // 1: one shared track; 2: each side has its own closed track of two rows
	Pits     int // per row, 1 to 13

	// Start.
	Seeds   []int // one number: the seeds in every pit; several: those of the pits a, b, … of each side
	Opening Opening
	Total   int // seeds to lay out
	Swap    Swap

	// Lift.
	Direction Direction
	Start     StartPit
	Lift      Lift

	// Sow.
	Store      bool // one's own store is a slot of the track
	SkipOrigin bool // long sowings pass over the pit that was lifted
	Relay      Relay

	// Capture.
	Capture       Capture
	CrossOwn      bool // the capturing seed is won too
	CrossEmpty    bool // the capturing seed is won even if the opposite pit is empty
	CrossRun      bool // the capture goes on along adjacent empty own pits
	CrossNeeds    CrossNeeds
	Counts        []int // numbers of seeds that capture, the last seed included
	CountSide     CountSide
	CountChain    bool // the pits before it are captured too, back along the last lap
	CountOpposite bool // the pit opposite each captured pit is captured too
	GrandSlam     GrandSlam

	// Turn.
	Again []Again
	Feed  Feed
	Stuck Stuck

	// End.
	End            []EndRule
	EndAtMost      int // a side with at most this many seeds ends the game; -1: never
	Remaining      Remaining
	Repetition     int // this occurrence of a position ends the game; 0: never
	NoProgress     int // plies without a seed won that end the game; 0: never
	CycleRemaining Remaining

	// Match.
	Match     MatchKind
	Target    int // gains that win the match
	MaxRounds int // 0: no limit

	// Options that came after the first fifteen systems. In the canonical form they stand
	// at the end, so that older texts and hashes stay as they are.
	Reserve     int  // seeds that each side has in hand at the start; as long as it has one, a ply is an entry
	Backward    int  // pits of this many columns at the owner's left may be lifted against the direction, to capture
	MustCapture bool // plies that capture with their first lap go before all others, which capture nothing
	KeepFirst   bool // a lift of two or more leaves its first seed in the pit lifted
	SecondRound SecondRound
	SowCounts   []int // numbers of seeds that are captured in passing
	SowWinner   SowWinner
	CountEven   bool // every even number of seeds captures, besides Counts
	CountSpare  CountSpare
	CrossAt     CrossAt
	CrossDepth  CrossDepth
	Captured    Captured
	Claim       int // a last seed that brings an opponent's pit to this number claims it; 0: never
	ClaimBan    []ClaimBan
	House       House
	Block       bool // a threat may block the threatened pit
	EndTotal    int  // the game ends when at most this number of seeds is on the board; 0: never
}

// Opening is how the first seeds get into their pits.
type Opening string

const (
	OpeningFixed  Opening = "fixed"  // the numbers in Seeds
	OpeningFree   Opening = "free"   // a player lays out Total seeds in any way that is not even
	OpeningPaired Opening = "paired" // only in the inner pits, and opposite pits are both filled or both empty
)

// Swap is the right of the other player to turn the board round after a lay-out.
type Swap string

const (
	SwapNone       Swap = "none"
	SwapKeepsFirst Swap = "keeps-first" // the player who turns the board still moves first
	SwapLosesFirst Swap = "loses-first" // the player who turns the board moves second
)

// Direction is the direction of sowing.
type Direction string

const (
	DirectionCCW    Direction = "ccw"
	DirectionCW     Direction = "cw"
	DirectionChoice Direction = "choice" // the player chooses for each ply
)

// StartPit limits which of the playable pits may be lifted.
type StartPit string

const (
	StartAny       StartPit = "any"
	StartRightmost StartPit = "rightmost"
)

// Lift is the number of seeds that a pit needs to be lifted.
type Lift string

const (
	LiftAny      Lift = "any"
	LiftTwo      Lift = "two"
	LiftTwoFirst Lift = "two-first" // two; if no pit holds two, a single seed whose next pit is empty
)

// Relay is whether the sower lifts an occupied last pit and sows on.
type Relay string

const (
	RelayNone    Relay = "none"
	RelaySame    Relay = "same"
	RelayReverse Relay = "reverse" // each lap goes the other way
	RelayNext    Relay = "next"    // the pit after the last one is lifted, if it holds seeds
)

// Capture is the kind of capture.
type Capture string

const (
	CaptureNone  Capture = "none"
	CaptureCross Capture = "cross" // the last seed falls into an empty own pit and captures the pit opposite
	CaptureCount Capture = "count" // the last seed brings a pit to one of Counts
	CaptureBoth  Capture = "both"  // as count; if the last pit may not be captured that way, as cross
	CaptureGap   Capture = "gap"   // the pit after the last one is empty, and the one after it is captured
)

// byCount reports whether a last seed may capture by the number in its pit.
func (c Capture) byCount() bool { return c == CaptureCount || c == CaptureBoth }

// across reports whether a last seed may capture the pit opposite.
func (c Capture) across() bool { return c == CaptureCross || c == CaptureBoth }

// CrossNeeds is the pit that must have been sown in this ply for a cross capture.
type CrossNeeds string

const (
	CrossNeedsNothing CrossNeeds = "nothing"
	CrossNeedsPit     CrossNeeds = "pit"  // each captured pit
	CrossNeedsSide    CrossNeeds = "side" // at least one pit of that side
)

// CountSide is the owner of the pits that a capture by count takes.
type CountSide string

const (
	CountSideOpponent CountSide = "opponent"
	CountSideAny      CountSide = "any"
)

// GrandSlam is the rule for a capture by count that would take every seed of the
// opponent.
type GrandSlam string

const (
	GrandSlamCapture       GrandSlam = "capture"
	GrandSlamNone          GrandSlam = "none"
	GrandSlamForbidden     GrandSlam = "forbidden"
	GrandSlamLeaveLast     GrandSlam = "leave-last"
	GrandSlamLeaveFirst    GrandSlam = "leave-first"
	GrandSlamOpponentKeeps GrandSlam = "opponent-keeps"
)

// Again is a reason for another ply of the same seat.
type Again string

const (
	AgainStore   Again = "store"   // the last seed fell into the own store
	AgainCapture Again = "capture" // the ply captured at least one seed
	AgainHome    Again = "home"    // the sowing ended in an empty own pit and dropped no seed on another side
)

// Feed is the duty towards an opponent whose side is empty.
type Feed string

const (
	FeedNone Feed = "none"
	FeedMust Feed = "must" // only moves that give the opponent seeds are legal
	FeedGive Feed = "give" // the player gives one seed, for example by +c
)

// Stuck is the rule for a seat on turn that has no move.
type Stuck string

const (
	StuckEnd  Stuck = "end"
	StuckPass Stuck = "pass"
)

// EndRule is a way for a game to end, besides those that all games share.
type EndRule string

const (
	EndRuleSideEmpty EndRule = "side-empty"
	EndRuleLoneSeed  EndRule = "lone-seed"
	EndRuleMajority  EndRule = "majority"
	EndRuleRowEmpty  EndRule = "row-empty" // an inner row is empty, also in the middle of a turn: its owner loses
)

// Remaining is the side that wins the seeds left on the board.
type Remaining string

const (
	RemainingOwn     Remaining = "own"
	RemainingEmptier Remaining = "emptier" // the mover if the mover's own side is empty, otherwise as own
	RemainingSplit   Remaining = "split"
	RemainingNobody  Remaining = "nobody"
	RemainingRival   Remaining = "rival" // the opponent of the side that is stuck or empty, otherwise as own
)

// MatchKind is the unit that a match is decided by.
type MatchKind string

const (
	MatchSingle     MatchKind = "single"
	MatchDifference MatchKind = "difference" // rounds are played until one side's gains reach Target
)

// SecondRound is where a sowing that is longer than one round goes on.
type SecondRound string

const (
	SecondRoundAll      SecondRound = "all"
	SecondRoundOpponent SecondRound = "opponent" // in the opponent's pits only
)

// SowWinner is the side that wins the seeds captured in passing.
type SowWinner string

const (
	SowWinnerOwner SowWinner = "owner" // of the pit
	SowWinnerMover SowWinner = "mover"
)

// CountSpare is the pit that is never captured by count.
type CountSpare string

const (
	CountSpareNone  CountSpare = "none"
	CountSpareFirst CountSpare = "first" // the opponent's pit that the direction reaches first
)

// CrossAt is what the last pit of a cross capture held before the last seed.
type CrossAt string

const (
	CrossAtEmpty    CrossAt = "empty"
	CrossAtOccupied CrossAt = "occupied"
)

// Captured is what becomes of captured seeds.
type Captured string

const (
	CapturedWon     Captured = "won"
	CapturedOnward  Captured = "onward"  // sown from the pit after the last one
	CapturedRestart Captured = "restart" // sown from the pit after the one where this lap was lifted
	CapturedHead    Captured = "head"    // sown from an end of the own inner row
)

// ClaimBan is a kind of pit that a side may not claim.
type ClaimBan string

const (
	ClaimBanLast ClaimBan = "last" // the opponent's last pit
	ClaimBanTwin ClaimBan = "twin" // the pit with the letter of the one that the opponent has claimed
)

// House is the letter of the inner pit that is a house at the start, or none.
type House string

const HouseNone House = "none"

// pit returns the number of the pit that is a house, or -1.
func (h House) pit() int {
	if h == HouseNone || len(h) != 1 {
		return -1
	}
	return int(h[0] - 'a')
}

// CrossDepth is what a cross capture takes on a board with two rows.
type CrossDepth string

const (
	CrossDepthAny   CrossDepth = "any"   // the inner pit, and the outer one behind it with whatever it holds
	CrossDepthFull  CrossDepth = "full"  // both, and only if both hold seeds
	CrossDepthInner CrossDepth = "inner" // the inner pit alone
)

// Default returns the value that RULES.md §4 lists first for every option. Rule texts
// are changes of it. It is not a playable rule set.
func Default() Rules {
	return Rules{
		Sides: 2, Partners: 1, Rows: 1, Pits: 6,
		Seeds: []int{4}, Opening: OpeningFixed, Swap: SwapNone,
		Direction: DirectionCCW, Start: StartAny, Lift: LiftAny,
		Relay:   RelayNone,
		Capture: CaptureNone, CrossOwn: true, CrossNeeds: CrossNeedsNothing,
		CountSide: CountSideOpponent, CountChain: true, GrandSlam: GrandSlamCapture,
		Feed: FeedNone, Stuck: StuckEnd,
		EndAtMost: -1, Remaining: RemainingOwn, Repetition: 3, NoProgress: 100, CycleRemaining: RemainingOwn,
		Match:       MatchSingle,
		SecondRound: SecondRoundAll, SowWinner: SowWinnerOwner, CountSpare: CountSpareNone,
		CrossAt: CrossAtEmpty, CrossDepth: CrossDepthAny, Captured: CapturedWon, House: HouseNone,
	}
}

// PitsPerSide returns the number of pits on one side.
func (r Rules) PitsPerSide() int { return r.Rows * r.Pits }

// Seats returns the number of players.
func (r Rules) Seats() int { return r.Sides * r.Partners }

// SeedsIn returns the number of seeds with which pit i (a = 0) of every side starts.
func (r Rules) SeedsIn(i int) int {
	if len(r.Seeds) == 1 {
		return r.Seeds[0]
	}
	return r.Seeds[i]
}
