package socket

import (
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// Config holds the settings of a [Set]. A field with the zero value gets its
// default. The defaults suit people in browsers.
type Config struct {
	// Hosts are the hosts whose pages may open a socket, besides the host of the
	// request. If a proxy changes Host, they must include the host of the public
	// URL. A pattern with a scheme ("https://play.example") also checks the scheme.
	Hosts []string

	ReadLimit    int           // bytes of one message from a client; 16 KiB
	Backlog      int           // bytes of frames that may wait for one reader; 64 KiB
	WriteBuffer  int           // the kernel's send buffer of one socket; 64 KiB, negative leaves it to the kernel
	DrainTimeout time.Duration // how long a reader may leave its rest unread; 15 s
	Forgive      time.Duration // a reader that lags again within this time is closed; 1 min

	PingInterval time.Duration // from an answered ping to the next; 15 s
	PongTimeout  time.Duration // time after which an unanswered ping closes the socket; 20 s

	Messages     float64 // messages and pings per second from one client; 20. A long message counts as several, see messageBytes
	MessageBurst int     // burst of messages; 60

	Sockets    int // most sockets of this instance; 50,000
	PerAddress int // most sockets of one network (package address); 500, since a school may share one

	RetryWithin time.Duration // the shortest period over which reconnects are spread after a drain; 250 ms
	CloseGrace  time.Duration // how long a peer may take to answer a close; 2 s

	Logger *slog.Logger // slog.Default
}

func (c *Config) setDefaults() {
	def(&c.ReadLimit, 16<<10)
	def(&c.Backlog, 64<<10)
	def(&c.WriteBuffer, 64<<10)
	def(&c.DrainTimeout, 15*time.Second)
	def(&c.Forgive, time.Minute)
	def(&c.PingInterval, 15*time.Second)
	def(&c.PongTimeout, 20*time.Second)
	def(&c.Messages, 20)
	def(&c.MessageBurst, 60)
	def(&c.Sockets, 50_000)
	def(&c.PerAddress, 500)
	def(&c.RetryWithin, 250*time.Millisecond)
	def(&c.CloseGrace, 2*time.Second)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
}

// messageBytes is the number of bytes from a client that count as one message: 32
// KiB a second at the default rate. A shorter message counts as one, too.
const messageBytes = 32 << 10 / 20

// allowance returns a limiter for the bytes that one client sends. The burst is never
// smaller than the longest message, so a client that keeps the rules is never refused.
func (c *Config) allowance() *rate.Limiter {
	burst := max(c.MessageBurst*messageBytes, 2*c.ReadLimit+readBuffer) + c.tab() // bytes that are owed are not refilled
	return rate.NewLimiter(rate.Limit(c.Messages*messageBytes), burst)
}

// tab returns how many bytes a client may owe before the limiter is asked. Counting
// bytes is cheaper than asking the limiter and the time. The tab is at most an
// eighth of the burst.
func (c *Config) tab() int { return messageBytes * min(c.MessageBurst/8, 8) }

func def[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
