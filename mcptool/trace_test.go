package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/spans"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/tracing"
)

const (
	byMeta   = "00-11111111111111111111111111111111-2222222222222222-01"
	byHeader = "00-33333333333333333333333333333333-4444444444444444-01"
)

func TestARequestIsInTheTraceOfItsMetaElseOfItsHeaders(t *testing.T) {
	header := http.Header{"Traceparent": {byHeader}, "Tracestate": {"a=b", "c=d"}}
	for _, c := range []struct {
		meta        string
		header      http.Header
		want, state string
	}{
		{`{"traceparent":"` + byMeta + `","tracestate":"e=f"}`, header, byMeta, "e=f"},
		{`{"traceparent":"` + byMeta + `","baggage":"user=alice"}`, nil, byMeta, ""},
		{`{"traceparent":"00-1-2-01"}`, header, byHeader, "a=b,c=d"},
		{`{"traceparent":7}`, header, byHeader, "a=b,c=d"},
		{`{"tracestate":"e=f"}`, nil, "", ""},
		{``, header, byHeader, "a=b,c=d"},
		{``, http.Header{"Traceparent": {byHeader, byMeta}}, "", ""},
		{``, nil, "", ""},
	} {
		got := tracing.From(mcptool.Traced(t.Context(), json.RawMessage(c.meta), c.header))
		if got.Parent() != c.want || got.State != c.state {
			t.Errorf("%s, %v: %s %s", c.meta, c.header, got.Parent(), got.State)
		}
	}
}

// It is looked for in every call.
func TestLookingForATraceThatIsNotThereAllocatesNothing(t *testing.T) {
	ctx, meta, header := t.Context(), json.RawMessage(`{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`), http.Header{"Accept": {"*/*"}}
	if n := testing.AllocsPerRun(100, func() { mcptool.Traced(ctx, meta, header) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestACallThatWasAnsweredOnItsPageGoesOnInItsTrace(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		told := &spans.Kept{}
		s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL, Tracer: told})
		addDelete(s, nil)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		p := pendingOf(t, call(t, c, "delete-account", account{"7"}))
		if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, parley.ID(p.ElicitID), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"}); err != nil {
			t.Fatal(err)
		}
		if got := structured[deleted](t, call(t, c, "waitForElicitationResult", map[string]any{"elicitId": p.ElicitID})); !got.Confirmed {
			t.Fatalf("got %+v", got)
		}
		all := told.All()
		if len(all) != 2 {
			t.Fatalf("%d spans: %+v", len(all), all)
		}
		parked, went := all[0], all[1]
		if parked.Name != "mcp.call" || went.Name != "mcp.call" || went.Context.Trace != parked.Context.Trace {
			t.Errorf("%+v goes on as %+v", parked, went)
		}
		if !slices.Contains(went.Links, parked.Context) {
			t.Errorf("the links are %v", went.Links)
		}
	})
}

// A span says how its call ended, also where it failed, and who has the tool.
func TestASpanSaysHowItsCallEnded(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		told := &spans.Kept{}
		s := newSite(t, mcptool.Options{Service: "records", Tracer: told})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(_ context.Context, call *mcptool.Call, in struct {
			How string `json:"how"`
		}) (string, error) {
			switch in.How {
			case "fails":
				return "", errors.New("it fails")
			case "elsewhere":
				call.ToolID("archive")
			}
			return "done", nil
		})
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		for how, want := range map[string]string{"fails": "records failed", "ends": "records done", "elsewhere": "archive done"} {
			before := len(told.All())
			call(t, c, "work", map[string]any{"how": how})
			all := told.All()[before:]
			if len(all) != 1 || fmt.Sprint(spans.Of(all[0], "toolId"), " ", spans.Of(all[0], "outcome")) != want || (all[0].Failed != "") != (how == "fails") {
				t.Errorf("%s: %+v", how, all)
			}
		}
	})
}
