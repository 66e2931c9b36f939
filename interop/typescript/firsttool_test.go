package typescript_test

import (
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/parley-hq/parley/interop/kit"
)

// The program of docs/first-tool.md is called by clients that others wrote, of
// both eras, and asks their people.
func TestTheFirstToolAsksThroughClientsThatOthersWrote(t *testing.T) {
	kit.NeedNode(t)
	base := startFirstTool(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		id := c.Call("order_lunch", kit.Fields{"dish": "curry"})
		question := c.Question()
		if question.Params.Message != "How would you like your curry?" {
			t.Errorf("asked %q", question.Params.Message)
		}
		c.Answer(question, "accept", kit.Fields{"portions": 2, "spicy": true})
		c.Returns(id, `{"ordered":true,"text":"2 × curry, spicy"}`)

		id = c.Call("order_lunch", kit.Fields{"dish": "soup"})
		c.Answer(c.Question(), "decline", nil)
		c.Returns(id, `{"ordered":false,"text":"The user's answer was decline."}`)
	})
}

// startFirstTool builds the program and runs it until the test ends.
func startFirstTool(t *testing.T) (base string) {
	t.Helper()
	program := kit.Build(t, "../examples/first-tool")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	var said kit.Output
	cmd := exec.CommandContext(t.Context(), program, "-addr", address)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the program wrote:\n%s", said.String())
		}
	})
	for deadline := time.Now().Add(kit.Patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return "http://" + address
		}
	}
	t.Fatalf("it does not listen on %s:\n%s", address, said.String())
	return ""
}
