package journaltest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mancala/match/journal"
)

// model is the simplest description of what a journal must hold for a room. Its
// instances never stop giving signs of life.
type model struct {
	kind, owner string
	epoch       uint64
	rows        []journal.Row
	wake        int64
	checkpoint  journal.Checkpoint
}

// testModel does random operations on a few rooms and compares every answer with the
// model.
func testModel(t *testing.T, s suite) {
	var run int
	signed := time.Now()
	// live gives the signs of life of all instances, once a second.
	live := func() {
		if time.Since(signed) > time.Second {
			s.alive(t, "a")
			s.alive(t, "b")
			signed = time.Now()
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		run++
		ids := []string{fmt.Sprintf("x%d", run), fmt.Sprintf("y%d", run)}
		rooms := map[string]*model{}
		check := func(op string, got error, ok bool, refused error) {
			rt.Helper()
			switch {
			case ok && got != nil:
				rt.Fatalf("%s: %v", op, got)
			case !ok && !errors.Is(got, refused):
				rt.Fatalf("%s: %v, want %v", op, got, refused)
			}
		}
		id := rapid.SampledFrom(ids)
		self := rapid.SampledFrom([]string{"a", "b"})
		wake := rapid.SampledFrom([]int64{0, 10, 20, 30, 40})
		at := func(ms int64) time.Time {
			if ms == 0 {
				return time.Time{}
			}
			return time.UnixMilli(ms)
		}
		// most epochs and numbers are right, some are off by one
		near := func(label string, n uint64) uint64 {
			switch rapid.IntRange(0, 9).Draw(rt, label) {
			case 0:
				return n + 1
			case 1:
				return max(n, 1) - 1
			}
			return n
		}
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) {
				id, w := id.Draw(rt, "id"), wake.Draw(rt, "wake")
				rows := rowsTo(rapid.Uint64Range(0, 3).Draw(rt, "rows"), 0)
				err := s.j.Create(s.ctx, journal.Room{ID: id, Kind: "k", Wake: at(w)}, rows...)
				check("create", err, rooms[id] == nil, journal.ErrConflict)
				if err == nil {
					rooms[id] = &model{kind: "k", rows: rows, wake: w}
				}
			},
			"claim": func(rt *rapid.T) {
				id, self := id.Draw(rt, "id"), self.Draw(rt, "self")
				m := rooms[id]
				if m == nil {
					_, err := s.j.Claim(s.ctx, id, self, 0)
					check("claim", err, false, journal.ErrNoRoom)
					return
				}
				seen := near("seen", m.epoch)
				live()
				got, err := s.j.Claim(s.ctx, id, self, seen)
				check("claim", err, seen == m.epoch && (m.owner == "" || m.owner == self), journal.ErrConflict)
				if err == nil {
					if got.OwnerSeen.IsZero() != (m.owner == "") {
						rt.Fatalf("claimed from %q, seen at %v", m.owner, got.OwnerSeen)
					}
					m.owner, m.epoch = self, m.epoch+1
				}
			},
			"release": func(rt *rapid.T) {
				id, self, w := id.Draw(rt, "id"), self.Draw(rt, "self"), wake.Draw(rt, "wake")
				var epoch uint64
				m := rooms[id]
				if m != nil {
					epoch = near("epoch", m.epoch)
				}
				check("release", s.j.Release(s.ctx, id, self, epoch, at(w)), true, nil)
				if m != nil && m.owner == self && m.epoch == epoch {
					m.owner, m.wake = "", w
				}
			},
			"append": func(rt *rapid.T) {
				id, w := id.Draw(rt, "id"), wake.Draw(rt, "wake")
				m := rooms[id]
				if m == nil {
					check("append", s.j.Append(s.ctx, id, row(1, 0), at(w)), false, journal.ErrConflict)
					return
				}
				next := uint64(len(m.rows)) + 1
				r := row(near("seq", next), near("epoch", m.epoch))
				err := s.j.Append(s.ctx, id, r, at(w))
				check("append", err, m.owner != "" && r.Epoch == m.epoch && r.Seq == next, journal.ErrConflict)
				if err == nil {
					m.rows = append(m.rows, r)
					if w != 0 && (m.wake == 0 || w < m.wake) {
						m.wake = w
					}
				}
			},
			"checkpoint": func(rt *rapid.T) {
				id := id.Draw(rt, "id")
				m := rooms[id]
				if m == nil {
					check("checkpoint", s.j.PutCheckpoint(s.ctx, id, 1, checkpoint(1, "none")), false, journal.ErrConflict)
					return
				}
				last := uint64(len(m.rows))
				seq, epoch := min(near("seq", last), rapid.Uint64Range(0, last+1).Draw(rt, "most")), near("epoch", m.epoch)
				c := checkpoint(seq, fmt.Sprint(seq, epoch))
				err := s.j.PutCheckpoint(s.ctx, id, epoch, c)
				check("checkpoint", err, m.owner != "" && epoch == m.epoch && seq > 0 && seq <= last && seq >= m.checkpoint.Seq, journal.ErrConflict)
				if err == nil {
					m.checkpoint = c
				}
			},
			"": func(rt *rapid.T) {
				var due []string
				for _, id := range ids {
					m := rooms[id]
					line, err := s.j.Room(s.ctx, id)
					check("room", err, m != nil, journal.ErrNoRoom)
					if m == nil {
						continue
					}
					if line.Owner != m.owner || line.Epoch != m.epoch || line.Seq != uint64(len(m.rows)) || !line.Wake.Equal(at(m.wake)) {
						rt.Fatalf("room %+v, want %+v", line, *m)
					}
					after := rapid.Uint64Range(0, uint64(len(m.rows))).Draw(rt, "after")
					got, err := s.j.Read(s.ctx, id, after, 0)
					if err != nil || !slices.EqualFunc(got, m.rows[after:], sameRow) {
						rt.Fatalf("rows after %d: %s, %v, want %s", after, describe(got), err, describe(m.rows[after:]))
					}
					c, err := s.j.Checkpoint(s.ctx, id)
					if err != nil || c.Seq != m.checkpoint.Seq || string(c.Data) != string(m.checkpoint.Data) {
						rt.Fatalf("checkpoint at %d, %q, %v, want %d, %q", c.Seq, c.Data, err, m.checkpoint.Seq, m.checkpoint.Data)
					}
					if m.owner == "" && m.wake > 0 && m.wake <= 20 {
						due = append(due, id)
					}
				}
				live()
				got, err := s.j.Due(s.ctx, at(20), 0)
				check("due", err, true, nil)
				got = slices.DeleteFunc(got, func(r journal.Room) bool { return !slices.Contains(ids, r.ID) }) // rooms of earlier runs
				if len(got) != len(due) {
					rt.Fatalf("due %+v, want %v", got, due)
				}
			},
		})
	})
}
