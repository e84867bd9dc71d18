package e2e

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"mancala/engine"
	"mancala/web/learn"
)

// answersOf returns a right and a wrong move of a step. The wrong one is empty where every other pit is
// refused.
func answersOf(s learn.Step) (right, wrong engine.Move, misses bool) {
	for _, a := range s.Answers {
		if a.Right {
			right = a.Move
		} else {
			wrong, misses = a.Move, true
		}
	}
	return right, wrong, misses
}

// verdict holds when the page has told what a move does.
const verdict = `document.querySelector("#status").dataset.right !== undefined`

// answers makes a move on the board of a lesson by keys alone.
func (p *person) answers(m engine.Move) {
	p.t.Helper()
	if pit := int(m.Pit) + 1; pit <= 10 {
		p.types(strconv.Itoa(pit % 10))
	} else {
		p.walksTo(int(m.Pit)) // the boards with more pits have eight in a row
		p.types(kb.Enter)
	}
	p.until(verdict + ` || e2e.visible("[data-way]")`)
	if !ask[bool](p, verdict) {
		ways := ask[[]string](p, `Array.from(document.querySelectorAll("[data-way]"), (w) => w.dataset.way)`)
		for range ways {
			p.types(kb.ArrowLeft)
		}
		for range max(0, slices.Index(ways, m.Way.String())) {
			p.types(kb.ArrowRight)
		}
		p.types(kb.Enter)
		p.until(verdict)
	}
	p.placed("a move")
}

// The lesson of each game is done by keys alone. A wrong move is told first, and the board is as it was.
func TestEveryLessonIsDoneByKeys(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	for _, row := range engine.Systems {
		ada.opens("/learn/" + row.Name + "/lesson")
		ada.online()
		ada.tabsTo("[data-pit]")
		lesson := learn.Lesson(row.Name)
		for n, step := range lesson {
			ada.until(fmt.Sprintf(`document.querySelector("[aria-current=step]").textContent.trim() === "%d"`, n+1))
			begin := ask[string](ada, "e2e.sign()")
			right, wrong, misses := answersOf(step)
			if misses {
				ada.answers(wrong)
				ada.hears("#status[data-right=false]", "Try again.")
				ada.types(kb.Enter) // the focus is on the link for it
				ada.until(fmt.Sprintf("e2e.sign() === %q && !(%s)", begin, verdict))
				ada.placed("trying again")
			}
			ada.answers(right)
			ada.hears("#status[data-right=true]", "Yes, that is it.")
			if n+1 < len(lesson) {
				ada.types(kb.Enter)
			}
		}
		ada.sees("#all")
		if done := ask[int](ada, `document.querySelectorAll("[data-did]").length`); done != len(lesson) {
			t.Errorf("%s: %d of %d steps are marked", row.Name, done, len(lesson))
		}
	}
}

// tree returns the accessible names of a page by role.
func (p *person) tree() map[string][]string {
	p.t.Helper()
	names := map[string][]string{}
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		found, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return chromedp.Void{}, err
		}
		for _, node := range found.Nodes {
			if !node.Ignored && node.Role != nil && node.Name != nil {
				role, name := strings.Trim(string(node.Role.Value), `"`), strings.Trim(string(node.Name.Value), `"`)
				names[role] = append(names[role], name)
			}
		}
		return chromedp.Void{}, nil
	})
	return names
}

// A reader who has only the accessibility tree finds the task, each pit by its name, and the way on.
func TestEveryLessonIsDoneByTheAccessibilityTree(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", desktop)
	for _, row := range engine.Systems {
		ada.opens("/learn/" + row.Name + "/lesson")
		ada.online()
		lesson := learn.Lesson(row.Name)
		for n, step := range lesson {
			tree := ada.tree()
			if !slices.ContainsFunc(tree["heading"], func(name string) bool { return name == ada.text("#what") }) {
				t.Errorf("%s: the step has no heading in %q", row.Name, tree["heading"])
			}
			right, _, _ := answersOf(step)
			name := fmt.Sprintf("Your pit %d, ", right.Pit+1)
			i := slices.IndexFunc(tree["button"], func(button string) bool { return strings.HasPrefix(button, name) })
			if i < 0 {
				t.Fatalf("%s, %s: no button is called %q in %q", row.Name, step.Kind, name, tree["button"])
			}
			ada.presses(fmt.Sprintf("button[aria-label=%q]", tree["button"][i]))
			ada.until(verdict + ` || e2e.visible("[data-way]")`)
			if !ask[bool](ada, verdict) {
				ada.presses(fmt.Sprintf("[data-way='%s']", right.Way.String()))
				ada.until(verdict)
			}
			ada.hears("#say", "Yes, that is it.")
			tree = ada.tree()
			next := "Next step"
			if n+1 == len(lesson) {
				next = "Play level 1 now"
			}
			if !slices.Contains(tree["link"], next) {
				t.Fatalf("%s, %s: no link leads on in %q", row.Name, step.Kind, tree["link"])
			}
			if n+1 < len(lesson) {
				ada.presses(action("next"))
			}
		}
	}
}

// After the page has opened, a lesson needs no network. Its steps are marked when the page opens again, and
// an account takes them to another device.
func TestLessonIsDoneWithoutANetworkAndKept(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	ada.makesAccount("Ada")
	ada.forgive("Failed to load resource", "FetchEvent")
	ada.opens("/learn/kalah/lesson")
	ada.online()
	s.stop()
	lesson := learn.Lesson("kalah")
	for n, step := range lesson {
		right, _, _ := answersOf(step)
		ada.presses(pit(int(right.Pit)))
		ada.hears("#status[data-right=true]", "Yes, that is it.")
		if n+1 < len(lesson) {
			ada.presses(action("next"))
		}
	}
	ada.sees("#all")
	s.start()
	did := fmt.Sprintf(`document.querySelectorAll("[data-did]").length === %d`, len(lesson))
	ada.opens("/learn/kalah/lesson")
	ada.until(did)
	ada.until(`fetch("/api/v1/me/lessons").then((r) => r.json()).then((all) => all.kalah?.length === ` + strconv.Itoa(len(lesson)) + `)`)
	ask[bool](ada, `(localStorage.clear(), true)`) // as on another device
	ada.opens("/learn/kalah/lesson#2")
	ada.until(did)
	ada.until(`document.querySelector("[aria-current=step]").textContent.trim() === "2"`)
}

// A refused pit says why, a hint names the move, and neither counts as an answer.
func TestLessonSaysWhyAPitIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ada := s.person("Ada", phone)
	lesson := learn.Lesson("oware")
	n := slices.IndexFunc(lesson, func(step learn.Step) bool { return step.Kind == "feed" })
	right, _, _ := answersOf(lesson[n])
	ada.opens(fmt.Sprintf("/learn/oware/lesson#%d", n+1))
	ada.online()
	ada.presses(pit(6))
	ada.hears("#status", "That is the other player's pit.")
	for p := range lesson[n].Refused {
		ada.presses(pit(p))
		ada.until(`document.querySelector("#status").textContent.length > 10`)
	}
	ada.presses(action("hint"))
	ada.hears("#status", fmt.Sprintf("Try pit %d.", right.Pit+1))
	if got := ask[int](ada, `Number(document.querySelector("[data-hint]").dataset.pit)`); got != int(right.Pit) {
		t.Errorf("the hint is at pit %d, want %d", got, right.Pit)
	}
	ada.presses(pit(int(right.Pit)))
	ada.hears("#status[data-right=true]", "Yes, that is it.")
}

// On a phone at least half of the board of each lesson is in view beside the text, and nothing moves when
// the verdict comes.
func TestBoardOfALessonIsInViewOnAPhone(t *testing.T) {
	t.Parallel()
	ada := serve(t).person("Ada", phone)
	for _, system := range []string{"kalah", "oware", "maruba", "bao"} {
		step := learn.Lesson(system)[0]
		right, _, _ := answersOf(step)
		ada.opens("/learn/" + system + "/lesson")
		ada.online()
		ada.until("e2e.arrived()")
		const place = "document.querySelector('mancala-board').getBoundingClientRect().top + scrollY"
		top, bottom := ada.box("mancala-board")
		if seen := (float64(phone.h) - top) / (bottom - top); seen < 0.5 {
			t.Errorf("%s: %.0f %% of the board is in view", system, 100*seen)
		}
		ada.answers(right)
		ada.until(verdict)
		if now := ask[float64](ada, place); now != top {
			t.Errorf("%s: the board has moved from %v to %v", system, top, now)
		}
	}
}
