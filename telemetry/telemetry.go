// Package telemetry counts what a server does, for Prometheus: questions by what
// made them and how they ended, how long people took, how late waiters in other
// processes were told, what the store and the models take, and how much is open.
//
//	m := telemetry.New(&telemetry.Options{Servers: []string{"tracker"}})
//	store := m.Store(inner)
//	hub := parley.New(store, &parley.Options{Hooks: m.Hooks(), Woken: m.Woken})
//	m.Watch(telemetry.State{Runs: runtime.InProgress})
//	mux.Handle("GET /metrics", m.Handler())
//
// It is the only package that knows Prometheus: the others have narrow hooks.
// Labels are names of the configuration and words of this program. No person, no
// tenant, no question and nothing that somebody sent is one, so there are a few
// hundred series however many people there are.
//
// Everything here is safe for concurrent use.
package telemetry

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// Options configures Metrics. Nil and zero fields mean the defaults.
type Options struct {
	Servers  []string // the names that counters tell apart; all others are "other"
	Channels []string // by which people are told; as Servers
	Version  string   // of the program; default unknown
}

// other is the label of whatever has no label of its own.
const other = "other"

// triggers are those that are told apart.
var triggers = []string{
	parley.TriggerTool, parley.TriggerApproval, parley.TriggerCredential, parley.TriggerMCP, parley.TriggerA2A, parley.TriggerApprovers,
	parley.TriggerProgram, other,
}

var ends = []parley.End{parley.Answered, parley.Declined, parley.Dismissed, parley.Expired, parley.Withdrawn, parley.Superseded}

// Metrics are what is counted. Make them with New.
type Metrics struct {
	registry *prometheus.Registry
	servers  []string
	channels []string

	opened, settled         *prometheus.CounterVec
	wait                    *prometheus.HistogramVec
	wakeUp                  prometheus.Histogram
	refused, appRefused     *prometheus.CounterVec
	untold                  *prometheus.CounterVec
	storeTime, modelTime    *prometheus.HistogramVec
	storeErrors, modelError *prometheus.CounterVec
}

// Times that people take, and times that machines take.
var (
	peopleBuckets  = []float64{1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 24 * 3600, 3 * 24 * 3600, 7 * 24 * 3600}
	machineBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	modelBuckets   = []float64{.1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}
)

// New returns metrics that have counted nothing.
func New(opts *Options) *Metrics {
	if opts == nil {
		opts = &Options{}
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(), servers: opts.Servers, channels: opts.Channels,
		opened:  counter("parley_questions_opened_total", "Questions that were opened here, by what made a program ask.", "trigger"),
		settled: counter("parley_questions_settled_total", "Questions that were settled here, by how they ended.", "trigger", "end"),
		wait:    histogram("parley_question_wait_seconds", "How long questions that were settled here had been open.", peopleBuckets, "trigger", "end"),
		wakeUp: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "parley_wakeup_seconds", Help: "How long after a question was settled in another process a waiter here had its outcome.", Buckets: machineBuckets,
		}),
		refused:     counter("parley_credentials_refused_total", "Requests that a server did not take for their credential: round trips for nothing.", "server"),
		appRefused:  counter("parley_app_answers_refused_total", "Answers of apps inside MCP clients, and questions of other endpoints, that were refused to them, by why.", "reason"),
		untold:      counter("parley_notifications_failed_total", "Notifications that a channel did not take, each attempt.", "channel"),
		storeTime:   histogram("parley_store_seconds", "What operations of the store take.", machineBuckets, "operation"),
		storeErrors: counter("parley_store_errors_total", "Operations of the store that failed.", "operation"),
		modelTime:   histogram("parley_model_seconds", "What messages of models take.", modelBuckets, "model"),
		modelError:  counter("parley_model_errors_total", "Messages of models that failed.", "model"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_build_info", Help: "The version of this program.", ConstLabels: prometheus.Labels{"version": opts.Version}})
	build.Set(1)
	m.registry.MustRegister(m.opened, m.settled, m.wait, m.wakeUp, m.refused, m.appRefused, m.untold, m.storeTime, m.storeErrors, m.modelTime, m.modelError, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.begin()
	return m
}

// begin makes the series that there will be: one that is born with its first event
// has no rate for it.
func (m *Metrics) begin() {
	for _, trigger := range triggers {
		m.opened.WithLabelValues(trigger)
		for _, end := range ends {
			m.settled.WithLabelValues(trigger, string(end))
		}
	}
	for _, server := range append(slices.Clone(m.servers), other) {
		m.refused.WithLabelValues(server)
	}
	for _, channel := range append(slices.Clone(m.channels), other) {
		m.untold.WithLabelValues(channel)
	}
	for _, reason := range mcptool.Refusals {
		m.appRefused.WithLabelValues(reason)
	}
	for _, operation := range operations {
		m.storeErrors.WithLabelValues(operation)
	}
}

// Hooks count the questions of a hub.
func (m *Metrics) Hooks() []parley.Hook {
	return []parley.Hook{
		parley.After(parley.OpeningFinish, func(_ context.Context, o *parley.Opening) error {
			m.opened.WithLabelValues(known(o.Request.Trigger, triggers)).Inc()
			return nil
		}),
		parley.After(parley.AnsweringFinish, func(_ context.Context, a *parley.Answering) error {
			trigger, end := known(a.Request.Trigger, triggers), string(a.Outcome.Ended())
			m.settled.WithLabelValues(trigger, end).Inc()
			m.wait.WithLabelValues(trigger, end).Observe(a.Outcome.At.Sub(a.Request.Created).Seconds())
			return nil
		}),
	}
}

// Woken counts a waiter that another process woke. It is for parley.Options.
func (m *Metrics) Woken(late time.Duration) { m.wakeUp.Observe(max(0, late).Seconds()) }

// AppRefused counts an answer of an app that was refused. It is for mcptool.Options.
func (m *Metrics) AppRefused(reason string) {
	m.appRefused.WithLabelValues(known(reason, mcptool.Refusals)).Inc()
}

// Refused counts a request that a server refused. It is for vault.Options.
func (m *Metrics) Refused(server string) { m.refused.WithLabelValues(known(server, m.servers)).Inc() }

// Untold counts an attempt to tell somebody that failed. It is for notify.Options.
func (m *Metrics) Untold(channel string) { m.untold.WithLabelValues(known(channel, m.channels)).Inc() }

// known is a name among those that are told apart, or other.
func known(name string, names []string) string {
	if slices.Contains(names, name) {
		return name
	}
	return other
}

// Handler tells what was counted, in the text format of Prometheus and in
// OpenMetrics. It does not ask who wants to know.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 3, EnableOpenMetrics: true})
}

// failed reports whether a store failed: what it has a name for is an answer.
func failed(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	for _, answer := range []error{parley.ErrExists, parley.ErrTooManyPending, parley.ErrNotFound, parley.ErrSettled, parley.ErrConflict, parley.ErrQuery, parley.ErrTooLarge, parley.ErrInvalid} {
		if errors.Is(err, answer) {
			return false
		}
	}
	return true
}
