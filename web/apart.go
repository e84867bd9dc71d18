package web

import "slices"

// Who has blocked somebody, and whom he has blocked, is shown other seeks than the
// rest: he hears by himself and not by the fan. Few do.

// sees are those of some seeks that a visitor is shown.
func (v *visitor) sees(list []seekShown) []seekShown {
	seen := make([]seekShown, 0, len(list))
	for _, s := range list {
		if !slices.Contains(v.apart, s.by) {
			seen = append(seen, s)
		}
	}
	return seen
}

// reconsider shows people once more what they see, since one has blocked the
// other or does no longer.
func (l *lounge) reconsider(people ...string) {
	for _, player := range people {
		apart, err := l.server.Circle.ApartFrom(l.server.soon(), player)
		if err != nil {
			l.server.log.Warn("web: blocks not read", "err", err)
			continue
		}
		l.mu.Lock()
		for _, v := range slices.Clone(l.people[player]) {
			v.apart = apart
			l.add(v)
		}
		l.mu.Unlock()
	}
}
