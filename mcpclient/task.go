package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/internal/patience"
)

// TasksExtension is how 2026-07-28 has tasks.
const TasksExtension = "io.modelcontextprotocol/tasks"

// How often a task of 2026-07-28 is asked about, whatever its server says.
const (
	firstPoll = time.Second
	leastPoll = 100 * time.Millisecond
	mostPoll  = 30 * time.Second

	maxPollFailures = 5 // in a row, of a server that cannot be reached
)

// task is the rest of a call that its server made a task of. To the caller it is
// still that call: Next waits for its end and brings the questions meanwhile, and
// Reply answers them. Of an older server all of that comes with the answer to
// tasks/result. One of 2026-07-28 is asked how the task is.
type task struct {
	x  *Exchange
	id string

	life  crew.Life
	pause time.Duration

	mu     sync.Mutex
	result *Exchange // older: of tasks/result
	over   bool      // it has a result
	closed bool
	shown  map[string]bool // the questions that were brought, by their keys
	queue  []Message
}

// begun returns the task that a response says it has begun; nil: it is the
// result.
func (x *Exchange) begun(m Message) *task {
	if !x.tasks || m.Error != nil {
		return nil
	}
	c := x.conn
	var created struct {
		Kind string `json:"resultType"`
		Task *struct {
			ID string `json:"taskId"`
		} `json:"task"`
		ID   string `json:"taskId"`
		Poll int64  `json:"pollIntervalMs"`
	}
	if !bytes.Contains(m.Result, []byte(`"taskId"`)) || json.Unmarshal(m.Result, &created) != nil {
		return nil
	}
	t := &task{x: x, shown: map[string]bool{}}
	switch {
	case c.modern && created.Kind == "task" && created.ID != "":
		t.id, t.pause = created.ID, polling(created.Poll)
	case !c.modern && created.Task != nil && created.Task.ID != "":
		t.id = created.Task.ID
	default:
		return nil
	}
	t.life = crew.Begin(c.life.Context())
	return t
}

// called returns the call for the task's result, which an older server answers
// when it is over. Next has one caller at a time.
func (t *task) called() (*Exchange, error) {
	if x := t.open(); x != nil {
		return x, nil
	}
	params, _ := json.Marshal(map[string]string{"taskId": t.id})
	x, err := t.x.conn.call(t.life.Context(), &Request{Method: "tasks/result", Params: params}, false)
	if err != nil {
		return nil, t.because(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.result = x
	if t.closed {
		x.Close()
	}
	return x, nil
}

func (t *task) open() *Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.result
}

func polling(ms int64) time.Duration {
	if ms <= 0 {
		return firstPoll
	}
	return min(max(time.Duration(ms)*time.Millisecond, leastPoll), mostPoll)
}

// next is Next of the call.
func (t *task) next() (Message, error) {
	m, err := t.wait()
	if err != nil || m.Response() {
		t.mu.Lock()
		t.over = t.over || err == nil
		t.mu.Unlock()
		m.Result = unrelated(m.Result)
	}
	return m, err
}

func (t *task) wait() (Message, error) {
	if !t.x.conn.modern {
		x, err := t.called()
		if err != nil {
			return Message{}, err
		}
		m, err := x.Next()
		if err == nil && m.Response() {
			m.ID = t.x.wireID()
		}
		return m, err
	}
	t.mu.Lock()
	over := t.over
	t.mu.Unlock()
	if over {
		return Message{}, io.EOF
	}
	for failures := 0; ; {
		if m, ok := t.waiting(); ok {
			return m, nil
		}
		m, err := t.poll()
		switch {
		case err == nil && m.ID != nil:
			return m, nil
		case err == nil:
			failures = 0
			if t.has() {
				continue
			}
		case errors.Is(err, ErrUnreachable) && failures < maxPollFailures:
			failures++ // the task goes on without us
		default:
			return Message{}, t.because(err)
		}
		if !patience.Sleep(t.life.Context(), t.pause) {
			return Message{}, t.because(context.Cause(t.life.Context()))
		}
	}
}

func (t *task) because(err error) error {
	if t.life.Over() {
		return t.x.because(ErrClosed)
	}
	return underway(err)
}

func (t *task) has() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue) > 0
}

func (t *task) waiting() (Message, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return Message{}, false
	}
	m := t.queue[0]
	t.queue = t.queue[1:]
	return m, true
}

// poll asks how the task is. It returns the response when it is over, and before a
// message without an id.
func (t *task) poll() (Message, error) {
	raw, err := t.ask(t.life.Context(), "tasks/get", "")
	if err != nil {
		return Message{}, err
	}
	var is struct {
		Status   string          `json:"status"`
		Message  string          `json:"statusMessage"`
		Poll     int64           `json:"pollIntervalMs"`
		Result   json.RawMessage `json:"result"`
		Error    *Error          `json:"error"`
		Requests json.RawMessage `json:"inputRequests"`
	}
	if json.Unmarshal(raw, &is) != nil {
		return Message{}, fmt.Errorf("%w: what a task is cannot be read", ErrProtocol)
	}
	if is.Poll > 0 {
		t.pause = polling(is.Poll)
	}
	done := Message{ID: t.x.wireID()}
	switch is.Status {
	case "working":
		return Message{}, nil
	case "input_required":
		return Message{}, t.show(is.Requests)
	case "completed":
		done.Result = is.Result
		if len(done.Result) == 0 {
			return Message{}, fmt.Errorf("%w: a task is over and has no result", ErrProtocol)
		}
		if hasTwice(done.Result) {
			return Message{}, errTwice
		}
	case "failed", "cancelled":
		if done.Error = is.Error; done.Error == nil {
			done.Error = &Error{Code: codeInternal, Message: "the task was " + is.Status}
		}
	default:
		return Message{}, fmt.Errorf("%w: a task is %.40q", ErrProtocol, is.Status)
	}
	return done, nil
}

// Codes of JSON-RPC.
const (
	codeInvalid  = -32600
	codeInternal = -32603
)

// show puts the questions that were not brought yet into the queue.
func (t *task) show(requests json.RawMessage) error {
	var wrong error
	ok := visit(requests, func(name, value []byte) bool {
		key := text(name)
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.shown[key] {
			return true
		}
		if len(key) > maxKey || len(t.shown) >= maxTaskQuestions {
			wrong = asks("asks for too much during one task")
			return false
		}
		var method, params json.RawMessage
		if !pick(value, map[string]*json.RawMessage{"method": &method, "params": &params}) {
			wrong = asks("asks a question that cannot be read")
			return false
		}
		t.shown[key] = true
		t.queue = append(t.queue, Message{ID: json.RawMessage(appendText(nil, key)), Method: text(method), Params: params})
		return true
	})
	if wrong == nil && !ok && len(requests) > 0 {
		wrong = asks("asks for input in a way that cannot be read")
	}
	return wrong
}

// maxTaskQuestions is how much a task may ask while it lasts.
const maxTaskQuestions = 320

// reply answers a question of the task.
func (t *task) reply(ctx context.Context, id, result json.RawMessage, fail *Error) error {
	if x := t.open(); x != nil {
		return x.Reply(ctx, id, result, fail)
	}
	if fail != nil {
		result = Answer("cancel", nil)
	}
	_, err := t.ask(ctx, "tasks/update", fmt.Sprintf(`,"inputResponses":{%s:%s}`, id, result))
	return underway(err)
}

// ask makes a request about the task.
func (t *task) ask(ctx context.Context, method, more string) (json.RawMessage, error) {
	params := append(appendText([]byte(`{"taskId":`), t.id), more...)
	x, err := t.x.conn.call(ctx, &Request{Method: method, Name: t.id, Params: append(params, '}')}, true)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	return x.await(ctx)
}

// close gives the task up: its server is told, if it is not over.
func (t *task) close() {
	t.mu.Lock()
	told := t.over || t.closed
	t.closed = true
	x := t.result
	t.mu.Unlock()
	t.life.End()
	if x != nil {
		x.Close()
	}
	if told {
		return
	}
	t.x.conn.spawn(func() {
		ctx, cancel := context.WithTimeout(t.x.conn.life.Context(), answerTime)
		defer cancel()
		_, _ = t.ask(ctx, "tasks/cancel", "")
	})
}

// wireID is the id of the call.
func (x *Exchange) wireID() json.RawMessage { return strconv.AppendInt(nil, x.id, 10) }

// asTask are the parameters of a call that an older server is to make a task of.
func asTask(params json.RawMessage) json.RawMessage {
	members := bytes.TrimSpace(params)
	if len(members) < 2 || members[0] != '{' {
		return params
	}
	task := []byte(`{"task":{}`)
	if rest := bytes.TrimSpace(members[1:]); rest[0] != '}' {
		task = append(task, ',')
	}
	return append(task, members[1:]...)
}
