package gateway_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// refusals are what apps were refused for.
type refusals struct {
	mu  sync.Mutex
	all []string
}

func (r *refusals) add(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, reason)
}

// taken are those since they were taken last.
func (r *refusals) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// cardTools are ours for clients that show apps, in their order.
var cardTools = []string{"showQuestion", "parley_open", "parley_answer", "waitForElicitationResult"}

// At each endpoint, whatever it lists, a client that cannot ask is shown the question.
func TestTheCardIsThereAtEveryEndpoint(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, expose := range []gateway.Expose{gateway.Tools, gateway.Execute} {
			h := newHouse(t, catalogue{{Name: "other", URL: newShop(t, era).url}, {Name: "shop", Title: "The shop", URL: newShop(t, era).url, Approve: permit.Never}}, func(o *gateway.Options) {
				o.Fallback, o.Expose = "", expose
			})
			for _, own := range []bool{false, true} {
				endpoint, call := h.url, func(v *visitor) (string, error) { return v.call(t, "shop__order", nil) }
				switch {
				case own:
					endpoint, call = h.at("shop"), func(v *visitor) (string, error) { return v.call(t, "order", nil) }
				case expose == gateway.Execute:
					call = func(v *visitor) (string, error) {
						return v.call(t, "execute_tool", map[string]any{"name": "shop__order", "arguments": map[string]any{}})
					}
				}
				model, app := visitAble(t, endpoint, "alice", era, nil, apps), visitAble(t, endpoint, "alice", era, nil, apps)
				cardAt(t, h, model, app, call)
				if plain := namesOf(t, visit(t, endpoint, "alice", era, nil)); slices.Contains(plain, "parley_open") || !slices.Contains(plain, "waitForElicitationResult") {
					t.Errorf("a client that shows nothing sees %q", plain)
				}
			}
		}
	}
}

// cardAt has a question shown and answered at an endpoint, from the list of its tools
// to the result of the call.
func cardAt(t *testing.T, h *house, model, app *visitor, call func(*visitor) (string, error)) {
	t.Helper()
	list, err := model.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string]string{}
	for _, tool := range list.Tools {
		if slices.Contains(cardTools, tool.Name) {
			meta, _ := json.Marshal(tool.Meta)
			ours[tool.Name] = string(meta)
		}
	}
	want := map[string]string{
		"showQuestion": `{"ui":{"resourceUri":"ui://parley/ask.html","visibility":["model"]},"ui/resourceUri":"ui://parley/ask.html"}`,
		"parley_open":  `{"openai/visibility":"private","ui":{"visibility":["app"]}}`, "parley_answer": `{"openai/visibility":"private","ui":{"visibility":["app"]}}`, "waitForElicitationResult": `null`,
	}
	if diff := cmp.Diff(want, ours); diff != "" {
		t.Error(diff)
	}
	read, err := app.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://parley/ask.html"})
	if err != nil || read.Contents[0].URI != "ui://parley/ask.html" || !strings.Contains(read.Contents[0].Text, "<script") {
		t.Fatalf("the app: %+v, %v", read, err)
	}
	if text, err := call(model); err != nil || !strings.Contains(text, "showQuestion") {
		t.Fatalf("%q, %v", text, err)
	}
	id := h.pendingID(t)
	if shown, err := model.CallTool(t.Context(), &mcp.CallToolParams{Name: "showQuestion", Arguments: map[string]any{"elicitId": id}}); err != nil || shown.Meta["parley/open"] != id {
		t.Fatalf("%+v, %v", shown, err)
	}
	waited := model.waits(t, id)
	if c := app.card(t, "parley_open", nil); c.ElicitID != id {
		t.Errorf("what is open is %+v", c)
	}
	c := app.card(t, "parley_open", map[string]any{"elicitId": id})
	app.card(t, "parley_answer", map[string]any{"elicitId": id, "nonce": c.Nonce, "action": "accept", "content": map[string]any{"size": "M"}})
	if text := <-waited; text != `accept {"size":"M"}` {
		t.Errorf("%q", text)
	}
}

// Hosts let the apps of an endpoint call its tools. Those of one server have nothing to
// do with what another asks.
func TestAQuestionIsShownWhereItsCallWasMade(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		var refused refusals
		h := newHouse(t, catalogue{{Name: "alpha", URL: newShop(t, era).url, Approve: permit.Never}, {Name: "beta", URL: newShop(t, era).url, Approve: permit.Never}}, func(o *gateway.Options) {
			o.Fallback, o.Refused = "", refused.add
		})
		at := map[string]*visitor{}
		for name, endpoint := range map[string]string{"alpha": h.at("alpha"), "beta": h.at("beta"), "all": h.url} {
			at[name] = visitAble(t, endpoint, "alice", era, nil, apps)
		}
		for _, c := range []struct{ at, call string }{{"alpha", "order"}, {"all", "beta__order"}} {
			asking := at[c.at]
			if text, err := asking.call(t, c.call, nil); err != nil || !strings.Contains(text, "showQuestion") {
				t.Fatalf("%s: %q, %v", era, text, err)
			}
			id := h.pendingID(t)
			nonce := asking.card(t, "parley_open", nil).Nonce
			yes := map[string]any{"elicitId": id, "nonce": nonce, "action": "accept", "content": map[string]any{"size": "M"}}
			for name, other := range at {
				if name == c.at {
					continue
				}
				if shown := other.card(t, "parley_open", nil); shown.State != "none" || len(refused.taken()) > 0 {
					t.Errorf("%s: at %s is open: %+v", era, name, shown)
				}
				for tool, arguments := range map[string]map[string]any{"parley_open": {"elicitId": id}, "parley_answer": yes} {
					if shown := other.card(t, tool, arguments); shown.State != "none" || shown.Message != "" || !slices.Equal(refused.taken(), []string{"other_endpoint"}) {
						t.Errorf("%s: %s at %s: %+v", era, tool, name, shown)
					}
				}
				for _, tool := range []string{"showQuestion", "waitForElicitationResult"} {
					if text, err := other.call(t, tool, map[string]any{"elicitId": id}); err == nil || !strings.Contains(err.Error(), "no question") {
						t.Errorf("%s: %s at %s: %q, %v", era, tool, name, text, err)
					}
				}
			}
			asking.card(t, "parley_answer", yes) // the nonce is as good as it was
			if text, err := asking.call(t, "waitForElicitationResult", map[string]any{"elicitId": id}); err != nil || text != `accept {"size":"M"}` {
				t.Errorf("%s: %q, %v", era, text, err)
			}
		}
	}
}

// A call that goes on at another endpoint has its question there as well, and the card
// that was drawn first stays good.
func TestAQuestionIsShownWhereItsCallGoesOn(t *testing.T) {
	h := newHouse(t, catalogue{{Name: "alpha", URL: newShop(t, legacy).url, Approve: permit.Never}}, byDefault)
	first, second := visitAble(t, h.at("alpha"), "alice", legacy, nil, apps), visitAble(t, h.url, "alice", legacy, nil, apps)
	if _, err := first.call(t, "order", nil); err != nil {
		t.Fatal(err)
	}
	id := h.pendingID(t)
	nonce := first.card(t, "parley_open", nil).Nonce
	if _, err := second.call(t, "alpha__order", nil); err != nil || h.pendingID(t) != id {
		t.Fatal("another question", err)
	}
	if c := second.card(t, "parley_open", nil); c.ElicitID != id || c.Nonce == "" {
		t.Errorf("the second is shown %+v", c)
	}
	first.card(t, "parley_answer", map[string]any{"elicitId": id, "nonce": nonce, "action": "accept", "content": map[string]any{"size": "S"}})
	if text := <-second.waits(t, id); text != `accept {"size":"S"}` {
		t.Errorf("%q", text)
	}
}

func TestNoServerTakesTheNamesOfTheCard(t *testing.T) {
	var calls atomic.Int64
	tools := `[{"name":"showQuestion","inputSchema":{"type":"object"}},{"name":"parley_open","inputSchema":{"type":"object"}},{"name":"parley_answer","inputSchema":{"type":"object"}},{"name":"waitForElicitationResult","inputSchema":{"type":"object"}},` +
		`{"name":"paint","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://parley/ask.html"},"ui/resourceUri":"ui://PARLEY/ask.html","openai/outputTemplate":"ui://parley/other.html"}}]`
	for _, named := range []string{"alpha", "parley"} { // the second is called as nobody can be whom Parley's configuration has
		h := newHouse(t, catalogue{painter(t, named, tools, &calls)}, byDefault)
		for _, era := range []string{legacy, modern} {
			for _, endpoint := range []string{h.url, h.at(named)} {
				v := visitAble(t, endpoint, "alice", era, nil, apps)
				list, err := v.ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				ours := map[string]int{}
				for _, tool := range list.Tools {
					if slices.Contains(cardTools, tool.Name) && strings.Contains(tool.Description+tool.Title, "uestion") {
						ours[tool.Name]++
					} else if meta, _ := json.Marshal(tool.Meta); strings.Contains(strings.ToLower(string(meta)), `"ui://parley/`) || slices.Contains(cardTools, tool.Name) {
						t.Errorf("%s, %s: %s has %s", era, endpoint, tool.Name, meta)
					}
				}
				if len(ours) != len(cardTools) {
					t.Errorf("%s, %s: ours are %v", era, endpoint, ours)
				}
				for _, uri := range []string{"ui://parley/ask.html", "ui://parley/other.html", "ui://PARLEY/ask.html", "UI://parley/ask.html", "ui://parley/", "ui://parley/parley/ask.html"} {
					read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
					if err == nil && (uri != "ui://parley/ask.html" || !strings.Contains(read.Contents[0].Text, "<script")) {
						t.Errorf("%s, %s: %s is %.80s", era, endpoint, uri, read.Contents[0].Text)
					}
				}
				for _, tool := range cardTools {
					if text, err := v.call(t, tool, map[string]any{"elicitId": "x"}); err != nil && !strings.Contains(err.Error(), "no question") || strings.Contains(text, "html") {
						t.Errorf("%s, %s: %s: %q, %v", era, endpoint, tool, text, err)
					}
				}
			}
			// What is the server's own is there by a name that means it.
			v := visitAble(t, h.url, "alice", era, nil, apps)
			resources, err := v.ListResources(t.Context(), nil)
			if err != nil || len(resources.Resources) != 1 {
				t.Fatalf("%+v, %v", resources, err)
			}
			if read, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: resources.Resources[0].URI}); err != nil || read.Contents[0].Text != "html of "+named {
				t.Errorf("%s: %s: %+v, %v", era, resources.Resources[0].URI, read, err)
			}
		}
	}
	if calls.Load() > 0 {
		t.Error("the server was called")
	}
}

// The apps of one server leave the card of another what it needs, and its questions alone,
// though they know their ids.
func TestTheAppsOfOneEndpointDoNotUseUpAnothers(t *testing.T) {
	one, other := newShop(t, modern), newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "one", URL: one.url, Approve: permit.Never}, {Name: "other", URL: other.url, Approve: permit.Never}}, byDefault)
	mine, theirs := visitAble(t, h.at("one"), "alice", modern, nil, apps), visitAble(t, h.at("other"), "alice", modern, nil, apps)
	if text, err := mine.call(t, "order", nil); err != nil || !strings.Contains(text, "showQuestion") {
		t.Fatalf("%q, %v", text, err)
	}
	id := map[string]any{"elicitId": h.pendingID(t)}
	for _, at := range []*visitor{theirs, visitAble(t, h.url, "alice", modern, nil, apps)} {
		if c := at.card(t, "parley_open", id); c.State != "none" || c.Nonce != "" || c.Message != "" {
			t.Errorf("elsewhere it is %+v", c)
		}
	}
	if text, err := theirs.call(t, "order", nil); err != nil || !strings.Contains(text, "showQuestion") {
		t.Fatalf("%q, %v", text, err)
	}
	busy := false
	for range 200 {
		if c := theirs.card(t, "parley_open", map[string]any{}); c.Nonce == "" {
			busy = true
			break
		}
	}
	if c := mine.card(t, "parley_open", id); !busy || c.Nonce == "" {
		t.Errorf("the others were stopped: %v; the card is %+v", busy, c)
	}
}
