package engine

// Rules is one value for each option of RULES.md §4. The zero value is not a rule set;
// start from [Default], [System] or [ParseRules]. Rules are data: what they mean
// together is decided by [Compile].
type Rules struct {
	// Board.
	Sides    int // home rows in the ring: 2 or 4
	Partners int // seats sharing a side: 1 or 2
	Rows     int // 1: one shared track; 2: each side has its own closed track of two rows
	Pits     int // per row, 1 to 13

	// Start.
	Seeds   []int // one number: seeds in every pit; more: the pits a, b, … of each side
	Opening Opening
	Total   int // seeds to lay out
	Swap    Swap

	// Lift.
	Direction Direction
	Start     StartPit
	Lift      Lift

	// Sow.
	Store      bool // one's own store is a slot of the track
	SkipOrigin bool // long sowings pass over the pit lifted
	Relay      Relay

	// Capture.
	Capture       Capture
	CrossOwn      bool // the capturing seed is won too
	CrossEmpty    bool // it is won even if the opposite pit is empty
	CrossRun      bool // go on along adjacent empty own pits
	CrossNeeds    CrossNeeds
	Counts        []int // numbers, last seed included, that capture
	CountSide     CountSide
	CountChain    bool // also the pits before it, back along the last lap
	CountOpposite bool // each with the pit opposite
	GrandSlam     GrandSlam

	// Turn.
	Again []Again
	Feed  Feed
	Stuck Stuck

	// End.
	End            []EndRule
	EndAtMost      int // a side with at most this many seeds ends the game; -1 never
	Remaining      Remaining
	Repetition     int // nth occurrence of a position ends the game; 0 never
	NoProgress     int // plies without a seed won that end the game; 0 never
	CycleRemaining Remaining

	// Match.
	Match     MatchKind
	Target    int // gains needed
	MaxRounds int // 0: no limit
}

// Opening is how the first seeds get into their pits.
type Opening string

const (
	OpeningFixed  Opening = "fixed"  // as Seeds says
	OpeningFree   Opening = "free"   // a player lays out Total seeds anyhow but not evenly
	OpeningPaired Opening = "paired" // only in the inner pits, a pit filled iff the one opposite is
)

// Swap is whether the other player may turn the board round after a lay-out.
type Swap string

const (
	SwapNone       Swap = "none"
	SwapKeepsFirst Swap = "keeps-first" // and still moves first
	SwapLosesFirst Swap = "loses-first" // and then moves second
)

// Direction is which way seeds are sown.
type Direction string

const (
	DirectionCCW    Direction = "ccw"
	DirectionCW     Direction = "cw"
	DirectionChoice Direction = "choice" // chosen for each ply
)

// StartPit is which of the playable pits may be lifted.
type StartPit string

const (
	StartAny       StartPit = "any"
	StartRightmost StartPit = "rightmost"
)

// Lift is how many seeds a pit must hold to be lifted.
type Lift string

const (
	LiftAny      Lift = "any"
	LiftTwo      Lift = "two"
	LiftTwoFirst Lift = "two-first" // or, if no pit holds two, a single seed whose next pit is empty
)

// Relay is whether the sower lifts on from an occupied last pit.
type Relay string

const (
	RelayNone    Relay = "none"
	RelaySame    Relay = "same"
	RelayReverse Relay = "reverse" // turning at each lap
)

// Capture is the kind of capture.
type Capture string

const (
	CaptureNone  Capture = "none"
	CaptureCross Capture = "cross" // from an empty own pit, what lies opposite
	CaptureCount Capture = "count" // what the last seed brings to one of Counts
)

// CrossNeeds is what must have been sown in this ply for a cross capture.
type CrossNeeds string

const (
	CrossNeedsNothing CrossNeeds = "nothing"
	CrossNeedsPit     CrossNeeds = "pit"  // each pit taken
	CrossNeedsSide    CrossNeeds = "side" // some pit of that side
)

// CountSide is whose pits a capture by count takes.
type CountSide string

const (
	CountSideOpponent CountSide = "opponent"
	CountSideAny      CountSide = "any"
)

// GrandSlam is what happens if a capture by count would take every seed of the
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
	AgainStore   Again = "store"   // last seed in the own store
	AgainCapture Again = "capture" // a capture that won at least one seed
	AgainHome    Again = "home"    // ended in an empty own pit, nothing sown on another side
)

// Feed is what a player owes an opponent whose side is empty.
type Feed string

const (
	FeedNone Feed = "none"
	FeedMust Feed = "must" // only moves that give him seeds are legal
	FeedGive Feed = "give" // one seed, given by +c
)

// Stuck is what happens when the seat on turn has no move.
type Stuck string

const (
	StuckEnd  Stuck = "end"
	StuckPass Stuck = "pass"
)

// EndRule is a way for a game to end, on top of those that all games share.
type EndRule string

const (
	EndRuleSideEmpty EndRule = "side-empty"
	EndRuleLoneSeed  EndRule = "lone-seed"
	EndRuleMajority  EndRule = "majority"
)

// Remaining is who wins the seeds left on the board.
type Remaining string

const (
	RemainingOwn     Remaining = "own"
	RemainingEmptier Remaining = "emptier" // the mover if his own side is empty, else as own
	RemainingSplit   Remaining = "split"
	RemainingNobody  Remaining = "nobody"
)

// MatchKind is what a match consists of.
type MatchKind string

const (
	MatchSingle     MatchKind = "single"
	MatchDifference MatchKind = "difference" // rounds until one side's gains reach Target
)

// Default returns the value that RULES.md §4 lists first for every option. It is where
// texts start from, and not itself a playable rule set.
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
		Match: MatchSingle,
	}
}

// PitsPerSide is how many pits one side has.
func (r Rules) PitsPerSide() int { return r.Rows * r.Pits }

// Seats is how many people play.
func (r Rules) Seats() int { return r.Sides * r.Partners }

// SeedsIn is how many seeds pit i (a = 0) of every side starts with.
func (r Rules) SeedsIn(i int) int {
	if len(r.Seeds) == 1 {
		return r.Seeds[0]
	}
	return r.Seeds[i]
}
