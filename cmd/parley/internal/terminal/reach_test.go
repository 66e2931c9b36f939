package terminal

import (
	"bytes"
	"net"
	"strings"
	"testing"
)

// refusedAt is what a conversation that cannot begin says.
func refusedAt(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	err := converse(t.Context(), args, strings.NewReader("hello\n"), &screen{out: &out, echo: true}, nil)
	if err == nil || strings.Contains(out.String(), "hello") {
		t.Fatalf("it began: %v\n%s", err, out.String())
	}
	return err.Error()
}

func TestAServerThatIsNotThereIsSaidBeforeAnythingIsTyped(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	want := "cannot reach " + at + " (connection refused): start the server there, or name another with --server"
	for _, args := range [][]string{{"--server", at}, {"--server", at, "--user", "ann"}, {"--server", at, "--conversation", "c1"}} {
		if got := refusedAt(t, args...); got != want {
			t.Errorf("%q says %q", args, got)
		}
	}
}

func TestAnAgentThatIsNotThereIsSaidWithThoseThatAre(t *testing.T) {
	server := startDemo(t)
	got := refusedAt(t, "--server", server, "--user", "ann", "--agent", "asistant")
	if want := `there is no agent "asistant" at ` + server + "; --agent takes one of: assistant, concierge, researcher"; got != want {
		t.Errorf("said %q", got)
	}
	inOrder(t, piped(t, []string{"--server", server, "--user", "ann", "--agent", "assistant"}, "hello"), "> hello", "I am a small demonstration model")
}
