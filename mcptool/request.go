package mcptool

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"github.com/parley-hq/parley"
)

// relayedLabel marks a question that somebody else asks through this server: the
// client is told who, in front of the message.
const relayedLabel = "mcp.relayed"

// AskRequest asks in the name of another service. build makes the request for
// its id: who asks (From), the message, the form or the URL, the trigger and the
// labels. Whose question it is, its session and its expiry are the call's. What
// the client shows begins with the service's name.
//
// opts.Key is needed: it names the question whenever the handler runs. consent
// is as in [URLOptions]. The errors are those of Elicit.
func AskRequest(ctx context.Context, c *Call, mode parley.Mode, build func(parley.ID) parley.Request, opts *URLOptions) (Answer[json.RawMessage], error) {
	// What decides how it can be asked is needed before it has an id.
	sample := build("")
	q := &question{
		mode: mode, message: sample.Message, schema: sample.Schema, url: sample.URL,
		opts: opts.ElicitOptions, consent: opts.Consent, required: opts.Required, build: build, onPage: onPage(sample),
	}
	q.opts.Trigger = sample.Trigger
	return c.ask(ctx, q)
}

// Asking is one of several questions, as AskRequest takes it.
type Asking struct {
	Mode    parley.Mode
	Build   func(parley.ID) parley.Request
	Options *URLOptions
}

// AskRequests asks several questions of other services at once. They are in the
// call's journal, by one write, before the first of them is opened. The answers
// and the errors are in the order of the questions.
func AskRequests(ctx context.Context, c *Call, asks []Asking) ([]Answer[json.RawMessage], []error) {
	answers, errs := make([]Answer[json.RawMessage], len(asks)), make([]error, len(asks))
	if len(asks) == 0 {
		return answers, errs
	}
	all := c.gather(len(asks))
	one := func(i int) {
		own := &Call{run: c.run, prefix: c.prefix, part: &part{all: all}}
		defer own.part.arrive()
		answers[i], errs[i] = AskRequest(ctx, own, asks[i].Mode, asks[i].Build, asks[i].Options)
	}
	var wg sync.WaitGroup
	for i := range asks[1:] {
		wg.Go(func() { one(i + 1) })
	}
	one(0)
	wg.Wait()
	return answers, errs
}

// relayedRequest is the request that was built, with what is the call's own.
func relayedRequest(built, own parley.Request) parley.Request {
	labels := maps.Clone(built.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, own.Labels)
	labels[relayedLabel] = "yes"
	built.ID, built.Tenant, built.To, built.Session = own.ID, own.Tenant, own.To, own.Session
	built.Mode, built.Expires, built.Labels = own.Mode, own.Expires, labels
	return built
}

// wireMessage is a question's message for the client and its model.
func wireMessage(r parley.Request) string {
	if brief := r.Labels[parley.LabelBrief]; brief != "" {
		r.Message = brief // its page shows the rest
	}
	if r.Labels[relayedLabel] != "" {
		return r.Text()
	}
	return r.Message
}
