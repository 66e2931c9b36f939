package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/parley-hq/parley"
)

// Toolbox is a set of tools, such as those of one MCP server.
//
// Its methods may be called again for the same call, by another process:
// Prepare any number of times, Call again after it returned a *Pause, and
// otherwise once, unless the tool is read-only or idempotent.
type Toolbox interface {
	Name() string

	// Tools lists the tools that the caller has. A *Pause means that the person
	// has to be asked first: the model then gets one tool that stands for the
	// box, and the question comes when it is used. Other errors are tried again
	// and then reported; the turn goes on without the box.
	Tools(ctx context.Context, who Caller) ([]Tool, error)

	// Prepare makes sure that a call may be made, and does nothing that anybody
	// would notice. A *Pause means that the person has to be asked first, a
	// *Denied that the call is not made.
	Prepare(ctx context.Context, c *Invocation) error

	// Call makes the call, and returns soon after ctx has ended. A *Pause means that it goes on when the questions are
	// settled: it is called again with the answers and the state of the pause.
	// A *Denied, and any other error, becomes the result.
	Call(ctx context.Context, c *Invocation) (Result, error)
}

// Abandoner is a Toolbox that has something to undo where a call that was begun is
// not gone on with.
type Abandoner interface {
	// Abandon is told of a call that was begun, when its run is stopped. It may be
	// told again, by another process.
	Abandon(ctx context.Context, c *Invocation) error
}

// Titled is a Toolbox that people know by another name than programs do. The
// title is its operator's word, never that of the server behind it.
type Titled interface{ Title() string }

// Delegate is a Toolbox that is an agent elsewhere. Models see its only tool as they
// see delegates of the runtime: delegate_to_NAME, with the task as its argument.
type Delegate interface{ Delegate() }

// titleOf is how people know a box; empty if that is its name.
func titleOf(box Toolbox) string {
	if t, ok := box.(Titled); ok && t.Title() != box.Name() {
		return t.Title()
	}
	return ""
}

// Tool is what a model knows of a tool.
type Tool struct {
	Name        string // in its box; models see box__name, or what is left of it with a digest
	Title       string
	Description string
	Schema      json.RawMessage // of the arguments
	// What the tool says of itself, if it does.
	ReadOnly, Idempotent, Destructive, OpenWorld *bool
}

// harmless reports whether a call may be made twice.
func (t Tool) harmless() bool {
	return t.ReadOnly != nil && *t.ReadOnly || t.Idempotent != nil && *t.Idempotent
}

// ErrUnaskable says that a question is none that a person could be shown, or one more than
// they may have.
var ErrUnaskable = errors.New("this question cannot be shown")

// ErrNobodyAsked says that a question was not asked, because the client of the
// person shows none. It is no answer: nobody declined or cancelled.
var ErrNobodyAsked = errors.New("nobody was asked: the user's client cannot show questions")

// Invocation is one call of a tool.
type Invocation struct {
	Caller
	ID   string // of this call; no other call has it, now or later
	Tool Tool
	Args json.RawMessage

	// Answers are the questions that were asked for this call so far, by their
	// keys, each with its outcome.
	Answers map[string]parley.Request
	// State is that of the last pause of Call.
	State []byte

	// Ask asks in line, for callers that cannot pause: a server that waits on an
	// open connection. The process that asks has to stay: when it is told to stop,
	// Ask fails and the call's context ends. The question is withdrawn when ctx
	// ends. A question that nobody can be shown is ErrUnaskable, and any is
	// ErrNobodyAsked where Caller.CanAsk is false.
	Ask func(ctx context.Context, key string, r parley.Request) (parley.Outcome, error)

	// Keep writes down how far the call is, for a box that acts more than once and
	// has to know after a crash what it did: it is State when the call is made
	// again, which a tool has to say that it can be. Its error says that the call is
	// not this process's any more, and nothing may be done.
	Keep func(ctx context.Context, state []byte) error

	// Progress tells whoever follows the run how far the call is. It is kept nowhere,
	// and of what comes fast only the last is told. Nil: nobody wants to know.
	Progress func(Progress)
}

// Result is what a call returned.
type Result struct {
	Text       string          `json:"text"` // for the model
	Structured json.RawMessage `json:"structured,omitempty"`
	Content    []Content       `json:"content,omitempty"` // what it has besides: images, links
	Failed     bool            `json:"failed,omitempty"`
	Code       string          `json:"code,omitempty"` // of the PublicError that it failed with
}

// Pause stops a call until its questions are settled.
type Pause struct {
	// Questions are asked under their keys, all at once. A key that was asked
	// before for this call is not asked again.
	Questions map[string]parley.Request
	// State is handed back to Call.
	State []byte
	// Any has Call called again as soon as one of the questions is settled, with the
	// answers that there are. It may pause again for the others, under their keys; if it
	// returns something else they are withdrawn. It is heeded where Call pauses.
	Any bool
}

// onlyTells reports whether nobody is asked anything: others decide, and the call
// waits for them whoever is there.
func (p *Pause) onlyTells() bool {
	for _, q := range p.Questions {
		if !q.OnlyTells() {
			return false
		}
	}
	return len(p.Questions) > 0
}

func (p *Pause) Error() string { return fmt.Sprintf("waiting for %d questions", len(p.Questions)) }

// Denied says that a call is not made because a person, or a rule, said no.
type Denied struct{ Reason string }

func (d *Denied) Error() string { return d.Reason }
