package a2a

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

const (
	pageDefault = 50
	pageMost    = 100
)

// ListTasks implements a2asrv.RequestHandler: the tasks of who asks, with this agent, the
// last that moved first. Of very many some are left out. A page that is full has fewer than
// were asked for, and one whose tasks are large though little of them is wanted.
func (o *offer) ListTasks(ctx context.Context, req *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	err := o.reading(ctx)
	var page *a2a.ListTasksResponse
	if err == nil {
		page, err = o.list(ctx, req)
	}
	if err != nil {
		return nil, o.explain(ctx, "tasks not listed", err)
	}
	return page, nil
}

func (o *offer) list(ctx context.Context, req *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	size := req.PageSize
	if size == 0 {
		size = pageDefault
	}
	if size < 1 || size > pageMost {
		return nil, invalid(fmt.Sprintf("pageSize is 1 to %d", pageMost))
	}
	if req.HistoryLength != nil && *req.HistoryLength < 0 {
		return nil, invalid("historyLength is negative")
	}
	if req.Status != "" && !slices.Contains(states, req.Status) {
		return nil, invalid("there is no such status")
	}
	after, err := parseToken(req.PageToken)
	if err != nil {
		return nil, err
	}
	who := arrived(ctx).who
	found, err := o.listed(ctx, who, req)
	if err != nil {
		return nil, err
	}
	page := &a2a.ListTasksResponse{Tasks: []*a2a.Task{}, TotalSize: len(found), PageSize: size}
	room, read := maxPage, maxRead
	for _, l := range found {
		if !after.before(l.mark) {
			continue
		}
		if len(page.Tasks) == size || room <= 0 || read <= 0 {
			page.NextPageToken = after.String()
			break
		}
		t, whole, err := o.full(ctx, who, l.run, req)
		if err != nil {
			return nil, err
		}
		if room -= sizeOf(t); room < 0 && len(page.Tasks) > 0 {
			page.NextPageToken = after.String()
			break
		}
		read -= whole
		page.Tasks, after = append(page.Tasks, t), l.mark
	}
	return page, nil
}

var states = []a2a.TaskState{
	a2a.TaskStateSubmitted, a2a.TaskStateWorking, a2a.TaskStateInputRequired, a2a.TaskStateAuthRequired,
	a2a.TaskStateCompleted, a2a.TaskStateFailed, a2a.TaskStateCanceled, a2a.TaskStateRejected,
}

// listed is a task of a list.
type listed struct {
	run  agent.Run
	mark mark
}

// mark is where a list goes on: behind the task that moved then.
type mark struct {
	at  time.Time
	run string
}

func (m mark) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(m.at.UTC().Format(time.RFC3339Nano) + " " + m.run))
}

// before reports whether other comes after m in a list. Nothing comes before the zero mark.
func (m mark) before(other mark) bool { return m.at.IsZero() || order(m, other) < 0 }

func order(a, b mark) int {
	if by := b.at.Compare(a.at); by != 0 {
		return by
	}
	return strings.Compare(b.run, a.run)
}

func parseToken(token string) (mark, error) {
	if token == "" {
		return mark{}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	at, run, ok := strings.Cut(string(raw), " ")
	when, timeErr := time.Parse(time.RFC3339Nano, at)
	if err != nil || !ok || timeErr != nil {
		return mark{}, invalid("the pageToken is none of ours")
	}
	return mark{when, run}, nil
}

// listed are all tasks that are meant.
func (o *offer) listed(ctx context.Context, who parley.Principal, req *a2a.ListTasksRequest) ([]listed, error) {
	var all []listed
	prefix := o.prefix()
	if req.ContextID != "" {
		prefix = o.conversation(req.ContextID)
	}
	_, err := o.runtime.Survey(ctx, who.Tenant, agent.Survey{User: who.Owner(), Prefix: prefix, Heads: true}, func(r *agent.Run) {
		same := req.ContextID == "" || r.Ref.Conversation == prefix
		if same && r.Agent == o.name && (req.StatusTimestampAfter == nil || r.Updated.After(*req.StatusTimestampAfter)) {
			all = append(all, listed{*r, mark{r.Updated, r.Ref.Run}}) // all else is read for the page alone
		}
	})
	if err != nil {
		return nil, err
	}
	if req.Status != "" {
		var meant []listed
		for _, l := range all {
			state, err := o.stateOfRun(ctx, who, l.run)
			if err != nil {
				return nil, err
			}
			if state == req.Status {
				meant = append(meant, l)
			}
		}
		all = meant
	}
	slices.SortFunc(all, func(a, b listed) int { return order(a.mark, b.mark) })
	return all, nil
}

// stateOfRun is how a task stands. Of one that is over its record says so,
// unless it is that of a relay.
func (o *offer) stateOfRun(ctx context.Context, who parley.Principal, run agent.Run) (a2a.TaskState, error) {
	if run.Status == agent.Ended && !(o.agent.Relays && run.Reason == agent.Done) {
		switch run.Reason {
		case agent.Done:
			return a2a.TaskStateCompleted, nil
		case agent.Stopped:
			return a2a.TaskStateCanceled, nil
		}
		return a2a.TaskStateFailed, nil
	}
	w, err := o.follow(ctx, who, run)
	if err != nil {
		return "", err
	}
	defer w.close()
	open, err := w.open(ctx)
	if err != nil {
		return "", err
	}
	return w.status(w.tale.Reply(), open, nil).State, nil
}

// full is a task of a list, with as much of it as was asked for, and how many bytes it has in all.
func (o *offer) full(ctx context.Context, who parley.Principal, run agent.Run, req *a2a.ListTasksRequest) (t *a2a.Task, whole int, err error) {
	length := 0
	if req.HistoryLength != nil {
		length = *req.HistoryLength
	}
	if length > 0 { // its history begins with its text
		if run, err = o.runtime.Find(ctx, who, run.Ref.Conversation, run.Ref.Run); err != nil {
			return nil, 0, err
		}
	}
	w, err := o.follow(ctx, who, run)
	if err != nil {
		return nil, 0, err
	}
	defer w.close()
	if req.IncludeArtifacts {
		t, err = w.task(ctx, &length)
	} else {
		var open []parley.Request
		if open, err = w.open(ctx); err == nil {
			t, err = w.bare(ctx, open, &length)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	return t, len(w.tale.Reply().Text) + sizeOf(t), nil
}

// unreadableList refuses a call for a list with what the transport of JSON-RPC takes for
// nothing, or for a text that is no JSON.
func unreadableList(rest string, body []byte) error {
	var call struct {
		Method string `json:"method"`
		Params struct {
			PageSize *json.Number    `json:"pageSize"`
			After    json.RawMessage `json:"statusTimestampAfter"`
		} `json:"params"`
	}
	if rest != "" || json.Unmarshal(body, &call) != nil || call.Method != "ListTasks" {
		return nil
	}
	if n := call.Params.PageSize; n != nil && *n == "0" {
		return invalid(fmt.Sprintf("pageSize is 1 to %d", pageMost))
	}
	var after *time.Time
	if len(call.Params.After) > 0 && json.Unmarshal(call.Params.After, &after) != nil {
		return invalid("statusTimestampAfter is no time as in RFC 3339")
	}
	return nil
}
