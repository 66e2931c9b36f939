package gateway_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
)

var malformedSeed = flag.Uint64("malformed.seed", 12, "what the malformed servers are made from")

// malformedServers is how many there are at once.
const malformedServers = 50

// Clients check a list as a whole. Whatever a server lists, clients have the
// other servers' things, and the other things of that server too.
func TestMalformedServersTakeNothingFromTheOthers(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	dice := rand.New(rand.NewPCG(*malformedSeed, 0))
	good := &matrixServer{name: "good", url: validOffer("good").serve(t, true)}
	servers, listing := []*matrixServer{good}, []*matrixServer{good}
	for i := range malformedServers {
		name := fmt.Sprintf("m%02d", i)
		o := malformedOffer(name, dice)
		t.Logf("%s: %s", name, o.how)
		s := &matrixServer{name: name, url: o.serve(t, i%2 == 0)}
		servers = append(servers, s)
		if !o.broken {
			listing = append(listing, s)
		}
	}
	g := serveGateway(t, kit.BuildParley(t), servers, gatewaySettings{})
	g.stocked(t, listing)
	for _, kind := range matrixKinds {
		t.Run(kind.title, func(t *testing.T) {
			client := g.person(t, "lister").connect(t, kind)
			for _, what := range []string{"tools", "prompts", "resources", "resourceTemplates"} {
				all := namesListed(t, client, what)
				for _, s := range listing {
					if want := steadyName(s.name, what); !slices.Contains(all, want) {
						t.Errorf("%s: no %s among %d", what, want, len(all))
					}
				}
			}
			k := kit.NewTalk(t, client)
			for _, s := range listing {
				k.Call(s.name+"__steady", kit.Fields{})
				if end := k.End(); end.Err != nil || !slices.Equal(end.Texts(), []string{"steady"}) {
					t.Errorf("%s: %s", s.name, kit.DescribeEnd(end))
				}
			}
		})
	}
}

func steadyName(server, what string) string {
	switch what {
	case "resources":
		return server + ":steady"
	case "resourceTemplates":
		return server + ":steady/{a}"
	}
	return server + "__steady"
}

// namesListed are those that a client's own method lists, as it reads them.
func namesListed(t *testing.T, client kit.MatrixClient, what string) []string {
	t.Helper()
	var list []json.RawMessage
	switch c := client.(type) {
	case *kit.ScriptClient:
		list = c.Member(c.Do("list", kit.Fields{"what": what}), what)
	case *kit.GoClient:
		result, err := goLists[what](t, c.Session)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		raw, err := json.Marshal(result)
		if err == nil {
			err = json.Unmarshal(raw, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	for _, raw := range list {
		var one struct{ Name, URI, URITemplate string }
		if err := json.Unmarshal(raw, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one.Name, one.URI, one.URITemplate)
	}
	return all
}

var goLists = map[string]func(*testing.T, *mcp.ClientSession) (any, error){
	"tools": func(t *testing.T, s *mcp.ClientSession) (any, error) {
		r, err := s.ListTools(t.Context(), nil)
		if err != nil {
			return nil, err
		}
		return r.Tools, nil
	},
	"prompts": func(t *testing.T, s *mcp.ClientSession) (any, error) {
		r, err := s.ListPrompts(t.Context(), nil)
		if err != nil {
			return nil, err
		}
		return r.Prompts, nil
	},
	"resources": func(t *testing.T, s *mcp.ClientSession) (any, error) {
		r, err := s.ListResources(t.Context(), nil)
		if err != nil {
			return nil, err
		}
		return r.Resources, nil
	},
	"resourceTemplates": func(t *testing.T, s *mcp.ClientSession) (any, error) {
		r, err := s.ListResourceTemplates(t.Context(), nil)
		if err != nil {
			return nil, err
		}
		return r.ResourceTemplates, nil
	},
}
