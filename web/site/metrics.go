package site

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"mancala/lobby/effects"
	"mancala/lobby/moderation"
	"mancala/lobby/push"
	"mancala/lobby/searchpool"
	"mancala/match"
	"mancala/match/refusal"
	"mancala/match/room"
	"mancala/web/socket"
)

// Metrics are the counters for operators. Its Observer and the methods that count
// something accept a nil *Metrics and count nothing, for tests.
type Metrics struct {
	published   *prometheus.HistogramVec
	entries     *prometheus.CounterVec
	refusals    *prometheus.CounterVec
	resumes     *prometheus.CounterVec
	tasks       *prometheus.CounterVec
	quarantines prometheus.Counter
	fences      prometheus.Counter
	outages     prometheus.Counter
	closes      *prometheus.CounterVec
	chat        prometheus.Counter
	pushed      *prometheus.CounterVec
	registry    prometheus.Registerer
}

// NewMetrics makes and registers the metrics.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "mancala_" + name, Help: help})
		reg.MustRegister(c)
		return c
	}
	vec := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "mancala_" + name, Help: help}, labels)
		reg.MustRegister(c)
		return c
	}
	m := &Metrics{
		published: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mancala_command_seconds", Help: "From a command's arrival to its entry's publication.",
			Buckets: prometheus.ExponentialBuckets(0.000_05, 2, 16),
		}, []string{"kind"}),
		entries:     vec("entries_total", "Entries of rooms besides those that create them, by kind: moves, resignations, seeks.", "kind", "entry"),
		refusals:    vec("refused_total", "Messages and requests refused, by code.", "code"),
		resumes:     vec("resumes_total", "Sockets brought up to date, by how.", "how"),
		tasks:       vec("tasks_total", "Attempts at tasks.", "kind", "outcome"),
		quarantines: counter("quarantines_total", "Rooms that were quarantined."),
		fences:      counter("fenced_total", "Rooms that another owner took over."),
		outages:     counter("room_outages_total", "Rooms that could not write for a while."),
		closes:      vec("socket_closes_total", "Sockets that ended, by code.", "code"),
		chat:        counter("chat_lines_total", "Lines of chat."),
		pushed:      vec("push_total", "Messages to devices about turns, by outcome.", "outcome"),
		registry:    reg,
	}
	for _, o := range push.Outcomes { // exported as 0 from the start, as below
		m.pushed.WithLabelValues(string(o))
	}
	reg.MustRegister(m.published)
	for kind := range effects.Handlers(nil) { // exported as 0 from the start: otherwise the first failure would not show as an increase
		m.tasks.WithLabelValues(kind, "done")
		m.tasks.WithLabelValues(kind, "failed")
	}
	return m
}

// Watch adds the metrics that rooms and sockets count themselves.
func (m *Metrics) Watch(rooms *room.Registry, sockets *socket.Set) {
	gauge := func(name, help string, f func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "mancala_" + name, Help: help}, f))
	}
	counter := func(name, help string, f func() float64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mancala_" + name, Help: help}, f))
	}
	gauge("rooms_live", "Rooms that are loaded.", func() float64 { return float64(rooms.Stats().Live) })
	gauge("rooms_away", "Rooms that are paused: the database cannot be written, or a player is unreachable.", func() float64 { return float64(rooms.Stats().Away) })
	gauge("rooms_quarantined", "Rooms that can only be read.", func() float64 { return float64(rooms.Stats().Quarantined) })
	gauge("sockets", "Open sockets.", func() float64 { return float64(sockets.Stats().Open) })
	counter("sockets_lagged_total", "Times that a reader was too far behind.", func() float64 { return float64(sockets.Stats().Lagged) })
	for _, why := range socket.Refusals {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "mancala_sockets_refused_total", Help: "Upgrades refused, by why.", ConstLabels: prometheus.Labels{"why": why},
		}, func() float64 { return float64(sockets.Stats().Refused[why]) }))
	}
}

// ObserveSearches returns an observer that counts searches in these metrics.
func (m *Metrics) ObserveSearches() searchpool.Observer {
	times := prometheus.ExponentialBuckets(0.000_5, 2, 16)
	waited := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "mancala_thinking_wait_seconds", Help: "Until a search began, by kind: move (of a bot), hint, drawing (of a moving picture), analysis.", Buckets: times,
	}, []string{"kind"})
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "mancala_thinking_seconds", Help: "How long searches took.", Buckets: times,
	}, []string{"kind"})
	busy := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mancala_thinking_refused_total", Help: "Searches that were refused because the queue was full.",
	}, []string{"kind"})
	m.registry.MustRegister(waited, took, busy)
	for _, kind := range searchpool.Kinds { // exported as 0 from the start
		waited.WithLabelValues(kind)
		took.WithLabelValues(kind)
		busy.WithLabelValues(kind)
	}
	return searchpool.Observer{
		Began: func(k searchpool.Kind, d time.Duration) { waited.WithLabelValues(k.String()).Observe(d.Seconds()) },
		Ended: func(k searchpool.Kind, d time.Duration) { took.WithLabelValues(k.String()).Observe(d.Seconds()) },
		Busy:  func(k searchpool.Kind) { busy.WithLabelValues(k.String()).Inc() },
	}
}

// WatchSearches adds the numbers of waiting and running searches.
func (m *Metrics) WatchSearches(pool *searchpool.Pool) {
	gauge := func(name, help string, kind searchpool.Kind, f func() int) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "mancala_thinking_" + name, Help: help, ConstLabels: prometheus.Labels{"kind": kind.String()},
		}, func() float64 { return float64(f()) }))
	}
	for k := range searchpool.Kinds {
		gauge("waiting", "Searches that wait for a worker.", searchpool.Kind(k), func() int { return pool.Stats().Waiting[k] })
		gauge("active", "Searches that run.", searchpool.Kind(k), func() int { return pool.Stats().Active[k] })
	}
}

// WatchReports adds the number of reports that wait for an operator.
func (m *Metrics) WatchReports(reports *moderation.Moderation) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "mancala_reports_open", Help: "Open reports; -1 if they cannot be counted."}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		n, err := reports.Waiting(ctx)
		if err != nil {
			return -1
		}
		return float64(n)
	}))
}

// Observer returns an observer that counts events of rooms in these metrics.
func (m *Metrics) Observer() room.Observer {
	if m == nil {
		return room.Observer{}
	}
	matches := m.published.WithLabelValues(match.Kind) // looked up once, because every move observes it
	moves := m.entries.WithLabelValues(match.Kind, match.KindMove)
	return room.Observer{
		Entered: func(kind, entry string) {
			of := moves
			if kind != match.Kind || entry != match.KindMove {
				of = m.entries.WithLabelValues(kind, entry)
			}
			of.Inc()
		},
		Published: func(kind string, took time.Duration) {
			of := matches
			if kind != match.Kind {
				of = m.published.WithLabelValues(kind)
			}
			of.Observe(took.Seconds())
		},
		Resumed: func(how string, _ int) { m.resumes.WithLabelValues(how).Inc() },
		Task: func(kind string, err error) {
			outcome := "done"
			if err != nil {
				outcome = "failed"
			}
			m.tasks.WithLabelValues(kind, outcome).Inc()
		},
		Quarantined: func(string, error) { m.quarantines.Inc() },
		Fenced:      func(string) { m.fences.Inc() },
		Outage:      func(string) { m.outages.Inc() },
	}
}

// Refused counts a refusal. Its labels are codes of this program, never text from a client.
func (m *Metrics) Refused(code refusal.Code) {
	if m != nil {
		m.refusals.WithLabelValues(string(code)).Inc()
	}
}

// Closed counts a socket that has ended.
func (m *Metrics) Closed(code socket.Code) {
	if m != nil {
		label := code.String()
		if label[0] <= '9' { // the peer chose this number: it gets no label of its own
			label = "other"
		}
		m.closes.WithLabelValues(label).Inc()
	}
}

// Pushed counts what came of a message to a device.
func (m *Metrics) Pushed(o push.Outcome) {
	if m != nil {
		m.pushed.WithLabelValues(string(o)).Inc()
	}
}

// Said counts a line of chat.
func (m *Metrics) Said() {
	if m != nil {
		m.chat.Inc()
	}
}
