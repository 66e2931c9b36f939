// Package anthropic has models behind Anthropic's messages: Claude, and the
// models of servers that speak the same format under a base URL of their own.
//
// A [Model] is an agent.Model:
//
//	model, err := anthropic.New(&anthropic.Options{APIKey: key, Model: "claude-sonnet-4-5"})
//	assistant := &agent.Agent{Name: "assistant", Model: model}
//
// Texts stream as they come. What a model thought is kept with its message, with
// its signature, and goes back to the server it came from with the next request,
// as the server insists. Failures have a sentence for the person; the key is in
// none of them. Neither key nor address is read from the environment.
//
// A Model is safe for concurrent use.
package anthropic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

const (
	home    = "https://api.anthropic.com"
	version = "2023-06-01" // of the format
)

// Options say which model it is and how it is asked.
type Options struct {
	BaseURL string       // up to /v1/messages, with or without the /v1; default: Anthropic's
	APIKey  string       // default: none is sent
	Model   string       // its name at the server; there is no default
	Client  *http.Client // default: one of its own. Redirects are not followed, whatever it says

	MaxTokens   int           // of an answer, thoughts included; default 4096
	Temperature *float64      // default: what the server has
	Patience    time.Duration // how long the server may send nothing; default ten minutes

	// TextOnly is for models that see no images: those of tools' results are left out,
	// and the model is told. Default: they are sent.
	TextOnly bool
	// Fields are added to each request as they are, such as thinking or
	// cache_control. Default: none.
	Fields map[string]any
}

// Model is a model that is asked for messages.
type Model struct {
	opts   Options
	server *modelserver.Server
}

var _ agent.Model = (*Model)(nil)

// New returns a model. It does not contact the server.
func New(opts *Options) (*Model, error) {
	if opts == nil || opts.Model == "" {
		return nil, errors.New("anthropic: name a model")
	}
	m := &Model{opts: *opts}
	if m.opts.BaseURL == "" {
		m.opts.BaseURL = home
	}
	if m.opts.MaxTokens <= 0 {
		m.opts.MaxTokens = 4096
	}
	var err error
	m.opts.Fields, err = modelserver.Fields(opts.Fields, "model", "messages", "system", "tools", "stream")
	if err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	header := http.Header{"Anthropic-Version": {version}}
	if opts.APIKey != "" {
		header.Set("X-Api-Key", opts.APIKey)
	}
	base := strings.TrimSuffix(strings.TrimRight(m.opts.BaseURL, "/"), "/v1")
	m.server, err = modelserver.New(&modelserver.Options{
		BaseURL: base, Key: opts.APIKey, Header: header, Client: opts.Client, Patience: opts.Patience,
	})
	if err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	return m, nil
}

// Generate asks for the next message. An answer that does not come to its end is
// an error, except where the model ran out of tokens or was stopped: then the
// text so far is the message, and calls that are not complete are left out; there
// may be neither.
// Errors are those of the context, or have an *agent.PublicError.
func (m *Model) Generate(ctx context.Context, p agent.Prompt, emit func(text string)) (agent.Reply, error) {
	return modelserver.Seeing(p, m.opts.TextOnly, emit, func(p agent.Prompt, emit func(string)) (agent.Reply, error) {
		return m.generate(ctx, p, emit)
	})
}

func (m *Model) generate(ctx context.Context, p agent.Prompt, emit func(text string)) (agent.Reply, error) {
	body, err := m.request(p)
	if err != nil {
		return agent.Reply{}, err
	}
	var came message
	if err := m.ask(ctx, body, &came, emit); err != nil {
		return agent.Reply{}, err
	}
	return m.reply(&came)
}

// ask sends the request and reads the message, as far as it is read.
func (m *Model) ask(ctx context.Context, body map[string]any, came *message, emit func(text string)) error {
	ctx, exchange := m.server.Begin(ctx)
	defer exchange.End()
	if err := exchange.Send(ctx, "/v1/messages", body); err != nil {
		return err
	}
	for !came.full() {
		next, err := exchange.Next(ctx)
		if errors.Is(err, io.EOF) {
			return exchange.Ended(ctx, came.begun)
		}
		if err != nil {
			return err
		}
		e, err := readEvent(next)
		if err != nil {
			return exchange.Failed(ctx, err)
		}
		if e.Type == "error" {
			return m.server.Refused(modelserver.ReadFault(http.StatusOK, next.Data))
		}
		if err := came.add(e, emit); err != nil {
			return exchange.Failed(ctx, err)
		}
		if e.Type == "message_stop" {
			exchange.Whole()
			return nil
		}
	}
	came.stop = maxTokens // what comes beyond is not read
	return nil
}
