package live

import (
	"mancala/lobby/policy"
	"mancala/lobby/seeks"
)

// SeekShown is an open seek as visitors see it.
type SeekShown struct {
	ID   string `json:"seek"`
	Name string `json:"name"`
	seeks.Game
	seeks.Range
	In string `json:"in,omitempty"` // the game and speed of the ratings that the range is about
}

type lobbyFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Me   string `json:"me"`
	Now  int64  `json:"now"`
	Snap struct {
		Kind  string      `json:"kind"`
		Seeks []SeekShown `json:"seeks"`
		Open  int         `json:"open"`
	} `json:"snap"`
	Wait *WaitShown      `json:"wait,omitempty"`
	Asks int             `json:"asks,omitempty"` // open challenges by and to this player; an askedFrame lists them
	Can  *policy.Ability `json:"can,omitempty"`
}

// seeksFrame tells visitors which seeks of their view have come and gone.
type seeksFrame struct {
	T    string      `json:"t"`
	Room string      `json:"room"`
	New  []SeekShown `json:"new,omitempty"`
	Gone []string    `json:"gone,omitempty"`
	Open int         `json:"open"`
}

type waitFrame struct {
	T    string     `json:"t"`
	Room string     `json:"room"`
	Wait *WaitShown `json:"wait,omitempty"`
}

// WaitShown is a player's own seek, as the player sees it.
type WaitShown struct {
	ID    string `json:"seek"`
	Key   string `json:"key"`
	Pool  bool   `json:"pool"`
	Since int64  `json:"since"`
	seeks.Game
	seeks.Range
}

type goFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Game string `json:"game"`
}
