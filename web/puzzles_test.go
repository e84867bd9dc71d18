package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mancala/lobby"
	"mancala/web/webtest"
)

// puzzlePosition is a position of Kalah. The tests call the move b its solution.
const puzzlePosition = "0,2,0,3,3,2/0,3,2,0,5,0 14/14 S play 0 22"

// inPuzzle asks for a puzzle, or makes a move in it.
func inPuzzle(body string) func(*service, *costs, int) question {
	return func(s *service, c *costs, i int) question {
		return question{"/puzzles/" + s.puzzle(i), body, c.guest}
	}
}

// puzzle stores a puzzle and returns its ID.
func (s *service) puzzle(n int) string {
	s.Helper()
	id := lobby.DerivedRoomID("puzzle", fmt.Sprint(n))
	s.must(s.tables.Write(s.ctx, func(tx lobby.Tx) error {
		_, err := tx.Exec(`INSERT INTO puzzles (id, system, position, solution, goal, theme, room, made, value, deviation, volatility)
			VALUES ($1, 'kalah', $2, 'b', 'win', 'again', '', 0, 1500, 350, 0.06) ON CONFLICT (id) DO NOTHING`, id, puzzlePosition)
		return err
	}))
	return id
}

func (s *service) sees(p *webtest.Person, path string, want ...string) string {
	s.Helper()
	page, err := p.Get(s.ctx, path)
	s.must(err)
	if key := missingText.FindString(page.Body); key != "" || page.Status != http.StatusOK {
		s.Errorf("%s: %d, shows the key %q", path, page.Status, key)
	}
	for _, text := range want {
		if !strings.Contains(page.Body, text) {
			s.Errorf("%s does not say %q", path, text)
		}
	}
	return page.Body
}

func TestPuzzlesPageWithoutPuzzlesLeadsToALesson(t *testing.T) {
	s := serve(t)
	p := s.person()
	s.sees(p, "/puzzles", "The first puzzles are being made", `href="/learn/kalah/lesson"`)
	s.sees(p, "/puzzles?theme=relay", "The first puzzles are being made")
	if p.Cookie() != "" {
		t.Error("looking at puzzles made the visitor a guest")
	}
}

func TestFirstTryOfAPuzzleCountsAndTheSolutionIsToldOnlyAfterIt(t *testing.T) {
	s := serve(t)
	id := s.puzzle(1)
	ada, ben := s.person(), s.person()
	s.sees(ada, "/puzzles", "Puzzle of the day", `href="/puzzles/`+id+`"`, "Playing again", "1 puzzle")
	if page := s.sees(ada, "/puzzles"); strings.Contains(page, "Your puzzles") {
		t.Error("a reader who has tried none is told of their puzzles")
	}
	next, err := ada.Get(s.ctx, "/puzzles?theme=again")
	s.must(err)
	if to := next.Header.Get("Location"); to != "/puzzles/"+id+"?theme=again" {
		t.Errorf("the theme leads to %q", to)
	}
	begin := s.sees(ada, "/puzzles/"+id+"?move=b", "One move wins. Find it.", "Your first try counts.", `name="move" value="b"`)
	for _, secret := range []string{"Pit 2 is sown", `"right":["b"]`} {
		if strings.Contains(begin, secret) {
			t.Errorf("the page says %q before the try", secret)
		}
	}
	s.ids("/puzzles/"+id, begin)
	answer := s.post(ada, "/puzzles/"+id, "move=d&theme=again")
	after := answer.Header.Get("Location")
	if after != "/puzzles/"+id+"?move=d&theme=again" {
		t.Fatalf("the form leads to %q, %d", after, answer.Status)
	}
	s.sees(ada, after, "Pit 4 is sown", "This move does not win.", "Pit 2 is sown", "It no longer counts.", `data-right="false"`)
	s.sees(ada, s.post(ada, "/puzzles/"+id, "move=b").Header.Get("Location"), "Yes, that is it. Pit 2 is sown", "No other move wins.", `data-right="true"`)
	s.sees(ben, s.post(ben, "/puzzles/"+id, "move=b").Header.Get("Location"), "Yes, that is it.")
	ratings := map[*webtest.Person]float64{}
	for _, p := range []*webtest.Person{ada, ben} {
		s.sees(p, "/puzzles?theme=", "You have tried all puzzles of this kind.", "You have tried 1 puzzle.", "Your puzzle rating is")
		r, _, err := s.Puzzles.Solver(s.ctx, s.id(p))
		s.must(err)
		ratings[p] = r.Value
	}
	if ratings[ada] >= 1500 || ratings[ben] <= 1500 {
		t.Errorf("the ratings are %v", ratings)
	}
}

// A puzzle leads to its game at the position, and to none after the game was deleted.
func TestPuzzleLeadsToItsGame(t *testing.T) {
	s := serve(t)
	id := s.puzzle(1)
	from := func(room string) {
		t.Helper()
		s.must(s.tables.Write(s.ctx, func(tx lobby.Tx) error {
			_, err := tx.Exec("UPDATE puzzles SET room = $1 WHERE id = $2", room, id)
			return err
		}))
	}
	p := s.person()
	if page := s.sees(p, "/puzzles/"+id); strings.Contains(page, "See the game") {
		t.Error("a puzzle of the computer's own game leads to a game")
	}
	from("k3v9qa2mx1")
	s.sees(p, "/puzzles/"+id, `<a class="source" href="/k3v9qa2mx1?ply=22">See the game`)
}

func TestPuzzlesRefuseWhatIsNoPuzzleOrNoMove(t *testing.T) {
	s := serve(t)
	id := s.puzzle(1)
	p := s.person()
	for _, path := range []string{"/puzzles/nothing", "/puzzles/aaaaaaaaa0"} {
		page, err := p.Get(s.ctx, path)
		s.must(err)
		if posted := s.post(p, path, "move=b"); page.Status != http.StatusNotFound || posted.Status != http.StatusNotFound {
			t.Errorf("%s: %d and %d", path, page.Status, posted.Status)
		}
	}
	for _, move := range []string{"", "a", "zz", "keep", "+b"} { // the pit a is empty
		if page := s.post(p, "/puzzles/"+id, url.Values{"move": {move}}.Encode()); page.Status != http.StatusUnprocessableEntity {
			t.Errorf("the move %q: %d", move, page.Status)
		}
	}
	if p.Cookie() != "" {
		t.Error("a refused move made the visitor a guest")
	}
}

func TestScriptsGetTheVerdictOfAPuzzleAsJSON(t *testing.T) {
	s := serve(t)
	id := s.puzzle(1)
	ask := func(move string) (status int, found struct {
		Said, Code string
		Right      []string
	}) {
		q := httptest.NewRequest(http.MethodPost, "/puzzles/"+id, strings.NewReader("move="+move))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Accept", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, q)
		s.must(json.Unmarshal(w.Body.Bytes(), &found))
		return w.Code, found
	}
	if status, found := ask("d"); status != http.StatusOK || len(found.Right) != 1 || found.Right[0] != "b" || !strings.Contains(found.Said, "does not win") {
		t.Errorf("%d %+v", status, found)
	}
	if status, found := ask("zz"); status != http.StatusUnprocessableEntity || found.Code != "bad-move" {
		t.Errorf("%d %+v", status, found)
	}
}
