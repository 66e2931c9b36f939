package interop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The clients of npm/, with the flags that make them what they are.
var (
	sdk1         = []string{"client1.mjs"}
	client2      = []string{"client2.mjs", "--era", "legacy"}
	client2026   = []string{"client2.mjs", "--era", "modern"}
	legacyOnes   = [][]string{sdk1, client2}
	everyOne     = [][]string{sdk1, client2, client2026}
	yesConfirmed = fields{"confirmed": true}
)

// modern reports whether a client speaks 2026-07-28.
func modern(command []string) bool { return slices.Contains(command, "modern") }

// with returns a client's command line with more flags.
func with(command []string, flags ...string) []string { return slices.Concat(command, flags) }

func as(person string) []string { return []string{"--header", "Authorization: Bearer " + person} }

func TestClientsThatOthersWrote(t *testing.T) {
	needNode(t)
	program := buildFixture(t)
	for sentence, test := range map[string]func(*testing.T, fixtureProgram){
		"a two-step tool runs unchanged with each":                       twoSteps,
		"it does so over stdio":                                          twoStepsOverStdio,
		"calls that are answered in reverse order get their own answers": reverseOrder,
		"two questions of one call are shown at the same time":           atOnce,
		"a person who consents is not expected to come":                  consentIsEnough,
		"what the client did not declare it is not asked":                undeclared,
		"an error is an answer":                                          errorsAsAnswers,
		"content that does not fit never reaches the tool":               badContent,
		"an answer counts for its own question only":                     strayAnswers,
		"a call that was given up finds the late answer":                 lateAnswer,
		"a call that was given up goes on behind the page":               latePage,
		"progress keeps a call alive":                                    progress,
		"the end of a session ends its calls":                            deletion,
		"a required URL is an error, and then none":                      requiredURL,
		"a requestState is good for its own call, once":                  requestStates,
		"an expired question has no answer any more":                     expiredState,
		"the model asks for a client that cannot":                        modelFallback,
		"nobody else answers what the model was asked":                   modelStrangers,
		"a page asks for a client that cannot":                           pageFallback,
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			test(t, program)
		})
	}
}

// each runs a test with each of the clients.
func each(t *testing.T, commands [][]string, test func(t *testing.T, command []string)) {
	for _, command := range commands {
		t.Run(strings.Join(command, " "), func(t *testing.T) { test(t, command) })
	}
}

// visit goes to the page that a question sends the person to.
func visit(t *testing.T, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Errorf("visiting: %s %s", resp.Status, body)
	}
}

const twoStepDone = `{"connected":"accept","status":"accept","name":"Ada"}`

func twoSteps(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		if !modern(command) {
			c.event("stream") // or the client could miss that the visit is over
		}
		call := c.call("two-step", fields{})
		link := c.question()
		if link.Params.Mode != "url" || (link.Params.ElicitationID == "") != modern(command) {
			t.Errorf("asked %+v", link.Params)
		}
		c.answer(link, "accept", nil)
		visit(t, link.Params.URL)
		if !modern(command) {
			if done := c.event("complete"); done.ElicitationID != link.Params.ElicitationID {
				t.Errorf("complete is %q, not %q", done.ElicitationID, link.Params.ElicitationID)
			}
		}
		c.answer(c.question(), "accept", fields{"name": "Ada"})
		c.returns(call, twoStepDone)
	})
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run("go-sdk "+era, func(t *testing.T) { twoStepsInGo(t, base, era) })
	}
}

func twoStepsOverStdio(t *testing.T, program fixtureProgram) {
	each(t, everyOne, func(t *testing.T, command []string) {
		c := runClient(t, with(command, "--", string(program), "-stdio", "-addr", "127.0.0.1:0"))
		call := c.call("two-step", fields{})
		link := c.question()
		c.answer(link, "accept", nil)
		visit(t, link.Params.URL)
		c.answer(c.question(), "accept", fields{"name": "Ada"})
		c.returns(call, twoStepDone)
		call = c.call("count-ask", fields{"q": "Sure?"})
		c.answer(c.question(), "decline", nil)
		c.returns(call, `{"runs":1,"status":"decline"}`)
	})
}

func twoStepsInGo(t *testing.T, base, era string) {
	options := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if req.Params.Mode == "url" {
				visit(t, req.Params.URL)
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: fields{"name": "Ada"}}, nil
		},
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: &http.Client{Transport: transport}},
		&mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "two-step"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(result.StructuredContent); !sameJSON(got, twoStepDone) {
		t.Errorf("got %s", got)
	}
}

func reverseOrder(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		a, b := c.call("count-ask", fields{"q": "A?"}), c.call("ask", fields{"q": "B?"})
		askedA, askedB := c.questionAbout("A?"), c.questionAbout("B?")
		c.answer(askedB, "decline", nil)
		c.returns(b, `{"status":"decline","confirmed":false}`)
		c.answer(askedA, "accept", yesConfirmed)
		c.returns(a, `{"runs":1,"status":"accept"}`)
	})
}

func atOnce(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		call := c.call("two-at-once", fields{})
		first, second := c.questionAbout("first"), c.questionAbout("second")
		c.answer(second, "accept", yesConfirmed)
		c.answer(first, "cancel", nil)
		c.returns(call, `{"statuses":["cancel","accept"]}`)
	})
}

func consentIsEnough(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		for _, action := range []string{"decline", "cancel", "accept"} {
			call := c.call("ask-url", fields{})
			c.answer(c.question(), action, nil)
			c.returns(call, fmt.Sprintf(`{"status":%q}`, action))
		}
	})
}

func undeclared(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		forms := startClient(t, base, with(command, "--modes", "")...) // which means forms
		nothing := startClient(t, base, with(command, "--no-elicitation")...)
		for _, refused := range []struct {
			client *tsClient
			call   int
		}{
			{forms, forms.call("ask-url", fields{})},
			{nothing, nothing.call("wizard", fields{})},
			{nothing, nothing.call("ask-url", fields{})},
		} {
			if modern(command) {
				err := refused.client.failure(refused.call)
				if err.Code != -32021.0 || !strings.Contains(string(err.Data), `"requiredCapabilities":{"elicitation"`) {
					t.Errorf("error %+v %s", err, err.Data)
				}
			} else if r := refused.client.result(refused.call); !r.IsError || r.Meta.Code != "ELICITATION_NOT_SUPPORTED" {
				t.Errorf("result %+v", r)
			}
		}
		call := forms.call("ask", fields{"q": "Sure?"})
		forms.answer(forms.question(), "accept", yesConfirmed)
		forms.returns(call, `{"status":"accept","confirmed":true}`)
	})
}
