// Package socket is the transport below the messages: WebSockets on which a write
// never waits. It knows nothing of rooms, games or JSON.
//
// Two rules decide the design. A room that broadcasts must not be delayed by its
// slowest reader. A reader that keeps up must not pay for readers that do not.
//
// So [Socket.Send] tries one non-blocking write in the caller's goroutine. Nearly always
// the kernel takes the whole frame. The frame is then delivered without a queue, a second
// goroutine or a copy. Bytes that the kernel does not take become a rest. Only then a
// goroutine starts that waits for the peer. Frames sent meanwhile queue behind the rest,
// shared and not copied. A queue that passes its bound is dropped, and Send returns
// [ErrLagging]. When the reader has caught up, the [Handler] is asked to send a snapshot in
// place of the dropped frames. A reader is closed with [SlowReader] if it lags again soon,
// or if its rest does not move for [Config.DrainTimeout].
//
// From bottom to top:
//
//	net.TCPConn    the kernel's buffer
//	[Conn]         tries a non-blocking write, holds the rest of one write
//	tls.Conn       where the service ends TLS itself
//	[Socket]       whole frames: queue, lag, rates, pings, close codes
//	[Set]          all sockets of an instance: limits, pings, drain
//
// coder/websocket does the handshake, reads frames, and answers pings and closes.
// Data frames bypass it. A frame for many readers is built once, by [Text], and not
// once for each reader.
package socket
