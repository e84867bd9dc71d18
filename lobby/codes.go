package lobby

import "mancala/match/machine"

// Codes of refusals. Their texts are stable.
const (
	CodeNameEmpty      machine.Code = "name-empty"      // nothing that can be seen
	CodeNameLong       machine.Code = "name-too-long"   // more than MaxName characters
	CodeNameCharacters machine.Code = "name-characters" // something that no name needs: markup, control, invisible
	CodeNameReserved   machine.Code = "name-reserved"   // what stands for somebody else
	CodeNameTaken      machine.Code = "name-taken"      // an account has it, or gave it up lately, or a name much like it
	CodeNamesMany      machine.Code = "too-many-names"  // given up lately
	CodeHasAccount     machine.Code = "has-account"     // already
	CodePref           machine.Code = "bad-setting"     // no such setting, or not with this value
	CodeText           machine.Code = "bad-text"        // a line of chat; the detail is a [TextProblem]
	CodeNoPlayer       machine.Code = "no-player"       // deleted, or never there
	CodeNoLine         machine.Code = "no-line"         // no such line of chat
)

// TextProblem tells what is wrong with a line of chat.
type TextProblem struct {
	Why string `json:"why"` // "empty", "too-long", "characters", "preset"
	Max int    `json:"max,omitempty"`
}

func refuse(code machine.Code) error { return &machine.Error{Code: code} }

func refuseText(why string) error {
	p := TextProblem{Why: why}
	if why == "too-long" {
		p.Max = MaxText
	}
	return &machine.Error{Code: CodeText, Detail: p}
}
