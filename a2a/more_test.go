package a2a_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// A stream outlives the token of its client.
func TestAStreamEndsWithTheToken(t *testing.T) {
	for name, then := range map[string]string{"signed out": "nobody", "somebody else": "bob", "another tenant": "alice@acme", "fewer scopes": "narrow"} {
		t.Run(name, func(t *testing.T) {
			var over atomic.Bool
			s := newSite(t, &a2a.Options{Heartbeat: 10 * time.Millisecond, Principal: func(r *http.Request) (parley.Principal, error) {
				if over.Load() {
					r = r.Clone(r.Context())
					r.Header.Set("Authorization", "Bearer "+then)
				}
				return whoAsks(r)
			}}, helper(colour))
			c := s.client("alice", "JSON-RPC")
			task := c.send(says("Go"))
			stream := c.subscribe(task.ID)
			stream.event()
			over.Store(true)
			_, err, _ := stream.next()
			refused(t, err, wire.ErrUnauthenticated, "no longer good")
		})
	}
}

// So may a message that waits for its task.
func TestAMessageThatWaitsIsToldNothingWhenItsTokenIsOver(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		var over atomic.Bool
		s := newSite(t, &a2a.Options{Principal: func(r *http.Request) (parley.Principal, error) {
			if over.Load() {
				r = r.Clone(r.Context())
				r.Header.Set("Authorization", "Bearer nobody")
			}
			return whoAsks(r)
		}}, &agent.Agent{Name: "helper", Model: calls("tool__do"), Toolboxes: []agent.Toolbox{&box{name: "tool", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			over.Store(true)
			return agent.Result{Text: "What nobody else may know."}, nil
		}}}})
		result, err := s.client("alice", way).SendMessage(t.Context(), &wire.SendMessageRequest{Message: says("Go")})
		if result != nil {
			t.Errorf("told %+v", result)
		}
		refused(t, err, wire.ErrUnauthenticated, "no longer good")
	})
}

// What finds out who is there is away for a while: nobody is sent off for that.
func TestAStreamOutlivesAnOutageOfTheSignIn(t *testing.T) {
	var asked atomic.Int64
	s := newSite(t, &a2a.Options{Heartbeat: 10 * time.Millisecond, Principal: func(r *http.Request) (parley.Principal, error) {
		if n := asked.Add(1); n > 3 && n < 7 { // behind the message and its subscription
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer down")
		}
		return whoAsks(r)
	}}, helper(colour))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	stream := c.subscribe(task.ID)
	stream.event()
	for asked.Load() < 9 {
		time.Sleep(time.Millisecond)
	}
	s.page(asks(t, task).ID, parley.Answer{Action: parley.Decline})
	stream.until(wire.TaskStateCompleted)
}

const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"

func TestImagesAndLinksAreArtifacts(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("tool__do"), Toolboxes: []agent.Toolbox{&box{name: "tool", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			return agent.Result{Text: "Here.", Content: []agent.Content{
				{Kind: agent.Image, Name: "chart.png", Data: []byte(pixel)},
				{Kind: agent.Link, Title: "The report\u202e", Description: "Of\x1b\nlast year", URI: "https://reports.example/7"},
				{Kind: agent.Link, Title: "Not for people", URI: "file:///etc/passwd"},
			}}, nil
		}}}})
		c := s.client("alice", way)
		stream := c.stream(says("Draw"))
		var streamed []*wire.Artifact
		var id wire.TaskID
		for e := stream.event(); e != nil; e = stream.event() {
			switch e := e.(type) {
			case *wire.Task:
				id = e.ID
			case *wire.TaskArtifactUpdateEvent:
				if e.Artifact.Name != "answer" && e.Artifact.Parts[0].Text() == "" {
					streamed = append(streamed, e.Artifact)
				}
			}
		}
		kept := c.get(id).Artifacts[1:]
		for _, all := range [][]*wire.Artifact{streamed, kept} {
			if len(all) != 2 || string(all[0].Parts[0].Raw()) != pixel || all[0].Parts[0].MediaType != "image/png" || all[1].Name != `The report\u202e` || all[1].Description != "Of\\u001b\nlast year" || all[1].Parts[0].URL() != "https://reports.example/7" {
				t.Errorf("%+v", all)
			}
		}
	})
}

func TestTheQuestionOfADelegateInterruptsTheTask(t *testing.T) {
	boss := &agent.Agent{Name: "helper", Delegates: []string{"painter"}, Model: script(func(p agent.Prompt) agent.Reply {
		if last(p).Role == agent.FromTools {
			return agent.Reply{Text: last(p).Results[0].Text}
		}
		return agent.Reply{Calls: []agent.ToolCall{{ID: "d", Tool: p.Tools[0].Name, Args: []byte(`{"message":"Paint it","task":"Paint it"}`)}}}
	})}
	painter := helper(colour)
	painter.Name = "painter"
	s := newSite(t, nil, boss, painter)
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Have it painted"))
	state(t, task, wire.TaskStateInputRequired)
	task = c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`)))
	state(t, task, wire.TaskStateCompleted)
	if !strings.Contains(result(task), `{"colour":"red"}`) {
		t.Error(result(task))
	}
}

// A program has nobody who could be asked: the tool fails at once.
func TestNobodyIsAskedInTheTasksOfAProgram(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	task := s.client("program:ci", "JSON-RPC").send(says("Paint it"))
	state(t, task, wire.TaskStateCompleted)
	if s.calls.called() != 0 {
		t.Error("it was done")
	}
}

func TestATaskGoesOnWhenItsQuestionExpires(t *testing.T) {
	q := colour
	q.Expires = time.Now().Add(2 * time.Second).UTC().Truncate(time.Millisecond)
	s := newSite(t, nil, helper(q))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Paint it"))
	asked := asks(t, task)
	if got := c.until(task.ID, wire.TaskStateCompleted); !strings.Contains(result(got), "expire") {
		t.Error(result(got))
	}
	_, err := c.trySend(to(task, answers(asked.ID, elicitation.Accept, `{"colour":"red"}`)))
	refused(t, err, wire.ErrUnsupportedOperation, "")
}

// While it works it waits for no message.
func TestATaskThatIsWorkedOnTakesNoMessage(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("tool__do"), Toolboxes: []agent.Toolbox{&box{name: "tool", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
		close(begun)
		<-release
		return agent.Result{Text: "done"}, nil
	}}}})
	c := s.client("alice", "JSON-RPC")
	sent, err := c.SendMessage(t.Context(), &wire.SendMessageRequest{Message: says("Work"), Config: &wire.SendMessageConfig{ReturnImmediately: true}})
	if err != nil {
		t.Fatal(err)
	}
	task := sent.(*wire.Task)
	<-begun
	state(t, c.get(task.ID), wire.TaskStateWorking)
	_, err = c.trySend(to(task, says("Faster")))
	refused(t, err, wire.ErrUnsupportedOperation, "waits for nothing")
	close(release)
	c.until(task.ID, wire.TaskStateCompleted)
}

// The text of a fault is for the log.
func TestAFaultIsNotTold(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	task := s.client("alice", "JSON-RPC").send(says("Go"))
	run, _, _ := strings.Cut(string(task.ID), ".")
	at := parley.Address{Tenant: "default", Kind: "run", Key: "alice/a2a:helper:" + task.ContextID + "/" + run}
	record, err := s.store.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	record.Data = []byte(`"broken"`)
	if _, err := s.store.Save(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	_, err = s.client("alice", "JSON-RPC").GetTask(t.Context(), &wire.GetTaskRequest{ID: task.ID})
	refused(t, err, wire.ErrInternalError, "a fault of the server")
}

// Somebody may call a conversation of another surface like a context. It stays that
// surface's, if another agent is in it.
func TestTheTurnOfAnotherAgentIsNoTask(t *testing.T) {
	s := newSite(t, nil, helper(colour), &agent.Agent{Name: "other", Model: script(echo)})
	ref, err := s.rt.Start(t.Context(), alice, agent.Message{Agent: "other", Conversation: "a2a:helper:c", ID: "m", Text: "Hi"})
	if err != nil {
		t.Fatal(err)
	}
	c := s.client("alice", "JSON-RPC")
	_, err = c.GetTask(t.Context(), &wire.GetTaskRequest{ID: wire.TaskID(ref.Run + ".Yw")})
	refused(t, err, wire.ErrTaskNotFound, "")
	if page := c.list(wire.ListTasksRequest{}); len(page.Tasks) != 0 {
		t.Errorf("%+v", page)
	}
}

// A host may bound how long answers take; a stream takes longer.
func TestAStreamOutlivesTheWriteTimeOutOfItsServer(t *testing.T) {
	s := newSite(t, &a2a.Options{Heartbeat: 10 * time.Millisecond}, helper(colour))
	bounded := httptest.NewUnstartedServer(s.web.Config.Handler)
	bounded.Config.WriteTimeout = 100 * time.Millisecond
	bounded.Start()
	t.Cleanup(bounded.Close)
	s.web.Close()
	s.web = bounded
	c := s.client("alice", "REST")
	task := c.send(says("Go"))
	stream := c.subscribe(task.ID)
	stream.event()
	time.Sleep(300 * time.Millisecond) // longer than the limit
	s.page(asks(t, task).ID, parley.Answer{Action: parley.Decline})
	stream.until(wire.TaskStateCompleted)
}

// By the name of the channel others know that a model may have written the answer.
func TestAnAnswerSaysWhereItCameFrom(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Go"))
	q := asks(t, task)
	c.send(to(task, says("green")))
	asked, err := s.hub.Get(t.Context(), alice, parley.ID(q.ID))
	if err != nil || asked.Outcome == nil || asked.Outcome.Via != a2a.Via || !strings.HasSuffix(a2a.Via, "-model") || asked.Outcome.By != "alice" {
		t.Errorf("%+v %v", asked.Outcome, err)
	}
}

// A server that is stopped says how the task stands; it goes on elsewhere.
func TestAClientThatWaitsWhenTheServerStopsIsToldHowItsTaskStands(t *testing.T) {
	t.Run("while the message is taken", func(t *testing.T) { stopped(t, true) })
	t.Run("while the task is worked on", func(t *testing.T) { stopped(t, false) })
}

func stopped(t *testing.T, early bool) {
	begun, release := make(chan struct{}), make(chan struct{})
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("tool__do"), Toolboxes: []agent.Toolbox{&box{name: "tool", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
		close(begun)
		<-release
		return agent.Result{Text: "done"}, nil
	}}}})
	defer close(release)
	over, stop := context.WithCancelCause(t.Context())
	inner := s.web.Config.Handler
	s.web.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(over, func() { cancel(context.Cause(over)) })()
		inner.ServeHTTP(w, r.WithContext(ctx))
	})
	if early {
		stop(chat.ErrStopping)
	} else {
		go func() {
			<-begun
			stop(chat.ErrStopping)
		}()
	}
	task := s.client("alice", "JSON-RPC").send(says("Work"))
	if early && task.Status.State == wire.TaskStateSubmitted {
		return // nobody has begun with it yet
	}
	state(t, task, wire.TaskStateWorking)
}

func TestDataIsWhatTheAgentTakes(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo), Input: []byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)})
	c := s.client("alice", "JSON-RPC")
	with := func(data map[string]any) *wire.Message {
		return wire.NewMessage(wire.MessageRoleUser, wire.NewDataPart(data))
	}
	task := c.send(with(map[string]any{"city": "Oslo"}))
	if got := result(task); got != `You said: {"city":"Oslo"}` {
		t.Error(got)
	}
	_, err := c.trySend(with(map[string]any{"town": "Oslo"}))
	refused(t, err, wire.ErrInvalidParams, "parts[0] is not what this agent takes")
	state(t, c.send(says("In words")), wire.TaskStateCompleted)
}

// A caller in a loop is stopped before its person is drowned in questions.
func TestATaskIsNotBegunWhileTooManyQuestionsWait(t *testing.T) {
	s := newSite(t, nil, helper(mayI))
	c := s.client("alice", "JSON-RPC")
	var err error
	begun := 0
	for ; err == nil && begun < 100; begun++ {
		_, err = c.trySend(says(fmt.Sprint("Pay ", begun)))
	}
	refused(t, err, wire.ErrServerError, "too many questions wait for this person")
	if begun != 51 {
		t.Errorf("%d were asked", begun-1)
	}
}
