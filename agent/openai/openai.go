// Package openai has models behind OpenAI's chat completions: OpenAI's own, and
// those of every server that speaks the same format under a base URL of its own.
//
// A [Model] is an agent.Model:
//
//	model, err := openai.New(&openai.Options{BaseURL: "http://127.0.0.1:11434/v1", Model: "qwen3"})
//	assistant := &agent.Agent{Name: "assistant", Model: model}
//
// Texts stream as they come. What a server adds to a message beyond the format,
// such as its reasoning, is kept with the message and goes back to that server
// with the next request. Failures have a sentence for the person; the key is in
// none of them. Neither key nor address is read from the environment.
//
// A Model is safe for concurrent use.
package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/internal/modelserver"
)

const home = "https://api.openai.com/v1"

// Options say which model it is and how it is asked.
type Options struct {
	BaseURL string       // up to /chat/completions; default: OpenAI's
	APIKey  string       // default: none is sent
	Model   string       // its name at the server; there is no default
	Client  *http.Client // default: one of its own. Redirects are not followed, whatever it says

	MaxTokens   int           // of an answer; default: what the server has
	Temperature *float64      // default: what the server has
	Patience    time.Duration // how long the server may send nothing; default ten minutes

	// Plain sends a model's messages back without what the server added to the
	// format, for servers that do not take their own additions. Default: false.
	Plain bool
	// TextOnly is for models that see no images: those of tools' results are left out,
	// and the model is told. Default: they are sent.
	TextOnly bool
	// Fields are added to each request as they are, such as reasoning_effort.
	// Default: none.
	Fields map[string]any
}

// Model is a model that is asked for chat completions.
type Model struct {
	opts   Options
	server *modelserver.Server
}

var _ agent.Model = (*Model)(nil)

// New returns a model. It does not contact the server.
func New(opts *Options) (*Model, error) {
	if opts == nil || opts.Model == "" {
		return nil, errors.New("openai: name a model")
	}
	m := &Model{opts: *opts}
	if m.opts.BaseURL == "" {
		m.opts.BaseURL = home
	}
	var err error
	m.opts.Fields, err = modelserver.Fields(opts.Fields, "model", "messages", "tools", "functions", "stream", "n")
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	header := http.Header{}
	if opts.APIKey != "" {
		header.Set("Authorization", "Bearer "+opts.APIKey)
	}
	m.server, err = modelserver.New(&modelserver.Options{
		BaseURL: m.opts.BaseURL, Key: opts.APIKey, Header: header, Client: opts.Client, Patience: opts.Patience,
	})
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	return m, nil
}

// Generate asks for the next message. An answer that does not come to its end is
// an error, except where the model ran out of tokens or its provider stopped it:
// then the text so far is the message, and calls that are not complete are left
// out; there may be neither. Errors are those of the context, or have an *agent.PublicError.
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
	err = m.ask(ctx, body, &came, emit)
	if errors.Is(err, modelserver.ErrWithheld) {
		came.finish, came.calls, err = "content_filter", nil, nil // the same, said in another way
	}
	if err != nil {
		return agent.Reply{}, err
	}
	return m.reply(&came)
}

// ask sends the request and reads the message, as far as it is read.
func (m *Model) ask(ctx context.Context, body map[string]any, came *message, emit func(text string)) error {
	ctx, exchange := m.server.Begin(ctx)
	defer exchange.End()
	if err := exchange.Send(ctx, "/chat/completions", body); err != nil {
		return err
	}
	for !came.full() {
		event, err := exchange.Next(ctx)
		switch {
		case errors.Is(err, io.EOF) && came.finish == "":
			return exchange.Ended(ctx, came.choices > 0)
		case errors.Is(err, io.EOF), came.finish != "" && isFailure(err):
			return nil // what is lost behind the end of a message is not missed
		case err != nil:
			return err
		case bytes.HasPrefix(event.Data, []byte("[DONE]")):
			exchange.Whole()
			if came.finish == "" {
				return exchange.Ended(ctx, came.choices > 0)
			}
			return nil
		}
		chunk, err := readChunk(event.Data)
		if err != nil {
			return exchange.Failed(ctx, err)
		}
		if event.Name == "error" || isSet(chunk.Error) {
			return m.server.Refused(modelserver.ReadFault(http.StatusOK, event.Data))
		}
		came.add(chunk, emit)
	}
	came.finish = "length" // what comes beyond is not read
	return nil
}

// isFailure tells what became of the connection from what ended the context.
func isFailure(err error) bool {
	var public *agent.PublicError
	return errors.As(err, &public)
}
