package lobby

import "mancala/match/refusal"

// Codes of refusals. Their texts are stable.
const (
	CodeNameEmpty      refusal.Code = "name-empty"      // nothing that can be seen
	CodeNameLong       refusal.Code = "name-too-long"   // more than MaxName characters
	CodeNameCharacters refusal.Code = "name-characters" // something that no name needs: markup, control, invisible
	CodeNameReserved   refusal.Code = "name-reserved"   // what stands for somebody else
	CodeNameTaken      refusal.Code = "name-taken"      // an account has it, or gave it up lately, or a name much like it
	CodeNamesMany      refusal.Code = "too-many-names"  // given up lately
	CodeHasAccount     refusal.Code = "has-account"     // already
	CodePref           refusal.Code = "bad-setting"     // no such setting, or not with this value
	CodeText           refusal.Code = "bad-text"        // a line of chat; the detail is a [TextProblem]
	CodeNoPlayer       refusal.Code = "no-player"       // deleted, or never there
	CodeNoLine         refusal.Code = "no-line"         // no such line of chat
)

// TextProblem tells what is wrong with a line of chat.
type TextProblem struct {
	Why string `json:"why"` // "empty", "too-long", "characters", "preset"
	Max int    `json:"max,omitempty"`
}

func refuseText(why string) error {
	p := TextProblem{Why: why}
	if why == "too-long" {
		p.Max = MaxText
	}
	return refusal.With(CodeText, p)
}
