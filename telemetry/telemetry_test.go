package telemetry_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/storetest"
	"github.com/parley-hq/parley/telemetry"
)

// shown is what the metrics say.
func shown(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func want(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestQuestionsAreCountedByTriggerAndEnd(t *testing.T) {
	m := telemetry.New(nil)
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: m.Hooks(), Woken: m.Woken})
	for i, trigger := range []string{parley.TriggerApproval, parley.TriggerApproval, "somebody's own"} {
		q, err := hub.Open(t.Context(), parley.Request{Tenant: "hidden-tenant", To: "hidden-person", From: "hidden-service", Message: "hidden-message", Trigger: trigger})
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			continue
		}
		if err := hub.Answer(t.Context(), parley.Principal{Tenant: "hidden-tenant", User: "hidden-person"}, q.ID, parley.Answer{Action: parley.Decline}); err != nil {
			t.Fatal(err)
		}
	}
	m.Woken(3 * time.Millisecond)
	text := shown(t, m)
	want(t, text,
		`parley_questions_opened_total{trigger="tool_approval"} 2`, `parley_questions_opened_total{trigger="other"} 1`, `parley_questions_opened_total{trigger="program"} 0`,
		`parley_questions_settled_total{end="declined",trigger="tool_approval"} 1`, `parley_questions_settled_total{end="declined",trigger="other"} 1`,
		`parley_question_wait_seconds_count{end="declined",trigger="tool_approval"} 1`,
		`parley_wakeup_seconds_count 1`, `parley_wakeup_seconds_bucket{le="0.0025"} 0`, `parley_wakeup_seconds_bucket{le="0.005"} 1`,
	)
	for _, name := range []string{"hidden", "somebody"} {
		if strings.Contains(text, name) {
			t.Errorf("the metrics have %s", name)
		}
	}
}

func TestServersThatTheConfigurationDoesNotNameAreOne(t *testing.T) {
	m := telemetry.New(&telemetry.Options{Servers: []string{"tracker"}})
	for _, server := range []string{"tracker", "tenants-own-1", "tenants-own-2"} {
		m.Refused(server)
	}
	text := shown(t, m)
	want(t, text, `parley_credentials_refused_total{server="tracker"} 1`, `parley_credentials_refused_total{server="other"} 2`)
	if strings.Contains(text, "tenants-own") {
		t.Error("names that tenants choose are labels")
	}
}

func TestNotificationsThatFailedAreCountedByTheirChannel(t *testing.T) {
	m := telemetry.New(&telemetry.Options{Channels: []string{"email", "slack"}})
	for _, channel := range []string{"email", "email", "webhook:gone"} {
		m.Untold(channel)
	}
	want(t, shown(t, m), `parley_notifications_failed_total{channel="email"} 2`, `parley_notifications_failed_total{channel="slack"} 0`, `parley_notifications_failed_total{channel="other"} 1`)
}

func TestRefusedAnswersOfAppsAreCountedByTheirReason(t *testing.T) {
	m := telemetry.New(nil)
	for _, reason := range []string{"replay", "replay", "whatever somebody sent"} {
		m.AppRefused(reason)
	}
	want(t, shown(t, m), `parley_app_answers_refused_total{reason="replay"} 2`, `parley_app_answers_refused_total{reason="unknown_nonce"} 0`, `parley_app_answers_refused_total{reason="other"} 1`)
}

// A timed store keeps all promises of the one that it is of.
func TestATimedStoreIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		inner := parley.NewMemoryStore()
		inner.Retention = retention
		m := telemetry.New(nil)
		return m.Store(inner), func() storetest.Backend { return m.Store(inner) }
	})
}

func TestTheStoreIsTimedAndItsFailuresAreCounted(t *testing.T) {
	m := telemetry.New(nil)
	store := m.Store(broken{parley.NewMemoryStore()})
	_, err := store.Get(t.Context(), parley.NewID())
	if !errors.Is(err, parley.ErrNotFound) {
		t.Fatal(err)
	}
	_, _ = store.List(t.Context(), parley.Query{})
	want(t, shown(t, m), `parley_store_seconds_count{operation="get"} 1`, `parley_store_seconds_count{operation="list"} 1`,
		`parley_store_errors_total{operation="get"} 0`, `parley_store_errors_total{operation="list"} 1`)
	if _, ok := store.(parley.Attendance); ok {
		t.Error("it has an ability that the store has not")
	}
}

type broken struct{ *parley.MemoryStore }

func (broken) List(context.Context, parley.Query) ([]parley.Request, error) {
	return nil, errors.New("away")
}

type talker struct{ err error }

func (m talker) Generate(context.Context, agent.Prompt, func(string)) (agent.Reply, error) {
	return agent.Reply{Text: "hello"}, m.err
}

func TestModelsAreTimedAndTheirFailuresCounted(t *testing.T) {
	m := telemetry.New(nil)
	if reply, err := m.Model("good", talker{}).Generate(t.Context(), agent.Prompt{}, nil); reply.Text != "hello" || err != nil {
		t.Errorf("%v, %v", reply, err)
	}
	if _, err := m.Model("bad", talker{errors.New("away")}).Generate(t.Context(), agent.Prompt{}, nil); err == nil {
		t.Error("the error is lost")
	}
	want(t, shown(t, m), `parley_model_seconds_count{model="good"} 1`, `parley_model_errors_total{model="good"} 0`, `parley_model_errors_total{model="bad"} 1`)
}

func TestTheStateIsReadWhenSomebodyAsksAndTheStoreNotOften(t *testing.T) {
	m := telemetry.New(nil)
	reads := 0
	m.Watch(telemetry.State{
		Pending: func(context.Context) (map[string]int, error) {
			reads++
			return map[string]int{"tool": 7, "other": 0}, nil
		},
		Nodes: func(context.Context) (int, error) { return 0, errors.New("away") },
		Runs:  func() int { return 1 }, Sessions: func() int { return 2 }, Parked: func() int { return 3 },
		Outbox: func() (int, time.Duration) { return 4, 5 * time.Second },
		Spans:  func() (int64, int64) { return 6, 7 },
	})
	for range 3 {
		text := shown(t, m)
		want(t, text, `parley_questions_pending{trigger="tool"} 7`, `parley_questions_pending{trigger="other"} 0`, "parley_runs_in_progress 1", "parley_mcp_sessions 2", "parley_parked_calls 3", "parley_outbox_questions 4", "parley_outbox_behind_seconds 5", "parley_spans_sent_total 6", "parley_spans_dropped_total 7")
		if strings.Contains(text, "parley_nodes") {
			t.Error("a number that is not known is told")
		}
	}
	if reads != 1 {
		t.Errorf("the store was asked %d times", reads)
	}
}

func TestWhatWaitsIsToldByItsTriggerAndNoMoreIsReadThanOnePage(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	ask := func(trigger string, times int, until time.Time) (last parley.ID) {
		for range times {
			r, err := hub.Open(t.Context(), parley.Request{To: rand.Text(), Message: "Go on?", Trigger: trigger, Expires: until})
			if err != nil {
				t.Fatal(err)
			}
			last = r.ID
		}
		return last
	}
	soon := time.Now().Add(time.Hour)
	ask(parley.TriggerApproval, 2, soon)
	ask("a word of a program", 1, soon)
	settled := ask(parley.TriggerTool, 1, soon)
	if err := store.Settle(t.Context(), settled, parley.Outcome{Action: parley.Decline, At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	pending := telemetry.PendingIn(store)
	check := func(want map[string]int) {
		t.Helper()
		got, err := pending(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 9 {
			t.Errorf("not every series is there: %v", got)
		}
		for trigger, n := range got {
			if n != want[trigger] {
				t.Errorf("%s: %d, want %d", trigger, n, want[trigger])
			}
		}
	}
	check(map[string]int{"tool_approval": 2, "other": 1})
	ask(parley.TriggerMCP, parley.MaxLimit-3, soon.Add(time.Hour))
	ask(parley.TriggerA2A, 5, soon.Add(2*time.Hour))
	check(map[string]int{"tool_approval": 2, "other": 1, "mcp_elicitation": parley.MaxLimit - 3, "unread": 5})
}
