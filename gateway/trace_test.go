package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/testkit/spans"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/tracing"
)

// withTrace is a shop whose tool says where it is told that its call belongs.
func withTrace(t *testing.T, era string) *shop {
	s := newShop(t, era)
	s.AddTool(&mcp.Tool{Name: "trace", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said("%v %v", r.Params.Meta["traceparent"], r.Extra.Header.Get("Traceparent")), nil
	})
	return s
}

func TestAServerIsToldWhereItsCallBelongs(t *testing.T) {
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		for _, client := range []string{legacy, modern} {
			for _, server := range []string{legacy, modern} {
				t.Run(fmt.Sprintf("%s, client %s, server %s", rule, client, server), func(t *testing.T) {
					s, trace := withTrace(t, server), &spans.Kept{}
					h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, func(o *gateway.Options) { o.Tracer = trace })
					v := visit(t, h.url, "alice", client, agreeing)
					call := func(parent string) tracing.Context {
						t.Helper()
						result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__trace", Meta: mcp.Meta{"traceparent": parent}})
						if err != nil {
							t.Fatal(err)
						}
						meta, header, _ := strings.Cut(result.Content[0].(*mcp.TextContent).Text, " ")
						heard, ok := tracing.Parse(meta, "")
						if !ok || header != meta {
							t.Fatalf("the server heard %s and %s", meta, header)
						}
						return heard
					}
					given, _ := tracing.Parse(traceparent, "")
					heard := call(traceparent)
					sent := trace.Named("mcp.request")
					ours := append(trace.Named("gateway.call"), trace.Named("mcp.call")...)
					if len(sent) != 1 || sent[0].Context != heard || heard.Trace != given.Trace || heard.Span == given.Span {
						t.Fatalf("heard %v, sent %+v", heard, sent)
					}
					first := ours[0]
					if first.Parent != given || first.Kind != tracing.Server || sent[0].Parent.Span == given.Span {
						t.Errorf("%+v", first)
					}
					for _, strange := range []string{"00-1-2-01", "", strings.ToUpper(traceparent)} {
						if heard := call(strange); heard.Trace == given.Trace {
							t.Errorf("%q is %v", strange, heard)
						}
					}
				})
			}
		}
	}
}

// Prompts, resources and completions are in the trace of who asks for them, as calls are,
// and their servers are told so.
func TestWhatIsReadOfAServerIsInItsCallersTrace(t *testing.T) {
	for _, client := range []string{legacy, modern} {
		for _, server := range []string{legacy, modern} {
			t.Run("client "+client+", server "+server, func(t *testing.T) {
				t.Parallel()
				s, trace := newShop(t, server), &spans.Kept{}
				h := newHouse(t, catalogue{{Name: "shop", URL: s.url}, {Name: "library", URL: newLibrary(t, server, repeat("one"))}},
					func(o *gateway.Options) { o.Tracer = trace })
				v, meta := visit(t, h.url, "alice", client, agreeing), mcp.Meta{"traceparent": traceparent}
				for name, read := range map[string]func() error{
					"mcp.prompt": func() error {
						_, err := v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "shop__greet", Arguments: map[string]string{"who": "between us"}, Meta: meta})
						return err
					},
					"mcp.resource": func() error {
						_, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://menu", Meta: meta})
						return err
					},
					"mcp.completion": func() error {
						_, err := v.Complete(t.Context(), &mcp.CompleteParams{
							Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "library__find"}, Argument: mcp.CompleteParamsArgument{Name: "title", Value: "between us"}, Meta: meta,
						})
						return err
					},
				} {
					before := len(trace.Named("mcp.request"))
					if err := read(); err != nil {
						t.Fatal(err)
					}
					given, _ := tracing.Parse(traceparent, "")
					ours := trace.Named(name)
					if len(ours) != 1 || ours[0].Parent != given || ours[0].Kind != tracing.Server || ours[0].Failed != "" || spans.Of(ours[0], "toolId") == nil {
						t.Fatalf("%s: %+v", name, ours)
					}
					if sent := trace.Named("mcp.request")[before:]; len(sent) != 1 || sent[0].Parent != ours[0].Context {
						t.Errorf("%s: %+v is not a part of %+v", name, sent, ours[0])
					}
				}
				if told := fmt.Sprint(trace.All()); strings.Contains(told, "between us") || strings.Contains(told, "shop://menu") {
					t.Error(told)
				}
				if _, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://nothing"}); err == nil {
					t.Error("a resource that is not there is read")
				} else if read := trace.Named("mcp.resource"); len(read) != 2 || read[1].Failed == "" || spans.Of(read[1], "outcome") != "failed" {
					t.Errorf("%v: %+v", err, read)
				}
			})
		}
	}
}

// A call that waits for an approval and goes on at another node is one trace, and what
// goes on says with which it does.
func TestACallThatGoesOnElsewhereIsInTheSameTrace(t *testing.T) {
	s := withTrace(t, modern)
	servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}
	store := parley.NewMemoryStore()
	here, there := &spans.Kept{}, &spans.Kept{}
	a := newNode(t, store, servers, nil, func(o *gateway.Options) { o.Tracer = here })
	b := newNode(t, store, servers, nil, func(o *gateway.Options) { o.Tracer = there })
	asked := post(t, a.url, "alice", "shop__trace", `{}`, "", "")
	done := post(t, b.url, "alice", "shop__trace", `{}`, asked.Result.State, oneAnswer(asked.key(t), `{"action":"accept","content":{"decision":"allow_once"}}`))
	parked, went, sent := here.Named("mcp.call"), there.Named("mcp.call"), there.Named("mcp.request")
	if len(parked) != 1 || len(went) != 1 || len(sent) != 1 {
		t.Fatalf("%+v\n%+v\n%+v", done, here.All(), there.All())
	}
	if went[0].Context.Trace != parked[0].Context.Trace || len(went[0].Links) != 1 || went[0].Links[0] != parked[0].Context {
		t.Errorf("%+v goes on with %+v", went[0], parked[0])
	}
	if sent[0].Parent != went[0].Context || !strings.Contains(done.text(), sent[0].Context.Parent()) {
		t.Errorf("%+v; the server heard %s", sent[0], done.text())
	}
}

func TestNothingThatWasSaidIsInASpan(t *testing.T) {
	s, trace := newShop(t, modern), &spans.Kept{}
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, func(o *gateway.Options) { o.Tracer = trace })
	v := visit(t, h.url, "alice", modern, agreeing)
	if _, err := v.call(t, "shop__order", map[string]any{"note": "between us"}); err != nil {
		t.Fatal(err)
	}
	if len(trace.Named("mcp.call")) == 0 {
		t.Fatal("no call was told")
	}
	if told := fmt.Sprint(trace.All()); strings.Contains(told, "between us") || strings.Contains(told, "Which size") || strings.Contains(told, "token-of") {
		t.Error(told)
	}
}

// However a call ends, and by whichever way it goes, its span says how, and at which server.
func TestASpanSaysHowItsCallEndedAndWhoseToolItWas(t *testing.T) {
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		t.Run(string(rule), func(t *testing.T) {
			t.Parallel()
			s, trace := newShop(t, modern), &spans.Kept{}
			s.AddTool(&mcp.Tool{Name: "refuse", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}, nil
			})
			s.AddTool(&mcp.Tool{Name: "break", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, &jsonrpc.Error{Code: -32050, Message: "broken"}
			})
			s.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return said("done"), nil
			})
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: rule}}, func(o *gateway.Options) { o.Tracer = trace })
			v := visit(t, h.url, "alice", modern, agreeing)
			for tool, want := range map[string]string{"work": "done", "refuse": "failed", "break": "failed"} {
				before := len(trace.All())
				_, _ = v.call(t, "shop__"+tool, map[string]any{})
				last, all := "", trace.All()[before:]
				for _, one := range all {
					if one.Name == "mcp.request" {
						continue
					}
					var outcome string
					outcome, last = last, fmt.Sprint(spans.Of(one, "outcome"))
					if spans.Of(one, "toolId") != "shop" || outcome != "" && outcome != "waiting" || (last == "failed") != (one.Failed != "") {
						t.Errorf("%s: %+v", tool, one)
					}
				}
				if last != want {
					t.Errorf("%s ended with %q: %+v", tool, last, all)
				}
			}
		})
	}
}
