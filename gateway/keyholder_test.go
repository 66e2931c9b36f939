package gateway_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// withKeys are people and programs: PROGRAM/ci has the key ci, and PROGRAM/ one
// that nobody named.
func withKeys(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
	key, program := strings.CutPrefix(token, "token-of-PROGRAM/")
	if !program {
		return tokens(ctx, token, r)
	}
	info := &auth.TokenInfo{Extra: map[string]any{"user": ""}, Expiration: time.Now().Add(time.Hour), Scopes: []string{"mcp"}}
	if key != "" {
		info.UserID, info.Extra["key"] = "default//"+key, key
	}
	return info, nil
}

var programs = map[string]string{"with a key's name": "PROGRAM/ci", "without one": "PROGRAM/"}

// deciding answers an approval in one way.
func deciding(decision string) func(*mcp.ElicitParams) *mcp.ElicitResult {
	return func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": decision}}
	}
}

// approvedByNobody checks that a call that needs an approval is refused before
// anybody is asked.
func approvedByNobody(t *testing.T, s *shop, h *house, v *visitor) {
	t.Helper()
	text, err := v.call(t, "shop__buy", map[string]any{"what": "tea"})
	if codeOf(err) != -32001 || !strings.Contains(err.Error(), "This call needs a person's approval, and a program makes it: nobody can be asked.") {
		t.Errorf("it is told %q, %v", text, err)
	}
	if asked := v.questions(); len(asked) != 0 {
		t.Errorf("it was asked %q", asked)
	}
	if all, err := h.store.List(t.Context(), parley.Query{}); err != nil || len(all) != 0 {
		t.Errorf("%d questions were opened, %v: %+v", len(all), err, all)
	}
	if n := s.done.Load(); n != 0 {
		t.Errorf("the server carried out %d calls", n)
	}
}

func TestAProgramApprovesNothingInEitherEra(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for which, program := range programs {
			for _, decision := range []string{"allow_once", "always_allow"} {
				t.Run(era+" "+which+" "+decision, func(t *testing.T) {
					s, h := guardedShop(t, func(o *gateway.Options) { o.Verify = withKeys })
					approvedByNobody(t, s, h, visit(t, h.url, program, era, deciding(decision)))
				})
			}
		}
	}
}

func TestApproversAreNotAskedForAProgram(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for which, program := range programs {
			t.Run(era+" "+which, func(t *testing.T) {
				s := newShop(t, modern)
				h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}},
					&permit.Options{Conditions: []permit.Condition{{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", "carol"}}}}},
					func(o *gateway.Options) { o.Verify, o.Hold = withKeys, time.Millisecond })
				approvedByNobody(t, s, h, visit(t, h.url, program, era, agreeing))
			})
		}
	}
}

// What stands in for an approval where a client cannot ask stands in for a person's.
func TestNothingStandsInForTheApprovalOfAProgramsCall(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, instead := range []mcptool.Fallback{mcptool.Allow, mcptool.Page, mcptool.Deny} {
			t.Run(era+" "+string(instead), func(t *testing.T) {
				s, h := guardedShop(t, func(o *gateway.Options) {
					o.Verify, o.Approvals = withKeys, instead
					if instead == mcptool.Page {
						o.Fallback = mcptool.Page
					}
				})
				approvedByNobody(t, s, h, visit(t, h.url, "PROGRAM/ci", era, nil))
			})
		}
	}
}

// What needs no approval is a program's to call, and a server's form is asked of
// its client: an answer to it is an argument of the program's own call.
func TestAServersFormIsAskedOfTheClientOfAProgram(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s := newShop(t, modern)
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Verify = withKeys })
			v := visit(t, h.url, "PROGRAM/ci", era, agreeing)
			if text, err := v.call(t, "shop__order", nil); err != nil || !strings.Contains(text, `"size":"L"`) || len(v.questions()) != 1 {
				t.Errorf("%q, %v, asked %q", text, err, v.questions())
			}
		})
	}
}

// A session up to 2025-11-25 that nobody signed in for has whoever sits at its
// client, and it is their approval that counts.
func TestAnAnonymousSessionIsAskedForItsApproval(t *testing.T) {
	s, h := guardedShop(t, func(o *gateway.Options) { o.Anonymous = true })
	asked := 0
	client := mcp.NewClient(&mcp.Implementation{Name: "nobody", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			return agreeing(r.Params), nil
		},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__buy"}); err != nil || result.IsError || asked != 1 || s.done.Load() != 1 {
		t.Errorf("%+v, %v, asked %d times, carried out %d", result, err, asked, s.done.Load())
	}
}
