package socket

import "strconv"

// Code is a WebSocket close code. 4000–4499 ask the client to reconnect, after
// the delay in the reason if there is one; 4500–4999 are final, and the page
// says why instead of trying again. Codes below 3000 are the protocol's own: a
// client reconnects after any of them except 1002 and 1008.
type Code uint16

// Codes after which the client should come back.
const (
	// Restarting means that this instance stops. The reason carries the
	// client's own share of the jitter, as "retry-ms=1834".
	Restarting Code = 4000
	// SlowReader means that the client did not read what it was sent, was
	// forgiven once, and did it again. A fresh connection starts with a
	// snapshot and is therefore cheaper for both than the backlog.
	SlowReader Code = 4001
	// NoPong means that pings were not answered: the other end has probably
	// gone, and if it hasn't, its connection is of no use to anybody.
	NoPong Code = 4002
	// Internal means that the server failed while it handled a message. It
	// is the server's mistake and affects only this socket.
	Internal Code = 4003
	// TooMany means that this address, or the whole instance, has as many
	// sockets as it may have. Some may close, so trying later makes sense.
	TooMany Code = 4004
	// Renewed means that the client has another cookie since it opened this
	// socket: a guest has made an account.
	Renewed Code = 4005
)

// Codes after which the client should not come back by itself.
const (
	// BadMessage means that a message was not text or not what the protocol
	// allows. Sending it again would not help.
	BadMessage Code = 4500
	// Flooding means that the client sent more messages or bytes than a
	// person playing could, for longer than a burst.
	Flooding Code = 4501
	// TooLarge means that a message was longer than Config.ReadLimit.
	TooLarge Code = 4502
	// Superseded means that a newer socket has taken this one's place.
	Superseded Code = 4503
	// SignedOut means that the session that opened it has ended.
	SignedOut Code = 4504
)

// Codes of the protocol itself that appear in [Handler.Closed] and statistics.
const (
	// Normal is a page that said goodbye.
	Normal Code = 1000
	// GoingAway is a page that was left or reloaded.
	GoingAway Code = 1001
	// ProtocolError is a peer that broke the framing of RFC 6455.
	ProtocolError Code = 1002
	// Abnormal never travels; it says that the connection just ended.
	Abnormal Code = 1006
)

// Reconnect reports whether the client is expected to come back.
func (c Code) Reconnect() bool {
	return c < 4500 && c != ProtocolError && c != 1008
}

// String returns the name of a code of this package and the number of others.
// It is the label under which closes are counted.
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
}
