package server

import (
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/telemetry"
	"github.com/parley-hq/parley/tracing"
)

// openTraces makes what tells a collector of spans, if one is configured.
func (s *Server) openTraces() (err error) {
	c := s.cfg.Telemetry.OTLP
	if c == nil {
		return nil
	}
	client := *s.client.For(outbound.Operator)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the headers are for this address
	s.traces, err = telemetry.NewTraces(&telemetry.TracesOptions{
		Endpoint: c.Endpoint, Headers: c.Sent(), Sample: c.Sampled(), Client: &client, Version: s.opts.Version, Node: s.node.ID(), Logger: s.opts.Logger,
	})
	return err
}

// tracer is who is told of spans; nil: nobody.
func (s *Server) tracer() tracing.Tracer {
	if s.traces == nil {
		return nil
	}
	return s.traces
}

// traceHooks tell of questions.
func (s *Server) traceHooks() []parley.Hook {
	if s.traces == nil {
		return nil
	}
	return s.traces.Hooks()
}

// traced puts requests into the trace that they say they belong to. Nobody is told of a
// span for what a stranger sends: what is told of is done for somebody who is known.
func (s *Server) traced(next http.Handler) http.Handler {
	if s.traces == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := tracing.OfHeader(r.Header); c.Valid() {
			r = r.WithContext(tracing.With(r.Context(), c))
		}
		next.ServeHTTP(w, r)
	})
}
