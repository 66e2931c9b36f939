package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/permit"
)

// asker is a server with one tool, which asks with a form and says what it is
// told: on the open call, or by its answer.
type asker struct {
	form   string
	modern bool

	mu    sync.Mutex
	waits map[string]chan string
	calls int
}

const askerTools = `{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}`

func (a *asker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ InputResponses map[string]json.RawMessage }
		Result json.RawMessage
		Error  *struct{ Code int }
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if m.Method == "" { // an answer to the question
		told := string(m.Result)
		if m.Error != nil {
			told = fmt.Sprint("error ", m.Error.Code)
		}
		a.mu.Lock()
		a.waits[string(m.ID)] <- told
		a.mu.Unlock()
	}
	result := map[string]string{"tools/list": askerTools}[m.Method]
	const server = `"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	switch {
	case m.Method == "" || m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	case m.Method == "server/discover" && a.modern:
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],` + server
	case m.Method == "initialize" && !a.modern:
		result = `{"protocolVersion":"2025-11-25",` + server
	case m.Method == "tools/call" && !a.modern:
		a.askInLine(w, r, m.ID)
		return
	case m.Method == "tools/call":
		a.mu.Lock()
		a.calls++
		a.mu.Unlock()
		if result = words(string(m.Params.InputResponses["q"])); m.Params.InputResponses == nil {
			result = `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":` + a.form + `}}}`
		}
	case result == "":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func words(told string) string {
	text, _ := json.Marshal(told)
	return `{"resultType":"complete","content":[{"type":"text","text":` + string(text) + `}]}`
}

func (a *asker) askInLine(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
	answer := make(chan string, 1)
	a.mu.Lock()
	a.calls++
	name := fmt.Sprintf(`"q%d"`, a.calls)
	if a.waits == nil {
		a.waits = map[string]chan string{}
	}
	a.waits[name] = answer
	a.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"elicitation/create\",\"params\":%s}\n\n", name, a.form)
	w.(http.Flusher).Flush()
	select {
	case told := <-answer:
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, words(told))
	case <-r.Context().Done():
	}
}

// Forms as libraries write them, with what a person answers, if anything, and the server hears.
var libraryForms = map[string]struct{ field, answer, heard string }{
	"pattern":            {`{"type":"string","pattern":"^[A-Z]{2}$"}`, `"AB"`, `"AB"`},
	"exclusive bounds":   {`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":10}`, `9.5`, `9.5`},
	"multiple":           {`{"type":"integer","multipleOf":5,"minimum":-9007199254740991,"maximum":9007199254740991}`, `15`, `15`},
	"const":              {`{"type":"string","const":"agreed"}`, `"agreed"`, `"agreed"`},
	"const yes":          {`{"type":"boolean","const":true}`, `true`, `true`},
	"integer enum":       {`{"type":"integer","enum":[10,20]}`, `20`, `20`},
	"empty enum":         {`{"type":"string","enum":[]}`, `"any"`, `"any"`},
	"a format":           {`{"type":"string","format":"uuid"}`, `"u"`, `"u"`},
	"two patterns":       {`{"type":"string","allOf":[{"pattern":"a"},{"pattern":"b"}]}`, `"ab"`, `"ab"`},
	"a default of none":  {`{"type":"string","minLength":1,"default":""}`, `"x"`, `"x"`},
	"an option twice":    {`{"type":"string","enum":["a","b","a"]}`, `"b"`, `"b"`},
	"text, or null":      {`{"type":["string","null"]}`, `"x"`, `"x"`},
	"a union":            {`{"anyOf":[{"type":"number","const":1},{"type":"number","const":2}]}`, `2`, `2`},
	"a union of texts":   {`{"oneOf":[{"type":"string","const":"a"},{"type":"string","const":"b"}]}`, `"b"`, `"b"`},
	"Optional":           {`{"anyOf":[{"type":"integer"},{"type":"null"}],"title":"X","default":null}`, `3`, `3`},
	"Optional, not said": {`{"anyOf":[{"type":"integer"},{"type":"null"}],"title":"X"}`, ``, `null`},
	"alternatives of it": {`{"type":"string","oneOf":[{"minLength":3},{"pattern":"^b"}]}`, `"abc"`, `"abc"`},
}

func TestFormsThatLibrariesWriteReachThePersonAndTheServer(t *testing.T) {
	for name, form := range libraryForms {
		for _, serverIsModern := range []bool{false, true} {
			for _, era := range []string{legacy, modern} {
				t.Run(fmt.Sprintf("%s/modern server %t/%s", name, serverIsModern, era), func(t *testing.T) {
					server := &asker{modern: serverIsModern, form: `{"message":"Well?","requestedSchema":{"type":"object","properties":{"x":` + form.field +
						`},"required":["x","gone"],"additionalProperties":{},"$schema":"https://json-schema.org/draft/2020-12/schema"}}`}
					h := newHouse(t, catalogue{{Name: "s", URL: serve(t, server), Approve: permit.Never}}, nil)
					v := visit(t, h.url, "alice", era, func(*mcp.ElicitParams) *mcp.ElicitResult {
						content := map[string]any{}
						if form.answer != "" {
							content["x"] = decoded(t, form.answer)
						}
						return &mcp.ElicitResult{Action: "accept", Content: content}
					})
					got, err := v.call(t, "s__ask", nil)
					if want := `{"action":"accept","content":{"x":` + form.heard + `}}`; err != nil || got != want {
						t.Errorf("the server heard %q, %v", got, err)
					}
				})
			}
		}
	}
}

// A form that nobody can be shown is the server's fault, and it is told so in the
// protocol's words: the call is its to end.
func TestAFormThatCannotBeShownIsRefusedToTheServer(t *testing.T) {
	for name, params := range map[string]string{
		"nested":            `{"message":"Well?","requestedSchema":{"type":"object","properties":{"x":{"type":"object","properties":{}}}}}`,
		"no schema":         `{"message":"Well?","requestedSchema":{"type":"array"}}`,
		"a list":            `{"message":"Well?","requestedSchema":{"type":"object","properties":{"x":{"type":"array","items":{"type":"number"}}}}}`,
		"what nothing fits": `{"message":"Well?","requestedSchema":{"type":"object","properties":{"x":{"type":"string","minLength":2,"maxLength":1}}}}`,
		"no message":        `{"message":"","requestedSchema":{"type":"object","properties":{}}}`,
		"no such link":      `{"mode":"url","elicitationId":"e","message":"Look","url":"javascript:alert(1)"}`,
		// What the hosted page shows nobody, clients are not sent either.
		"a link that is turned around":     `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/\u202egpj.exe"}`,
		"a link with an isolate":           `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/\u2066x\u2069"}`,
		"a link with hidden letters":       `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/a\u200bb"}`,
		"a link with a filler":             `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/a\u3164b"}`,
		"a link with a variation":          `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/a\ufe01b"}`,
		"a link that is struck out":        `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/a\u0336b"}`,
		"a link with letters out of order": `{"mode":"url","elicitationId":"e","message":"Look","url":"https://shop.example/\u05d0/1/\u05d1"}`,
	} {
		for _, era := range []string{legacy, modern} {
			t.Run(name+"/"+era, func(t *testing.T) {
				server := &asker{form: params}
				h := newHouse(t, catalogue{{Name: "s", URL: serve(t, server), Approve: permit.Never}}, nil)
				v := visit(t, h.url, "alice", era, agreeing)
				if got, err := v.call(t, "s__ask", nil); err != nil || got != "error -32602" {
					t.Errorf("%q, %v", got, err)
				}
				// A server of 2026-07-28 asks by its answer, to which there is no error: the model is told.
				newer := &asker{form: params, modern: true}
				h = newHouse(t, catalogue{{Name: "s", URL: serve(t, newer), Approve: permit.Never}}, nil)
				got, err := visit(t, h.url, "alice", era, agreeing).call(t, "s__ask", nil)
				if err != nil || !strings.HasPrefix(got, "ERROR The call was given up: this question cannot be shown: ") || strings.Contains(got, "form:") || newer.calls != 1 {
					t.Errorf("%q, %v, after %d calls", got, err, newer.calls)
				}
				if asked := v.questions(); len(asked) > 0 {
					t.Errorf("the person was asked %q", asked)
				}
			})
		}
	}
}

// An answer that does not fit is asked for again, with the reason; who never
// fits has not answered, and the server decides. What it decides is the result.
func TestAnAnswerThatDoesNotFitIsAskedForAgainAndThenIsNone(t *testing.T) {
	for _, serverIsModern := range []bool{false, true} {
		t.Run(fmt.Sprintf("modern server %t", serverIsModern), func(t *testing.T) {
			server := &asker{modern: serverIsModern, form: `{"message":"Where to?","requestedSchema":{"type":"object","properties":{"x":{"type":"string","format":"email"}},"required":["x"]}}`}
			h := newHouse(t, catalogue{{Name: "s", URL: serve(t, server), Approve: permit.Never}}, nil)
			for round := range 5 {
				tries := 0
				v := visit(t, h.url, fmt.Sprint("alice", round), legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
					tries++
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"x": map[bool]string{false: "nowhere", true: "a@b.example"}[tries == 3]}}
				})
				got, err := v.call(t, "s__ask", nil)
				if err != nil || got != `{"action":"accept","content":{"x":"a@b.example"}}` {
					t.Errorf("the server heard %q, %v", got, err)
				}
				if asked := v.questions(); len(asked) != 3 || !strings.Contains(asked[1], "\n\n") {
					t.Errorf("the person was asked %q", asked)
				}
				v = visit(t, h.url, fmt.Sprint("bob", round), legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"x": "nowhere"}}
				})
				if got, err := v.call(t, "s__ask", nil); err != nil || got != `{"action":"cancel"}` {
					t.Errorf("the server heard %q, %v", got, err)
				}
			}
		})
	}
}
