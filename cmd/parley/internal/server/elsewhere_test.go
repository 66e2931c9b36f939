package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/vault"
)

// desk is a stock A2A agent. It asks where to when it is told of a trip.
type desk struct {
	name, url string
	elsewhere string // where its card sends callers, if not to itself

	mu   sync.Mutex
	told []string // what it was told
	keys []string // with which credential; those of requests for its card in front
}

func newDesk(t *testing.T, name string) *desk {
	t.Helper()
	d := &desk{name: name}
	mux := http.NewServeMux()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		d.keys = append(d.keys, r.URL.Path+" "+r.Header.Get("Authorization"))
		d.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	d.url = web.URL
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(a2asrv.NewHandler(d, a2asrv.WithLogger(slog.New(slog.DiscardHandler)))))
	mux.HandleFunc(a2asrv.WellKnownAgentCardPath, func(w http.ResponseWriter, r *http.Request) {
		at := web.URL
		if d.elsewhere != "" {
			at = d.elsewhere
		}
		a2asrv.NewStaticAgentCardHandler(&a2a.AgentCard{
			Name: d.name, Description: "Books trips.", Version: "1", DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"}, Skills: []a2a.AgentSkill{},
			SupportedInterfaces: []*a2a.AgentInterface{{URL: at + "/rpc", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2a.Version}},
		}).ServeHTTP(w, r)
	})
	return d
}

func (d *desk) Execute(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		text := ec.Message.Parts[0].Text()
		d.mu.Lock()
		d.told = append(d.told, text)
		d.mu.Unlock()
		if ec.StoredTask == nil {
			yield(a2a.NewSubmittedTask(ec, ec.Message), nil)
		}
		if ec.StoredTask == nil && strings.Contains(text, "trip") {
			yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateInputRequired, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart("Where to?"))), nil)
			return
		}
		if yield(a2a.NewArtifactEvent(ec, a2a.NewTextPart(d.name+" did "+text)), nil) {
			yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil), nil)
		}
	}
}

func (d *desk) Cancel(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCanceled, nil), nil)
	}
}

// was returns what it was told so far.
func (d *desk) was() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.told, "; ")
}

// with returns the requests to a path, each with its credential.
func (d *desk) with(path string) (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.keys {
		if rest, ok := strings.CutPrefix(one, path+" "); ok {
			all = append(all, rest)
		}
	}
	return all
}

// handsOn is a model that hands what it is told to the delegate that is named in front.
type handsOn struct{ obedient }

func (h handsOn) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	if last := p.Messages[len(p.Messages)-1]; last.Role == agent.FromUser {
		to, text, _ := strings.Cut(last.Text, ": ")
		task, err := json.Marshal(map[string]string{"task": text})
		return agent.Reply{Calls: []agent.ToolCall{{ID: "d", Tool: "delegate_to_" + to, Args: task}}}, err
	}
	return h.obedient.Generate(ctx, p, emit)
}

// site is two nodes over one store.
type site struct {
	t     *testing.T
	nodes []string
	turns int
}

func newSite(t *testing.T, more string) *site {
	t.Helper()
	return siteOver(t, filepath.Join(t.TempDir(), "parley.db"), more)
}

func siteOver(t *testing.T, file, more string) *site {
	t.Helper()
	s := &site{t: t}
	for range 2 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(gatewayHead(listener.Addr().String()), `"memory:"`, `"sqlite:`+file+`"`, 1) + "gateway: {}\nmodels: {script: {kind: demo}}\n" + more
		if !strings.Contains(more, "agents:") {
			text += "agents: {assistant: {model: script}, other: {model: script}}\n"
		}
		s.nodes = append(s.nodes, servedWith(t, listener, text, map[string]agent.Model{"script": handsOn{}}))
	}
	return s
}

// manage calls the management API of the first node for acme.
func (s *site) manage(want int, method, path, body string) string {
	s.t.Helper()
	status, data := sent(s.t, method, s.nodes[0]+path, tenantKeys["acme"], body)
	if status != want {
		s.t.Fatalf("%s %s: %d %s", method, path, status, data)
	}
	return string(data)
}

// says is what comes of a message at the second node.
func (s *site) says(tenant, to, text, want string) {
	s.t.Helper()
	s.turns++
	body := fmt.Sprintf(`{"id":"c%d","agent":%q,"messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, s.turns, to, text)
	if _, data := sent(s.t, http.MethodPost, s.nodes[1]+"/run/api/chat", personOf(s.t, tenant), body); !strings.Contains(string(data), want) {
		s.t.Errorf("%s of %s: no %q in %s", to, tenant, want, data)
	}
}

// asked opens a turn at the second node, calls with for the first question, and returns
// all that came.
func (s *site) asked(text string, with func(id, line string)) string {
	s.t.Helper()
	s.turns++
	return chatting(s.t, s.nodes[1], personOf(s.t, "acme"), fmt.Sprintf("c%d", s.turns), text, func(line string) {
		var card struct {
			Data struct {
				ID string `json:"elicitationId"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &card); err != nil {
			s.t.Fatal(err)
		}
		with(card.Data.ID, line)
	})
}

// answer answers a question of the last turn.
func (s *site) answer(id, content string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"conversationId":"c%d","elicitationId":%q,"action":"accept","content":%s}`, s.turns, id, content)
	if status, data := sent(s.t, http.MethodPost, s.nodes[1]+"/run/api/elicitation-responses", personOf(s.t, "acme"), body); status != http.StatusOK {
		s.t.Errorf("%d %s", status, data)
	}
}

// row is a desk as clients register it.
func row(d *desk, more string) string {
	return fmt.Sprintf(`{"name":"travel","transport":"a2a","url":%q,"agents":["assistant"]%s}`, d.url, more)
}

// An agent elsewhere is a delegate of the agents that it is given to, from the moment on
// when somebody registers it at whichever node, and until they remove it.
func TestAnAgentElsewhereOfTheAPIIsADelegate(t *testing.T) {
	s, d, moved := newSite(t, ""), newDesk(t, "desk"), newDesk(t, "moved")
	const nothing = "no tool"
	s.says("acme", "assistant", "travel: Rest.", nothing)
	if got := s.manage(http.StatusCreated, http.MethodPost, "/api/servers", row(d, `,"approve":"never"`)); !strings.Contains(got, `"state":"up"`) || !strings.Contains(got, `"transport":"a2a"`) {
		t.Error(got)
	}
	s.says("acme", "assistant", "travel: Rest.", "It says: desk did Rest.")
	s.says("acme", "other", "travel: Rest.", nothing)
	s.says("globex", "assistant", "travel: Rest.", nothing)
	for _, node := range s.nodes { // it is no MCP server
		sees(t, node, "a person of acme", personOf(t, "acme"))
	}
	if got := d.with("/"); len(got) != 0 {
		t.Errorf("somebody spoke MCP with it: %q", got)
	}
	s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", `{"approve":"refuse"}`)
	s.says("acme", "assistant", "travel: Rest.", "never allowed")
	s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", fmt.Sprintf(`{"approve":"never","url":%q}`, moved.url))
	s.says("acme", "assistant", "travel: Go.", "It says: moved did Go.")
	s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", `{"enabled":false}`)
	s.says("acme", "assistant", "travel: Rest.", nothing)
	s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", `{"enabled":true,"agents":["other"]}`)
	s.says("acme", "assistant", "travel: Rest.", nothing)
	s.says("acme", "other", "travel: Rest.", "It says: moved did Rest.")
	s.manage(http.StatusNoContent, http.MethodDelete, "/api/servers/travel", "")
	s.says("acme", "other", "travel: Rest.", nothing)
	if got := d.was() + " | " + moved.was(); got != "Rest. | Go.; Rest." {
		t.Errorf("they were told %s", got)
	}
}

// What a row says of approvals holds for tasks, by default as for a tool that is not
// read-only.
func TestATaskForAnAgentOfTheAPIIsAllowedByThePerson(t *testing.T) {
	for decision, want := range map[string]struct{ told, reply string }{
		"allow_once": {"Rest.", "It says: desk did Rest."}, "deny": {"", "It says: The person denied this call."},
	} {
		s, d := newSite(t, ""), newDesk(t, "desk")
		s.manage(http.StatusCreated, http.MethodPost, "/api/servers", row(d, `,"title":"Travel desk"`))
		asked := 0
		got := s.asked("travel: Rest.", func(id, line string) {
			if asked++; !strings.Contains(line, `tool_approval`) || !strings.Contains(line, "Travel desk") || !strings.Contains(line, "Rest.") || strings.Contains(line, "args.task") || d.was() != "" {
				t.Errorf("asked %s", line)
			}
			s.answer(id, fmt.Sprintf(`{"decision":%q}`, decision))
		})
		if asked != 1 || d.was() != want.told || !strings.Contains(got, want.reply) {
			t.Errorf("%s: asked %d times, told %q: %s", decision, asked, d.was(), got)
		}
	}
}

// An answer goes to where the question came from, with what that was called with, or
// nowhere.
func TestAnAnswerToAnAgentOfTheAPIThatIsAnotherByNowIsNotSent(t *testing.T) {
	other := newDesk(t, "other")
	for patch, want := range map[string]string{
		`{"title":"Trips"}`:                          "It says: desk did Oslo",
		fmt.Sprintf(`{"url":%q}`, other.url):         "is elsewhere by now",
		`{"auth":{"type":"bearer","token":"a key"}}`: "takes another credential by now",
		`{"enabled":false}`:                          "is no longer there",
		"":                                           "is no longer there",
	} {
		s, d := newSite(t, ""), newDesk(t, "desk")
		s.manage(http.StatusCreated, http.MethodPost, "/api/servers", row(d, `,"approve":"never"`))
		got := s.asked("travel: Book a trip.", func(id, line string) {
			if !strings.Contains(line, "Where to?") {
				t.Errorf("asked %s", line)
			}
			if patch == "" {
				s.manage(http.StatusNoContent, http.MethodDelete, "/api/servers/travel", "")
			} else {
				s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", patch)
			}
			s.answer(id, `{"answer":"Oslo"}`)
		})
		told := "Book a trip."
		if strings.Contains(want, "Oslo") {
			told += "; Oslo"
		}
		if !strings.Contains(got, want) || d.was() != told || len(other.with("/rpc")) != 0 {
			t.Errorf("%s: no %q, told %q and %v: %s", patch, want, d.was(), other.with("/rpc"), got)
		}
	}
}

// The platform's credential goes to the agent, and to nobody who reads its card, and to no
// other place that the card names.
func TestTheCredentialOfAnAgentOfTheAPIGoesToItAlone(t *testing.T) {
	s, d, evil := newSite(t, ""), newDesk(t, "desk"), newDesk(t, "evil")
	s.manage(http.StatusCreated, http.MethodPost, "/api/servers", row(d, `,"approve":"never","auth":{"type":"bearer"}`))
	if got := s.manage(http.StatusOK, http.MethodGet, "/api/servers/travel", ""); !strings.Contains(got, `"state":"needs_connection"`) {
		t.Error(got)
	}
	s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", `{"auth":{"token":"key-of-acme"}}`)
	s.says("acme", "assistant", "travel: Rest.", "It says: desk did Rest.")
	for _, key := range d.with("/rpc") {
		if key != "Bearer key-of-acme" {
			t.Errorf("called with %q", key)
		}
	}
	if cards := d.with(a2asrv.WellKnownAgentCardPath); len(cards) == 0 || strings.Join(cards, "") != "" {
		t.Errorf("its card was read with %q", cards)
	}
	d.elsewhere = evil.url
	s.manage(http.StatusOK, http.MethodPatch, "/api/servers/travel", `{"title":"Trips"}`) // so that its card is read anew
	s.says("acme", "assistant", "travel: Rest.", "The tools of Trips are not available just now.")
	if got := s.manage(http.StatusOK, http.MethodGet, "/api/servers/travel", ""); !strings.Contains(got, `"state":"down"`) || !strings.Contains(got, "sends its callers to another host (127.0.0.1") {
		t.Error(got)
	}
	if calls := evil.with("/rpc"); len(calls) != 0 || d.was() != "Rest." {
		t.Errorf("%q; told %s", calls, d.was())
	}
}

// The way to an agent of a tenant's is that of tenants, to its card too.
func TestNoAgentOfTheAPIIsReachedAtTheOperatorsHosts(t *testing.T) {
	in := newInside(t)
	s, base := strictly(t, in)
	for name, auth := range doors {
		moves(t, s, base, vault.Server{Name: name, URL: in.url + "/" + name, Protocol: vault.A2A, Auth: auth})
		body := fmt.Sprintf(`{"id":%q,"agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":"delegate_to_%s"}]}]}`, name, name)
		if _, data := sent(t, http.MethodPost, base+"/run/api/chat", personOf(t, "acme"), body); !strings.Contains(string(data), "The tools of "+name+" are not available just now.") {
			t.Errorf("%s: %s", name, data)
		}
		if _, data := sent(t, http.MethodGet, base+"/api/servers/"+name, tenantKeys["acme"], ""); !strings.Contains(string(data), `"state":"down"`) || !strings.Contains(string(data), "may not be called from here") {
			t.Errorf("%s: %s", name, data)
		}
		for _, path := range []string{"/" + name, "/" + name + a2asrv.WellKnownAgentCardPath} {
			if n := in.came(path); n != 0 {
				t.Errorf("%s: %d requests came inside", path, n)
			}
		}
	}
}

// The operator's agents have their names for themselves, also where the configuration came
// later; administrators see them, and who delegates to them.
func TestAnAgentOfTheAPIIsNeverTakenForOneOfTheConfiguration(t *testing.T) {
	ours := newDesk(t, "ours")
	s := newSite(t, fmt.Sprintf("agents: {assistant: {model: script, delegates: [travel]}, travel: {a2a: %q, title: Trips of ours}}\n", ours.url))
	theirs := newDesk(t, "theirs")
	for _, body := range []string{row(theirs, ""), strings.Replace(row(theirs, ""), "travel", "trave1", 1), strings.Replace(row(theirs, `,"title":"Trips of ours"`), "travel", "x", 1)} {
		if status, data := sent(t, http.MethodPost, s.nodes[0]+"/api/servers", tenantKeys["acme"], body); status != http.StatusConflict && status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", body, status, data)
		}
	}
	if got := s.manage(http.StatusOK, http.MethodGet, "/api/servers/travel", ""); !strings.Contains(got, `"transport":"a2a"`) || !strings.Contains(got, `"source":"configuration"`) ||
		!strings.Contains(got, `"agents":["assistant"]`) || !strings.Contains(got, `"approve":"never"`) || !strings.Contains(got, `"state":"up"`) {
		t.Error(got)
	}
	s.says("acme", "assistant", "travel: Rest.", "It says: ours did Rest.")
	if theirs.was() != "" {
		t.Error("the tenant's was told")
	}
}

// An agent that the configuration has by now is the one that is meant.
func TestTheConfigurationTakesANameFromAnAgentOfTheAPI(t *testing.T) {
	ours, theirs, file := newDesk(t, "ours"), newDesk(t, "theirs"), filepath.Join(t.TempDir(), "parley.db")
	before := siteOver(t, file, "")
	before.manage(http.StatusCreated, http.MethodPost, "/api/servers", row(theirs, `,"approve":"never"`))
	before.says("acme", "assistant", "travel: Rest.", "It says: theirs did Rest.")
	s := siteOver(t, file, fmt.Sprintf("agents: {assistant: {model: script, delegates: [travel]}, travel: {a2a: %q}}\n", ours.url))
	s.turns = 10
	s.says("acme", "assistant", "travel: Go.", "It says: ours did Go.")
	if got := s.manage(http.StatusOK, http.MethodGet, "/api/servers/travel", ""); !strings.Contains(got, `"state":"down"`) || !strings.Contains(got, "The configuration has an agent of this name by now") {
		t.Error(got)
	}
	s.manage(http.StatusNoContent, http.MethodDelete, "/api/servers/travel", "")
	if theirs.was() != "Rest." {
		t.Errorf("the tenant's was told %s", theirs.was())
	}
}

// Rules ask the same people about tasks as about calls of tools.
func TestATaskForAnAgentOfTheAPIWaitsForApprovers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+"models: {script: {kind: demo}}\nagents: {assistant: {model: script}}\n"+
		"rules: [{name: trips, server: travel, tool: task, approvers: \"2 of [bob, carol, dave]\", ttl: 3d}]\n", map[string]agent.Model{"script": handsOn{}})
	d := newDesk(t, "desk")
	if status, data := sent(t, http.MethodPost, base+"/api/servers", tenantKeys[""], row(d, `,"approve":"never"`)); status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	said := make(chan string, 1)
	bearer := named(t, "alice")
	go func() {
		_, data := sent(t, http.MethodPost, base+"/run/api/chat", bearer, `{"id":"c1","agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":"travel: Rest."}]}]}`, "x-supports-elicitation", "true")
		said <- string(data)
	}()
	if q := decide(t, base, "bob", "allow_once"); !strings.Contains(q.Message, "Rest.") || !strings.Contains(q.Message, "Service: travel") {
		t.Errorf("asked %s", q.Message)
	}
	if d.was() != "" {
		t.Errorf("told %s", d.was())
	}
	decide(t, base, "carol", "allow_once")
	if got := <-said; !strings.Contains(got, "It says: desk did Rest.") || d.was() != "Rest." {
		t.Errorf("told %q: %s", d.was(), got)
	}
}
