package downtime

import (
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/lobbytest"
)

var start = time.UnixMilli(1_795_252_000_000)

// service is a service whose instances share a database.
type service struct {
	*testing.T
	db  lobby.DB
	now time.Time
}

func (s *service) instance() *Log {
	s.Helper()
	l, err := Open(s.Context(), s.db)
	if err != nil {
		s.Fatal(err)
	}
	s.lives(l)
	return l
}

func (s *service) lives(l *Log) {
	s.Helper()
	if err := l.Alive(s.Context(), s.now); err != nil {
		s.Fatal(err)
	}
}

func (s *service) wantDown(l *Log, from time.Duration, want time.Duration) {
	s.Helper()
	if got := l.Between(start.Add(from), s.now); got != want {
		s.Errorf("since %v it was down for %v, want %v", from, got, want)
	}
}

func with(t *testing.T, test func(s *service)) {
	lobbytest.With(t, func(t *testing.T, db lobby.DB) { test(&service{t, db, start}) })
}

func TestTimesWithoutAnyInstanceAreNoted(t *testing.T) {
	with(t, func(s *service) {
		first := s.instance()
		s.wantDown(first, 0, 0) // a new database was never down
		for range 10 {
			s.now = s.now.Add(every)
			s.lives(first)
		}
		s.wantDown(first, 0, 0)

		s.now = s.now.Add(30 * time.Hour)
		second := s.instance()
		third := s.instance() // it finds the service alive, and still knows of the gap
		for _, l := range []*Log{second, third} {
			s.wantDown(l, 0, 30*time.Hour)
			s.wantDown(l, 20*time.Second, 30*time.Hour)
			s.wantDown(l, 20*time.Hour, 10*time.Hour+20*time.Second)
		}

		s.now = s.now.Add(10 * time.Minute) // all instances are frozen
		s.lives(third)
		s.lives(second)
		for _, l := range []*Log{second, third} {
			s.wantDown(l, 0, 30*time.Hour+10*time.Minute)
		}
	})
}

func TestInstancesThatComeAndGoInTurnLeaveNoGap(t *testing.T) {
	with(t, func(s *service) {
		for range 5 {
			l := s.instance()
			s.now = s.now.Add(every)
			s.lives(l)
			s.wantDown(l, 0, 0)
		}
	})
}

func TestSignOfLifeFromAnEarlierMomentChangesNothing(t *testing.T) {
	with(t, func(s *service) {
		l := s.instance()
		s.now = s.now.Add(time.Hour)
		s.lives(l)
		late := s.now
		s.now = start
		s.lives(l)
		s.now = late
		s.lives(l)
		s.wantDown(l, 0, time.Hour)
	})
}

func TestOldGapsAreForgotten(t *testing.T) {
	with(t, func(s *service) {
		s.instance()
		s.now = s.now.Add(time.Hour)
		s.instance()
		s.now = s.now.Add(keep + time.Hour)
		l := s.instance()
		if got := len(*l.spans.Load()); got != 1 {
			s.Errorf("%d gaps are kept, want the last one", got)
		}
	})
}

func TestInstancesLearnWhenMessagesLastArrivedAnywhere(t *testing.T) {
	with(t, func(s *service) {
		one, two := s.instance(), s.instance()
		for _, tt := range []struct{ at, want time.Duration }{{0, 0}, {2 * time.Second, 2 * time.Second}, {time.Second, 2 * time.Second}} {
			if err := one.Hears(s.Context(), start.Add(tt.at)); err != nil {
				s.Fatal(err)
			}
			if at, err := two.Heard(s.Context()); err != nil || !at.Equal(start.Add(tt.want)) {
				s.Errorf("got %v, %v, want %v", at, err, start.Add(tt.want))
			}
		}
	})
}
