// Package a2a_test meets the A2A clients that others wrote.
package a2a_test

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// site is the demonstration as people start it.
type site struct{ url string }

func start(t *testing.T) *site {
	t.Helper()
	kit.NeedNode(t)
	n := &kit.Node{Cmd: exec.Command(kit.BuildParley(t), "demo", "--addr", kit.FreeAddresses(t, 1)[0]), Ended: make(chan struct{})}
	n.Url = "http://" + n.Cmd.Args[3]
	n.Cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // where it keeps its database
	n.Run(t)
	return &site{url: n.Url}
}

// person is somebody in front of a browser, signed in.
func (s *site) person(t *testing.T, name string) *kit.Visitor {
	t.Helper()
	v := kit.NewVisitor(t)
	v.Send(t, s.url+"/login", url.Values{"user": {name}})
	return v
}

// clients are the SDKs with their transports.
var clients = map[string]kit.Fields{
	"1.3.0 JSON-RPC":         {"package": "a2a-1", "transport": "JSONRPC"},
	"1.3.0 REST":             {"package": "a2a-1", "transport": "HTTP+JSON"},
	"1.3.0 as 0.3, JSON-RPC": {"package": "a2a-1", "transport": "JSONRPC", "compat": true},
	"0.3.14 JSON-RPC":        {"package": "a2a-0.3", "transport": "JSONRPC"},
	"0.3.14 REST":            {"package": "a2a-0.3", "transport": "HTTP+JSON"},
}

// client is a program that acts for somebody.
type client struct {
	*kit.TsClient
	t          *testing.T
	tellsFinal bool // its version says of an event that it is the last, and its SDK passes that on
}

func (s *site) client(t *testing.T, user string, options kit.Fields) *client {
	t.Helper()
	all := kit.Fields{"url": s.url + "/a2a/assistant/", "token": "dev-user:" + user}
	for name, value := range options {
		all[name] = value
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return &client{kit.RunClient(t, []string{"a2a.mjs", string(raw)}), t, options["package"] == "a2a-0.3"}
}

// task is a task, or an event, as the program tells it.
type task struct {
	Kind      string     `json:"kind"`
	Task      string     `json:"task"`
	State     string     `json:"state"`
	Text      string     `json:"text"`
	Final     bool       `json:"final"`
	Questions []question `json:"questions"`
	Artifacts []string   `json:"artifacts"`
	History   []string   `json:"history"`
}

type question struct {
	ID     string          `json:"elicitationId"`
	Mode   string          `json:"mode"`
	URL    string          `json:"url"`
	Schema json.RawMessage `json:"requestedSchema"`
}

// does gives a command and waits for the task that comes of it.
func (c *client) does(op string, fields kit.Fields) task {
	c.t.Helper()
	line := c.End(c.Do(op, fields))
	if line.Error != nil {
		c.t.Fatalf("%s: %+v", op, *line.Error)
	}
	var got task
	if err := json.Unmarshal(line.Result, &got); err != nil {
		c.t.Fatal(err)
	}
	return got
}

// heard is the next event of a stream.
func (c *client) heard(id int) task {
	c.t.Helper()
	line := c.Await("event", func(l *kit.TsLine) bool { return l.Event == "heard" && l.ID == id })
	var got task
	if err := json.Unmarshal(line.Result, &got); err != nil {
		c.t.Fatal(err)
	}
	return got
}

// until is the next event of a stream with a state.
func (c *client) until(id int, state string) task {
	c.t.Helper()
	for {
		if e := c.heard(id); e.State == state {
			return e
		}
	}
}

// asks is the one question of a task.
func (x task) asks(t *testing.T, state string) question {
	t.Helper()
	if x.State != state || len(x.Questions) != 1 || x.Questions[0].ID == "" {
		t.Fatalf("%+v", x)
	}
	return x.Questions[0]
}
