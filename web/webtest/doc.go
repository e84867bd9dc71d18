// Package webtest is people for tests: they have cookies, press buttons, follow
// games over real sockets and play them.
//
// A [Client] does what PROTOCOL.md asks of a client and nothing more. It knows
// no rules; what it shows is what it has folded from frames, and after every
// entry its board must have the checksum that the server says. It comes back
// when its connection ends, and repeats what was not answered.
//
// Nothing here needs a *testing.T, so that many clients can play in goroutines
// of their own: what goes wrong is an error.
package webtest
