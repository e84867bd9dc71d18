// Package webtest simulates people for tests. They have cookies, press buttons,
// follow games over real sockets and play them.
//
// A [Client] does what PROTOCOL.md requires of a client and nothing more. It
// knows no rules. It shows the state that it has folded from frames. After
// every entry it checks that its board has the checksum that the server sent.
// It reconnects when its connection ends, and repeats commands that were not
// answered.
//
// The functions need no *testing.T: they return errors. Therefore many clients can
// play in goroutines of their own.
package webtest
