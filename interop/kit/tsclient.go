package kit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TsClient is one of the clients of npm/ in a process of its own. npm/README.md
// describes the lines that go to and fro.
type TsClient struct {
	T  *testing.T
	in io.WriteCloser

	mu    sync.Mutex
	lines []*TsLine
	news  chan struct{} // closed when there is another line, or the last
	ended bool
	calls int
}

// TsLine is a line from the client: an event, or how a command ended.
type TsLine struct {
	Event string `json:"event"`

	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *TsError        `json:"error"`

	N             int      `json:"n"`
	Params        TsParams `json:"params"`
	RequestID     any      `json:"requestId"`
	ElicitationID string   `json:"elicitationId"`
	URL           string   `json:"url"` // where to sign in

	Text  string
	taken bool
}

// TsError is why a command failed, in the client's eyes.
type TsError struct {
	Kind    string          `json:"kind"`
	Code    any             `json:"code"` // a number, or a word of the client's own
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// TsParams is a question as it is shown.
type TsParams struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
	URL             string          `json:"url"`
	ElicitationID   string          `json:"elicitationId"`
}

// TsResult is the result of a tool.
type TsResult struct {
	IsError bool `json:"isError"`
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	Meta              struct {
		Code       string `json:"code"`
		Violations []struct {
			Path string `json:"path"`
		} `json:"violations"`
		Pending struct {
			ElicitID string `json:"elicitId"`
			Message  string `json:"message"`
			URL      string `json:"url"`
		} `json:"elicitationPending"`
	} `json:"_meta"`

	ResultType    string `json:"resultType"`
	RequestState  string `json:"requestState"`
	InputRequests map[string]struct {
		Params TsParams `json:"params"`
	} `json:"inputRequests"`
}

// StartClient starts a client that talks to the server at base until the test
// ends. It takes the program and its flags.
func StartClient(t *testing.T, base string, command ...string) *TsClient {
	t.Helper()
	return RunClient(t, With(command, "--url", base+"/mcp"))
}

func RunClient(t *testing.T, command []string) *TsClient {
	t.Helper()
	c := BeginClient(t, command)
	c.Event("ready")
	return c
}

// BeginClient starts a client that has something to ask before it is ready.
func BeginClient(t *testing.T, command []string) *TsClient {
	t.Helper()
	cmd := exec.Command("node", append([]string{"npm/" + command[0]}, command[1:]...)...)
	var said Output
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &TsClient{T: t, in: in, news: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		c.read(out)
	}()
	t.Cleanup(func() {
		in.Close() // it ends by itself; if not, it is made to
		killer := time.AfterFunc(Patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		<-read
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, said.String())
		}
		if t.Failed() {
			t.Logf("%s wrote:\n%s%s", strings.Join(command, " "), c.transcript(), said.String())
		}
	})
	return c
}

func (c *TsClient) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for more := true; more; {
		more = lines.Scan()
		line := &TsLine{Text: lines.Text()}
		if more {
			if err := json.Unmarshal(lines.Bytes(), line); err != nil {
				line.Text += " (" + err.Error() + ")"
			}
		}
		c.mu.Lock()
		if more {
			c.lines = append(c.lines, line)
		}
		c.ended = !more
		close(c.news)
		c.news = make(chan struct{})
		c.mu.Unlock()
	}
}

func (c *TsClient) transcript() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	for _, line := range c.lines {
		fmt.Fprintf(&text, "%.600s\n", line.Text)
	}
	return text.String()
}

// Await takes the first line that fits, waiting for it if need be. Each line is
// taken once.
func (c *TsClient) Await(what string, fits func(*TsLine) bool) *TsLine {
	c.T.Helper()
	timeout := time.After(Patience)
	for {
		c.mu.Lock()
		i := slices.IndexFunc(c.lines, func(l *TsLine) bool { return !l.taken && fits(l) })
		if i >= 0 {
			line := c.lines[i]
			line.taken = true
			c.mu.Unlock()
			return line
		}
		news, ended := c.news, c.ended
		c.mu.Unlock()
		if ended {
			c.T.Fatalf("the client ended without %s", what)
		}
		select {
		case <-news:
		case <-timeout:
			c.T.Fatalf("no %s", what)
		}
	}
}

func (c *TsClient) Event(name string) *TsLine {
	c.T.Helper()
	return c.Await(name, func(l *TsLine) bool { return l.Event == name })
}

// Question takes the next question.
func (c *TsClient) Question() *TsLine {
	c.T.Helper()
	return c.Event("elicitation")
}

// QuestionAbout takes the next question whose message has the words in it.
func (c *TsClient) QuestionAbout(words string) *TsLine {
	c.T.Helper()
	return c.Await("question about "+words, func(l *TsLine) bool {
		return l.Event == "elicitation" && strings.Contains(l.Params.Message, words)
	})
}

// Send sends a line.
func (c *TsClient) Send(line map[string]any) {
	c.T.Helper()
	raw, err := json.Marshal(line)
	if err == nil {
		_, err = c.in.Write(append(raw, '\n'))
	}
	if err != nil {
		c.T.Fatal(err)
	}
}

// Do gives a command and returns its number.
func (c *TsClient) Do(op string, fields map[string]any) int {
	c.T.Helper()
	c.calls++
	line := map[string]any{"id": c.calls, "op": op}
	maps.Copy(line, fields)
	c.Send(line)
	return c.calls
}

// Fields are what a line, a tool's arguments or an answer is made of.
type Fields = map[string]any

func (c *TsClient) Call(tool string, arguments Fields) int {
	c.T.Helper()
	return c.Do("call", Fields{"name": tool, "arguments": arguments})
}

func (c *TsClient) Answer(question *TsLine, action string, content Fields) {
	c.T.Helper()
	result := Fields{"action": action}
	if content != nil {
		result["content"] = content
	}
	c.Send(Fields{"answer": question.N, "result": result})
}

func (c *TsClient) End(id int) *TsLine {
	c.T.Helper()
	return c.Await(fmt.Sprint("end of command ", id), func(l *TsLine) bool { return l.Event == "" && l.ID == id })
}

// Result waits for the result of a call.
func (c *TsClient) Result(id int) TsResult {
	c.T.Helper()
	line := c.End(id)
	var r TsResult
	if line.Error != nil {
		c.T.Fatalf("command %d failed: %+v", id, *line.Error)
	}
	if err := json.Unmarshal(line.Result, &r); err != nil {
		c.T.Fatalf("%v in %s", err, line.Text)
	}
	return r
}

// Failure waits for the error of a command.
func (c *TsClient) Failure(id int) TsError {
	c.T.Helper()
	line := c.End(id)
	if line.Error == nil {
		c.T.Fatalf("command %d has a result: %s", id, line.Text)
	}
	return *line.Error
}

// Returns checks the structured content of a result.
func (c *TsClient) Returns(id int, want string) {
	c.T.Helper()
	r := c.Result(id)
	if r.IsError || !SameJSON(r.StructuredContent, want) {
		c.T.Errorf("command %d: %+v %s; want %s", id, r.Content, r.StructuredContent, want)
	}
}

func SameJSON(got json.RawMessage, want string) bool {
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}

// Shortly is how long a client waits that gives up soon: longer than any question
// takes to be shown, and to be accepted.
const Shortly = 6 * time.Second

// CallShortly makes a call that the client gives up soon, as all do after a
// minute.
func (c *TsClient) CallShortly(tool string, arguments Fields) int {
	c.T.Helper()
	return c.Do("call", Fields{"name": tool, "arguments": arguments, "timeout": Shortly.Milliseconds()})
}

// GaveUp waits until it has.
func (c *TsClient) GaveUp(call int) {
	c.T.Helper()
	err := c.Failure(call)
	if err.Code != "REQUEST_TIMEOUT" && !strings.Contains(err.Message, "timed out") {
		c.T.Errorf("error %+v; want a time-out of the client's", err)
	}
}

// ListMethods are where a server lists what.
var ListMethods = map[string]string{
	"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list", "resourceTemplates": "resources/templates/list",
}

// List returns what a server lists, as it is on the wire: the client's own
// method would leave off what its era does not know.
func (c *TsClient) List(what string) []json.RawMessage {
	c.T.Helper()
	return c.Member(c.Do("raw", Fields{"method": ListMethods[what], "params": Fields{}}), what)
}

// Member waits for a result and returns the list in it.
func (c *TsClient) Member(id int, name string) []json.RawMessage {
	c.T.Helper()
	line := c.End(id)
	if line.Error != nil {
		c.T.Fatalf("command %d failed: %+v", id, *line.Error)
	}
	var result map[string]json.RawMessage
	var list []json.RawMessage
	err := json.Unmarshal(line.Result, &result)
	if err == nil {
		err = json.Unmarshal(result[name], &list)
	}
	if err != nil {
		c.T.Fatalf("%v in %s", err, line.Text)
	}
	return list
}

// Lists reports whether a client sees a tool.
func (c *TsClient) Lists(tool string) bool {
	c.T.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(c.End(c.Do("list", Fields{"what": "tools"})).Result, &list); err != nil || len(list.Tools) == 0 {
		c.T.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	return slices.ContainsFunc(list.Tools, func(t struct{ Name string }) bool { return t.Name == tool })
}

// Pass passes on the person's answer to the question of a result, as the model
// would, and returns what the tool says then.
func (c *TsClient) Pass(asked TsResult, action string, content Fields) TsResult {
	c.T.Helper()
	if asked.IsError || asked.Meta.Pending.ElicitID == "" || !strings.Contains(asked.Content[0].Text, asked.Meta.Pending.ElicitID) {
		c.T.Fatalf("no question: %+v", asked)
	}
	return c.Result(c.Call("sendElicitationResult", Fields{"elicitId": asked.Meta.Pending.ElicitID, "action": action, "content": content}))
}

// Told are the events of a name so far.
func (c *TsClient) Told(event string) []*TsLine {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*TsLine
	for _, line := range c.lines {
		if line.Event == event {
			all = append(all, line)
		}
	}
	return all
}
