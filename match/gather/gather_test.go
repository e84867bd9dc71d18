package gather_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mancala/match/gather"
)

// squares answers numbers with their squares, up to three together, and takes a second each time.
type squares struct {
	mu    sync.Mutex
	calls [][]int
	err   error
}

func (s *squares) ask(numbers []int) ([]int, error) {
	s.mu.Lock()
	s.calls = append(s.calls, slices.Clone(numbers))
	s.mu.Unlock()
	time.Sleep(time.Second)
	answers := make([]int, len(numbers))
	for i, n := range numbers {
		answers[i] = n * n
	}
	return answers, s.err
}

func (s *squares) gather(calls int) gather.Gather[int, int] {
	return gather.New(gather.Config[int, int]{
		Ask: s.ask, Calls: calls, Fits: func(together []int, n int) bool { return len(together) < 3 && !slices.Contains(together, n) },
	})
}

func TestQuestionsAreAskedTogetherWhileACallRuns(t *testing.T) {
	for _, tt := range []struct {
		calls int
		asked []int
		want  [][]int
		took  time.Duration
	}{
		{1, []int{1}, [][]int{{1}}, time.Second},
		{1, []int{1, 2, 3, 4}, [][]int{{1}, {2, 3, 4}}, 2 * time.Second},
		{1, []int{1, 2, 3, 4, 5, 6}, [][]int{{1}, {2, 3, 4}, {5, 6}}, 3 * time.Second},
		{1, []int{1, 2, 2, 3}, [][]int{{1}, {2}, {2, 3}}, 3 * time.Second},
		{2, []int{1, 2, 3, 4}, [][]int{{1}, {2}, {3, 4}}, 2 * time.Second},
	} {
		t.Run(fmt.Sprint(tt.calls, tt.asked), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s squares
				g := s.gather(tt.calls)
				began := time.Now()
				var group sync.WaitGroup
				for _, n := range tt.asked {
					group.Go(func() {
						if got, err := g.Do(t.Context(), n); got != n*n || err != nil {
							t.Errorf("the square of %d is %d, %v", n, got, err)
						}
					})
					synctest.Wait()
				}
				group.Wait()
				if took := time.Since(began); took != tt.took || !slices.EqualFunc(s.calls, tt.want, slices.Equal) {
					t.Errorf("%v in %v, want %v in %v", s.calls, took, tt.want, tt.took)
				}
				g.Close()
			})
		})
	}
}

func TestErrorGoesToAllQuestionsOfItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := squares{err: errors.New("failed")}
		g := s.gather(1)
		defer g.Close()
		var group sync.WaitGroup
		for n := range 4 {
			group.Go(func() {
				if _, err := g.Do(t.Context(), n); !errors.Is(err, s.err) {
					t.Errorf("question %d: %v", n, err)
				}
			})
		}
		group.Wait()
	})
}

func TestCallGoesOnWithoutItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s squares
		g := s.gather(1)
		soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := g.Do(soon, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the context", err)
		}
		if got, err := g.Do(t.Context(), 2); got != 4 || err != nil {
			t.Errorf("the next caller got %d, %v", got, err)
		}
		g.Close()
	})
}

func TestQuestionWhoseContextHasEndedIsNotAsked(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	synctest.Test(t, func(t *testing.T) {
		var s squares
		g := s.gather(1)
		if _, err := g.Do(ended, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		if got, err := g.Do(t.Context(), 2); got != 4 || err != nil {
			t.Errorf("the next caller got %d, %v", got, err)
		}
		g.Close()
		if len(s.calls) != 1 || !slices.Equal(s.calls[0], []int{2}) {
			t.Errorf("asked %v, want only 2", s.calls)
		}
	})
}

// While calls hang, the questions that wait do not pile up without end.
func TestQuestionIsRefusedWhileTooManyOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s squares
		g := s.gather(1)
		for range 1 + 256 { // one is asked, and the others cannot be asked together
			go g.Do(t.Context(), 7)
			synctest.Wait()
		}
		if _, err := g.Do(t.Context(), 7); !errors.Is(err, gather.ErrFull) {
			t.Errorf("got %v, want %v", err, gather.ErrFull)
		}
		time.Sleep(time.Second) // the first call ends
		synctest.Wait()
		if got, err := g.Do(t.Context(), 7); got != 49 || err != nil {
			t.Errorf("the next caller got %d, %v", got, err)
		}
		g.Close()
	})
}

func TestCloseWaitsForCallsAndRefusesOtherQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s squares
		g := s.gather(1)
		var group sync.WaitGroup
		for n := range 3 {
			group.Go(func() {
				if got, err := g.Do(t.Context(), n); err == nil && got != n*n || err != nil && !errors.Is(err, gather.ErrClosed) {
					t.Errorf("question %d: %d, %v", n, got, err)
				}
			})
			synctest.Wait() // the first is asked, the others wait
		}
		g.Close()
		group.Wait()
		if len(s.calls) != 1 {
			t.Errorf("calls before the end: %v", s.calls)
		}
		if _, err := g.Do(t.Context(), 4); !errors.Is(err, gather.ErrClosed) {
			t.Errorf("a question after the end: %v", err)
		}
	})
}
