package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
)

// wait handles waitForElicitationResult.
func (at *attached) wait(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in sendArguments
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return failure(unreadable("elicitId is a text"))
	}
	r, opened, _, err := at.find(ctx, req, in.ElicitID)
	if err != nil {
		return failure(at.asker.public(ctx, err))
	}
	r.suspend(byPage{}, "", opened)
	settled, said, err := r.holdForApp(ctx, opened)
	switch {
	case err != nil:
		return failure(at.asker.public(ctx, err))
	case settled:
		return at.goOn(ctx, r, opened)
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: said}},
		Meta: mcp.Meta{"elicitationPending": pendingQuestion{
			ElicitID: opened.ID, Message: wireMessage(opened), URL: at.asker.pageFor(r.who, opened.ID), Instructions: "Call " + waitTool + " again",
		}},
	}, nil
}

const saidNotYet = "The user has not answered yet. Call " + waitTool + " again."

// holdForApp holds a call that waits for a question until that is settled, or the
// model has to be told something. Where an app was to show it and none has opened it
// in time, that is the link of its page, once.
func (r *run) holdForApp(ctx context.Context, opened parley.Request) (settled bool, said string, err error) {
	a, began := r.asker, time.Now()
	until := began.Add(a.opts.Hold)
	for a.opts.Fallback == App {
		c, err := a.card(ctx, r.who, opened.ID)
		if errors.Is(err, parley.ErrNotFound) || err == nil && (c.showing.Opened || c.showing.Linked) {
			break // it was never for an app, or is with the person
		}
		if err != nil {
			return false, "", err
		}
		due := c.showing.Shown
		if due.IsZero() {
			due = began
		}
		if due = due.Add(a.opts.Mount); !time.Now().Before(due) {
			if said, err := r.link(ctx, c); said != "" || err != nil {
				return false, said, err
			}
			break
		}
		if due.After(until) {
			break
		}
		if settled, err := r.holdFor(ctx, time.Until(due)); settled || err != nil {
			return settled, "", err
		}
	}
	settled, err = r.holdFor(ctx, time.Until(until))
	return settled, saidNotYet, err
}

// link notes that the model gets the link of a question's page, and returns what it is
// told; nothing where there is no page, or an app has just opened the question.
func (r *run) link(ctx context.Context, c *card) (string, error) {
	page := r.asker.pageFor(r.who, c.opened.ID)
	if page == "" {
		return "", nil
	}
	err := c.change(ctx, func(s *showing) error {
		s.Linked = s.Linked || !s.Opened
		return nil
	})
	if err != nil || !c.showing.Linked {
		return "", err
	}
	return fmt.Sprintf("The question was not shown in the app.\n\nGive the user this link to answer it: %s\n\nThen call %s again.", page, waitTool), nil
}

// asking is who asked a question that a model waits for: the caller, or where nobody
// is known whoever it was shown in an app for. A session has what was asked in it, and
// nothing else.
func (a *Asker) asking(ctx context.Context, who parley.Principal, id parley.ID, tool string) (parley.Principal, error) {
	if a.opts.Fallback != App || tool != waitTool || who.User != "" {
		return who, nil
	}
	c, err := a.card(ctx, who, id)
	switch {
	case err == nil:
		return c.owner, nil
	case errors.Is(err, parley.ErrNotFound), errors.Is(err, errOtherPerson):
		return who, nil // it is looked for as any other
	}
	return who, err
}
