package socket

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFanKeepsOrderForReadersThatComeAndGo(t *testing.T) {
	s := serve(t, Config{Backlog: 8 << 20}, plain)
	fan := s.set.NewFan()
	const n, people = 2000, 20
	var wg sync.WaitGroup
	var feed sync.Mutex // represents the room's lock: nothing is published during Add
	sent := 0
	for i := range people {
		c, _, sock := s.join(dialOptions{})
		add := func() {
			feed.Lock()
			defer feed.Unlock()
			fan.Add(sock)
			sock.Send(Text([]byte("snapshot " + strconv.Itoa(sent))))
		}
		add()
		wg.Go(func() {
			want := -1
			for want < n {
				msg := c.message()
				if k, ok := strings.CutPrefix(msg, "snapshot "); ok {
					want, _ = strconv.Atoi(k)
				} else if msg != strconv.Itoa(want) {
					t.Errorf("reader %d got %q, want %d", i, msg, want)
					return
				} else {
					want++
				}
				if want == n/2 && i%2 == 0 {
					add() // as for a reader that has lagged
					i = i | 1
				}
			}
		})
	}
	for i := range n {
		feed.Lock()
		fan.Send(Text([]byte(strconv.Itoa(i))))
		sent++
		feed.Unlock()
	}
	wg.Wait()
	if fan.Len() != people {
		t.Errorf("%d members", fan.Len())
	}
}

func TestFanSendsNothingAfterRemove(t *testing.T) {
	s := serve(t, Config{}, plain)
	fan := s.set.NewFan()
	c, _, sock := s.join(dialOptions{})
	for i := range 300 {
		fan.Add(sock)
		fan.Send(Text(fmt.Appendf(nil, "of the fan %d", i)))
		fan.Remove(sock)
		sock.Send(Text(fmt.Appendf(nil, "removed %d", i)))
		for {
			msg := c.message()
			if msg == fmt.Sprint("removed ", i) {
				break
			}
			if msg != fmt.Sprint("of the fan ", i) {
				t.Fatalf("in round %d: %q", i, msg)
			}
		}
	}
}

func TestStalledReaderDoesNotHoldUpTheFan(t *testing.T) {
	config := slow
	config.CloseGrace = time.Millisecond
	s := serve(t, config, plain)
	fan := s.set.NewFan()
	_, p, stalled := s.join(dialOptions{tiny: true})
	good, _, alive := s.join(dialOptions{})
	fan.Add(stalled)
	fan.Add(alive)
	for i := 0; s.set.Stats().Lagged == 0; i++ {
		fan.Send(numbered(i))
		if got := good.message(); !strings.HasPrefix(got, fmt.Sprintf("%06d ", i)) {
			t.Fatalf("message %d is %.10q", i, got)
		}
	}
	if held := stalled.held(); held > 2*slow.Backlog {
		t.Errorf("%d bytes are held", held)
	}
	stalled.Close(SlowReader, "")
	if code := next(t, "Closed", p.closed); code != SlowReader {
		t.Errorf("Closed(%v)", code)
	}
}

func TestFanAfterShutdownIsSilent(t *testing.T) {
	s := serve(t, Config{CloseGrace: time.Millisecond}, plain)
	fan := s.set.NewFan()
	_, _, sock := s.join(dialOptions{})
	fan.Add(sock)
	s.down()
	fan.Send(Text(nil))
	fan.Remove(sock)
}

// Some frames are put off for most readers, and come together with those that are not.
func TestFrameThatFewNeedSoonReachesAllInOrder(t *testing.T) {
	s := serve(t, Config{Backlog: 8 << 20}, plain)
	fan := s.set.NewFan()
	const n, people = 300, 12
	var socks []*Socket
	var wg sync.WaitGroup
	for i := range people {
		c, _, sock := s.join(dialOptions{})
		fan.Add(sock)
		socks = append(socks, sock)
		wg.Go(func() {
			for want := range n {
				if msg := c.message(); msg != strconv.Itoa(want) {
					t.Errorf("reader %d got %q, want %d", i, msg, want)
					return
				}
			}
		})
	}
	for i := range n {
		frame := Text([]byte(strconv.Itoa(i)))
		if i%10 == 0 {
			fan.Send(frame)
		} else {
			fan.Later(frame, socks[i%people], socks[(i+1)%people])
		}
	}
	wg.Wait()
}

func TestFrameThatIsPutOffNeedsNoOtherOne(t *testing.T) {
	s := serve(t, Config{}, plain)
	fan := s.set.NewFan()
	first, _, sock := s.join(dialOptions{})
	other, _, aside := s.join(dialOptions{})
	_, _, strange := s.join(dialOptions{})
	fan.Add(sock)
	fan.Add(aside)
	fan.Later(Text([]byte("0")), strange, sock)
	fan.Later(Text([]byte("1")), sock)
	hear := func(texts ...string) {
		t.Helper()
		for _, c := range []interface{ message() string }{first, other} {
			for _, want := range texts {
				if got := c.message(); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		}
	}
	hear("0", "1")
	fan.Later(Text([]byte("2")), sock) // the time of the frames before is over
	hear("2")
	fan.Remove(sock)
	fan.Remove(aside)
	fan.Later(Text([]byte("3")), sock) // the fan has no sockets now
}

// A frame is needed soon by a socket that the round which goes on has not reached yet.
func TestFrameThatIsNeededSoonComesAfterThoseOfTheRound(t *testing.T) {
	s := serve(t, Config{}, plain)
	fan := s.set.NewFan()
	c, _, sock := s.join(dialOptions{})
	fan.Add(sock)
	fan.mu.Lock()
	fan.sending, fan.next = []Frame{Text([]byte("0"))}, 1
	fan.mu.Unlock()
	fan.Later(Text([]byte("1")), sock)
	for _, want := range []string{"0", "1"} {
		if got := c.message(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A socket that is added while frames are on their way gets the later ones only. So does one that is added again,
// after it has lagged: its snapshot has the earlier ones.
func TestSocketGetsNoFrameFromBeforeItWasAdded(t *testing.T) {
	s := serve(t, Config{}, plain)
	fan := s.set.NewFan()
	first, _, early := s.join(dialOptions{})
	second, _, lagged := s.join(dialOptions{})
	third, _, late := s.join(dialOptions{})
	hear := func(c interface{ message() string }, texts ...string) {
		t.Helper()
		for _, want := range texts {
			if got := c.message(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	fan.Add(early)
	fan.Add(lagged)
	fan.Send(Text([]byte("0")))
	hear(first, "0")
	hear(second, "0")
	fan.mu.Lock()
	fan.pending = []Frame{Text([]byte("1"))} // is sent with the next one
	fan.mu.Unlock()
	fan.Add(late)
	fan.Add(lagged)
	fan.Send(Text([]byte("2")))
	hear(first, "1", "2")
	hear(second, "2")
	hear(third, "2")
}
