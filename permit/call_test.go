package permit_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-hq/parley/permit"
)

func digest(t testing.TB, c permit.Call) string {
	t.Helper()
	d, err := c.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func moved(c *permit.Call) { c.Place = permit.Place("https://bank.example/mcp", nil) }

func TestTheSameCallHasTheSameDigest(t *testing.T) {
	want := digest(t, transfer())
	for name, change := range map[string]func(*permit.Call){
		"other key order and spacing": func(c *permit.Call) { c.Args = json.RawMessage(`{"amount":100,"to":"bob"}`) },
		"other escapes":               func(c *permit.Call) { c.Args = json.RawMessage(`{"t\u006f":"b\u006Fb","amount":100}`) },
		"the default tenant by name":  func(c *permit.Call) { c.Tenant = "default" },
		"other titles":                func(c *permit.Call) { c.ServerTitle, c.ToolTitle = "The bank", "Send money" },
		"another person":              func(c *permit.Call) { c.User, c.Session, c.ID = "carol", "chat-9", "run-9/call-9" },
	} {
		if got := digest(t, with(transfer(), change)); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	// Grants outlive a deployment, so this value is for ever. A second
	// implementation of the comment of Digest, in Python, gives it too.
	if want != "704VxK7QAShYqX1xY_UMdGHjzOTg4vHtVWjPKtNLSmc" {
		t.Errorf("the digest has changed to %s", want)
	}
	if got := digest(t, with(transfer(), moved)); got != "7UzCLZOche1UXBuTlowvwVWzrQhx6br6sbEUfvNl3G4" {
		t.Errorf("with a place the digest has changed to %s", got)
	}
	none := with(transfer(), func(c *permit.Call) { c.Args = nil })
	empty := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(" {\n} ") })
	if digest(t, none) != digest(t, empty) {
		t.Error("no arguments are not the empty ones")
	}
}

func TestAnotherCallHasAnotherDigest(t *testing.T) {
	args := func(raw string) func(*permit.Call) {
		return func(c *permit.Call) { c.Args = json.RawMessage(raw) }
	}
	seen := map[string]string{digest(t, transfer()): "the call itself"}
	for name, change := range map[string]func(*permit.Call){
		"amount":              args(`{"to":"bob","amount":101}`),
		"amount as a float":   args(`{"to":"bob","amount":100.0}`),
		"amount as a string":  args(`{"to":"bob","amount":"100"}`),
		"a big integer":       args(`{"to":"bob","amount":9007199254740993}`),
		"its neighbour":       args(`{"to":"bob","amount":9007199254740992}`),
		"case":                args(`{"To":"bob","amount":100}`),
		"one argument more":   args(`{"to":"bob","amount":100,"now":true}`),
		"one argument less":   args(`{"to":"bob"}`),
		"null":                args(`{"to":"bob","amount":null}`),
		"a composed letter":   args(`{"to":"b\u00f6b","amount":100}`),
		"a decomposed letter": args(`{"to":"bo\u0308b","amount":100}`),
		"none":                args(`{}`),
		"tool":                func(c *permit.Call) { c.Tool = "transfers" },
		"server":              func(c *permit.Call) { c.Server = "banks" },
		"place":               moved,
		"place and tool":      func(c *permit.Call) { c.Place, c.Tool = "transfer", "https://bank.example/mcp" },
		"a command":           func(c *permit.Call) { c.Place = permit.Place("", []string{"bank", "mcp"}) },
		"its words":           func(c *permit.Call) { c.Place = permit.Place("", []string{"bank mcp"}) },
		"tenant":              func(c *permit.Call) { c.Tenant = "acme" },
		"a moved border":      func(c *permit.Call) { c.Server, c.Tool = "bankt", "ransfer" },
		"another border":      func(c *permit.Call) { c.Tenant, c.Server = "defaultb", "ank" },
		"swapped":             func(c *permit.Call) { c.Server, c.Tool = c.Tool, c.Server },
	} {
		d := digest(t, with(transfer(), change))
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
}

func TestACallThatCannotBeBoundIsRefused(t *testing.T) {
	s := newSite(t, nil)
	for name, change := range map[string]func(*permit.Call){
		"no user":         func(c *permit.Call) { c.User = "" },
		"no server":       func(c *permit.Call) { c.Server = "" },
		"no tool":         func(c *permit.Call) { c.Tool = "" },
		"no id":           func(c *permit.Call) { c.ID = "" },
		"a broken name":   func(c *permit.Call) { c.Tool = "\xff" },
		"a control":       func(c *permit.Call) { c.Server = "bank\n" },
		"a control in id": func(c *permit.Call) { c.ID = "\x00" },
	} {
		wantAllRefuse(t, s, with(transfer(), change), name, permit.ErrCall)
	}
	for _, args := range []string{`null`, `[]`, `"x"`, `1`, `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{`, "{\"a\":\"\xff\"}"} {
		c := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(args) })
		wantAllRefuse(t, s, c, args, permit.ErrArguments)
	}
	if n := s.server.count(); n != 0 {
		t.Errorf("%d calls were made", n)
	}
}

func wantAllRefuse(t *testing.T, s *site, c permit.Call, name string, want error) {
	t.Helper()
	_, digestErr := c.Digest()
	_, checkErr := s.Check(t.Context(), permit.Always, c)
	_, questionErr := s.Question(c)
	_, recordErr := s.Record(t.Context(), c, "x")
	for step, err := range map[string]error{
		"Digest": digestErr, "Check": checkErr, "Question": questionErr, "Record": recordErr, "Consume": s.execute(t, c),
	} {
		t.Run(name+"/"+step, func(t *testing.T) { wantError(t, err, want) })
	}
}
