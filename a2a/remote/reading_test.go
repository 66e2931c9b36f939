package remote_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/agent"
)

// sheet is a way to a card: it hangs, or there is what it says.
type sheet struct {
	says string // empty: it hangs
	read int
}

func (s *sheet) RoundTrip(r *http.Request) (*http.Response, error) {
	s.read++
	if s.says == "" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(s.says)), Request: r}, nil
}

const deskCard = `{"name":"Desk","description":"Trips","version":"1","capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[],
	"supportedInterfaces":[{"url":"https://desk.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`

// listing is a tenant's agent with such a card, as turns list it: how long that takes, and
// whether it is there.
func listing(t *testing.T, way *sheet) (*remote.Remote, func() (time.Duration, error)) {
	t.Helper()
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
	there, err := remote.New(&remote.Options{Name: "desk", URL: "https://desk.example", Tenant: "acme", Hub: hub, Records: hub.Records(), Cards: way, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return there, func() (time.Duration, error) {
		began := time.Now()
		tools, err := there.Delegate().Tools(t.Context(), agent.Caller{})
		if err == nil && len(tools) != 1 {
			t.Errorf("%d tools", len(tools))
		}
		return time.Since(began), err
	}
}

// An agent whose card hangs is waited for by one turn; those that come after go on without
// it at once, and have it when its card can be read.
func TestTurnsDoNotWaitForAnAgentThatIsKnownToBeAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		way := &sheet{}
		there, list := listing(t, way)
		if took, err := list(); took != 5*time.Second || err == nil {
			t.Errorf("the first turn waits %v: %v", took, err)
		}
		for range 30 {
			if took, err := list(); took != 0 || err == nil {
				t.Errorf("a turn waits %v: %v", took, err)
			}
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if way.read < 2 || way.read > 3 {
			t.Errorf("the card was read %d times in 35 s", way.read)
		}
		if _, problem := there.Status(t.Context()); problem == nil || !strings.Contains(problem.Error(), "desk") {
			t.Errorf("its status is %v", problem)
		}
		time.Sleep(20 * time.Second) // what is under way ends
		synctest.Wait()
		way.says = deskCard
		if took, err := list(); took != 0 || err == nil {
			t.Errorf("a turn waits %v: %v", took, err)
		}
		synctest.Wait()
		if took, err := list(); took != 0 || err != nil {
			t.Errorf("it is back, and a turn waits %v: %v", took, err)
		}
		if _, problem := there.Status(t.Context()); problem != nil {
			t.Error(problem)
		}
	})
}

// The status of an agent that was registered a moment ago is enough to know that it is away.
func TestNoTurnWaitsForAnAgentWhoseStatusIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there, list := listing(t, &sheet{})
		if _, problem := there.Status(t.Context()); problem == nil {
			t.Error("it is up")
		}
		if took, err := list(); took != 0 || err == nil {
			t.Errorf("a turn waits %v: %v", took, err)
		}
		time.Sleep(time.Minute)
	})
}

// A card that has to be read again is no reason to wait either: the one before holds, for
// tasks too, as long as it is known that it cannot be read.
func TestTurnsDoNotWaitForACardThatIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		way := &sheet{says: deskCard}
		there, list := listing(t, way)
		if _, err := list(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		way.says = ""
		time.Sleep(6 * time.Minute)
		for range 3 {
			if took, err := list(); took != 0 || err != nil {
				t.Errorf("a turn waits %v: %v", took, err)
			}
			time.Sleep(20 * time.Second)
		}
		began := time.Now()
		if err := there.Prepare(t.Context(), &agent.Invocation{}); err != nil || time.Since(began) != 0 {
			t.Errorf("a task waits %v: %v", time.Since(began), err)
		}
		synctest.Wait()
		if way.read < 3 {
			t.Errorf("the card was read %d times", way.read)
		}
		time.Sleep(time.Minute)
	})
}
