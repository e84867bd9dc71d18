package match

import (
	"encoding/json"

	"mancala/engine"
	"mancala/match/machine"
	"mancala/match/refusal"
	"mancala/match/wire"
)

// what is the subject of an offer.
type what uint8

const (
	draw what = iota
	takeback
	rematch
)

var whatNames = [...]string{"draw", "takeback", "rematch"}

// offer is an open offer. It has no timeout while the game lasts.
type offer struct {
	what what
	seat int8
	yes  uint8 // seats that have accepted, if one is not enough; one bit for each
}

// drawEvery is the number of a seat's own plies between two of its draw offers.
const drawEvery = 5

func whatNamed(text string) (what, bool) {
	for i, name := range whatNames {
		if name == text {
			return what(i), true
		}
	}
	return 0, false
}

func (s *state) offered(w what) int {
	for i, o := range s.offers {
		if o.what == w {
			return i
		}
	}
	return -1
}

// withdraw removes a seat's offer; seat -1 removes the offer of any seat.
func (s *state) withdraw(w what, seat int) {
	if i := s.offered(w); i >= 0 && (seat < 0 || int(s.offers[i].seat) == seat) {
		rest := append([]offer(nil), s.offers[:i]...)
		s.offers = append(rest, s.offers[i+1:]...)
	}
}

// offerable refuses an offer that is not possible now.
func (d *decision) offerable(w what) error {
	switch w {
	case draw:
		if d.stage != live || d.out(d.seat) {
			return refusal.New(CodeNotLive)
		}
	case takeback:
		if !d.playing() || d.out(d.seat) {
			return refusal.New(CodeNotLive)
		}
		if _, ok := d.lastTurn(d.seat); !ok || d.rated {
			return refusal.New(CodeNoTakeback)
		}
	case rematch:
		if d.event != nil {
			return refusal.New(CodeOfTournament)
		}
		if d.stage != over || d.rematches || d.rematch != "" {
			return refusal.New(CodeNotLive)
		}
	default: // an offer that this release only reads
		return refusal.New(CodeBadCommand)
	}
	return nil
}

// offer makes an offer. A player who offers what another player already offers
// accepts that offer.
func (d *decision) offer(o order) error {
	w, ok := whatNamed(o.what)
	if !ok || (o.has&hasPly != 0) != (w == takeback) {
		return refusal.New(CodeBadCommand)
	}
	if err := d.offerable(w); err != nil {
		return err
	}
	if w == takeback && o.ply != int(d.pos.Ply) {
		return refusal.New(CodeStale)
	}
	if i := d.offered(w); i >= 0 {
		if int(d.offers[i].seat) == d.seat || w == takeback || d.accept(order{what: o.what}) != nil {
			return refusal.New(CodeOfferAgain)
		}
		d.kind = KindAccept
		return nil
	}
	made := d.made[d.seat] + 1
	switch last := d.drawn[d.seat]; {
	case w == draw && last > 0 && made-last < drawEvery, w == takeback && d.asked[d.seat] == made && !d.alone(d.seat):
		return refusal.New(CodeOfferAgain)
	case w == draw:
		d.drawn[d.seat] = made
	case w == takeback:
		d.asked[d.seat] = made
	}
	d.what = o.what
	t := offer{what: w, seat: int8(d.seat)}
	if d.agreed(t) { // nobody has to be asked
		d.kind = KindAccept
		return d.carryOutOffer(t)
	}
	d.offers = append(d.offers[:len(d.offers):len(d.offers)], t)
	return nil
}

// answerable finds the offer that a seat may answer. It comes from another side, or
// for a rematch from another seat.
func (d *decision) answerable(o order) (int, error) {
	w, ok := whatNamed(o.what)
	if !ok {
		return 0, refusal.New(CodeBadCommand)
	}
	i := d.offered(w)
	if i < 0 || d.out(d.seat) && w != rematch {
		return 0, refusal.New(CodeNoOffer)
	}
	by := int(d.offers[i].seat)
	if by == d.seat || w != rematch && d.side(by) == d.side(d.seat) {
		return i, refusal.New(CodeNoOffer)
	}
	return i, nil
}

// accept agrees to an offer. A draw or a takeback takes effect when one seat of
// every other side that still plays has agreed. A rematch takes effect when all
// seats have agreed.
func (d *decision) accept(o order) error {
	i, err := d.answerable(o)
	if err != nil {
		return err
	}
	d.what = o.what
	t := d.offers[i]
	if t.yes>>d.seat&1 != 0 {
		return machine.ErrNothing
	}
	t.yes |= 1 << d.seat
	if !d.agreed(t) {
		d.offers = append([]offer(nil), d.offers...)
		d.offers[i] = t
		return nil
	}
	d.withdraw(t.what, -1)
	return d.carryOutOffer(t)
}

// carryOutOffer does what has been agreed.
func (d *decision) carryOutOffer(t offer) error {
	switch t.what {
	case draw:
		d.endRound(d.at, engine.ByAgreement, d.remaining())
	case takeback:
		return d.takeBack(int(t.seat))
	case rematch:
		d.rematches = true
	}
	return nil
}

// agreed reports whether all seats whose consent an offer needs have given it. A
// takeback or a rematch does not need the consent of bots, and no offer needs that of
// the players at the same screen.
func (s *state) agreed(o offer) bool {
	sides := map[int]bool{s.side(int(o.seat)): true}
	for seat := range s.seats {
		if o.yes>>seat&1 != 0 || o.what != draw && s.bot(seat) || seat != int(o.seat) && !s.asks(int(o.seat), seat) {
			sides[s.side(seat)] = true
		} else if o.what == rematch && seat != int(o.seat) {
			return false
		}
	}
	for seat := range s.seats {
		if !sides[s.side(seat)] && !s.out(seat) {
			return false
		}
	}
	return true
}

// decline refuses an offer, or withdraws the player's own.
func (d *decision) decline(o order) error {
	i, err := d.answerable(o)
	if err != nil && (i >= len(d.offers) || int(d.offers[i].seat) != d.seat || d.offers[i].what.String() != o.what) {
		return err
	}
	d.what = o.what
	d.withdraw(d.offers[i].what, -1)
	return nil
}

func (w what) String() string { return whatNames[w] }

func appendOffers(b []byte, offers []offer) []byte {
	b = append(b, '[')
	for i, o := range offers {
		if i > 0 {
			b = append(b, ',')
		}
		b = wire.AppendText(append(b, `{"what":`...), whatNames[o.what])
		b = wire.AppendInt(append(b, `,"seat":`...), int64(o.seat))
		if o.yes != 0 {
			var seats []int
			for seat := range maxSeats {
				if o.yes>>seat&1 != 0 {
					seats = append(seats, seat)
				}
			}
			b = wire.AppendInts(append(b, `,"yes":`...), seats)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func (f *fold) readOffers(raw []byte) error {
	var list []struct {
		What string
		Seat int8
		Yes  []uint8
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	f.offers = nil
	for _, l := range list {
		w, ok := whatNamed(l.What)
		if !ok || l.Seat < 0 || l.Seat >= maxSeats {
			return wire.ErrSyntax
		}
		o := offer{what: w, seat: l.Seat}
		for _, seat := range l.Yes {
			if seat >= maxSeats {
				return wire.ErrSyntax
			}
			o.yes |= 1 << seat
		}
		f.offers = append(f.offers, o)
	}
	return nil
}
