// Package local plays a game without a server: two people at one screen, or one person
// against the computer.
//
// It is compiled to WebAssembly (package web/local/wasm) and runs in a worker of the
// browser. The page asks by [Answer]. A game is the same machine as on the server (package
// match), so rules, takebacks, rounds, ends and records are the same, and the page gets the
// frames that web/PROTOCOL.md describes, from the room "local". The bots are those of package
// lobby/bot. There are no clocks, no chat and no ratings.
//
// A request is a JSON object. Its member "do" says what is asked, and "now" is the time in ms:
//
//	begin     begins a game: "game" holds the choices, see [Game]
//	continue  goes on with a game that the page has kept: "kept", see [Kept]
//	cmd       a command of web/PROTOCOL.md: "id", "kind", "as" and the kind's own members in "body"
//	think     lets the bot that has to answer search for its answer
//	bot       gives that answer
//	wake      starts the next round of a match, when its time has come
//	read      asks for a snapshot
//	hint      asks for the best move, as the API does
//	replay    asks for the game ply by ply, as the API does
//	record    asks for the game as text
//
// The answer is a [Reply]. What the page keeps are the choices and the commands, and every
// command is decided again when the game is continued. So a broken or forged store can at most
// lead to another game by the rules, or to the error "bad-game".
package local
