package account

import (
	"testing"

	"mancala/match/refusal"
)

// Another browser that is the same guest may have made the secret.
func TestPendingHandoverOfAGuestEndsWithTheNewAccount(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		g, err := i.people.Guest(p.Context())
		p.must(err)
		offer, err := i.Offer(p.Context(), g.ID, "")
		p.must(err)
		_, err = i.Create(p.Context(), g.ID, "Ada", secret)
		p.must(err)
		_, err = i.Accept(p.Context(), offer)
		p.refused("the guest's offer", err, CodeHandover)
	})
}

func TestPendingHandoverEndsWithTheOtherSessions(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		ada, _ := i.account("Ada")
		ben, _ := i.account("Ben")
		here, err := i.Begin(p.Context(), ada, "here")
		p.must(err)
		there, err := i.Begin(p.Context(), ada, "there")
		p.must(err)
		bens, err := i.Begin(p.Context(), ben, "Ben's")
		p.must(err)
		bensOffer, err := i.Offer(p.Context(), ben, bens.ID)
		p.must(err)
		for _, tt := range []struct {
			name string
			end  func() error
			want refusal.Code
		}{
			{"after one session ended", func() error { return i.End(p.Context(), ada, there.ID) }, ""},
			{"after the others ended", func() error { return i.EndOthers(p.Context(), here) }, CodeHandover},
			{"after all ended", func() error { return i.EndAll(p.Context(), ada) }, CodeHandover},
		} {
			offer, err := i.Offer(p.Context(), ada, here.ID)
			p.must(err)
			p.must(tt.end())
			_, err = i.Accept(p.Context(), offer)
			p.refused(tt.name, err, tt.want)
		}
		_, err = i.Accept(p.Context(), bensOffer)
		p.must(err)
	})
}

// An instance may learn seconds later that a session has ended on another one, or that a
// guest has an account.
func TestOnlyGuestsAndLastingSessionsOfferAHandover(t *testing.T) {
	with(t, func(p *place) {
		i := p.instance()
		g, err := i.people.Guest(p.Context())
		p.must(err)
		_, err = i.Offer(p.Context(), g.ID, "")
		p.must(err)
		_, err = i.Create(p.Context(), g.ID, "Ada", secret)
		p.must(err)
		_, err = i.Offer(p.Context(), g.ID, "")
		p.refused("an account as a guest", err, CodeNoSession)
		s, err := i.Begin(p.Context(), g.ID, "here")
		p.must(err)
		_, err = i.Offer(p.Context(), g.ID, s.ID)
		p.must(err)
		ben, _ := i.account("Ben")
		_, err = i.Offer(p.Context(), ben, s.ID)
		p.refused("another player's session", err, CodeNoSession)
		p.must(i.End(p.Context(), g.ID, s.ID))
		_, err = i.Offer(p.Context(), g.ID, s.ID)
		p.refused("an ended session", err, CodeNoSession)
		_, err = i.Offer(p.Context(), "nobody", "")
		p.refused("a player who does not exist", err, CodeNoSession)
	})
}
