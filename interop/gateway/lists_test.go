package gateway_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
)

// names are those of listed things.
func names(list []json.RawMessage) []string {
	all := []string{}
	for _, raw := range list {
		var one struct{ Name string }
		_ = json.Unmarshal(raw, &one)
		all = append(all, one.Name)
	}
	return all
}

// The reference server through the gateway is the reference server, but for the
// names of its tools and prompts.
func TestTheGatewayListsAndReadsWhatTheServerDoes(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	s := startEverything(t, "http://127.0.0.1:1")[0]
	g := serveGateway(t, kit.BuildParley(t), []*matrixServer{s}, gatewaySettings{})
	g.stocked(t, []*matrixServer{s})
	for _, kind := range matrixKinds {
		if kind.command == nil {
			continue
		}
		t.Run(kind.title, func(t *testing.T) {
			old := kind // the server has no other era
			if kind.modern {
				old = matrixKind{command: kit.Client2}
			}
			direct := kit.StartScriptClient(t, kit.With(kit.With(old.command, "--"), s.command...)).TsClient
			through := g.person(t, "lister").connect(t, kind).(*kit.ScriptClient).TsClient
			for _, what := range []string{"tools", "prompts", "resources", "resourceTemplates"} {
				prefix := ""
				if what == "tools" || what == "prompts" {
					prefix = s.name + "__"
				}
				want := values(t, direct.List(what), prefix)
				if len(want) == 0 {
					t.Fatalf("the server has no %s", what)
				}
				for _, one := range want {
					delete(one, "execution") // the gateway makes the server's tasks itself
				}
				if what != "resourceTemplates" && len(through.Member(through.Do("list", kit.Fields{"what": what}), what)) != len(want) {
					t.Errorf("the client does not see all %s", what)
				}
				if diff := cmp.Diff(want, values(t, through.List(what), "")); diff != "" {
					t.Errorf("%s (-direct +gateway):\n%s", what, diff)
				}
			}
			sameContents(t, direct, through, s.name)
		})
	}
}

// values are listed things, with a prefix before their names.
func values(t *testing.T, list []json.RawMessage, prefix string) []kit.Fields {
	t.Helper()
	var all []kit.Fields
	for _, raw := range list {
		var one kit.Fields
		if err := json.Unmarshal(raw, &one); err != nil {
			t.Fatal(err)
		}
		if name, ok := one["name"].(string); ok {
			one["name"] = prefix + name
		}
		all = append(all, one)
	}
	return all
}

// sameContents gets prompts and reads resources both ways.
func sameContents(t *testing.T, direct, through *kit.TsClient, server string) {
	t.Helper()
	for prompt, arguments := range map[string]kit.Fields{
		"simple-prompt": {}, "args-prompt": {"city": "Paris", "state": "Texas"},
	} {
		want := direct.Member(direct.Do("prompt", kit.Fields{"name": prompt, "arguments": arguments}), "messages")
		got := through.Member(through.Do("prompt", kit.Fields{"name": server + "__" + prompt, "arguments": arguments}), "messages")
		if diff := cmp.Diff(values(t, want, ""), values(t, got, "")); diff != "" {
			t.Errorf("prompt %s (-direct +gateway):\n%s", prompt, diff)
		}
	}
	var first struct{ URI string }
	if err := json.Unmarshal(direct.List("resources")[0], &first); err != nil {
		t.Fatal(err)
	}
	want := direct.Member(direct.Do("read", kit.Fields{"uri": first.URI}), "contents")
	got := through.Member(through.Do("read", kit.Fields{"uri": first.URI}), "contents")
	if diff := cmp.Diff(values(t, want, ""), values(t, got, "")); diff != "" {
		t.Errorf("resource %s (-direct +gateway):\n%s", first.URI, diff)
	}
	wish := func(c *kit.TsClient, prompt string) (result struct{ Completion kit.Fields }) {
		line := c.End(c.Do("raw", kit.Fields{"method": "completion/complete", "params": kit.Fields{
			"ref": kit.Fields{"type": "ref/prompt", "name": prompt}, "argument": kit.Fields{"name": "name", "value": "D"},
			"context": kit.Fields{"arguments": kit.Fields{"department": "Sales"}},
		}}))
		if err := json.Unmarshal(line.Result, &result); err != nil || line.Error != nil {
			t.Errorf("%v in %s", err, line.Text)
		}
		return result
	}
	known := wish(direct, "completable-prompt").Completion
	if diff := cmp.Diff(known, wish(through, server+"__completable-prompt").Completion); diff != "" || !cmp.Equal(known["values"], []any{"David"}) {
		t.Errorf("completion (-direct +gateway): %v\n%s", known, diff)
	}
}
