package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/telemetry"
)

const metricsPath = "/metrics"

// openMetrics makes what counts, if anybody is to see it. It comes first: the store,
// the hub and the models are counted.
func (s *Server) openMetrics(context.Context) error {
	if listen, shared := s.cfg.MetricsAt(); listen == "" && !shared {
		return nil
	}
	notices, err := s.cfg.Notices()
	if err != nil {
		return err
	}
	channels := []string{notify.Callbacks}
	for _, choice := range notices.Channels {
		channels = append(channels, choice.Channel)
	}
	s.metrics = telemetry.New(&telemetry.Options{Servers: config.Keys(s.cfg.Servers), Channels: channels, Version: s.opts.Version})
	return nil
}

// measuredStore is the store, timed if metrics are seen.
func (s *Server) measuredStore(inner backend.Store) backend.Store {
	if s.metrics == nil {
		return inner
	}
	return s.metrics.Store(inner)
}

// measuredHub adds to a hub's options what counts its questions, and these hooks.
func (s *Server) measuredHub(opts *parley.Options, more ...parley.Hook) *parley.Options {
	opts.Hooks = append(opts.Hooks, more...)
	if s.metrics != nil {
		opts.Hooks, opts.Woken = append(opts.Hooks, s.metrics.Hooks()...), s.metrics.Woken
	}
	return opts
}

func (s *Server) measuredModel(name string, inner agent.Model) agent.Model {
	if s.metrics == nil {
		return inner
	}
	return s.metrics.Model(name, inner)
}

// refused is told of requests that servers refused for their credentials.
func (s *Server) refused() func(server string) {
	if s.metrics == nil {
		return nil
	}
	return s.metrics.Refused
}

// untold counts attempts to tell somebody that failed, if anybody sees it.
func (s *Server) untold() func(channel string) {
	if s.metrics == nil {
		return nil
	}
	return s.metrics.Untold
}

// appRefusals counts answers of apps that are refused, if anybody sees it.
func (s *Server) appRefusals() func(string) {
	if s.metrics == nil {
		return nil
	}
	return s.metrics.AppRefused
}

// mountMetrics says how much is open, and shows the metrics beside everything else
// if they have no listener of their own. It comes last.
func (s *Server) mountMetrics(mux *http.ServeMux) {
	if s.metrics == nil {
		return
	}
	state := telemetry.State{
		Nodes: s.node.Count, Runs: s.Agents.InProgress, Outbox: s.Outbox.State,
		Sessions: func() (n int) {
			if s.Gateway != nil {
				n = s.Gateway.Sessions()
			}
			if s.offered != nil {
				n += s.offered.Sessions()
			}
			return n
		},
	}
	if s.traces != nil {
		state.Spans = func() (sent, dropped int64) { return s.traces.Sent(), s.traces.Dropped() }
	}
	if questions, ok := s.store.(telemetry.Questions); ok {
		state.Pending = telemetry.PendingIn(questions)
	}
	if s.Gateway != nil {
		state.Parked = s.Gateway.Parked
	}
	s.metrics.Watch(state)
	if _, shared := s.cfg.MetricsAt(); shared {
		mux.Handle("GET "+metricsPath, s.metricsHandler())
	}
}

// metricsHandler shows the metrics to who has the token, where there is one.
func (s *Server) metricsHandler() http.Handler {
	show := s.metrics.Handler()
	token := ""
	if m := s.cfg.Telemetry.Metrics; m != nil {
		token = m.Token.Reveal()
	}
	if token == "" { // the configuration allows it on this machine only
		return show
	}
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(sent))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) == 0 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="metrics"`)
			http.Error(w, "metrics are for whoever has telemetry.metrics.token", http.StatusUnauthorized)
			return
		}
		show.ServeHTTP(w, r)
	})
}

// listenMetrics opens the listener that metrics have of their own; nil: they have
// none. Its caller serves it.
func (s *Server) listenMetrics() (net.Listener, *http.Server, error) {
	address, _ := s.cfg.MetricsAt()
	if address == "" {
		return nil, nil, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, fmt.Errorf("telemetry.metrics.listen: %v", err) // it is not the server's own address that is taken
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+metricsPath, s.metricsHandler())
	return listener, &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}, nil
}
