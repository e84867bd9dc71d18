package socket

import "strconv"

// Code is a WebSocket close code. After 4000–4499 the client should reconnect, after
// the delay in the reason if there is one. 4500–4999 are final: the page shows why
// and does not reconnect. Codes below 3000 are the protocol's own: a client
// reconnects after any of them except 1002 and 1008.
type Code uint16

// Codes after which the client should reconnect.
const (
	// Restarting means that this instance stops. The reason carries this client's
	// delay before it reconnects, as "retry-ms=1834".
	Restarting Code = 4000
	// SlowReader means that the client did not read what it was sent, for the second
	// time within a short period. A new connection starts with a snapshot, which
	// costs both sides less than the backlog.
	SlowReader Code = 4001
	// NoPong means that a ping was not answered in time. The client has probably
	// gone, or its connection no longer works.
	NoPong Code = 4002
	// Internal means that the server failed while it handled a message. The fault is
	// the server's and affects only this socket.
	Internal Code = 4003
	// TooMany means that this address, or the whole instance, has reached its limit
	// of sockets. Others may close, so the client should try later.
	TooMany Code = 4004
	// Renewed means that the client's cookie has changed since it opened this
	// socket, because a guest has made an account or a player has signed in once more.
	Renewed Code = 4005
)

// Codes after which the client should not reconnect by itself.
const (
	// BadMessage means that a message was not text, or not allowed by the protocol.
	// Sending it again does not help.
	BadMessage Code = 4500
	// Flooding means that the client sent messages or bytes faster than a person who
	// plays, for longer than a burst.
	Flooding Code = 4501
	// TooLarge means that a message was longer than Config.ReadLimit.
	TooLarge Code = 4502
	// Superseded means that a newer socket has replaced this one.
	Superseded Code = 4503
	// SignedOut means that the session that opened the socket has ended.
	SignedOut Code = 4504
)

// Codes of the protocol itself that appear in [Handler.Closed] and statistics.
const (
	// Normal means that the client closed the socket.
	Normal Code = 1000
	// GoingAway means that the page was left or reloaded.
	GoingAway Code = 1001
	// ProtocolError means that the peer broke the framing of RFC 6455.
	ProtocolError Code = 1002
	// Abnormal is never sent. It means that the connection ended without a close
	// frame.
	Abnormal Code = 1006
	// InvalidText means that a text message was not UTF-8 (RFC 6455, section 8.1).
	InvalidText Code = 1007
)

// Reconnect reports whether the client is expected to reconnect.
func (c Code) Reconnect() bool {
	return c < 4500 && c != ProtocolError && c != 1008
}

// String returns the name of a code of this package, and the number of any other
// code. Closes are counted under this label.
func (c Code) String() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return strconv.Itoa(int(c))
}

var codeNames = map[Code]string{
	Restarting: "restarting", SlowReader: "slow-reader", NoPong: "no-pong",
	Internal: "internal", TooMany: "too-many",
	BadMessage: "bad-message", Flooding: "flooding", TooLarge: "too-large",
	Superseded: "superseded", Renewed: "renewed", SignedOut: "signed-out",
	Normal: "normal", GoingAway: "going-away", ProtocolError: "protocol-error", Abnormal: "abnormal",
	InvalidText: "invalid-text",
}
