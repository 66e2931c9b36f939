package elicitation_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/a2a/elicitation"
)

// sent is a message as the other side reads it.
func sent(t *testing.T, m *a2a.Message) *a2a.Message {
	t.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var read a2a.Message
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	return &read
}

func TestQuestionsArriveAsTheyWereAsked(t *testing.T) {
	for name, q := range map[string]elicitation.Question{
		"form": {
			ID: "q1", Mode: elicitation.Form, Message: "Where to?", From: "travel", ExpiresAt: time.Date(2026, 11, 17, 18, 0, 0, 5000000, time.UTC),
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string","title":"To"},"from":{"type":"string"},"count":{"type":"integer","minimum":1}},"required":["to"]}`),
		},
		"url": {ID: "q2", Mode: elicitation.URL, Message: "Sign in.", URL: "https://parley.example/auth/connect?elicitation_id=q2", SettledBy: elicitation.SettledByPage},
	} {
		t.Run(name, func(t *testing.T) {
			m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart(q.Message))
			elicitation.Ask(m, q)
			got, err := elicitation.Questions(sent(t, m))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]elicitation.Question{q}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnswersArriveAsTheyWereGiven(t *testing.T) {
	m := a2a.NewMessage(a2a.MessageRoleUser)
	all := []elicitation.Answer{
		{ID: "q1", Action: elicitation.Accept, Content: json.RawMessage(`{"count":3,"to":"Oslo"}`)},
		{ID: "q2", Action: elicitation.Decline},
		{ID: "q3", Action: elicitation.Cancel},
	}
	for _, a := range all {
		elicitation.Reply(m, a)
	}
	m.Parts = append(m.Parts, a2a.NewTextPart("there you are"), a2a.NewDataPart(map[string]any{"other": true}), a2a.NewDataPart("x"))
	if diff := cmp.Diff([]string{elicitation.URI}, m.Extensions); diff != "" {
		t.Error(diff)
	}
	got, err := elicitation.Answers(sent(t, m))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Error(diff)
	}
}

func TestAMessageWithoutTheExtensionAsksNothing(t *testing.T) {
	m := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewDataPart(map[string]any{"elicitationId": "q1"}))
	if got, err := elicitation.Questions(m); got != nil || err != nil {
		t.Error(got, err)
	}
	if got, err := elicitation.Questions(nil); got != nil || err != nil {
		t.Error(got, err)
	}
	if got, err := elicitation.Answers(nil); got != nil || err != nil {
		t.Error(got, err)
	}
}

// One part that is wrong among good ones: none is taken.
func TestMalformedPartsAreRefusedWithAReason(t *testing.T) {
	const good = `{"elicitationId":"q0","action":"decline"}`
	for part, reason := range map[string]string{
		`{"elicitationId":"","action":"accept"}`:                                                                             "elicitationId is missing",
		`{"elicitationId":7,"action":"accept"}`:                                                                              "elicitationId is not a text",
		`{"elicitationId":null,"action":"accept"}`:                                                                           "elicitationId is not a text",
		`{"elicitationId":"q1"}`:                                                                                             "action is missing",
		`{"elicitationId":"q1","action":"approve"}`:                                                                          "action is none of",
		`{"elicitationId":"q1","Action":"accept"}`:                                                                           "action is missing",
		`{"elicitationId":"q1","action":"accept","contents":{}}`:                                                             `"contents"`,
		`{"elicitationId":"q1","action":"accept","content":[1]}`:                                                             "content is not an object",
		`{"elicitationId":"q1","action":"decline","content":{}}`:                                                             "not accepted",
		`{"elicitationId":"q1","action":"accept","content":{"n":9007199254740993000}}`:                                       "beyond 2^53",
		`{"elicitationId":"q0","action":"accept"}`:                                                                           "answered twice",
		`{"elicitationId":"` + strings.Repeat("q", 513) + `","action":"accept"}`:                                             "513 bytes",
		`{"elicitationId":"q1","action":"accept","content":{"t":"` + strings.Repeat("t", 256<<10) + `"}}`:                    "are allowed",
		`{"elicitationId":"q1","action":"accept","content":{"t":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}}`: "parts[1]",
	} {
		t.Run(reason, func(t *testing.T) {
			var m a2a.Message
			if err := json.Unmarshal([]byte(`{"messageId":"1","role":"ROLE_USER","parts":[{"data":`+good+`},{"data":`+part+`}]}`), &m); err != nil {
				t.Fatal(err)
			}
			got, err := elicitation.Answers(&m)
			if got != nil || !errors.Is(err, elicitation.ErrMalformed) || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), "parts[1]") {
				t.Error(got, err)
			}
		})
	}
	for part, reason := range map[string]string{
		`{"elicitationId":"q1","mode":"form"}`:                                                           "message is missing",
		`{"elicitationId":"q1","mode":"voice","message":"m"}`:                                            "mode is neither",
		`{"elicitationId":"q1","mode":"form","message":"m"}`:                                             "requestedSchema is missing",
		`{"elicitationId":"q1","mode":"form","message":"m","requestedSchema":{"type":"array"}}`:          "requestedSchema",
		`{"elicitationId":"q1","mode":"url","message":"m"}`:                                              "url is not an address",
		`{"elicitationId":"q1","mode":"url","message":"m","url":"javascript:alert(1)"}`:                  "url is not an address",
		`{"elicitationId":"q1","mode":"url","message":"m","url":"https://a.example","expiresAt":"soon"}`: "expiresAt",
		`{"elicitationId":"q1","mode":"url","message":"` + strings.Repeat("m", 17<<10) + `"}`:            "message has",
	} {
		t.Run(reason, func(t *testing.T) {
			const good = `{"elicitationId":"q0","mode":"url","message":"m","url":"https://a.example/","more":1}`
			var m a2a.Message
			if err := json.Unmarshal([]byte(`{"messageId":"1","role":"ROLE_AGENT","extensions":["`+elicitation.URI+`"],"parts":[{"data":`+good+`},{"data":`+part+`}]}`), &m); err != nil {
				t.Fatal(err)
			}
			got, err := elicitation.Questions(&m)
			if got != nil || !errors.Is(err, elicitation.ErrMalformed) || !strings.Contains(err.Error(), reason) {
				t.Error(got, err)
			}
		})
	}
}

func TestTooManyPartsAreRefused(t *testing.T) {
	m := a2a.NewMessage(a2a.MessageRoleUser)
	for i := range 17 {
		elicitation.Reply(m, elicitation.Answer{ID: string(rune('a' + i)), Action: elicitation.Decline})
	}
	if got, err := elicitation.Answers(m); got != nil || !errors.Is(err, elicitation.ErrMalformed) {
		t.Error(got, err)
	}
}

func FuzzParts(f *testing.F) {
	f.Add(`{"elicitationId":"q1","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`)
	f.Add(`{"elicitationId":"q1","action":"accept","content":{"a":1}}`)
	f.Fuzz(func(t *testing.T, data string) {
		var m a2a.Message
		if json.Unmarshal([]byte(`{"messageId":"1","role":"ROLE_USER","extensions":["`+elicitation.URI+`"],"parts":[{"data":`+data+`}]}`), &m) != nil {
			return
		}
		if answers, err := elicitation.Answers(&m); err == nil {
			again := a2a.NewMessage(a2a.MessageRoleUser)
			for _, a := range answers {
				elicitation.Reply(again, a)
			}
			if got, err := elicitation.Answers(sent(t, again)); err != nil || !cmp.Equal(got, answers) {
				t.Error(err, cmp.Diff(answers, got))
			}
		}
		if questions, err := elicitation.Questions(&m); err == nil {
			again := a2a.NewMessage(a2a.MessageRoleAgent)
			for _, q := range questions {
				elicitation.Ask(again, q)
			}
			if got, err := elicitation.Questions(sent(t, again)); err != nil || !cmp.Equal(got, questions) {
				t.Error(err, cmp.Diff(questions, got))
			}
		}
	})
}

func TestAChainArrivesAndIsBounded(t *testing.T) {
	m := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart("Hello"))
	elicitation.SetChain(m, []string{"a", "b"})
	if got, err := elicitation.Chain(sent(t, m)); err != nil || strings.Join(got, " ") != "a b" {
		t.Errorf("%q %v", got, err)
	}
	for name, said := range map[string]any{
		"no object": "a", "no list": map[string]any{"chain": "a"}, "a number": map[string]any{"chain": []any{1}}, "an empty name": map[string]any{"chain": []any{""}},
		"a long name": map[string]any{"chain": []any{strings.Repeat("x", 65)}},
	} {
		if got, err := elicitation.Chain(&a2a.Message{Metadata: map[string]any{elicitation.URI: said}}); !errors.Is(err, elicitation.ErrMalformed) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if got, err := elicitation.Chain(&a2a.Message{Metadata: map[string]any{elicitation.URI: map[string]any{"another": 1}}}); err != nil || got != nil {
		t.Errorf("%q %v", got, err)
	}
}
