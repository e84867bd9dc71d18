package process

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"sync/atomic"
	"testing"

	"mancala/cmd/internal/ledger"
	"mancala/web/webtest"
)

// recordWith is the program of an earlier release. With it the test below makes the
// database that it opens otherwise.
var recordWith = flag.String("record-with", "", "write testdata/earlier-release.db.gz with this program of mancala")

var vcsRevision = regexp.MustCompile("vcs.revision=[0-9a-f]+")

const (
	earlierDatabase = "testdata/earlier-release.db.gz"
	earlierStory    = "testdata/earlier-release.json"
	earlierName     = "Earlier Ada"
	earlierPassword = "seven green turtles"
)

// earlier is what people knew of the database's games when it was made.
type earlier struct {
	Release  string // the commit of the program
	Finished []earlierGame
	Going    earlierGame
}

// earlierGame is a game as its API answered.
type earlierGame struct {
	Room string
	Seq  uint64
	Snap json.RawMessage
}

// TestDatabaseOfAnEarlierReleaseIsOpenedAndServed opens a database that the release of
// 2026-11-22 wrote. Its games are as they were, its account signs in, and the account plays
// on. The unfinished game may have ended since, so only its first entries are compared.
func TestDatabaseOfAnEarlierReleaseIsOpenedAndServed(t *testing.T) {
	t.Parallel()
	if *recordWith != "" {
		recordEarlier(t, *recordWith)
	}
	text, err := os.ReadFile(earlierStory)
	if err != nil {
		t.Fatal(err)
	}
	var story earlier
	if err := json.Unmarshal(text, &story); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, unpack(t, earlierDatabase), fast...)
	for _, was := range story.Finished {
		is := p.gameNow(was.Room)
		if is.Seq != was.Seq || !reflect.DeepEqual(decoded(t, is.Snap), decoded(t, was.Snap)) {
			t.Errorf("the finished game %s was at %d\n%s\nand is at %d\n%s", was.Room, was.Seq, was.Snap, is.Seq, is.Snap)
		}
		for _, page := range []string{"/" + was.Room, "/" + was.Room + "/record", "/api/v1/games/" + was.Room + "/replay"} {
			p.get(page)
		}
	}
	was, is := decoded(t, story.Going.Snap), decoded(t, p.gameNow(story.Going.Room).Snap)
	moves, _ := was["moves"].([]any)
	if now, _ := is["moves"].([]any); len(moves) == 0 || len(now) < len(moves) || !reflect.DeepEqual(now[:len(moves)], moves) {
		t.Errorf("the unfinished game had the moves %v and has %v", moves, now)
	}

	ada, ben := webtest.NewPerson(p.base()), webtest.NewPerson(p.base())
	defer ledger.Leave([]*webtest.Person{ada, ben})
	page, err := ada.Post(p.ctx, "/account/sign-in", url.Values{"name": {earlierName}, "password": {earlierPassword}})
	if err != nil || page.Status != http.StatusSeeOther {
		t.Fatalf("the account signs in: %d, %v\n%.2000s", page.Status, err, page.Body)
	}
	if err := ledger.Arrive(p.ctx, []*webtest.Person{ben}); err != nil {
		t.Fatal(err)
	}
	g, err := ledger.Play(p.ctx, []*webtest.Person{ada, ben}, "oware", rand.New(rand.NewPCG(1, 2)), new(atomic.Int64))
	if err != nil {
		t.Fatal(err)
	}
	checkOn(t, p, g)
}

// recordEarlier plays on an earlier release and stores its database.
func recordEarlier(t *testing.T, program string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mancala.db")
	release, err := exec.Command("go", "version", "-m", program).Output() // it names the commit
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, file, fast...)
	p.path = program
	p.start()
	ada, ben := webtest.NewPerson(p.base()), webtest.NewPerson(p.base())
	people := []*webtest.Person{ada, ben}
	defer ledger.Leave(people)
	if err := ledger.Arrive(p.ctx, people); err != nil {
		t.Fatal(err)
	}
	page, err := ada.Post(p.ctx, "/account/create", url.Values{"name": {earlierName}, "password": {earlierPassword}})
	if err != nil || page.Status != http.StatusOK {
		t.Fatalf("an account: %d, %v", page.Status, err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	story := earlier{Release: vcsRevision.FindString(string(release))}
	for _, rules := range []string{"kalah", "maruba", "giuthi", "wise"} {
		g, err := ledger.Play(p.ctx, people, rules, r, new(atomic.Int64))
		if err != nil {
			t.Fatal(err)
		}
		story.Finished = append(story.Finished, p.gameNow(g.Room))
	}
	room, clients, err := ledger.Seat(p.ctx, people, url.Values{"rules": {"oware"}, "clock": {"3/move"}})
	if err != nil {
		t.Fatal(err)
	}
	played := make(chan error, len(clients))
	for i, c := range clients {
		defer c.Close()
		go func() {
			played <- c.PlayOn(p.ctx, rand.New(rand.NewPCG(2, uint64(i))), func(g *webtest.Game) bool { return g.Number("ply") > 5 })
		}()
	}
	for range clients {
		if err := <-played; err != nil {
			t.Fatal(err)
		}
	}
	story.Going = p.gameNow(room)
	if code := p.stop(); code != 0 {
		t.Fatalf("exit status %d\n%s", code, p.log)
	}
	text, err := json.MarshalIndent(story, "", "\t")
	if err == nil {
		err = os.WriteFile(earlierStory, append(text, '\n'), 0o600)
	}
	if err == nil {
		err = pack(file, earlierDatabase)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// gameNow returns a game as the API answers a stranger.
func (p *program) gameNow(room string) earlierGame {
	p.Helper()
	g := earlierGame{Room: room}
	if err := json.Unmarshal([]byte(p.get("/api/v1/games/"+room)), &g); err != nil {
		p.Fatal(err)
	}
	return g
}

func decoded(t *testing.T, text []byte) map[string]any {
	t.Helper()
	v, err := webtest.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func pack(file, packed string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f, err := os.Create(packed)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return fmt.Errorf("pack %s: %w", file, err)
	}
	return f.Close()
}

// unpack writes a packed file to a temporary folder and returns its path.
func unpack(t *testing.T, packed string) string {
	t.Helper()
	f, err := os.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mancala.db")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
