package permit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/parley-hq/parley"
)

// Call is one tool call that is about to be made. The caller has verified who
// asks for it and gives the same Call to every step.
type Call struct {
	Tenant  string // empty: "default"
	User    string // who may approve it
	Session string // the conversation or MCP session it belongs to, if any
	// Circle names all that whoever makes the call may begin anew by itself, such
	// as the conversations of a model. What is refused in a session is refused
	// there; what is refused in a circle is refused in all of it, whatever the
	// session. Default: the session is all there is.
	Circle string

	Server, ServerTitle string // its name here, and how it is called for people, if otherwise
	Place               string // where it is, see [Place]: what is allowed at one is not at another
	Tool, ToolTitle     string
	Args                json.RawMessage // a JSON object; empty: one without members

	// ReadOnly and Destructive are the tool's annotations, nil where it has
	// none. Only a tool that is declared to be read-only, and not destructive
	// at the same time, is safe.
	ReadOnly, Destructive *bool
	// Idempotent and OpenWorld are further annotations, for conditions.
	Idempotent, OpenWorld *bool

	// ID names this very call, for example by run, step and tool call: two calls
	// with the same arguments are two calls, and a call that is taken up again
	// after a crash is the same. One that a model has chosen alone will not do:
	// when it repeats itself, the second call counts as made.
	ID string

	// Asked says who may have been asked about this very call before, as whoever makes it
	// knows: they are needed still, whatever the rules say by now, and what they said counts.
	Asked Asked

	// Agent and Client say for approvers who makes the call: the agent, by its name
	// here, and the program, by what it calls itself. What is gathered for one agent
	// is for no other.
	Agent, Client string

	// Choices are what its person may say: Decision.Choices. Default: everything.
	Choices []Choice
	// Page has the person decide on the page of the question and nowhere else:
	// Decision.Page.
	Page bool
	// Sign is the rule that has the person sign with a passkey: Decision.Sign.
	Sign string
	// Schema is the tool's input schema: whoever is asked can change arguments that it
	// knows. Default: nobody can.
	Schema json.RawMessage
	// Changed are the arguments with which it is made instead of Args, once somebody
	// has allowed it so: Decision.Changed. Default: Args.
	Changed json.RawMessage
}

// Asked is who was asked about a call before.
type Asked int

// Who was asked.
const (
	AskedNobody Asked = iota
	AskedPerson
	AskedApprovers
)

// Place names where a server is, so that an approval does not follow its name to
// another one. A server has a URL, or is a command.
func Place(url string, command []string) string {
	if url != "" || len(command) == 0 {
		return url
	}
	words, _ := json.Marshal(command) // strings cannot fail
	return string(words)
}

func (c Call) readOnly() bool {
	return c.ReadOnly != nil && *c.ReadOnly && (c.Destructive == nil || !*c.Destructive)
}

// annotations are those of the tool, with the value that MCP gives to those it
// does not declare.
func (c Call) annotations() map[string]bool {
	or := func(declared *bool, otherwise bool) bool {
		if declared != nil {
			return *declared
		}
		return otherwise
	}
	readOnly := or(c.ReadOnly, false)
	return map[string]bool{
		"read_only": readOnly, "destructive": or(c.Destructive, !readOnly),
		"idempotent": or(c.Idempotent, false), "open_world": or(c.OpenWorld, true),
	}
}

// Digest is the same for two calls exactly when they call the same tool of the
// same tenant's server at the same place with the same canonical arguments: the
// SHA-256, in base64, of a version, the tenant, the server, its place if that is
// given, the tool and the arguments, each behind its length. It returns ErrCall or ErrArguments.
func (c Call) Digest() (string, error) {
	s, err := newSubject(c)
	return s.digest, err
}

// subject is a call that can be judged.
type subject struct {
	Call
	args    object // as shown
	size    int    // of the canonical arguments
	digest  string
	changed string // the digest of the call with Changed, if that is set
}

func newSubject(c Call) (subject, error) { return c.subject(true) }

// subject reads a call. One that is only looked at need not be somebody's.
func (c Call) subject(complete bool) (subject, error) {
	c.Tenant = cmp.Or(c.Tenant, parley.DefaultTenant)
	for _, field := range []struct {
		what, value string
		needed      bool
	}{
		{"tenant", c.Tenant, true},
		{"user", c.User, true},
		{"session", c.Session, false},
		{"circle", c.Circle, false},
		{"server", c.Server, true},
		{"place", c.Place, false},
		{"tool", c.Tool, true},
		{"id", c.ID, true},
		{"agent", c.Agent, false},
		{"client", c.Client, false},
	} {
		if err := checkName(field.what, field.value, field.needed && complete); err != nil {
			return subject{}, err
		}
	}
	if len(bytes.TrimSpace(c.Args)) == 0 {
		c.Args = json.RawMessage("{}")
	}
	args, err := members(c.Args)
	if err != nil {
		return subject{}, err
	}
	canonical := appendCanonical(nil, args)
	s := subject{
		Call: c, args: args, size: len(canonical),
		digest: c.digest(string(canonical)),
	}
	if c.Changed != nil {
		made := c
		made.Args, made.Changed = c.Changed, nil
		as, err := made.subject(complete)
		if err != nil {
			return subject{}, err
		}
		s.changed = as.digest
	}
	return s, nil
}

// members reads arguments. None are an empty object.
func members(args json.RawMessage) (object, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return object{}, nil
	}
	tree, err := parse(args)
	if err != nil {
		return nil, err
	}
	read, ok := tree.(object)
	if !ok {
		return nil, fmt.Errorf("%w: they must be a JSON object", ErrArguments)
	}
	return read, nil
}

func (c Call) digest(args string) string {
	if c.Place == "" { // as it was before there were places
		return hash("parley/call/v1", c.Tenant, c.Server, c.Tool, args)
	}
	return hash("parley/call/v2", c.Tenant, c.Server, c.Place, c.Tool, args)
}

func checkName(what, s string, needed bool) error {
	switch {
	case needed && s == "":
		return fmt.Errorf("%w: it has no %s", ErrCall, what)
	case !utf8.ValidString(s):
		return fmt.Errorf("%w: its %s is not valid UTF-8", ErrCall, what)
	}
	for _, c := range s {
		if unicode.IsControl(c) {
			return fmt.Errorf("%w: its %s has the control character %U", ErrCall, what, c)
		}
	}
	return nil
}

// hash gives different lists of fields different results: each field stands
// behind its length, so that ("ab", "c") is not ("a", "bc").
func hash(fields ...string) string {
	var all []byte
	for _, f := range fields {
		all = binary.AppendUvarint(all, uint64(len(f)))
		all = append(all, f...)
	}
	sum := sha256.Sum256(all)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
