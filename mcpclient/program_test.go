package mcpclient_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAProgramThatDiesOfAnUnknownMethodIsInitialized(t *testing.T) {
	c := connect(t, child("dies"))
	if c.Modern() || c.Version() != "2024-11-05" || c.Server().Name != "plain" {
		t.Errorf("connected with %s to %+v", c.Version(), c.Server())
	}
	if got := textOf(t, next(t, call(t, c, "any", `{}`))); got != "plain" {
		t.Errorf("got %q", got)
	}
}

func TestAProgramThatNeverAnswersAnUnknownMethodIsInitialized(t *testing.T) {
	c := connect(t, child("mute"))
	if c.Modern() || c.Version() != "2024-11-05" {
		t.Errorf("connected with %s", c.Version())
	}
}

func TestWhatAProgramSaysBesidesIsIgnored(t *testing.T) {
	c := connect(t, child("dies"))
	if got := textOf(t, next(t, call(t, c, "strange", `{}`))); got != "after all" {
		t.Errorf("got %q", got)
	}
}

func TestAProgramThatExitsIsGone(t *testing.T) {
	c := connect(t, child("dies"))
	x := call(t, c, "exit", `{}`)
	if m, err := x.Next(); !errors.Is(err, mcpclient.ErrSessionGone) {
		t.Errorf("got %v, %v", m, err)
	}
	<-c.Done()
	if _, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{}`)}); !errors.Is(err, mcpclient.ErrSessionGone) {
		t.Errorf("a new call ended with %v", err)
	}
}

func TestALineOverTheLimitEndsTheConnection(t *testing.T) {
	opts := child("dies")
	opts.MaxMessage = 10_000
	c := connect(t, opts)
	x := call(t, c, "huge", `{}`)
	if m, err := x.Next(); !errors.Is(err, mcpclient.ErrTooLarge) {
		t.Errorf("got %v, %v", m, err)
	}
	<-c.Done()
}

func TestAProgramThatIsNotThereIsUnreachable(t *testing.T) {
	for _, command := range []string{"/no/such/program", "/bin/false"} {
		if _, err := mcpclient.Connect(t.Context(), &mcpclient.Options{Command: []string{command}}); !errors.Is(err, mcpclient.ErrUnreachable) {
			t.Errorf("%s: %v", command, err)
		}
	}
}

func TestWhatAProgramStartedEndsWithIt(t *testing.T) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	opts := child("dies")
	opts.Stderr = theirs // the pipe has no end while anybody of theirs lives
	c := connect(t, opts)
	if got := textOf(t, next(t, call(t, c, "spawn", `{}`))); got != "spawned" {
		t.Errorf("got %q", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	_ = theirs.Close()
	if _, err := io.ReadAll(ours); err != nil {
		t.Error(err)
	}
}

// It would hold up the end of all calls, for as long as somebody has to wait for it.
func TestWhatAProgramLeftBehindIsNotWaitedFor(t *testing.T) {
	c := connect(t, child("dies"))
	if m, err := call(t, c, "leave", `{}`).Next(); !errors.Is(err, mcpclient.ErrSessionGone) {
		t.Errorf("%s, %v", m.Result, err)
	}
	<-c.Done()
}

func TestAProgramHearsOfAClosedCall(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		c := connect(t, child(era))
		x := call(t, c, "hang", `{"word":"a"}`, func(r *mcpclient.Request) { r.Progress = json.RawMessage(`"p"`) })
		next(t, x)
		x.Close()
		if _, err := x.Next(); !errors.Is(err, mcpclient.ErrClosed) {
			t.Errorf("Next ended with %v", err)
		}
		if got := textOf(t, next(t, call(t, c, "cancelled", `{}`))); got != "a" {
			t.Errorf("%s: %q was cancelled", era, got)
		}
	}
}

func TestAProgramThatIsSlowToStartIsTakenForWhatItIs(t *testing.T) {
	c := connect(t, child("slow"))
	if !c.Modern() || c.Version() != "2026-07-28" {
		t.Errorf("connected with %s", c.Version())
	}
	if got := textOf(t, next(t, call(t, c, "any", `{}`))); got != "plain" {
		t.Errorf("got %q", got)
	}
}

func TestAProgramThatRefusesToBeInitializedSinceItWasDiscoveredIsModern(t *testing.T) {
	c := connect(t, child("begun"))
	if !c.Modern() {
		t.Error("it is taken for an older one")
	}
}

func TestAProgramThatDoesNotWantToEndIsKilled(t *testing.T) {
	c := connect(t, child("stubborn"))
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	<-c.Done()
}

func TestAQuestionThatIsTakenBackIsReportedToWhomItWasGiven(t *testing.T) {
	c := connect(t, child("dies"))
	x := call(t, c, "regret", `{}`)
	var got []string
	for range 2 {
		m := next(t, x)
		got = append(got, m.Method+" "+string(m.Params))
	}
	if diff := cmp.Diff([]string{"elicitation/create {}", `notifications/cancelled {"requestId":"q"}`}, got); diff != "" {
		t.Error(diff)
	}
	if got := textOf(t, next(t, x)); got != "never mind" {
		t.Errorf("got %q", got)
	}
}
