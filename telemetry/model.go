package telemetry

import (
	"context"
	"time"

	"github.com/parley-hq/parley/agent"
)

// Model returns a model whose messages are counted and timed under a name of the
// configuration.
func (m *Metrics) Model(name string, inner agent.Model) agent.Model {
	m.modelTime.WithLabelValues(name)
	m.modelError.WithLabelValues(name)
	return &model{name: name, inner: inner, metrics: m}
}

type model struct {
	name    string
	inner   agent.Model
	metrics *Metrics
}

func (o *model) Generate(ctx context.Context, p agent.Prompt, emit func(text string)) (agent.Reply, error) {
	began := time.Now()
	reply, err := o.inner.Generate(ctx, p, emit)
	o.metrics.modelTime.WithLabelValues(o.name).Observe(time.Since(began).Seconds())
	if err != nil && ctx.Err() == nil {
		o.metrics.modelError.WithLabelValues(o.name).Inc()
	}
	return reply, err
}
