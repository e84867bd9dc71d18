// Package socket is the transport below the messages: WebSockets that never
// make a writer wait. It knows nothing of rooms, games or JSON.
//
// The rule everything else follows from: a room that broadcasts must not be
// slowed down by the slowest of its readers, and a reader that keeps up must
// not pay for those who don't. So [Socket.Send] tries one non-blocking write in
// the caller's goroutine. Nearly always the kernel takes all of it and that was
// the whole delivery: no queue, no second goroutine, no copy. What the kernel
// does not take becomes a rest, and only then a goroutine exists that waits for
// the peer; frames sent meanwhile queue behind it, shared and not copied. When
// that queue passes its bound it is dropped, Send answers [ErrLagging] and the
// [Handler] is told when the reader has caught up, to send it a snapshot in
// place of what it missed. A reader that lags again soon, or whose rest does
// not move for [Config.DrainTimeout], is closed with [SlowReader].
//
// From bottom to top:
//
//	net.TCPConn    the kernel's buffer
//	[Conn]         tries a non-blocking write, holds the rest of one write
//	tls.Conn       where the service ends TLS itself
//	[Socket]       whole frames: queue, lag, rates, pings, close codes
//	[Set]          all sockets of an instance: limits, pings, drain
//
// coder/websocket does the handshake and reads frames; it also answers pings
// and closes. Data frames are written past it, because a frame to many readers
// is the same bytes: it is built once, by [Text], and not once for each of them.
package socket
