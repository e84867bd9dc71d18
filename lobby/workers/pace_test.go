package workers

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestPaceWorksAtMostOncePerInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		defer w.Close()
		began := time.Now()
		var worked []time.Duration
		p := w.NewPace(time.Second, func() { worked = append(worked, time.Since(began)) })
		for range 25 { // 2.5 s
			p.Mark()
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		want := []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second}
		if len(worked) != len(want) {
			t.Fatalf("worked at %v, want %v", worked, want)
		}
		for i := range want {
			if worked[i] != want[i] {
				t.Errorf("worked at %v, want %v", worked, want)
			}
		}
		if p.Busy() {
			t.Error("a goroutine waits although nothing is due")
		}
	})
}

func TestLatePaceGathersWhatBecomesDueTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		defer w.Close()
		began := time.Now()
		var worked []time.Duration
		p := w.NewLatePace(time.Second, func() { worked = append(worked, time.Since(began)) })
		p.Mark()
		time.Sleep(500 * time.Millisecond)
		p.Mark()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(worked) != 1 || worked[0] != time.Second {
			t.Errorf("worked at %v, want once after 1s", worked)
		}
	})
}

func TestPaceWorksOnceMoreForAMarkDuringTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		defer w.Close()
		times := 0
		var p *Pace
		p = w.NewPace(time.Second, func() {
			if times++; times == 1 {
				p.Mark()
			}
		})
		p.Mark()
		time.Sleep(time.Minute)
		synctest.Wait()
		if times != 2 {
			t.Errorf("worked %d times, want 2", times)
		}
	})
}

func TestClosedWorkersDoNoPacedWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New()
		times := 0
		p := w.NewLatePace(time.Second, func() { times++ })
		p.Mark()
		w.Close()
		p.Mark()
		if times != 0 {
			t.Errorf("worked %d times after Close", times)
		}
	})
}
