package learn

import (
	"slices"
	"strconv"
	"strings"

	"mancala/engine"
	"mancala/engine/compose"
	"mancala/web/messages"
)

// Change tells in a sentence which option it is about and what rules say about it.
func Change(r engine.Rules, option engine.Option, text Text) string {
	return text("compose.told", "what", text("option."+option.Name), "value", Value(r, option, text))
}

// Changes returns in words how rules differ from others. Two numbers stand side by side.
func Changes(r, from engine.Rules, text Text) (said []string) {
	for _, d := range engine.Differences(r, from) {
		if isNumber(d.Option, d.A) && isNumber(d.Option, d.B) {
			said = append(said, text("learn.house.difference", "what", text("option."+d.Option.Name), "a", d.A, "b", d.B))
		} else {
			said = append(said, Change(r, d.Option, text))
		}
	}
	return said
}

// isNumber reports whether a value of an option is a number that does not mean never.
func isNumber(option engine.Option, value string) bool {
	_, err := strconv.Atoi(value)
	never, has := compose.Never(option)
	return err == nil && !(has && value == never)
}

// Value returns in a sentence what rules say about an option.
func Value(r engine.Rules, option engine.Option, text Text) string {
	value := option.Get(r)
	switch never, has := compose.Never(option); compose.KindOf(option) {
	case compose.Switch:
		if value == "false" {
			return text("compose.off")
		}
	case compose.Set:
		var members []string
		for _, member := range compose.Members(value) {
			members = append(members, Member(r, option, member, text))
		}
		switch {
		case len(members) == 0:
			return text("compose.none")
		case len(option.Values) == 0:
			return messages.List(text, members)
		}
		return strings.Join(members, " ")
	case compose.Number:
		if has && value == never {
			return text("compose.never")
		}
	case compose.Seeds:
		if UniformSeeds(r) == "" {
			return messages.List(text, strings.Split(value, ","))
		}
		value = UniformSeeds(r)
	}
	return Say(r, option.Name, value, text)
}

// Member returns what a member of a set means.
func Member(r engine.Rules, option engine.Option, member string, text Text) string {
	if len(option.Values) == 0 {
		return member // a number
	}
	return Say(r, option.Name, member, text)
}

// UniformSeeds returns the seeds of every pit, or nothing if pits differ.
func UniformSeeds(r engine.Rules) string {
	if slices.Min(r.Seeds) == slices.Max(r.Seeds) {
		return strconv.Itoa(r.Seeds[0])
	}
	return ""
}
