package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/parley-hq/parley/strictjson"
)

// toolList is what a model may call in one step.
type toolList struct {
	shown []Tool
	by    map[string]listed // by the name that the model sees
}

type listed struct {
	kind  callKind
	named callKind // as which the model knows it
	box   string
	label string // the box's title
	tool  Tool
}

// listTools asks every toolbox what there is, all at once. A box that does not
// answer is asked again, and then left out of this step.
func (d *driver) listTools(ctx context.Context) (*toolList, error) {
	boxes, err := d.boxes(ctx)
	if err != nil {
		return nil, err
	}
	lists, failures := make([][]Tool, len(boxes)), make([]error, len(boxes))
	var all sync.WaitGroup
	for i, box := range boxes {
		all.Go(func() { lists[i], failures[i] = d.boxTools(ctx, box) })
	}
	all.Wait()
	list := &toolList{by: map[string]listed{}}
	for i, box := range boxes {
		tools, err := lists[i], failures[i]
		var pause *Pause
		switch {
		case errors.As(err, &pause):
			list.add(listed{kind: toStandIn, named: toStandIn, box: box.Name(), label: titleOf(box), tool: standIn(box)})
		case err != nil:
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, err
		}
		named := toTool
		if _, ok := box.(Delegate); ok {
			named = toDelegate
		}
		for _, tool := range tools {
			if !list.add(listed{named: named, box: box.Name(), label: titleOf(box), tool: tool}) {
				d.rt.opts.Logger.WarnContext(ctx, "tool left out: its name is there twice", "box", box.Name(), "tool", tool.Name)
			}
		}
	}
	if d.run.Depth < d.rt.opts.Depth {
		for _, name := range d.agent.Delegates {
			list.add(listed{kind: toDelegate, named: toDelegate, box: name, tool: delegate(d.rt.agents[name])})
		}
	}
	return list, nil
}

// boxTools returns nothing for a box that is out of order; the person was told.
func (d *driver) boxTools(ctx context.Context, box Toolbox) ([]Tool, error) {
	d.mu.Lock()
	who, gone := d.run.caller(), d.run.gone(box.Name())
	d.mu.Unlock()
	if err := d.rt.outages.known(keyOf(who, box)); err != nil {
		if gone {
			return nil, nil
		}
		return nil, d.commit(ctx, func(r *Run) { r.log(toolsGone(box, err)) })
	}
	limit, suspect := d.rt.opts.ListTime, d.rt.outages.others(keyOf(who, box))
	if suspect && (limit < 0 || limit > brief) {
		limit = brief
	}
	tools, err := d.rt.list(ctx, box, who, limit, suspect || len(d.rt.opts.Retries) == 0)
	var pause *Pause
	if err == nil || errors.As(err, &pause) || ctx.Err() != nil {
		return tools, err
	}
	if gone {
		return nil, nil // it was out of order a step ago: the person waits for the answer, not for it
	}
	retries := d.rt.opts.Retries
	var public *PublicError
	if errors.As(err, &public) || suspect || errors.Is(err, errSilent) {
		retries = nil // a sentence for people: nothing that passes by itself; or enough time was spent
	}
	for i, after := range retries {
		if err := waitBriefly(ctx, after); err != nil {
			return nil, err
		}
		tools, err = d.rt.list(ctx, box, who, limit, i == len(retries)-1)
		if err == nil {
			return tools, d.commit(ctx, func(r *Run) { r.log(Event{Type: ToolsCame, Box: box.Name()}) })
		}
		if errors.As(err, &pause) || ctx.Err() != nil {
			return nil, err
		}
		if errors.Is(err, errSilent) {
			break
		}
	}
	d.rt.opts.Logger.WarnContext(ctx, "toolbox tools not listed", "box", box.Name(), "err", err)
	return nil, d.commit(ctx, func(r *Run) { r.log(toolsGone(box, err)) })
}

// toolsGone tells why a box is left out.
func toolsGone(box Toolbox, err error) Event {
	e := Event{Type: ToolsGone, Box: box.Name(), Label: titleOf(box), Text: err.Error()}
	if public := (*PublicError)(nil); errors.As(err, &public) && public.Code != "" {
		e.Text, e.Code = public.Text, public.Code
	}
	return e
}

// gone reports whether a box was left out of an earlier step.
func (r *Run) gone(box string) bool {
	return slices.ContainsFunc(r.Log, func(e Event) bool { return e.Type == ToolsGone && e.Box == box })
}

// add shows a tool under its name for models. It reports false for one whose name
// is taken, which is not shown: a model could not say which it means.
func (l *toolList) add(one listed) bool {
	shown := one.tool
	shown.Name = modelName(one.named, one.box, one.tool.Name)
	if _, taken := l.by[shown.Name]; taken {
		return false
	}
	l.by[shown.Name] = one
	l.shown = append(l.shown, shown)
	return true
}

// call makes of a model's wish a call of the run.
func (l *toolList) call(r *Run, wanted ToolCall) *call {
	one, ok := l.by[wanted.Tool]
	if !ok {
		one.kind = unknownTool
	}
	args := json.RawMessage(wanted.Args)
	canonical, wrong := readArgs(args)
	if wrong != "" {
		one.kind = unknownTool
	}
	if wrong != "" || len(bytes.TrimSpace(args)) == 0 {
		args = canonical
	}
	return &call{
		Model: wanted.ID, Name: wanted.Tool, Box: one.box, Label: one.label, Tool: one.tool, Kind: one.kind, Args: args, Wrong: wrong, State: requested,
	}
}

// maxArgsDepth is how many levels arguments may have.
const maxArgsDepth = 64

// readArgs reads a model's arguments strictly: what is ruled on, shown and sent is
// their canonical form. Wrong says why there is none.
func readArgs(given []byte) (args json.RawMessage, wrong string) {
	if len(bytes.TrimSpace(given)) == 0 {
		return json.RawMessage("{}"), ""
	}
	v, err := strictjson.Read(given, maxArgsDepth)
	if err != nil {
		return json.RawMessage("{}"), "Its arguments cannot be used: " + err.Error() + "."
	}
	if _, ok := v.(strictjson.Object); !ok {
		return json.RawMessage("{}"), "Its arguments are not a JSON object."
	}
	return strictjson.Append(nil, strictjson.Sorted(v), nil), ""
}

// standIn is the tool of a box whose tools are not known before the person has
// connected.
func standIn(of Toolbox) Tool {
	yes, box := true, first(titleOf(of), of.Name())
	return Tool{
		Name: of.Name(), Title: "Connect " + box, ReadOnly: &yes,
		Description: "Makes the tools of " + box + " available. The user has to connect their account first and is asked to when " +
			"this is called. Call it when the user wants something that " + box + " can do; then use the tools that appear.",
		Schema: json.RawMessage(`{"type":"object","properties":{}}`),
	}
}

func delegate(a *Agent) Tool { return DelegateTool(a.Name, a.Name, a.Description) }

// DelegateTool is the tool by which models hand tasks to an agent.
func DelegateTool(name, title, description string) Tool {
	return Tool{
		Name: name, Title: "Delegate to " + title,
		Description: "Hands a task to the agent " + title + " and returns its answer. " + description,
		Schema:      json.RawMessage(`{"type":"object","properties":{"task":{"type":"string","description":"what to do, with everything it needs to know"}},"required":["task"]}`),
	}
}

// prompt is the conversation, as far as the model is to see it.
func (d *driver) prompt(ctx context.Context, tools *toolList) (Prompt, error) {
	p := Prompt{Agent: d.agent.Name, Instructions: d.agent.Instructions, Tools: tools.shown}
	h, err := d.recall(ctx)
	if err != nil {
		return p, err
	}
	p.Messages = append(h.messages(), d.run.messages()...)
	return p, d.withImages(ctx, p.Messages)
}

// messages is a run as models see it.
func (r *Run) messages() []PromptMessage {
	all := []PromptMessage{{Role: FromUser, Text: r.Text}}
	for _, s := range r.Steps {
		said := PromptMessage{Role: FromModel, Text: s.Text, Native: s.Native}
		results := PromptMessage{Role: FromTools}
		for _, id := range s.Calls {
			c := r.Calls[id]
			said.Calls = append(said.Calls, ToolCall{ID: c.Model, Tool: c.Name, Args: c.Args})
			result := Result{Text: "The user has not answered the question of this call yet."}
			if c.Result != nil {
				result = *c.Result
			}
			results.Results = append(results.Results, ToolResult{
				CallID: c.Model, Tool: c.Name, Text: result.Text, Content: result.Content, Failed: result.Failed,
			})
		}
		all = append(all, said)
		if len(s.Calls) > 0 {
			all = append(all, results)
		}
	}
	if r.Status == Ended && r.Reason != Done && r.Reason != Undecided {
		all = append(all, PromptMessage{Role: FromModel, Text: fmt.Sprintf("(This turn ended early: %s.)", r.Reason)})
	}
	return all
}
