package live

import (
	"mancala/lobby/policy"
	"mancala/lobby/seeks"
)

type lobbyFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Me   string `json:"me"`
	Now  int64  `json:"now"`
	Snap struct {
		Kind  string        `json:"kind"`
		Seeks []seeks.Shown `json:"seeks"`
		Open  int           `json:"open"`
	} `json:"snap"`
	Wait *seeks.OwnWait  `json:"wait,omitempty"`
	Asks int             `json:"asks,omitempty"` // open challenges by and to this player; an askedFrame lists them
	Can  *policy.Ability `json:"can,omitempty"`
}

// seeksFrame tells visitors which seeks of their view have come and gone.
type seeksFrame struct {
	T    string        `json:"t"`
	Room string        `json:"room"`
	New  []seeks.Shown `json:"new,omitempty"`
	Gone []string      `json:"gone,omitempty"`
	Open int           `json:"open"`
}

type waitFrame struct {
	T    string         `json:"t"`
	Room string         `json:"room"`
	Wait *seeks.OwnWait `json:"wait,omitempty"`
}

type goFrame struct {
	T    string `json:"t"`
	Room string `json:"room"`
	Game string `json:"game"`
}
