package web

import (
	"context"
	"image"
	"image/gif"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"mancala/lobby"
	"mancala/lobby/searchpool"
	"mancala/web/picture"
	"mancala/web/site"
	"mancala/web/socket"
	"mancala/web/webtest"
)

// finished returns a game of two that ended after a ply.
func (s *service) finished(settings string) string {
	s.Helper()
	id, seats := s.game(settings)
	var legal string
	s.must(seats[0].Until(s.ctx, "a legal move", func(g *webtest.Game) bool {
		if len(g.Legal) > 0 {
			legal = g.Legal[0]
		}
		return legal != ""
	}))
	s.move(seats[0], legal)
	s.must(seats[1].Until(s.ctx, "the move", func(g *webtest.Game) bool { return g.Number("ply") == 1 }))
	s.must(seats[1].Must(s.ctx, "resign", nil))
	s.must(seats[0].Until(s.ctx, "the end", func(g *webtest.Game) bool { return g.Over() }))
	return id
}

func (s *service) movie(id string) webtest.Page {
	s.Helper()
	return s.plain("/"+id+"/game.gif", nil)
}

func TestFinishedGameOfEveryShapeIsAMovingPicture(t *testing.T) {
	s := serve(t)
	for _, settings := range []string{"rules=kalah", "rules=toguz-kumalak", "rules=maruba", "rules=basic-teams"} {
		id := s.finished(settings)
		page := s.movie(id)
		if kind := page.Header.Get("Content-Type"); page.Status != http.StatusOK || kind != "image/gif" {
			t.Fatalf("%s: status %d, %s", settings, page.Status, kind)
		}
		g, err := gif.DecodeAll(strings.NewReader(page.Body))
		s.must(err)
		if size := image.Pt(g.Config.Width, g.Config.Height); size != image.Pt(picture.FilmWidth, picture.FilmHeight) || len(g.Image) < 3 {
			t.Errorf("%s: %d frames of the size %v", settings, len(g.Image), size)
		}
		again := s.plain("/"+id+"/game.gif", map[string]string{"If-None-Match": page.Header.Get("ETag")})
		if again.Status != http.StatusNotModified || again.Header.Get("Cache-Control") != "public, no-cache" {
			t.Errorf("%s: asked again: status %d, %s", settings, again.Status, again.Header.Get("Cache-Control"))
		}
	}
}

func TestRunningGameHasNoMovingPicture(t *testing.T) {
	s := serve(t)
	id, seats := s.game("rules=kalah&start=creator")
	s.move(seats[0], "a")
	page, err := s.people[0].Get(s.ctx, "/"+id+"/game.gif") // a player has none either
	s.must(err)
	if page.Status != http.StatusConflict || !strings.Contains(page.Body, "still being played") {
		t.Errorf("status %d", page.Status)
	}
	for _, other := range []string{"zzzzzzzzz9", "no"} {
		if page := s.movie(other); page.Status != http.StatusNotFound {
			t.Errorf("%s: status %d", other, page.Status)
		}
	}
}

func TestGameWithADelayHasNoMovingPictureBeforeItsWatchersSawTheEnd(t *testing.T) {
	s := serve(t)
	id := s.finished("rules=kalah&delay=60")
	for _, page := range []webtest.Page{s.movie(id), s.movieFor(s.people[0], id)} {
		if page.Status != http.StatusConflict {
			t.Errorf("status %d", page.Status)
		}
	}
}

func (s *service) movieFor(p *webtest.Person, id string) webtest.Page {
	s.Helper()
	page, err := p.Get(s.ctx, "/"+id+"/game.gif")
	s.must(err)
	return page
}

// Only drawing counts, so a moving picture that is kept is served to all.
func TestDrawingMoviesIsLimited(t *testing.T) {
	s := serve(t, func(c *site.Config, _ *socket.Config) {
		c.Limits[site.LimitMovies] = lobby.Rate{N: 1, Per: time.Hour}
	})
	first, second := s.finished("rules=kalah"), s.finished("rules=oware")
	for i, want := range []struct {
		id     string
		status int
	}{{first, 200}, {second, 429}, {first, 200}} {
		page := s.movie(want.id)
		if page.Status != want.status || want.status == 429 && page.Header.Get("Retry-After") == "" {
			t.Errorf("request %d: status %d, Retry-After %q", i+1, page.Status, page.Header.Get("Retry-After"))
		}
	}
}

// An address that has used up its limit is refused at once, also while another one has the movie drawn.
func TestLimitOfMoviesIsThatOfEachAddress(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1, Queue: 4})
	t.Cleanup(pool.Close)
	s := serve(t, behind, func(c *site.Config, _ *socket.Config) {
		c.Searches = pool
		c.Limits[site.LimitMovies] = lobby.Rate{N: 1, Per: time.Hour}
	})
	first, second := s.finished("rules=kalah"), s.finished("rules=oware")
	movie := func(id, address string) int {
		return s.plain("/"+id+"/game.gif", map[string]string{"X-Forwarded-For": address}).Status
	}
	if status := movie(first, "10.1.0.1"); status != http.StatusOK {
		t.Fatalf("the first movie: status %d", status)
	}
	release, held := hold(pool, "another")
	answer := make(chan int, 1)
	go func() { answer <- movie(second, "10.2.0.1") }()
	s.eventually("the drawing waits", func() bool { return pool.Stats().Waiting[searchpool.Drawing] == 1 })
	if status := movie(second, "10.1.0.1"); status != http.StatusTooManyRequests {
		t.Errorf("the second movie of an address: status %d", status)
	}
	close(release)
	s.must(<-held)
	if status := <-answer; status != http.StatusOK {
		t.Errorf("the movie for the other address: status %d", status)
	}
}

// hold keeps a worker busy until release is closed. It returns when the worker has begun.
func hold(pool *searchpool.Pool, who string) (release chan struct{}, held chan error) {
	running, release, held := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		held <- pool.Do(context.Background(), searchpool.Job{Kind: searchpool.Drawing, Who: who}, func(context.Context) {
			close(running)
			<-release
		})
	}()
	<-running
	return release, held
}

// The queue has one place for a drawing. A second one would be refused.
func TestMovieIsDrawnOnceForAllViewers(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1, Queue: 1})
	t.Cleanup(pool.Close)
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Searches = pool })
	over := s.finished("rules=kalah")

	release, held := hold(pool, "another")
	answers := make(chan webtest.Page, 3)
	for range cap(answers) {
		go func() { answers <- s.movie(over) }()
	}
	s.eventually("the drawing waits", func() bool { return pool.Stats().Waiting[searchpool.Drawing] == 1 })
	close(release)
	s.must(<-held)
	for range cap(answers) {
		if page := <-answers; page.Status != http.StatusOK {
			t.Errorf("status %d", page.Status)
		}
	}
}

// While every worker is busy and the queue is full, movies are refused at once, and games go on.
func TestFloodOfMoviesIsRefusedAndCostsGamesNothing(t *testing.T) {
	pool := searchpool.New(searchpool.Options{Workers: 1, Queue: 1})
	t.Cleanup(pool.Close)
	s := serve(t, func(c *site.Config, _ *socket.Config) { c.Searches = pool })
	over := s.finished("rules=kalah")
	_, seats := s.game("rules=kalah&start=creator")

	hold, held := make(chan struct{}), make(chan error, 2)
	busy := func(running func()) {
		held <- pool.Do(context.Background(), searchpool.Job{Kind: searchpool.Drawing, Who: "flood"}, func(context.Context) { running(); <-hold })
	}
	running := make(chan struct{})
	go busy(func() { close(running) })
	<-running
	go busy(func() {})
	s.eventually("the second drawing waits", func() bool { return pool.Stats().Waiting[searchpool.Drawing] > 0 })
	if page := s.movie(over); page.Status != http.StatusTooManyRequests || page.Header.Get("Retry-After") == "" {
		t.Errorf("a movie while the queue is full: status %d", page.Status)
	}
	s.move(seats[0], "c")
	close(hold)
	s.must(<-held)
	s.must(<-held)
	if page := s.movie(over); page.Status != http.StatusOK {
		t.Errorf("a movie after the flood: status %d", page.Status)
	}
}

func TestPageOfAGameLinksToItsMovingPicture(t *testing.T) {
	s := serve(t)
	id := s.finished("rules=kalah")
	for language, words := range map[string]string{"en": "Moving picture", "fr": "Image animée"} {
		page := s.plain("/"+id, map[string]string{"Accept-Language": language})
		if link := `href="/` + id + `/game.gif" download="mancala-` + id + `.gif">` + words + "</a>"; !strings.Contains(page.Body, link) {
			t.Errorf("%s: the page has no link %s", language, link)
		}
	}
}

func TestAnyPositionHasAPicture(t *testing.T) {
	s := serve(t)
	seen := map[string]string{}
	for _, query := range []string{
		"rules=kalah", "rules=kalah&square", "rules=kalah&options=seeds%3D6", "rules=maruba", "rules=basic-four",
		"rules=kalah&position=" + url.QueryEscape("4,4,0,5,5,5/4,4,4,4,4,4 1/0 S play 0 1"),
	} {
		page := s.plain("/position.png?"+query, nil)
		img, err := png.Decode(strings.NewReader(page.Body))
		s.must(err)
		want := image.Pt(picture.Width, picture.Height)
		if strings.HasSuffix(query, "square") {
			want.Y = picture.Width
		}
		if size := img.Bounds().Size(); size != want {
			t.Errorf("%s: the picture has the size %v", query, size)
		}
		if other, taken := seen[page.Header.Get("ETag")]; taken {
			t.Errorf("%s has the picture of %s", query, other)
		}
		seen[page.Header.Get("ETag")] = query
	}
	for query, status := range map[string]int{
		"": 400, "rules=chess": 422, "rules=kalah&options=pits%3D99": 422, "rules=kalah&position=x": 422,
		"rules=kalah&position=" + url.QueryEscape("4,4,4/4,4,4 0/0 S play 0 0"): 422, "rules=kalah&position=" + strings.Repeat("9", 5000): 422,
	} {
		if page := s.plain("/position.png?"+query, nil); page.Status != status {
			t.Errorf("%.60s: status %d, want %d", query, page.Status, status)
		}
	}
}
