package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	inputTag     = regexp.MustCompile(`<input\s[^>]*>`)
	selectTag    = regexp.MustCompile(`(?s)<select\s[^>]*name="(\w+)"[^>]*>(.*?)</select>`)
	optionTag    = regexp.MustCompile(`<option value="([^"]*)"( selected)?`)
	oneAttribute = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// sent returns what a browser without script sends of a form as it is.
func sent(form string) url.Values {
	fields := url.Values{}
	for _, tag := range inputTag.FindAllString(form, -1) {
		has := map[string]string{}
		for _, a := range oneAttribute.FindAllStringSubmatch(tag, -1) {
			has[a[1]] = html.UnescapeString(a[2])
		}
		ticked := strings.Contains(tag, " checked") || has["type"] != "radio" && has["type"] != "checkbox"
		if has["name"] != "" && ticked {
			fields.Add(has["name"], has["value"])
		}
	}
	for _, list := range selectTag.FindAllStringSubmatch(form, -1) {
		for i, option := range optionTag.FindAllStringSubmatch(list[2], -1) {
			if i == 0 || option[2] != "" {
				fields.Set(list[1], html.UnescapeString(option[1]))
			}
		}
	}
	return fields
}

func TestFormOfAWaitingGameHoldsItsSettingsWithoutScript(t *testing.T) {
	s := serve(t)
	ada, ben := s.person(), s.guest()
	s.account(ada, "Ada")
	for _, settings := range []string{
		"rules=oware-abapa&options=seeds%3D5&clock=7%2B1&start=youngest&chat=presets&delay=10" +
			"&listed=true&forOthers=true&boxes=1",
		"rules=kalah&clock=5%2B3&start=creator&rated=true&assists=true&boxes=1",
	} {
		form, err := url.ParseQuery(settings)
		s.must(err)
		id, err := ada.Make(s.ctx, form)
		s.must(err)
		if form.Has("forOthers") {
			s.must(ben.Sit(s.ctx, id))
		}
		before, err := s.rooms.View(s.ctx, id, "")
		s.must(err)
		page, err := ada.Get(s.ctx, "/"+id)
		s.must(err)
		_, shown, _ := strings.Cut(page.Body, `action="/`+id+`/settings">`)
		shown, _, _ = strings.Cut(shown, "</form>")
		if page := s.post(ada, "/"+id+"/settings", sent(shown).Encode()); page.Status != http.StatusSeeOther {
			t.Fatalf("%v: %d %.300s", sent(shown), page.Status, page.Body)
		}
		after, err := s.rooms.View(s.ctx, id, "")
		s.must(err)
		if string(after.Snapshot) != string(before.Snapshot) {
			t.Errorf("the form %v changed\n%s to\n%s", sent(shown), before.Snapshot, after.Snapshot)
		}
	}
}
