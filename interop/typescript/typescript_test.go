package typescript_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
)

var (
	legacyOnes   = [][]string{kit.Sdk1, kit.Client2}
	everyOne     = [][]string{kit.Sdk1, kit.Client2, kit.Client2026}
	yesConfirmed = kit.Fields{"confirmed": true}
)

func TestClientsThatOthersWrote(t *testing.T) {
	kit.NeedNode(t)
	program := kit.BuildFixture(t)
	for sentence, test := range map[string]func(*testing.T, kit.FixtureProgram){
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

const twoStepDone = `{"connected":"accept","status":"accept","name":"Ada"}`

func twoSteps(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		if !kit.Modern(command) {
			c.Event("stream") // or the client could miss that the visit is over
		}
		call := c.Call("two-step", kit.Fields{})
		link := c.Question()
		if link.Params.Mode != "url" || (link.Params.ElicitationID == "") != kit.Modern(command) {
			t.Errorf("asked %+v", link.Params)
		}
		c.Answer(link, "accept", nil)
		kit.Visit(t, link.Params.URL)
		if !kit.Modern(command) {
			if done := c.Event("complete"); done.ElicitationID != link.Params.ElicitationID {
				t.Errorf("complete is %q, not %q", done.ElicitationID, link.Params.ElicitationID)
			}
		}
		c.Answer(c.Question(), "accept", kit.Fields{"name": "Ada"})
		c.Returns(call, twoStepDone)
	})
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run("go-sdk "+era, func(t *testing.T) { twoStepsInGo(t, base, era) })
	}
}

func twoStepsOverStdio(t *testing.T, program kit.FixtureProgram) {
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.RunClient(t, kit.With(command, "--", string(program), "-stdio", "-addr", "127.0.0.1:0"))
		call := c.Call("two-step", kit.Fields{})
		link := c.Question()
		c.Answer(link, "accept", nil)
		kit.Visit(t, link.Params.URL)
		c.Answer(c.Question(), "accept", kit.Fields{"name": "Ada"})
		c.Returns(call, twoStepDone)
		call = c.Call("count-ask", kit.Fields{"q": "Sure?"})
		c.Answer(c.Question(), "decline", nil)
		c.Returns(call, `{"runs":1,"status":"decline"}`)
	})
}

func twoStepsInGo(t *testing.T, base, era string) {
	options := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if req.Params.Mode == "url" {
				kit.Visit(t, req.Params.URL)
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: kit.Fields{"name": "Ada"}}, nil
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
	if got, _ := json.Marshal(result.StructuredContent); !kit.SameJSON(got, twoStepDone) {
		t.Errorf("got %s", got)
	}
}

func reverseOrder(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		a, b := c.Call("count-ask", kit.Fields{"q": "A?"}), c.Call("ask", kit.Fields{"q": "B?"})
		askedA, askedB := c.QuestionAbout("A?"), c.QuestionAbout("B?")
		c.Answer(askedB, "decline", nil)
		c.Returns(b, `{"status":"decline","confirmed":false}`)
		c.Answer(askedA, "accept", yesConfirmed)
		c.Returns(a, `{"runs":1,"status":"accept"}`)
	})
}

func atOnce(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		call := c.Call("two-at-once", kit.Fields{})
		first, second := c.QuestionAbout("first"), c.QuestionAbout("second")
		c.Answer(second, "accept", yesConfirmed)
		c.Answer(first, "cancel", nil)
		c.Returns(call, `{"statuses":["cancel","accept"]}`)
	})
}

func consentIsEnough(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		for _, action := range []string{"decline", "cancel", "accept"} {
			call := c.Call("ask-url", kit.Fields{})
			c.Answer(c.Question(), action, nil)
			c.Returns(call, fmt.Sprintf(`{"status":%q}`, action))
		}
	})
}

func undeclared(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		forms := kit.StartClient(t, base, kit.With(command, "--modes", "")...) // which means forms
		nothing := kit.StartClient(t, base, kit.With(command, "--no-elicitation")...)
		for _, refused := range []struct {
			client *kit.TsClient
			call   int
		}{
			{forms, forms.Call("ask-url", kit.Fields{})},
			{nothing, nothing.Call("wizard", kit.Fields{})},
			{nothing, nothing.Call("ask-url", kit.Fields{})},
		} {
			if kit.Modern(command) {
				err := refused.client.Failure(refused.call)
				if err.Code != -32021.0 || !strings.Contains(string(err.Data), `"requiredCapabilities":{"elicitation"`) {
					t.Errorf("error %+v %s", err, err.Data)
				}
			} else if r := refused.client.Result(refused.call); !r.IsError || r.Meta.Code != "ELICITATION_NOT_SUPPORTED" {
				t.Errorf("result %+v", r)
			}
		}
		call := forms.Call("ask", kit.Fields{"q": "Sure?"})
		forms.Answer(forms.Question(), "accept", yesConfirmed)
		forms.Returns(call, `{"status":"accept","confirmed":true}`)
	})
}
