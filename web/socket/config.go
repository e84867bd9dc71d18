package socket

import (
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// Config says how the sockets of a [Set] behave. The zero value of a field
// means its default, which is meant to be right for people in browsers.
type Config struct {
	// Hosts are the hosts, besides the one a request names, whose pages may
	// open a socket: that of the public URL, when a proxy changes Host. A
	// pattern with a scheme ("https://play.example") also checks that.
	Hosts []string

	ReadLimit    int           // bytes of one message from a client; 16 KiB
	Backlog      int           // bytes of frames that may wait for one reader; 64 KiB
	WriteBuffer  int           // the kernel's send buffer of one socket; 64 KiB, negative leaves it to the kernel
	DrainTimeout time.Duration // how long a reader may leave its rest unread; 15 s
	Forgive      time.Duration // how long after lagging once a reader may lag again; 1 min

	PingInterval time.Duration // between an answered ping and the next; 15 s
	PongTimeout  time.Duration // after which an unanswered ping closes the socket; 20 s

	Messages     float64 // messages and pings per second from one client; 20. A long one counts as several, see messageBytes
	MessageBurst int     // how many of them at once; 60

	Sockets    int // of this instance; 50,000
	PerAddress int // of one address, or one /64 of IPv6; 500, since a school may share one

	RetryWithin time.Duration // the least spread of reconnects after a drain; 250 ms
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

// messageBytes are as many bytes from a client as count as one message: at the
// default rate 32 KiB a second. A shorter message counts as much.
const messageBytes = 32 << 10 / 20

// allowance is a limiter of the bytes that one client sends. The longest message
// may always be sent: a smaller burst would refuse a client that did nothing wrong.
func (c *Config) allowance() *rate.Limiter {
	burst := max(c.MessageBurst*messageBytes, 2*c.ReadLimit+readBuffer) + c.tab() // what is owed is not refilled
	return rate.NewLimiter(rate.Limit(c.Messages*messageBytes), burst)
}

// tab is how much a client may owe its allowance: to ask it, and what time it is, costs
// more than to count. It is no more than an eighth of what may come at once.
func (c *Config) tab() int { return messageBytes * min(c.MessageBurst/8, 8) }

func def[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
