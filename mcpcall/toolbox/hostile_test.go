package toolbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// refused checks that a call ended with a sentence for the model that names the
// server.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	var public *agent.PublicError
	if !errors.As(err, &public) || !strings.HasPrefix(public.Text, "fixture") || !strings.Contains(public.Text, words) {
		t.Errorf("the call ended with %.200v, want a sentence with %q", err, words)
	}
}

// unpacked is how large the bombs are.
const unpacked = 128 << 20

func TestABombInAResultIsNotUnpacked(t *testing.T) {
	for kind, b := range map[string]bomb{
		"application/json":  {`{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"`, `"}]}}`, unpacked},
		"text/event-stream": {`data: {"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"`, "\"}]}}\n\n", unpacked},
	} {
		t.Run(kind, func(t *testing.T) {
			eras(t, func(t *testing.T, h *hand) {
				h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) { b.send(w, kind, id) }
				box := newBox(t, toolbox.Options{URL: h.serve(t)})
				var err error
				took := allocated(func() { _, _, err = call(t, box, "plain", yes) })
				refused(t, err, "") // it asked for nothing that is packed, and reads nothing that is
				if took > unpacked/4 {
					t.Errorf("%d bytes were taken for an answer of %d that is not wanted", took, unpacked)
				}
			})
		})
	}
}

func TestABombInAListIsNotUnpacked(t *testing.T) {
	for kind, b := range map[string]bomb{
		"application/json":  {`{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"`, `"}]}}`, unpacked},
		"text/event-stream": {`data: {"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"`, "\"}]}}\n\n", unpacked},
	} {
		t.Run(kind, func(t *testing.T) {
			eras(t, func(t *testing.T, h *hand) {
				h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) { b.send(w, kind, id) }
				box := newBox(t, toolbox.Options{URL: h.serve(t)})
				var err error
				took := allocated(func() { _, err = box.Tools(t.Context(), alice) })
				if err == nil || took > unpacked/4 {
					t.Errorf("%v, and %d bytes were taken for a list of %d that is not wanted", err, took, unpacked)
				}
			})
		})
	}
}

func TestAnAgentGivesUpAListWithoutEnd(t *testing.T) {
	const enough = 3000
	eras(t, func(t *testing.T, h *hand) {
		h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
			if n > enough { // so that a client without a limit comes to an end as well
				sayJSON(w, id, `{"tools":[]}`)
				return
			}
			sayJSON(w, id, fmt.Sprintf(`{"tools":[{"name":"t%d","inputSchema":{"type":"object"}}],"nextCursor":"c%d"}`, n, n))
		}
		tools, err := newBox(t, toolbox.Options{URL: h.serve(t)}).Tools(t.Context(), alice)
		if err == nil || len(tools) != 0 || h.lists.Load() > enough {
			t.Errorf("%d tools on %d pages, %v", len(tools), h.lists.Load(), err)
		}
	})
}

func TestAMillionToolsAreRefused(t *testing.T) {
	for name, item := range map[string]string{"with names": `{"name":"t","inputSchema":{}}`, "of nothing": `{}`} {
		t.Run(name, func(t *testing.T) {
			page := `{"tools":[` + strings.Repeat(item+",", 1e6) + item + `]}`
			eras(t, func(t *testing.T, h *hand) {
				h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":`, id)
					_, _ = w.Write([]byte(page))
					_, _ = w.Write([]byte(`}`))
				}
				box := newBox(t, toolbox.Options{URL: h.serve(t)})
				var tools []agent.Tool
				var err error
				took := allocated(func() { tools, err = box.Tools(t.Context(), alice) })
				if err == nil || len(tools) != 0 {
					t.Errorf("%d tools, %v", len(tools), err)
				}
				if most := uint64(12 * len(page)); took > most {
					t.Errorf("%d bytes were taken for a page of %d", took, len(page))
				}
			})
		})
	}
}

func TestALineWithoutEndIsNotRead(t *testing.T) {
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) {
			_, _, err := call(t, newBox(t, program(t, era+" endless")), "plain", yes)
			refused(t, err, "more than is taken here")
		})
	}
}

// program are the options for a server by hand over stdio.
func program(t *testing.T, manner string) toolbox.Options {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return toolbox.Options{Command: []string{self}, Env: map[string]string{"MCPBOX_TEST_HAND": manner}}
}

func TestAResultThatNestsWithoutEndIsRefused(t *testing.T) {
	const depth = 100_000
	eras(t, func(t *testing.T, h *hand) {
		h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			sayJSON(w, id, `{"content":[],"structuredContent":{"a":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+`}}`)
		}
		_, _, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "plain", yes)
		refused(t, err, "cannot be read")
	})
}

func TestOneBadToolDoesNotTakeTheOthersWithIt(t *testing.T) {
	good := `{"name":"good","inputSchema":{"type":"object"}}`
	for name, bad := range map[string]string{
		"a number":              `7`,
		"no name":               `{"inputSchema":{}}`,
		"a name of another":     good,
		"a name that is none":   `{"name":{"a":1}}`,
		"a schema that is none": `{"name":"bad","inputSchema":"object"}`,
		"a schema of texts":     `{"name":"bad","inputSchema":{"type":"string"}}`,
		"a number of no size":   `{"name":"bad","inputSchema":{"type":"object","maximum":1e400}}`,
		"far too much":          `{"name":"bad","inputSchema":{"type":"object"},"description":"` + strings.Repeat("x", 300<<10) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			eras(t, func(t *testing.T, h *hand) {
				h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
					sayJSON(w, id, `{"tools":[`+bad+`,`+good+`]}`)
				}
				tools, err := newBox(t, toolbox.Options{URL: h.serve(t)}).Tools(t.Context(), alice)
				if err != nil || len(tools) != 1 || tools[0].Name != "good" {
					t.Errorf("%d tools, %v", len(tools), err)
				}
			})
		})
	}
}

func TestAToolThatCanBeMendedIsMendedForAgents(t *testing.T) {
	eras(t, func(t *testing.T, h *hand) {
		h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			sayJSON(w, id, `{"tools":[{"name":"a","title":null,"inputSchema":{"properties":[]},"annotations":{"readOnlyHint":"yes","idempotentHint":true},"icons":[{}],"outputSchema":7}]}`)
		}
		var log strings.Builder
		box := newBox(t, toolbox.Options{URL: h.serve(t), Logger: slog.New(slog.NewTextHandler(&log, nil))})
		tools, err := box.Tools(t.Context(), alice)
		if err != nil || len(tools) != 1 || string(tools[0].Schema) != `{"type":"object"}` || tools[0].ReadOnly != nil || tools[0].Idempotent != nil {
			t.Errorf("%+v, %v", tools, err)
		}
		if said := log.String(); !strings.Contains(said, `count=4`) || !strings.Contains(said, "readOnlyHint: it is neither true nor false") {
			t.Errorf("the log says %s", said)
		}
	})
}

// asking is an answer of 2026-07-28 that asks.
func asking(questions int, state string) string {
	var all []string
	for i := range questions {
		all = append(all, fmt.Sprintf(`"q%d":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{"confirmed":{"type":"boolean"}}}}}`, i))
	}
	return `{"resultType":"input_required","requestState":"` + state + `","inputRequests":{` + strings.Join(all, ",") + `}}`
}

func TestARoundHasFewQuestionsAndALittleState(t *testing.T) {
	for name, test := range map[string]struct{ result, words string }{
		"a thousand questions": {asking(1000, ""), "more than 16 questions at once"},
		"one too many":         {asking(17, ""), "more than 16 questions at once"},
		"much state":           {asking(1, strings.Repeat("x", 64<<10+1)), "more than 64 KiB"},
		"state without end":    {asking(1, strings.Repeat("x", 10<<20)), "more than is taken here"},
		"much state and no question": {`{"resultType":"input_required","requestState":"` + strings.Repeat("x", 64<<10+1) + `"}`,
			"more than 64 KiB"},
		"a long question": {`{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"` + strings.Repeat("x", 200<<10) + `"}}}}`,
			"longer than 96 KiB"},
		"two questions under one key": {`{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"a"}},"q":{"method":"elicitation/create","params":{"message":"b"}}}}`,
			"two questions under one key"},
		"what we do not offer": {`{"resultType":"input_required","inputRequests":{"q":{"method":"sampling/createMessage","params":{}}}}`,
			"asks for something that this client does not offer"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hand{modern: true}
			h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
				if n > 1 {
					sayJSON(w, id, `{"content":[{"type":"text","text":"it was taken"}]}`)
					return
				}
				sayJSON(w, id, test.result)
			}
			result, asked, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "plain", yes)
			refused(t, err, test.words)
			if len(asked) != 0 || h.calls.Load() != 1 {
				t.Errorf("asked %d questions, made %d calls, %+v", len(asked), h.calls.Load(), result)
			}
		})
	}
}

func TestARoundOfTheMostThatIsAllowedIsAsked(t *testing.T) {
	h := &hand{modern: true}
	h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
		if n > 1 {
			sayJSON(w, id, `{"content":[{"type":"text","text":"thanks"}]}`)
			return
		}
		sayJSON(w, id, asking(16, strings.Repeat("x", 64<<10)))
	}
	result, asked, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "plain", yes)
	if err != nil || result.Text != "thanks" || len(asked) != 16 {
		t.Errorf("%+v, %v, asked %d", result, err, len(asked))
	}
}

func TestFewPagesAreVisitedBeforeACall(t *testing.T) {
	pages := strings.TrimSuffix(strings.Repeat(`{"mode":"url","message":"Log in","url":"https://fixture.example/","elicitationId":"e"},`, 17), ",")
	eras(t, func(t *testing.T, h *hand) {
		h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"log in","data":{"elicitations":[%s]}}}`, id, pages)
		}
		_, asked, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "plain", yes)
		refused(t, err, "more than 16 pages")
		if len(asked) != 0 {
			t.Errorf("asked %d questions", len(asked))
		}
	})
}
