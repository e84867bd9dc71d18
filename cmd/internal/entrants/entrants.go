// Package entrants plays whole tournaments on servers that may fail meanwhile. It simulates the
// host and the players over real sockets. Afterwards it checks from the journal that each game was
// counted once, that the pairings keep the rules, and that the standings are right.
//
// The tests of cmd/mancala/process and the measurements of cmd/mancala-bench share it.
//
//	service.go           the instances, as a load balancer shows them
//	line.go, frame.go    a socket that reconnects, and repeats commands until they are answered
//	player.go, host.go   what people do
//	event.go             one tournament from its making to its end
//	check.go, rules.go   what must be true afterwards
//	points.go            the points, counted from the games
package entrants
