package interop_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listMethods are where a server lists what.
var listMethods = map[string]string{
	"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list", "resourceTemplates": "resources/templates/list",
}

// list returns what a server lists, as it is on the wire: the client's own
// method would leave off what its era does not know.
func (c *tsClient) list(what string) []json.RawMessage {
	c.t.Helper()
	return c.member(c.do("raw", fields{"method": listMethods[what], "params": fields{}}), what)
}

// member waits for a result and returns the list in it.
func (c *tsClient) member(id int, name string) []json.RawMessage {
	c.t.Helper()
	line := c.end(id)
	if line.Error != nil {
		c.t.Fatalf("command %d failed: %+v", id, *line.Error)
	}
	var result map[string]json.RawMessage
	var list []json.RawMessage
	err := json.Unmarshal(line.Result, &result)
	if err == nil {
		err = json.Unmarshal(result[name], &list)
	}
	if err != nil {
		c.t.Fatalf("%v in %s", err, line.text)
	}
	return list
}

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
	needNode(t)
	s := startEverything(t, "http://127.0.0.1:1")[0]
	g, _ := serveGateway(t, []*matrixServer{s}, 0)
	g.stocked(t, []*matrixServer{s})
	for _, kind := range matrixKinds {
		if kind.command == nil {
			continue
		}
		t.Run(kind.title, func(t *testing.T) {
			old := kind // the server has no other era
			if kind.modern {
				old = matrixKind{command: client2}
			}
			direct := startScriptClient(t, with(with(old.command, "--"), s.command...)).tsClient
			through := g.person(t, "lister").connect(t, kind).(*scriptClient).tsClient
			for _, what := range []string{"tools", "prompts", "resources", "resourceTemplates"} {
				prefix := ""
				if what == "tools" || what == "prompts" {
					prefix = s.name + "__"
				}
				want := values(t, direct.list(what), prefix)
				if len(want) == 0 {
					t.Fatalf("the server has no %s", what)
				}
				for _, one := range want {
					delete(one, "execution") // the gateway makes the server's tasks itself
				}
				if what != "resourceTemplates" && len(through.member(through.do("list", fields{"what": what}), what)) != len(want) {
					t.Errorf("the client does not see all %s", what)
				}
				if diff := cmp.Diff(want, values(t, through.list(what), "")); diff != "" {
					t.Errorf("%s (-direct +gateway):\n%s", what, diff)
				}
			}
			sameContents(t, direct, through, s.name)
		})
	}
}

// values are listed things, with a prefix before their names.
func values(t *testing.T, list []json.RawMessage, prefix string) []fields {
	t.Helper()
	var all []fields
	for _, raw := range list {
		var one fields
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
func sameContents(t *testing.T, direct, through *tsClient, server string) {
	t.Helper()
	for prompt, arguments := range map[string]fields{
		"simple-prompt": {}, "args-prompt": {"city": "Paris", "state": "Texas"},
	} {
		want := direct.member(direct.do("prompt", fields{"name": prompt, "arguments": arguments}), "messages")
		got := through.member(through.do("prompt", fields{"name": server + "__" + prompt, "arguments": arguments}), "messages")
		if diff := cmp.Diff(values(t, want, ""), values(t, got, "")); diff != "" {
			t.Errorf("prompt %s (-direct +gateway):\n%s", prompt, diff)
		}
	}
	var first struct{ URI string }
	if err := json.Unmarshal(direct.list("resources")[0], &first); err != nil {
		t.Fatal(err)
	}
	want := direct.member(direct.do("read", fields{"uri": first.URI}), "contents")
	got := through.member(through.do("read", fields{"uri": first.URI}), "contents")
	if diff := cmp.Diff(values(t, want, ""), values(t, got, "")); diff != "" {
		t.Errorf("resource %s (-direct +gateway):\n%s", first.URI, diff)
	}
	wish := func(c *tsClient, prompt string) (result struct{ Completion fields }) {
		line := c.end(c.do("raw", fields{"method": "completion/complete", "params": fields{
			"ref": fields{"type": "ref/prompt", "name": prompt}, "argument": fields{"name": "name", "value": "D"},
			"context": fields{"arguments": fields{"department": "Sales"}},
		}}))
		if err := json.Unmarshal(line.Result, &result); err != nil || line.Error != nil {
			t.Errorf("%v in %s", err, line.text)
		}
		return result
	}
	known := wish(direct, "completable-prompt").Completion
	if diff := cmp.Diff(known, wish(through, server+"__completable-prompt").Completion); diff != "" || !cmp.Equal(known["values"], []any{"David"}) {
		t.Errorf("completion (-direct +gateway): %v\n%s", known, diff)
	}
}
