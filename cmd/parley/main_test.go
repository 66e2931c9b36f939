package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheDemoPlaysItsStory(t *testing.T) {
	parley := program(t)
	out, err := exec.CommandContext(t.Context(), parley, "demo", "--headless").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"stopped while the question waits", "Ticket 7 is closed.", "The person denied this call.", "Bergen", "Everything went as told."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if out, err := exec.Command(parley, "serve", "-c", "nowhere.yaml").CombinedOutput(); err == nil || !strings.Contains(string(out), "there is no nowhere.yaml") {
		t.Errorf("no configuration: %v\n%s", err, out)
	}
	if out, err := exec.Command(parley, "no-such-command").CombinedOutput(); err == nil || !strings.Contains(string(out), "parley help") {
		t.Errorf("unknown command: %v\n%s", err, out)
	}
}
