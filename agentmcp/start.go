package agentmcp

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcptool"
)

// said names the run of a call: the message that starts it, in its conversation.
type said struct {
	Conversation string `json:"conversation"`
	Message      string `json:"message"`
}

// start starts the run of a call, or finds it. Its name is in the call's journal
// before there is a run: whoever dies in between, the next one starts that run or
// finds it, since a message starts one run only.
func (a *Agents) start(ctx context.Context, call *mcptool.Call, name string, in Input) (agent.Ref, error) {
	if strings.TrimSpace(in.Message) == "" {
		return agent.Ref{}, errors.New("the message is empty: say what the agent is to do")
	}
	id, err := call.ID(ctx)
	if err != nil {
		return agent.Ref{}, err
	}
	var mine said
	known, err := call.Recall("run", &mine)
	if err == nil && !known {
		mine = said{Conversation: in.Conversation, Message: "mcp-" + id}
		if mine.Conversation == "" {
			mine.Conversation = mine.Message
		}
		if mine, err = a.join(ctx, actor(call), name, in, mine); err == nil {
			err = call.Remember(ctx, "run", mine)
		}
	}
	if err != nil {
		return agent.Ref{}, a.hide(ctx, "run not named", err)
	}
	// The client's messages are a model's: none of them lifts what the person
	// refused in the conversation.
	ref, err := a.runtime.Start(ctx, actor(call), agent.Message{
		Agent: name, Conversation: mine.Conversation, ID: mine.Message, Text: in.Message, CanAsk: true, Circle: "mcp/" + mine.Conversation,
	})
	var busy *agent.BusyError
	switch {
	case err == nil:
		return ref, nil
	case errors.As(err, &busy):
		return ref, busy
	case errors.Is(err, parley.ErrInvalid), errors.Is(err, parley.ErrTooLarge), errors.Is(err, agent.ErrUnknownAgent), ctx.Err() != nil:
		return ref, err
	}
	return ref, a.hide(ctx, "run not started", err)
}

const (
	saidKind = "agentmcp.said"
	saidTTL  = 24 * time.Hour
)

// join returns the run that the same person started with the same words, if it
// waits for them: a client that lost its answer, and its requestState with it,
// asks for it again. Otherwise it returns fresh, and leaves its name for others.
func (a *Agents) join(ctx context.Context, who parley.Principal, name string, in Input, fresh said) (said, error) {
	records := a.hub.Records()
	if records == nil {
		return fresh, nil
	}
	digest := sha256.New()
	for _, part := range []string{who.Owner(), name, in.Conversation, in.Message} {
		fmt.Fprintf(digest, "%d:%s", len(part), part)
	}
	at := parley.Address{Tenant: who.Tenant, Kind: saidKind, Key: base64.RawURLEncoding.EncodeToString(digest.Sum(nil))}
	stored, err := records.Load(ctx, at)
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return fresh, err
	}
	if err == nil {
		var before said
		if err := json.Unmarshal(stored.Data, &before); err != nil {
			return fresh, err
		}
		if waits, err := a.waits(ctx, who, before); err != nil || waits {
			return before, err
		}
	}
	data, err := json.Marshal(fresh)
	if err != nil {
		return fresh, err
	}
	_, err = records.Save(ctx, parley.Record{
		Address: at, Owner: who.Owner(), Data: data, Version: stored.Version, Expires: time.Now().UTC().Add(saidTTL).Truncate(time.Millisecond),
	})
	if parley.Overtaken(err) {
		err = nil // said twice at the same moment: two runs
	}
	return fresh, err
}

// waits reports whether a run waits for its person.
func (a *Agents) waits(ctx context.Context, who parley.Principal, run said) (bool, error) {
	runs, err := a.runtime.History(ctx, who, run.Conversation)
	return slices.ContainsFunc(runs, func(r agent.Run) bool { return r.Message == run.Message && r.Status == agent.Waiting }), err
}
