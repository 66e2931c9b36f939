// Package agent runs agents: programs that talk with a person, call tools on
// their behalf, and ask before they go on where a person must decide.
//
// An [Agent] is a definition: a model, instructions, toolboxes and other agents
// to delegate to. A [Run] is one turn of a conversation with it: a record that
// is written before each step, so that whatever process is still there goes on
// with it. A [Toolbox] lists and calls tools; where a person has to be asked
// first it returns a [Pause] with the questions, and is called again when they
// are settled. Surfaces [Runtime.Start] runs and [Runtime.Follow] them.
//
//	rt, err := agent.New(hub, records, keys, &agent.Options{Agents: agents})
//	go rt.Run(ctx)
//	run, err := rt.Start(ctx, alice, agent.Message{Conversation: "c1", Text: "Close ticket 7", CanAsk: true})
//	for f := rt.Follow(alice, run); ; {
//		event, err := f.Next(ctx)
//		…
//	}
//
// A run that only waits for a person costs its record. When one of its
// questions is settled, any process that shares the records goes on with it. A
// process that dies is replaced when its lease ends, or as soon as the records
// know of its death (parley.Attendance). A tool call that had
// started and has no result is not made again, unless the tool says that this
// does no harm: the model is told that the result is unknown.
//
// A Runtime is safe for concurrent use.
package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/parley-hq/parley"
)

// Agent is what an agent is made of.
type Agent struct {
	Name         string
	Description  string // for agents that may delegate to it
	Instructions string
	// Input is a JSON schema of an object: what those give who call the agent as a
	// tool, over MCP. The turn's text is then that object; InputOf reads it. Default:
	// they give a message.
	Input     json.RawMessage
	Model     Model
	ModelName string // what traces call the model; default: nothing
	Toolboxes []Toolbox
	// ExtraToolboxes returns further toolboxes of a caller. It is asked before each message
	// of the model and before each call, so they may change. One with a name that
	// is taken is left out.
	ExtraToolboxes func(ctx context.Context, who Caller) ([]Toolbox, error)

	Delegates []string // names of agents of the same runtime
	// Relays says that the agent has nothing to say of its own: what its last call brought
	// is its answer, and where that failed, so has what was delegated to it.
	Relays bool
	// TTL is how long its questions stay open, unless its message says otherwise.
	// Default: Options.TTL.
	TTL     time.Duration
	Steps   int // how often the model may be asked in one turn; default 20
	History int // how much of the earlier turns the model is given, in bytes; default 128 KiB; negative: as much as it takes

	// Before and After run ahead of and behind the loop of model and tools. They
	// may ask with Elicit, and are run again from their start when the answer is
	// there: what must happen once belongs into a tool.
	Before, After func(ctx context.Context, t *Turn) error
}

// Model writes the next message of a conversation.
type Model interface {
	// Generate streams text to emit as it comes and returns the whole message.
	// It is called again after a crash, so it must not act by itself.
	Generate(ctx context.Context, p Prompt, emit func(text string)) (Reply, error)
}

// Prompt is what a model is asked.
type Prompt struct {
	Agent        string
	Instructions string
	Messages     []PromptMessage
	Tools        []Tool
}

// Role is whose message it is.
type Role string

// The roles.
const (
	FromUser  Role = "user"
	FromModel Role = "assistant"
	FromTools Role = "tool"
)

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    Role
	Text    string       // FromUser, FromModel
	Calls   []ToolCall   // FromModel
	Native  []byte       // FromModel: what the model returned as its own, sent back unchanged
	Results []ToolResult // FromTools: one for each call of the message before
}

// Reply is a model's message.
type Reply struct {
	Text   string
	Calls  []ToolCall
	Native []byte // the message in the model's own form, if it wants it back
	Cut    Cut    // why it is not all that the model would have said; default: it is
}

// MaxMessage is how many bytes a model writes in one message: its text, its calls
// and what it thinks. What comes beyond is not read, and the message is cut
// (CutByLength).
const MaxMessage = 1 << 20

// MaxCalls is how many calls of one message are made. Those beyond fail, and the model is
// told: they are all written into the turn together, each time that one of them moves.
const MaxCalls = 128

// maxWritten is how many bytes of text models write in one turn.
const maxWritten = 4 * MaxMessage

// Cut says why a message is shorter than the model meant it to be.
type Cut string

// The reasons.
const (
	CutByLength   Cut = "length"         // it reached the longest that the model may write
	CutByProvider Cut = "content_filter" // the model's provider stopped it
)

// ToolCall is a model's wish to call a tool.
type ToolCall struct {
	ID   string
	Tool string // the name as it was in Prompt.Tools
	Args []byte // a JSON object
}

// ToolResult is what became of a call.
type ToolResult struct {
	CallID  string
	Tool    string
	Text    string
	Content []Content // images have their Data if the model is to see them
	Failed  bool
}

// PublicError is a failure whose text is fit for the person. Other errors of a
// model are logged, and the person is told that something went wrong.
type PublicError struct {
	Text  string
	Code  string // for surfaces that have to tell this failure from others. Never what a server or a tool said
	Cause error
}

func (e *PublicError) Error() string { return e.Text }
func (e *PublicError) Unwrap() error { return e.Cause }

// The errors of this package.
var (
	ErrUnknownAgent = errors.New("there is no such agent: check its name")
	ErrInvalid      = errors.New("invalid agent")
	ErrNoPerson     = errors.New("a conversation belongs to a person, or to a program with a key: sign in")
	ErrNoRun        = errors.New("nothing runs in this conversation")
	// ErrSuspended is returned to Before and After when the answer is not there
	// yet. They return it.
	ErrSuspended = errors.New("suspended until the person has answered")
)

// Agent names are parts of tool names.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$`)

func (a *Agent) validate(all map[string]*Agent) error {
	var problems []error
	if !nameForm.MatchString(a.Name) {
		problems = append(problems, errors.New("a name has letters, digits, - and _, 48 at most"))
	}
	if a.Model == nil {
		problems = append(problems, errors.New("it has no model"))
	}
	if err := CheckInput(a.Input); err != nil {
		problems = append(problems, err)
	}
	seen := map[string]bool{}
	for _, box := range a.Toolboxes {
		if !nameForm.MatchString(box.Name()) || seen[box.Name()] {
			problems = append(problems, fmt.Errorf("toolbox %q: its name is not one, or is there twice", box.Name()))
		}
		seen[box.Name()] = true
	}
	for _, name := range a.Delegates {
		if all[name] == nil {
			problems = append(problems, fmt.Errorf("it delegates to %q, which is not there", name))
		}
	}
	if len(problems) > 0 {
		return &InvalidError{Agent: a.Name, Problem: errors.Join(problems...)}
	}
	return nil
}

// InvalidError is what is wrong with an agent. It is an ErrInvalid.
type InvalidError struct {
	Agent   string // its name
	Problem error
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("%v %q: %v", ErrInvalid, e.Agent, e.Problem)
}

// Unwrap is for package errors.
func (e *InvalidError) Unwrap() []error { return []error{ErrInvalid, e.Problem} }

// Caller is on whose behalf a tool is listed or called.
type Caller struct {
	parley.Principal
	Agent        string
	Conversation string // that the person sees, also for an agent that was delegated to
	// Circle is set where not the person but a model writes the messages: what the
	// person refused is refused in all of the circle, whatever is said in it.
	Circle string
	// Chain are the agents that the task has come through, the first first and Agent
	// last, here and at other sites, so that it does not go round among them. Each is
	// called as its own site calls it (Runtime.ChainName): others cannot read it.
	Chain  []string
	CanAsk bool // somebody shows questions to the person
}
