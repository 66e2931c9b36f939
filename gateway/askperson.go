package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/strictjson"
)

// Ask is whom assistants may ask with the tool parley__ask_person.
type Ask struct {
	Questions *asking.Questions
	People    []string // by name, and AskMe
	Groups    []string // of the Questions
}

// AskMe is the person whose client it is.
const AskMe = "me"

// AskPerson is the name of the tool. It comes before that of any server's.
const AskPerson = "parley__ask_person"

// rememberedAnswer is how long the same call gets the same answer after it was
// given: its client may have gone before it came.
const rememberedAnswer = 10 * time.Minute

// whom are those who can be asked, as the tool names them.
func (a *Ask) whom() (all []string) {
	all = slices.Clone(a.People)
	for _, group := range a.Groups {
		all = append(all, asking.GroupPrefix+group)
	}
	return all
}

// tool describes parley__ask_person.
func (a *Ask) tool() json.RawMessage {
	raw, _ := json.Marshal(map[string]any{
		"name": AskPerson, "title": "Ask a person",
		"description": "Asks a person, or a group of whom the first who answers does, and returns the answer. They may take long: then make the same call again to go on waiting. Never ask for passwords or keys.",
		"inputSchema": map[string]any{
			"type": "object", "required": []string{"to", "message"}, "additionalProperties": false,
			"properties": map[string]any{
				"to":               map[string]any{"type": "string", "enum": a.whom(), "description": "me is the user"},
				"message":          map[string]any{"type": "string", "description": "The question, complete in itself"},
				"requested_schema": map[string]any{"type": "object", "description": "A form: a flat JSON schema, as of elicitation. Without it they confirm or decline"},
			},
		},
		"annotations": map[string]any{"readOnlyHint": false, "destructiveHint": false, "openWorldHint": true},
		"_meta":       map[string]any{"ui": map[string]any{"visibility": []string{"model"}}}, // no server's app asks in the assistant's name
	})
	return raw
}

// asksPerson is what the tool is called with.
type asksPerson struct {
	to, message string
	schema      json.RawMessage
}

// readAsk reads the arguments: exactly these members. wrong says what is not as it
// should be, in words for the assistant.
func readAsk(arguments json.RawMessage) (in asksPerson, wrong string) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	v, err := strictjson.Read(arguments, maxDepth)
	members, is := v.(strictjson.Object)
	if err != nil || !is {
		return in, "its arguments cannot be read"
	}
	for _, m := range members {
		text, isText := m.Value.(string)
		_, isObject := m.Value.(strictjson.Object)
		switch {
		case m.Name == "to" && isText:
			in.to = text
		case m.Name == "message" && isText:
			in.message = text
		case m.Name == "requested_schema" && m.Value == nil:
		case m.Name == "requested_schema" && isObject:
			in.schema = strictjson.Append(nil, m.Value, nil)
		case m.Name == "to", m.Name == "message":
			return in, m.Name + " is not a text"
		case m.Name == "requested_schema":
			return in, "requested_schema is not an object"
		default:
			return in, fmt.Sprintf("there is no argument %.60q", m.Name)
		}
	}
	switch {
	case in.to == "" && in.message == "":
		wrong = "to and message are missing"
	case in.to == "":
		wrong = "to is missing: whom to ask"
	case in.message == "":
		wrong = "message is missing: what to ask"
	}
	return in, wrong
}

// askPerson asks for an assistant.
func (g *Gateway) askPerson(ctx context.Context, call *mcptool.Call, who person, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	in, wrong := readAsk(arguments)
	switch {
	case !who.IsPerson():
		return toolFailure(failed("Nobody can be asked for a client that is nobody's: %s, so that people know who asks.", SignIn))
	case wrong != "":
		return toolFailure(failed("Nobody was asked: %s. %s takes to, message and, if it likes, requested_schema.", wrong, AskPerson))
	case !slices.Contains(g.opts.Ask.whom(), in.to):
		return toolFailure(failed("%s asks %s, and nobody else: gateway.ask says whom.", AskPerson, strings.Join(g.opts.Ask.whom(), ", ")))
	case in.to == AskMe && (call.Supports(parley.Form) || call.ShowsQuestions()):
		return askUser(ctx, call, in)
	}
	st, err := g.askOther(ctx, who, in)
	if err != nil {
		return g.notAsked(err)
	}
	holding, cancel := context.WithTimeout(ctx, g.opts.Hold)
	defer cancel()
	if st, err = g.opts.Ask.Questions.Wait(holding, who.Principal, st.ID); err != nil {
		return nil, err
	}
	if st.Pending() {
		return toolFailure(failed("%s has not answered yet; the question is open until %s. Make the same call again to go on waiting.", in.to, st.Expires.Format(time.RFC3339)))
	}
	return askResult(st.Outcome.Action, cmp.Or(st.Outcome.By, in.to), st.Outcome.Reason, st.Outcome.Content)
}

// askUser asks the user in their own client.
func askUser(ctx context.Context, call *mcptool.Call, in asksPerson) (*mcp.CallToolResult, error) {
	build := func(id parley.ID) parley.Request {
		return parley.Request{ID: id, From: "Your assistant", Message: in.message, Schema: in.schema, Trigger: parley.TriggerTool}
	}
	given, err := mcptool.AskRequest(ctx, call, parley.Form, build, &mcptool.URLOptions{ElicitOptions: mcptool.ElicitOptions{Key: "ask"}})
	var late *mcptool.TimeoutError
	switch {
	case errors.As(err, &late):
		return askResult(parley.Expire, AskMe, "expired", nil)
	case err != nil:
		return nil, err
	}
	return askResult(given.Action, AskMe, "", given.Content)
}

// askOther asks somebody on their own surfaces, or the user whose client cannot.
// The same call finds the same question, until a while after its answer.
func (g *Gateway) askOther(ctx context.Context, who person, in asksPerson) (st asking.Standing, err error) {
	digest := sha256.Sum256([]byte(in.to + "\x00" + in.message + "\x00" + string(in.schema)))
	q := asking.Question{To: in.to, From: "assistant", Message: in.message, Schema: in.schema, Key: "gateway:" + hex.EncodeToString(digest[:])}
	if in.to == AskMe {
		q.To = who.User
	}
	by := asking.Asker{Principal: who.Principal, Name: who.User, MayAsk: []string{q.To}}
	if group, is := strings.CutPrefix(in.to, asking.GroupPrefix); is {
		q.To, q.Group = "", group
		by.MayAsk = []string{in.to}
	}
	for {
		st, isNew, err := g.opts.Ask.Questions.Ask(ctx, by, q)
		if err != nil || isNew || st.Pending() || time.Since(st.Outcome.At) < rememberedAnswer {
			return st, err
		}
		if err := g.opts.Ask.Questions.Release(ctx, by, q.Key); err != nil {
			return st, err
		}
	}
}

// notAsked says why nobody was asked.
func (g *Gateway) notAsked(err error) (*mcp.CallToolResult, error) {
	var fault *asking.Fault
	switch {
	case errors.As(err, &fault):
		return toolFailure(failed("This cannot be asked: %s: %s.", fault.Member, fault.Reason))
	case errors.Is(err, asking.ErrOften):
		return toolFailure(failed("They were asked too much by this user's assistants, or have too many open questions. Wait until some are answered."))
	}
	return nil, err
}

// askResult tells the assistant how it ended.
func askResult(action parley.Action, by, reason string, content json.RawMessage) (*mcp.CallToolResult, error) {
	said := map[string]any{"action": action}
	if action == parley.Accept || action == parley.Decline {
		said["by"] = by
	}
	if reason != "" {
		said["reason"] = reason
	}
	if len(content) > 0 {
		said["content"] = content
	}
	raw, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}, StructuredContent: json.RawMessage(raw)}, nil
}
