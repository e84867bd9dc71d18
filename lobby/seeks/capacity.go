package seeks

import "mancala/match/refusal"

// maxPlace is how many people of one place may wait, and how many challenges of one place
// may be open. A school with all its pupils behind one address stays far below.
const maxPlace = 200

// claim is something that counts towards the lobby's limits: a wait or a challenge.
type claim struct{ id, place string }

// displaced returns the ID of the claim that must end before a place may have one more, or ""
// if none must. claims begins with the oldest; most is the limit of all places together. The
// place with the most claims loses its oldest one, so a client that fills the lobby soon
// displaces its own claims. If no place has more than one, displaced refuses with
// [CodeLobbyFull].
func displaced(claims []claim, place string, most int) (id string, err error) {
	if len(claims) < min(maxPlace, most) {
		return "", nil // nearly always
	}
	has, oldest := map[string]int{}, map[string]string{}
	greediest := ""
	for _, c := range claims {
		if has[c.place]++; has[c.place] == 1 {
			oldest[c.place] = c.id
		}
		if has[c.place] > has[greediest] {
			greediest = c.place
		}
	}
	switch {
	case has[place] >= maxPlace:
		return oldest[place], nil
	case len(claims) < most:
		return "", nil
	case has[greediest] <= 1:
		return "", refusal.New(CodeLobbyFull)
	}
	return oldest[greediest], nil
}

// displacedWait returns the player who must stop waiting before w can begin, or "".
func (l *Lobby) displacedWait(w *Wait) (out string, err error) {
	var all, seeks []claim
	for i := range l.state.Waits {
		other := &l.state.Waits[i]
		if other.Player == w.Player { // w replaces it
			continue
		}
		c := claim{other.Player, other.Facts.Place}
		all = append(all, c)
		if !other.Pool {
			seeks = append(seeks, c)
		}
	}
	if !w.Pool {
		if out, err = displaced(seeks, w.Facts.Place, MaxOpen); out != "" || err != nil {
			return out, err
		}
	}
	return displaced(all, w.Facts.Place, maxWaiting)
}

// displacedChallenge returns the ID of the challenge that must end before c can begin, or "".
func (l *Lobby) displacedChallenge(c *Challenge) (id string, err error) {
	var all, same []claim
	for i := range l.state.Asked {
		other := &l.state.Asked[i]
		if other.By == c.By && other.To == c.To { // c replaces it
			continue
		}
		all = append(all, claim{other.ID, other.Facts.Place})
		if other.To == c.To {
			same = append(same, claim{other.ID, other.Facts.Place})
		}
	}
	if id, err = displaced(same, c.Facts.Place, maxAsked); id == "" && err == nil {
		id, err = displaced(all, c.Facts.Place, maxAll)
	}
	if err != nil {
		err = refusal.New(CodeAsksMany)
	}
	return id, err
}
