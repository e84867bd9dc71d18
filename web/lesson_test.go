package web

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mancala/engine"
	"mancala/web/learn"
)

// Every step of every lesson can be played with links alone: each move is a link, and the page behind it
// says what the move does.
func TestLessonsAreDoneWithoutScript(t *testing.T) {
	s := serve(t)
	p := s.person()
	get := func(path string) string {
		t.Helper()
		page, err := p.Get(s.ctx, path)
		s.must(err)
		if page.Status != http.StatusOK {
			t.Fatalf("%s: %d", path, page.Status)
		}
		if key := missingText.FindString(page.Body); key != "" {
			t.Errorf("%s shows the key %s instead of a text", path, key)
		}
		return page.Body
	}
	shown := func(page, action string) bool {
		return regexp.MustCompile(`data-action="` + action + `">`).MatchString(page)
	}
	for _, row := range engine.Systems {
		path := "/learn/" + row.Name + "/lesson"
		if !strings.Contains(get("/learn/"+row.Name), `href="`+path+`"`) {
			t.Errorf("the rules of %s do not lead to its lesson", row.Name)
		}
		lesson := learn.Lesson(row.Name)
		for n, step := range lesson {
			begin := get(path + "?step=" + string(rune('1'+n)))
			s.ids(path, begin)
			links := regexp.MustCompile(`href="\?step=\d+&amp;move=([^"]+)"`).FindAllStringSubmatch(begin, -1)
			if len(links) != len(step.Answers) {
				t.Errorf("%s, %s: %d links for %d moves", row.Name, step.Kind, len(links), len(step.Answers))
			}
			right, wrong := "", ""
			for _, a := range step.Answers {
				if a.Right {
					right = a.Move.String()
				} else {
					wrong = a.Move.String()
				}
			}
			after := get(path + "?step=" + string(rune('1'+n)) + "&move=" + strings.ReplaceAll(right, "+", "%2B"))
			last := n+1 == len(lesson)
			if !strings.Contains(after, "Yes, that is it.") || shown(after, "next") == last || shown(after, "bot") != last || shown(after, "again") {
				t.Errorf("%s, %s: %s is not called right", row.Name, step.Kind, right)
			}
			if wrong == "" {
				continue // every other pit is refused
			}
			missed := get(path + "?step=" + string(rune('1'+n)) + "&move=" + strings.ReplaceAll(wrong, "+", "%2B"))
			if !strings.Contains(missed, "Try again.</p>") || !shown(missed, "again") || shown(missed, "next") {
				t.Errorf("%s, %s: %s is not called wrong", row.Name, step.Kind, wrong)
			}
		}
	}
	if p.Cookie() != "" {
		t.Error("doing lessons made the visitor a guest")
	}
	for _, path := range []string{"/learn/chess/lesson", "/learn/Kalah/lesson"} {
		if page, err := p.Get(s.ctx, path); err != nil || page.Status != http.StatusNotFound {
			t.Errorf("%s: %d, %v", path, page.Status, err)
		}
	}
	for _, nonsense := range []string{"?step=0", "?step=99", "?step=x", "?move=zz", "?step=1&move=keep"} {
		if body := get("/learn/kalah/lesson" + nonsense); !strings.Contains(body, `aria-current="step"`) || shown(body, "next") {
			t.Errorf("%s shows no step from its start", nonsense)
		}
	}
}

// The board on the page has what each move does, so its script needs no request.
func TestPageOfALessonHoldsAllAnswers(t *testing.T) {
	s := serve(t)
	p := s.person()
	for _, row := range engine.Systems {
		page, err := p.Get(s.ctx, "/learn/"+row.Name+"/lesson")
		s.must(err)
		_, data, _ := strings.Cut(page.Body, `id="lesson">`)
		data, _, _ = strings.Cut(data, "</script>")
		var found struct {
			Steps []struct {
				Kind    string
				Right   []string
				Said    map[string]string
				Refused map[string]string
				Legal   []struct {
					M     string
					Trace []any
				}
			}
		}
		s.must(json.Unmarshal([]byte(data), &found))
		lesson := learn.Lesson(row.Name)
		if len(found.Steps) != len(lesson) {
			t.Fatalf("%s: %d steps", row.Name, len(found.Steps))
		}
		for i, step := range found.Steps {
			if len(step.Legal) != len(lesson[i].Answers) || len(step.Refused) != len(lesson[i].Refused) {
				t.Errorf("%s, %s: %d moves and %d refusals", row.Name, step.Kind, len(step.Legal), len(step.Refused))
			}
			for _, legal := range step.Legal {
				a, ok := lesson[i].Answer(legal.M)
				if !ok || len(legal.Trace) == 0 || step.Said[legal.M] == "" || a.Right != slices.Contains(step.Right, legal.M) {
					t.Errorf("%s, %s: the answer %s is %+v", row.Name, step.Kind, legal.M, legal)
				}
			}
		}
	}
}
