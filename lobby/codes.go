package lobby

import "mancala/match/refusal"

// The codes of this package's refusals. Their texts are stable.
const (
	CodeNameEmpty      refusal.Code = "name-empty"      // no letter or digit; in the name of an account, no letter
	CodeNameLong       refusal.Code = "name-too-long"   // more than MaxName characters
	CodeNameCharacters refusal.Code = "name-characters" // a character that no name needs: markup, control, invisible
	CodeNameReserved   refusal.Code = "name-reserved"   // a name that stands for the service, a role or a page
	CodeNameTaken      refusal.Code = "name-taken"      // an account has this name or a similar one, or gave it up within [NameKept]
	CodeNamesMany      refusal.Code = "too-many-names"  // the account gave up too many names within [NameKept]
	CodeHasAccount     refusal.Code = "has-account"     // the player has an account already
	CodePref           refusal.Code = "bad-setting"     // no such setting, or not a value of it
	CodeText           refusal.Code = "bad-text"        // a line of chat; the detail is a [TextProblem]
	CodeNoPlayer       refusal.Code = "no-player"       // the player was deleted or never existed
	CodeNoLine         refusal.Code = "no-line"         // no such line of chat
)

// TextProblem is the detail of a refusal with [CodeText].
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
