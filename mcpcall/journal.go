package mcpcall

import (
	"context"
	"encoding/json"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// Journal is what a call needs to be run again from its start. mcptool.Call and
// agent.Invocation each adapt to it.
type Journal interface {
	Recall(name string, into any) (bool, error)
	Remember(ctx context.Context, name string, value any) error
	// Note is Remember with what is written next: at the latest before a question that
	// is asked then is open.
	Note(ctx context.Context, name string, value any) error
	// Once does what is not done again when the call runs again. It is
	// mcptool.ErrInterrupted when it was begun, and what came of it is not known.
	Once(ctx context.Context, name string, do func(context.Context) (Reply, error)) (Reply, error)
	// Ask asks the person, all questions at once. mcptool.ErrSuspended: the call
	// ends, and is run again when there is an answer.
	Ask(ctx context.Context, all []mcptool.Asking) ([]mcptool.Answer[json.RawMessage], []error)
}

// Past is that of a journal in which an earlier call for the same may have written.
type Past interface {
	Kept() bool                                   // there is something in it already
	TakeUp(ctx context.Context) error             // goes on with an earlier call, if there is one
	Begin(ctx context.Context, name string) error // notes that something is begun that is not done twice
	Begun(name string) bool                       // whether it was
	Undo(name string)                             // it was not, after all
}

// noPast is that of who has none: whoever runs the call again knows what was begun.
type noPast struct{}

func (noPast) Kept() bool                          { return false }
func (noPast) TakeUp(context.Context) error        { return nil }
func (noPast) Begin(context.Context, string) error { return nil }
func (noPast) Begun(string) bool                   { return false }
func (noPast) Undo(string)                         {}

// Client is what the caller's client can do while a call is under way.
type Client interface {
	Supports(mode parley.Mode) bool
	Progress(ctx context.Context, progress, total float64, message string)
	Contact() *mcptool.Contact // nil: it can be told nothing, and lends nothing
}

// noClient shows every question and can be told nothing else.
type noClient struct{}

func (noClient) Supports(parley.Mode) bool                          { return true }
func (noClient) Progress(context.Context, float64, float64, string) {}
func (noClient) Contact() *mcptool.Contact                          { return nil }

// askOne asks one question.
func (c *Call) askOne(ctx context.Context, mode parley.Mode, build func(parley.ID) parley.Request, opts *mcptool.URLOptions) (mcptool.Answer[json.RawMessage], error) {
	answers, errs := c.Journal.Ask(ctx, []mcptool.Asking{{Mode: mode, Build: build, Options: opts}})
	return answers[0], errs[0]
}
