package entrants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"mancala/cmd/internal/cli"
	"mancala/cmd/internal/socketclient"
)

// Service is the instances of one service. Each person has a favourite instance. While it cannot be
// reached, they use the next one, as a load balancer does.
type Service struct {
	addrs []string // host:port
	http  []*http.Client
}

// NewService returns the service of the instances at these addresses.
func NewService(addrs ...string) *Service {
	s := &Service{addrs: addrs}
	for i := range addrs {
		dial := func(ctx context.Context, network, _ string) (conn net.Conn, err error) {
			for _, addr := range s.from(i) {
				if conn, err = new(net.Dialer).DialContext(ctx, network, addr); err == nil {
					break
				}
			}
			return conn, err
		}
		s.http = append(s.http, &http.Client{
			Timeout: 30 * time.Second, Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 32},
		})
	}
	return s
}

// from returns the addresses in the order in which a person with this favourite uses them.
func (s *Service) from(favourite int) []string {
	return append(slices.Clone(s.addrs[favourite:]), s.addrs[:favourite]...)
}

// socket opens a socket of a person.
func (s *Service) socket(ctx context.Context, p *person) (c *socketclient.Client, err error) {
	header := http.Header{"Cookie": {p.cookie}}
	for _, addr := range s.from(p.favourite) {
		if c, err = socketclient.Dial(ctx, "ws://"+addr+"/ws", "mancala.v1", header, 0); err == nil {
			break
		}
	}
	return c, err
}

// Leave closes the connections that are not in use.
func (s *Service) Leave() {
	for _, c := range s.http {
		c.CloseIdleConnections()
	}
}

// person is a player with a browser.
type person struct {
	service   *Service
	favourite int
	cookie    string // of their identity; empty until their first action
	id        string
}

func (s *Service) person(favourite int) *person {
	return &person{service: s, favourite: favourite % len(s.addrs)}
}

// errEntered means that a player is in the tournament already.
var errEntered = errors.New("entrants: tournament-entered")

// ask sends a request of the API, and reads the answer into answer. It asks again while the service
// answers that it is busy, or that it cannot be reached: then what was asked may be done already.
func (p *person) ask(ctx context.Context, method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for unsure := false; ; {
		status, got, err := p.send(ctx, method, path, string(text))
		if status != http.StatusServiceUnavailable {
			switch {
			case err != nil:
				return err
			case unsure && strings.Contains(string(got), `"tournament-entered"`):
				return errEntered
			case status >= 300:
				return fmt.Errorf("entrants: %s %s: %d %s", method, path, status, got)
			}
			return json.Unmarshal(got, answer)
		}
		unsure = unsure || strings.Contains(string(got), `"unavailable"`)
		if err := cli.Pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

func (p *person) send(ctx context.Context, method, path, body string) (status int, answer []byte, err error) {
	q, err := http.NewRequestWithContext(ctx, method, "http://mancala.test"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if method != http.MethodGet {
		q.Header.Set("Content-Type", "application/json")
	}
	if p.cookie != "" {
		q.Header.Set("Cookie", p.cookie)
	}
	r, err := p.service.http[p.favourite].Do(q)
	if err != nil {
		return 0, nil, err
	}
	defer r.Body.Close()
	for _, c := range r.Cookies() {
		if c.Name == "mancala" {
			p.cookie = c.Name + "=" + c.Value
		}
	}
	answer, err = io.ReadAll(r.Body)
	return r.StatusCode, answer, err
}

// Get returns a page of an instance. It asks again for a while if an instance cannot answer.
func (s *Service) Get(ctx context.Context, path string) (string, error) {
	p := s.person(0)
	for n := 0; ; n++ {
		status, text, err := p.send(ctx, http.MethodGet, path, "")
		if err == nil && status == http.StatusOK {
			return string(text), nil
		}
		if err == nil {
			err = fmt.Errorf("entrants: GET %s: %d %s", path, status, text)
		}
		if n == 20 || status != 0 && status != http.StatusServiceUnavailable {
			return "", err
		}
		if err := cli.Pause(ctx, 500*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// made is the answer to a tournament that was made.
type made struct {
	ID string `json:"id"`
}

func (p *person) make(ctx context.Context, settings any) (string, error) {
	var m made
	err := p.ask(ctx, http.MethodPost, "/api/v1/tournaments", settings, &m)
	return m.ID, errors.Join(err, p.learn(ctx))
}

func (p *person) join(ctx context.Context, tournament, name string) error {
	err := p.ask(ctx, http.MethodPost, "/api/v1/tournaments/"+url.PathEscape(tournament)+"/players", map[string]string{"name": name}, new(any))
	if err != nil && !errors.Is(err, errEntered) {
		return err
	}
	return p.learn(ctx)
}

// learn asks for the person's ID.
func (p *person) learn(ctx context.Context) error {
	var me made
	err := p.ask(ctx, http.MethodGet, "/api/v1/me", nil, &me)
	p.id = me.ID
	return err
}
