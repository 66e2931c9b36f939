package interop_test

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

// tsClient is one of the clients of npm/ in a process of its own. npm/README.md
// describes the lines that go to and fro.
type tsClient struct {
	t  *testing.T
	in io.WriteCloser

	mu    sync.Mutex
	lines []*tsLine
	news  chan struct{} // closed when there is another line, or the last
	ended bool
	calls int
}

// tsLine is a line from the client: an event, or how a command ended.
type tsLine struct {
	Event string `json:"event"`

	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *tsError        `json:"error"`

	N             int      `json:"n"`
	Params        tsParams `json:"params"`
	RequestID     any      `json:"requestId"`
	ElicitationID string   `json:"elicitationId"`

	text  string
	taken bool
}

// tsError is why a command failed, in the client's eyes.
type tsError struct {
	Kind    string          `json:"kind"`
	Code    any             `json:"code"` // a number, or a word of the client's own
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// tsParams is a question as it is shown.
type tsParams struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
	URL             string          `json:"url"`
	ElicitationID   string          `json:"elicitationId"`
}

// tsResult is the result of a tool.
type tsResult struct {
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
		Params tsParams `json:"params"`
	} `json:"inputRequests"`
}

// startClient starts a client that talks to the server at base until the test
// ends. It takes the program and its flags.
func startClient(t *testing.T, base string, command ...string) *tsClient {
	t.Helper()
	return runClient(t, with(command, "--url", base+"/mcp"))
}

func runClient(t *testing.T, command []string) *tsClient {
	t.Helper()
	cmd := exec.Command("node", append([]string{"npm/" + command[0]}, command[1:]...)...)
	var said output
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
	c := &tsClient{t: t, in: in, news: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		c.read(out)
	}()
	t.Cleanup(func() {
		in.Close() // it ends by itself; if not, it is made to
		killer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		<-read
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, said.String())
		}
		if t.Failed() {
			t.Logf("%s wrote:\n%s%s", strings.Join(command, " "), c.transcript(), said.String())
		}
	})
	c.event("ready")
	return c
}

func (c *tsClient) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for more := true; more; {
		more = lines.Scan()
		line := &tsLine{text: lines.Text()}
		if more {
			if err := json.Unmarshal(lines.Bytes(), line); err != nil {
				line.text += " (" + err.Error() + ")"
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

func (c *tsClient) transcript() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	for _, line := range c.lines {
		fmt.Fprintf(&text, "%.600s\n", line.text)
	}
	return text.String()
}

// await takes the first line that fits, waiting for it if need be. Each line is
// taken once.
func (c *tsClient) await(what string, fits func(*tsLine) bool) *tsLine {
	c.t.Helper()
	timeout := time.After(patience)
	for {
		c.mu.Lock()
		i := slices.IndexFunc(c.lines, func(l *tsLine) bool { return !l.taken && fits(l) })
		if i >= 0 {
			line := c.lines[i]
			line.taken = true
			c.mu.Unlock()
			return line
		}
		news, ended := c.news, c.ended
		c.mu.Unlock()
		if ended {
			c.t.Fatalf("the client ended without %s", what)
		}
		select {
		case <-news:
		case <-timeout:
			c.t.Fatalf("no %s", what)
		}
	}
}

func (c *tsClient) event(name string) *tsLine {
	c.t.Helper()
	return c.await(name, func(l *tsLine) bool { return l.Event == name })
}

// question takes the next question.
func (c *tsClient) question() *tsLine {
	c.t.Helper()
	return c.event("elicitation")
}

// questionAbout takes the next question whose message has the words in it.
func (c *tsClient) questionAbout(words string) *tsLine {
	c.t.Helper()
	return c.await("question about "+words, func(l *tsLine) bool {
		return l.Event == "elicitation" && strings.Contains(l.Params.Message, words)
	})
}

// send sends a line.
func (c *tsClient) send(line map[string]any) {
	c.t.Helper()
	raw, err := json.Marshal(line)
	if err == nil {
		_, err = c.in.Write(append(raw, '\n'))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// do gives a command and returns its number.
func (c *tsClient) do(op string, fields map[string]any) int {
	c.t.Helper()
	c.calls++
	line := map[string]any{"id": c.calls, "op": op}
	maps.Copy(line, fields)
	c.send(line)
	return c.calls
}

// fields are what a line, a tool's arguments or an answer is made of.
type fields = map[string]any

func (c *tsClient) call(tool string, arguments fields) int {
	c.t.Helper()
	return c.do("call", fields{"name": tool, "arguments": arguments})
}

func (c *tsClient) answer(question *tsLine, action string, content fields) {
	c.t.Helper()
	result := fields{"action": action}
	if content != nil {
		result["content"] = content
	}
	c.send(fields{"answer": question.N, "result": result})
}

func (c *tsClient) end(id int) *tsLine {
	c.t.Helper()
	return c.await(fmt.Sprint("end of command ", id), func(l *tsLine) bool { return l.Event == "" && l.ID == id })
}

// result waits for the result of a call.
func (c *tsClient) result(id int) tsResult {
	c.t.Helper()
	line := c.end(id)
	var r tsResult
	if line.Error != nil {
		c.t.Fatalf("command %d failed: %+v", id, *line.Error)
	}
	if err := json.Unmarshal(line.Result, &r); err != nil {
		c.t.Fatalf("%v in %s", err, line.text)
	}
	return r
}

// failure waits for the error of a command.
func (c *tsClient) failure(id int) tsError {
	c.t.Helper()
	line := c.end(id)
	if line.Error == nil {
		c.t.Fatalf("command %d has a result: %s", id, line.text)
	}
	return *line.Error
}

// returns checks the structured content of a result.
func (c *tsClient) returns(id int, want string) {
	c.t.Helper()
	r := c.result(id)
	if r.IsError || !sameJSON(r.StructuredContent, want) {
		c.t.Errorf("command %d: %+v %s; want %s", id, r.Content, r.StructuredContent, want)
	}
}

func sameJSON(got json.RawMessage, want string) bool {
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}
