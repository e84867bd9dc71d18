package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"mancala/cmd/internal/cli"
	"mancala/match/bus/redisbus"
	"mancala/match/room"
	"mancala/match/room/interlink"
)

// link connects this instance to the other instances of the service through the Redis
// that --redis names.
type link struct {
	*interlink.Link
	bus   *redisbus.Bus
	stop  context.CancelFunc
	group sync.WaitGroup
}

// openLink opens the connections and registers the metrics of messages. self is the name
// of this instance.
func openLink(address, self string, registry prometheus.Registerer, log *slog.Logger) (*link, error) {
	bus, err := redisbus.Open(redisbus.Options{URL: address, Log: log})
	if err != nil {
		return nil, fmt.Errorf("%w: --redis: %w", cli.ErrUsage, err)
	}
	l := &link{Link: interlink.New(self, bus, log), bus: bus}
	counter := func(name, help string, f func() int64) {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mancala_" + name, Help: help}, func() float64 { return float64(f()) }))
	}
	counter("messages_sent_total", "Messages to other instances.", func() int64 { return l.Stats().Sent })
	counter("messages_received_total", "Messages from other instances.", func() int64 { return l.Stats().Received })
	counter("messages_missed_total", "Times that messages from another instance were missing.", func() int64 { return l.Stats().Missed })
	counter("messages_lost_total", "Messages that could not be sent to Redis.", bus.Lost)
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "mancala_messages_arrive", Help: "1 if messages from this instance to itself arrive."}, func() float64 {
		if l.Healthy() {
			return 1
		}
		return 0
	}))
	return l, nil
}

// run carries messages for rooms until close.
func (l *link) run(rooms *room.Registry) {
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.group.Go(func() { l.Run(ctx, rooms) })
}

// close sends the waiting messages and ends the link.
func (l *link) close() {
	if l.stop != nil {
		l.stop()
	}
	l.group.Wait()
	_ = l.bus.Close() // its connections
}
