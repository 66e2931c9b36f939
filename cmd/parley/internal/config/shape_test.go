package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// Everything that is wrong is said at once: the line, the key, what was meant and
// what to write. Nothing of it speaks of Go.
func TestAllThatIsWrongIsSaidAtOnce(t *testing.T) {
	_, err := config.Parse([]byte(`dev: true
lisen: 127.0.0.1:8420
servers:
  shop:
    url: https://shop.example/mcp
    aprove: always
  files: [node, server.js]
rules:
  - {name: safe, server: shop, approve: always, read_only: perhaps}
origins: https://a.example
limits:
  parked_calls: many
`), env(nil))
	if err == nil {
		t.Fatal("it was taken")
	}
	want := []string{
		"invalid configuration:",
		"line 2: lisen: there is no such key; did you mean listen?",
		"line 6: servers.shop.aprove: there is no such key; did you mean approve?",
		"line 7: servers.files: it must be keys with values, such as {title: …}",
		"line 9: rules[0].read_only: it must be true or false",
		"line 10: origins: it must be a list, such as [a, b]",
	}
	said := strings.Split(err.Error(), "\n")
	for i, line := range want {
		if i >= len(said) || said[i] != line {
			t.Fatalf("got\n%s\nwant line %d to be\n%s", err, i, line)
		}
	}
	for _, word := range []string{"unmarshal", "struct", "interface", "Go "} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("%q in\n%s", word, err)
		}
	}
}

// A key that is not known does not keep the rest from being checked.
func TestAMisspeltKeyDoesNotHideOthers(t *testing.T) {
	_, err := config.Parse([]byte("dev: true\ntitel: x\nstore: mysql:x\nagents: {a: {model: best}}\n"), env(nil))
	for _, want := range []string{"line 2: titel: ", "did you mean title?", "line 3: store: ", `line 4: agents.a.model: there is no model "best"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestWhatIsNotYAMLIsSaidWithItsPlaceAndNothingOfIt(t *testing.T) {
	for text, want := range map[string]string{
		"dev: true\nsecrets: [hunter2\n":     "line ",
		"dev: true\ndev: false\n":            "line 2",
		"# nothing\n- hunter2\n":             "invalid configuration: line 2: a configuration is keys with values",
		"hunter2\n":                          "invalid configuration: line 1: a configuration is keys with values",
		"dev: true\n---\nlisten: hunter2\n":  "line 3: a second document begins here",
		"\tdev: hunter2\n":                   "line 1",
		"dev: true\nlimits: {runs: \"x\"}\n": "limits.runs",
	} {
		_, err := config.Parse([]byte(text), env(nil))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// What no file has is no key, and is not what anybody meant.
func TestAKeyThatIsShortIsNotTakenForNone(t *testing.T) {
	for _, key := range []string{"x", "-"} {
		_, err := config.Parse([]byte("dev: true\n\""+key+"\": 1\n"), env(nil))
		if err == nil || err.Error() != "invalid configuration: line 2: "+key+": there is no such key" {
			t.Error(err)
		}
	}
}

// What an anchor stands for is taken where it is used.
func TestAnchorsAreUnderstood(t *testing.T) {
	c, err := config.Parse([]byte(`dev: true
servers:
  a: &a {url: http://127.0.0.1:9100/mcp, approve: never}
  b: {<<: *a, title: B}
  c: *a
`), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if c.Servers["b"].Approve != "never" || c.Servers["c"].URL != "http://127.0.0.1:9100/mcp" {
		t.Errorf("%+v", c.Servers)
	}
}

// What is there only with something behind it is as if it were left out, which nobody would see.
func TestAKeyWithNothingBehindItIsWarnedOf(t *testing.T) {
	for text, want := range map[string]string{
		"gateway:":                       "gateway: there is nothing behind it, as if it were left out: to have it, write gateway: {}",
		"gateway: # everything":          "gateway: there is nothing behind it",
		"telemetry: {metrics: }":         "telemetry.metrics: there is nothing behind it, as if it were left out: to have it, write metrics: {}",
		"gateway: {}":                    "",
		"title:":                         "",
		"servers:\nagents:\ngateway: {}": "",
	} {
		c, err := config.Parse([]byte("dev: true\n"+text+"\n"), env(nil))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if said := c.Explain(); !strings.Contains(said, want) || (want == "") == strings.Contains(said, "nothing behind it") {
			t.Errorf("%s: %q is not in\n%s", text, want, said)
		}
	}
}
