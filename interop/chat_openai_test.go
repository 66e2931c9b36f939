package interop_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// completionReport is what npm/openai.mjs prints.
type completionReport struct {
	Text      string    `json:"text"`
	Finish    string    `json:"finish"`
	Chunks    int       `json:"chunks"`
	Questions []shown   `json:"questions"`
	Notices   []any     `json:"notices"`
	Done      bool      `json:"done"` // the last thing on the wire was [DONE]
	Error     *tsError  `json:"error"`
	Answered  *struct { // the question
		Status int `json:"status"`
	} `json:"answered"`
}

// complete checks a completion, streamed or not.
func (r completionReport) complete(t *testing.T, streamed bool, says string) {
	t.Helper()
	if r.Error != nil || r.Finish != "stop" || r.Done != streamed || !strings.Contains(r.Text, says) {
		t.Errorf("error %+v, finish %q, [DONE] %v, text %q; want %q", r.Error, r.Finish, r.Done, r.Text, says)
	}
}

// asked checks that the question came, and then its outcome.
func (r completionReport) asked(t *testing.T) {
	t.Helper()
	if len(r.Questions) != 2 || r.Questions[0].Outcome != nil || r.Questions[1].Outcome == nil || r.Questions[0].ID != r.Questions[1].ID {
		t.Fatalf("questions %+v; want one, and the same with its outcome", r.Questions)
	}
	if r.Questions[0].Context.Trigger != "mcp_elicitation" || r.Questions[1].Outcome.Action != "accept" {
		t.Errorf("question %+v with outcome %+v", r.Questions[0], r.Questions[1].Outcome)
	}
}

func TestChatClientsOfOpenAIReadToTheEnd(t *testing.T) {
	needNode(t)
	site := startChat(t)
	for _, reader := range []string{"create", "stream"} {
		t.Run(reader, func(t *testing.T) {
			var r completionReport
			site.drive(t, "openai.mjs", reader, fields{"reader": reader, "text": "Book a trip", "content": trip}, &r)
			r.complete(t, true, booked)
			r.asked(t)
			if r.Answered == nil || r.Answered.Status != http.StatusOK {
				t.Errorf("the answer got %+v", r.Answered)
			}
		})
	}
}

func TestChatClientsOfOpenAIThatShowNoQuestionsAreAskedNone(t *testing.T) {
	needNode(t)
	site := startChat(t)
	for _, reader := range []string{"create", "stream", "whole"} {
		t.Run(reader, func(t *testing.T) {
			headers := fields{}
			if reader == "whole" {
				headers["x-supports-elicitation"] = "true" // who waits for the whole cannot be asked
			}
			var r completionReport
			site.drive(t, "openai.mjs", reader, fields{"reader": reader, "text": "List the tickets in my tracker", "headers": headers}, &r)
			r.complete(t, reader != "whole", "That did not work")
			if len(r.Questions) > 0 || len(site.questions(t, reader)) > 0 {
				t.Errorf("asked: %+v", r.Questions)
			}
			if want := map[bool]int{true: 0, false: 1}[reader == "whole"]; len(r.Notices) != want {
				t.Errorf("%d notices; want %d", len(r.Notices), want)
			}
		})
	}
}

// recorded keeps what a body says while somebody reads it.
type recorded struct {
	io.Reader
	io.Closer
}

// completions is OpenAI's client in Go with Alice's cookie. The buffer gets what
// the server sends.
func (s chatSite) completions(transport *http.Transport, headers map[string]string, wire *bytes.Buffer) openai.Client {
	options := []option.RequestOption{
		option.WithBaseURL(s.url + "/run/v1"), option.WithAPIKey("unused"), option.WithHeaderDel("Authorization"),
		option.WithHeader("Cookie", s.cookie), option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: transport}),
		option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			answer, err := next(r)
			if err == nil {
				answer.Body = recorded{io.TeeReader(answer.Body, wire), answer.Body}
			}
			return answer, err
		}),
	}
	for name, value := range headers {
		options = append(options, option.WithHeader(name, value))
	}
	return openai.NewClient(options...)
}

// answer answers a question by the chat's endpoint.
func (s chatSite) answer(t *testing.T, transport *http.Transport, conversation, question string, content fields) {
	t.Helper()
	raw, err := json.Marshal(fields{"conversationId": conversation, "elicitationId": question, "action": "accept", "content": content})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/run/api/elicitation-responses", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", s.cookie)
	r.Header.Set("Content-Type", "application/json")
	answer, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the answer got %s", answer.Status)
	}
}

func TestChatClientsOfOpenAIInGoReadToTheEnd(t *testing.T) {
	site := startChat(t)
	for name, c := range map[string]struct {
		headers map[string]string
		says    string
		asked   bool
	}{
		"with the header":    {shows, booked, true},
		"without the header": {nil, "That did not work", false},
	} {
		t.Run(name, func(t *testing.T) {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			var wire bytes.Buffer
			client := site.completions(transport, c.headers, &wire)
			conversation := "go-" + strings.ReplaceAll(name, " ", "-")
			stream := client.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{
				Model: "assistant", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Book a trip")},
			}, option.WithJSONSet("conversationId", conversation))
			defer stream.Close()
			var all openai.ChatCompletionAccumulator
			var r completionReport
			for stream.Next() {
				chunk := stream.Current()
				if !all.AddChunk(chunk) {
					t.Errorf("a chunk does not fit: %s", chunk.RawJSON())
				}
				if field, ok := chunk.JSON.ExtraFields["elicitation"]; ok {
					var q shown
					if err := json.Unmarshal([]byte(field.Raw()), &q); err != nil {
						t.Fatal(err)
					}
					r.Questions = append(r.Questions, q)
					if q.Outcome == nil {
						site.answer(t, transport, conversation, q.ID, trip)
					}
				}
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			if len(all.Choices) != 1 {
				t.Fatalf("%d choices", len(all.Choices))
			}
			r.Text, r.Finish = all.Choices[0].Message.Content, all.Choices[0].FinishReason
			r.Done = bytes.Contains(wire.Bytes(), []byte("data: [DONE]\n"))
			r.complete(t, true, c.says)
			if c.asked {
				r.asked(t)
			} else if len(r.Questions) > 0 || len(site.questions(t, conversation)) > 0 {
				t.Errorf("asked: %+v", r.Questions)
			}
		})
	}
}
