package match

import "testing"

func TestChangesStateReportsTheBeginningOfAMatch(t *testing.T) {
	changes := map[string]bool{}
	simulate(t, 1, func(s *sim) {
		m := New()
		for _, e := range s.entries {
			before := m.state.stage
			if err := m.Apply(e); err != nil {
				t.Fatal(err)
			}
			said := ChangesState(m.AppendPublic(nil, e, 0))
			if changed := before != m.state.stage; changed && !said {
				t.Errorf("%s changes the state from %q to %q, and its public form does not", e.Kind, stageNames[before], stageNames[m.state.stage])
			} else if changed {
				changes[stageNames[m.state.stage]] = true
			}
		}
	})
	if !changes["live"] || !changes["over"] {
		t.Errorf("saw changes to %v only", changes)
	}
}
