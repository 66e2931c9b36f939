package chat_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// aiSDKs are the versions of the AI SDK, by the names that npm/package.json
// gives them: the newest of each generation, and the one that is strictest.
var aiSDKs = []string{"ai-5.0.0", "ai-5", "ai-6.0.44", "ai-6", "ai-7.0.0", "ai-7"}

// approvingSDKs know approvals.
var approvingSDKs = []string{"ai-6.0.44", "ai-6", "ai-7.0.0", "ai-7"}

// shows says that a client shows questions.
var shows = map[string]string{"x-supports-elicitation": "true"}

// trip is an answer to the form of "Book a trip".
var trip = kit.Fields{"to": "Bergen", "day": "2026-12-24", "email": "alice@example.com", "travellers": 2, "class": "first"}

const booked = "Booked: yes. Day: 2026-12-24. To: Bergen. Travellers: 2."

// shown is a question as a client gets it.
type shown struct {
	ID      string `json:"elicitationId"`
	Mode    string `json:"mode"`
	Message string `json:"message"`
	Context struct {
		Trigger    string `json:"trigger"`
		Service    string `json:"service"`
		Tool       string `json:"tool"`
		ToolCallID string `json:"toolCallId"`
	} `json:"context"`
	Outcome *struct {
		Action string `json:"action"`
	} `json:"outcome"`
}

// uiPart is a part of a message of the AI SDK.
type uiPart struct {
	Type       string `json:"type"`
	Text       string `json:"text"`
	ToolCallID string `json:"toolCallId"`
	State      string `json:"state"`
	ErrorText  string `json:"errorText"`
	Data       shown  `json:"data"`
}

type uiMessage struct {
	ID    string   `json:"id"`
	Role  string   `json:"role"`
	Parts []uiPart `json:"parts"`
}

// aiReport is what npm/aisdk.mjs prints.
type aiReport struct {
	Status    string        `json:"status"`
	Errors    []kit.TsError `json:"errors"`
	Findings  []kit.TsError `json:"findings"`
	Finished  int           `json:"finished"`
	Suspended int           `json:"suspended"`
	Data      []string      `json:"data"`
	Question  *shown        `json:"question"`
	Messages  []uiMessage   `json:"messages"`
	History   []uiMessage   `json:"history"`
	Active    any           `json:"active"`
}

// reply returns the parts of the assistant's message, of which there must be
// one. The first versions of the SDK keep an earlier state of it beside it when
// a message is sent while they stream; it is the last that counts.
func reply(t *testing.T, messages []uiMessage) (parts []uiPart) {
	t.Helper()
	ids := map[string]bool{}
	for _, m := range messages {
		if m.Role == "assistant" {
			parts, ids[m.ID] = m.Parts, true
		}
	}
	if len(ids) != 1 {
		t.Errorf("the assistant has %d messages; want 1", len(ids))
	}
	return parts
}

// replies counts the assistant's messages as the client shows them.
func (r aiReport) replies() (n int) {
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

func partsOf(parts []uiPart, prefix string) []uiPart {
	return slices.DeleteFunc(slices.Clone(parts), func(p uiPart) bool { return !strings.HasPrefix(p.Type, prefix) })
}

// lastText is what the assistant says in the end.
func lastText(parts []uiPart) string {
	if texts := partsOf(parts, "text"); len(texts) > 0 {
		return texts[len(texts)-1].Text
	}
	return ""
}

// complete checks a turn with one call: it ended without an error, the client
// and the server have the same message, the call ended in this state, and the
// assistant says this in the end.
func (r aiReport) complete(t *testing.T, state, says string) {
	t.Helper()
	if r.Status != "ready" || len(r.Errors) > 0 || len(r.Findings) > 0 || r.Active == true {
		t.Errorf("status %q, errors %+v, findings %+v, active %v; want ready and none", r.Status, r.Errors, r.Findings, r.Active)
	}
	for where, messages := range map[string][]uiMessage{"client": r.Messages, "server": r.History} {
		parts := reply(t, messages)
		tools := partsOf(parts, "tool-")
		if len(tools) != 1 || tools[0].State != state {
			t.Errorf("%s: calls %+v; want one that is %s", where, tools, state)
		}
		if text := lastText(parts); !strings.Contains(text, says) {
			t.Errorf("%s: the assistant says %q; want %q", where, text, says)
		}
		if other := partsOf(parts, "dynamic-tool"); len(other) > 0 {
			t.Errorf("%s: dynamic tools %+v; version 5 loses those", where, other)
		}
	}
}

// asked checks that the client saw one question about its call, and in the end
// what became of it.
func (r aiReport) asked(t *testing.T, trigger, action string) {
	t.Helper()
	if r.Question == nil || r.Question.Context.Trigger != trigger || r.Question.Message == "" {
		t.Fatalf("question %+v; want one of kind %s", r.Question, trigger)
	}
	parts := reply(t, r.Messages)
	asked, tools := partsOf(parts, "data-elicitation-request"), partsOf(parts, "tool-")
	if len(asked) != 1 || asked[0].Data.ID != r.Question.ID || asked[0].Data.Outcome == nil || asked[0].Data.Outcome.Action != action {
		t.Errorf("questions in the end: %+v; want one with the outcome %s", asked, action)
	}
	if len(tools) == 1 && r.Question.Context.ToolCallID != tools[0].ToolCallID {
		t.Errorf("the question is about the call %q; want %q", r.Question.Context.ToolCallID, tools[0].ToolCallID)
	}
}

func TestChatClientsOfEveryAISDKCompleteATurnWithAQuestion(t *testing.T) {
	kit.NeedNode(t)
	site := startChat(t)
	ways := map[string]kit.Fields{
		"answered by endpoint":            {"answer": "endpoint"},
		"answered by a part":              {"answer": "part"},
		"answered in the part that asked": {"answer": "written"},
		"answered after a reload":         {"answer": "endpoint", "reload": true},
		"declined by endpoint":            {"answer": "endpoint", "action": "decline"},
	}
	for _, sdk := range aiSDKs {
		for way, options := range ways {
			t.Run(sdk+" "+way, func(t *testing.T) {
				t.Parallel()
				conversation := strings.ReplaceAll(sdk+" "+way, " ", "-")
				action, says := "accept", booked
				options := maps.Clone(options)
				if options["action"] == nil {
					options["content"] = trip
				} else {
					action, says = "decline", "Booked: no."
				}
				options["package"], options["text"] = sdk, "Book a trip"
				var r aiReport
				site.drive(t, "aisdk.mjs", conversation, options, &r)
				r.complete(t, "output-available", says)
				r.asked(t, "mcp_elicitation", action)
				if n := r.replies(); n != 1 && (options["answer"] != "part" || !strings.Contains(sdk, ".")) {
					t.Errorf("the client shows %d replies; want 1", n)
				}
				if n := len(site.questions(t, conversation)); n != 1 {
					t.Errorf("the store has %d questions; want 1", n)
				}
			})
		}
	}
}

func TestChatClientsOfTheAISDKApproveInItsOwnProtocol(t *testing.T) {
	kit.NeedNode(t)
	site := startChat(t)
	cases := []struct {
		style       string
		approved    bool
		state, says string
	}{
		{"stream", true, "output-available", "Ordered (3): boxes of pens"},
		{"stream", false, "output-denied", "That did not work"},
		{"suspend", true, "output-available", "Ordered (3): boxes of pens"},
		{"suspend", false, "output-denied", "That did not work"},
	}
	for _, sdk := range approvingSDKs {
		for _, c := range cases {
			name := sdk + " " + c.style + map[bool]string{true: " approved", false: " denied"}[c.approved]
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var r aiReport
				site.drive(t, "aisdk.mjs", strings.ReplaceAll(name, " ", "-"), kit.Fields{
					"package": sdk, "text": "Order 3 boxes of pens", "answer": c.style, "approved": c.approved,
					"headers": kit.Fields{"x-supports-elicitation": "true", "x-tool-approval": c.style},
				}, &r)
				r.complete(t, c.state, c.says)
				r.asked(t, "tool_approval", "accept")
				if want := map[string]int{"suspend": 1}[c.style]; r.Suspended != want {
					t.Errorf("%d streams had finished before the answer; want %d", r.Suspended, want)
				}
			})
		}
	}
}

func TestChatClientsThatShowNoQuestionsAreAskedNone(t *testing.T) {
	kit.NeedNode(t)
	site := startChat(t)
	texts := map[string]string{"form": "Book a trip", "approval": "Order 3 boxes of pens", "credential": "List the tickets in my tracker"}
	for _, sdk := range []string{"ai-5", "ai-6", "ai-7"} {
		for kind, text := range texts {
			t.Run(sdk+" "+kind, func(t *testing.T) {
				t.Parallel()
				conversation := sdk + "-" + kind
				var r aiReport
				site.drive(t, "aisdk.mjs", conversation, kit.Fields{"package": sdk, "text": text, "headers": kit.Fields{}}, &r)
				r.complete(t, "output-error", "That did not work")
				if r.Question != nil || slices.Contains(r.Data, "data-elicitation-request") {
					t.Errorf("asked: %+v, %v", r.Question, r.Data)
				}
				if all := site.questions(t, conversation); len(all) > 0 {
					t.Errorf("the store has questions: %+v", all)
				}
				notices := 0
				if kind == "credential" {
					notices = 1
				}
				if got := len(partsOf(reply(t, r.Messages), "data-tool-auth-required")); got != notices {
					t.Errorf("%d notices; want %d", got, notices)
				}
			})
		}
	}
}
