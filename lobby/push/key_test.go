package push_test

import (
	"sync"
	"testing"

	"mancala/lobby"
)

func TestInstancesThatStartTogetherHaveOneKey(t *testing.T) {
	with(t, func(d *desk) {
		var group sync.WaitGroup
		keys := make([]string, 8)
		for i := range keys {
			l, err := lobby.Open(d.Context(), d.db, lobby.Options{})
			if err != nil {
				d.Fatal(err)
			}
			group.Go(func() { keys[i] = d.start(l.People).PublicKey() })
		}
		group.Wait()
		for _, k := range append(keys, d.two.PublicKey()) {
			if k != d.one.PublicKey() || len(k) != 87 {
				d.Errorf("an instance has the key %q, another one %q", k, d.one.PublicKey())
			}
		}
	})
}
