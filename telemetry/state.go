package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// State is how much is open just now. What is nil is not told.
type State struct {
	// Pending, by trigger, and Nodes are read from the store: of all processes.
	Pending func(context.Context) (map[string]int, error)
	Nodes   func(context.Context) (int, error)
	// The rest is this process's own.
	Runs, Sessions, Parked func() int
	// Outbox is how much of it there is, and for how long the first that is due has
	// been.
	Outbox func() (size int, behind time.Duration)
	// Spans are how many a collector took, and how many it was not told of.
	Spans func() (sent, dropped int64)
}

// What is read from the store is believed for a while, and read within a bound:
// whoever asks often costs the store nothing, and one that hangs does not hold who
// asks.
const (
	believed   = 5 * time.Second
	readWithin = 2 * time.Second
)

// Watch tells of state whenever somebody asks for the metrics. It is called once.
func (m *Metrics) Watch(state State) {
	if state.Pending != nil {
		m.registry.MustRegister(&reading{
			desc: prometheus.NewDesc("parley_questions_pending", "Questions that wait for a person, in the whole store, by what made a program ask.", []string{"trigger"}, nil),
			read: state.Pending,
		})
	}
	if state.Nodes != nil {
		m.registry.MustRegister(&reading{
			desc: prometheus.NewDesc("parley_nodes", "Processes that share the store, by their leases.", nil, nil),
			read: func(ctx context.Context) (map[string]int, error) {
				n, err := state.Nodes(ctx)
				return map[string]int{"": n}, err
			},
		})
	}
	for _, one := range []struct {
		name, help string
		read       func() int
	}{
		{"parley_runs_in_progress", "Runs of agents that a model or a tool is at, in this process.", state.Runs},
		{"parley_mcp_sessions", "Sessions of MCP clients up to 2025-11-25 that live in this process.", state.Sessions},
		{"parley_parked_calls", "Calls that this process holds whose servers wait for a person on their connections.", state.Parked},
	} {
		if one.read != nil {
			m.gauge(one.name, one.help, func() float64 { return float64(one.read()) })
		}
	}
	if state.Spans != nil {
		m.counter("parley_spans_sent_total", "Spans that the OTLP collector took.", func() int64 { sent, _ := state.Spans(); return sent })
		m.counter("parley_spans_dropped_total", "Spans that the OTLP collector was not told of, or did not take.", func() int64 { _, dropped := state.Spans(); return dropped })
	}
	if state.Outbox != nil {
		m.gauge("parley_outbox_questions", "Questions of which somebody will be told, or programs of their outcomes.", func() float64 {
			size, _ := state.Outbox()
			return float64(size)
		})
		m.gauge("parley_outbox_behind_seconds", "How long the first of those that are due has been due.", func() float64 {
			_, behind := state.Outbox()
			return behind.Seconds()
		})
	}
}

// counter is a number that somebody else counts.
func (m *Metrics) counter(name, help string, read func() int64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return float64(read()) }))
}

func (m *Metrics) gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// reading is a number that is read from the store, for each value of its label; of
// one without a label for "". While the store does not answer there is none.
type reading struct {
	desc *prometheus.Desc
	read func(context.Context) (map[string]int, error)

	mu     sync.Mutex
	until  time.Time
	values map[string]int
	err    error
}

func (r *reading) Describe(to chan<- *prometheus.Desc) { to <- r.desc }

func (r *reading) Collect(to chan<- prometheus.Metric) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); !now.Before(r.until) {
		ctx, stop := context.WithTimeout(context.Background(), readWithin)
		r.values, r.err = r.read(ctx)
		stop()
		r.until = time.Now().Add(believed)
	}
	if r.err != nil {
		return
	}
	for label, n := range r.values {
		var labels []string
		if label != "" {
			labels = []string{label}
		}
		to <- prometheus.MustNewConstMetric(r.desc, prometheus.GaugeValue, float64(n), labels...)
	}
}
