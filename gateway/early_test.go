package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// Arguments that would be refused for what they are show what was read of them.
func TestACallIsCountedBeforeItsArgumentsAreRead(t *testing.T) {
	const twice, counted = "a is given twice", "you have too many calls in progress: wait until one ends, or cancel one. There may be 1"
	for _, era := range []string{modern, legacy} {
		for _, endpoint := range []string{"all", "own"} {
			t.Run(era+"/"+endpoint, func(t *testing.T) {
				s := newShop(t, legacy)
				calls := mcptool.NewCalls(&mcptool.CallsOptions{PerPerson: 1})
				h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Calls = calls })
				awaitUp(t, h, "shop")
				name := "shop__echo"
				if endpoint == "own" {
					h.url, name = h.at("shop"), "echo"
				}
				send := func(more string) string {
					params := `{"name":"` + name + `","arguments":{"a":1,"a":2}` + more + `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
					message := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":` + params + `}`
					if era == legacy {
						return begin(t, h, "alice").says(message)
					}
					_, body := sendRaw(t, h.url, message, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", name, "Authorization", "Bearer token-of-alice")
					return body
				}
				if got := send(""); !strings.Contains(got, twice) {
					t.Errorf("with room: %s", got)
				}
				if n := calls.InProgress(); n != 0 {
					t.Errorf("%d calls in progress after one that was refused", n)
				}
				end, err := calls.Begin(parley.Principal{User: "alice"}, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer end()
				for _, more := range []string{"", `,"requestState":"made up"`} {
					if got := send(more); !strings.Contains(got, counted) || !strings.Contains(got, `"code":-32000`) || !strings.Contains(got, `"id":7`) {
						t.Errorf("without room%s: %s", more, got)
					}
				}
			})
		}
	}
}

// What is more than can be approved is refused in the words of approvals, and what needs
// none is sent.
func TestMoreThanCanBeApprovedIsRefusedAndLegalWhereNobodyIsAsked(t *testing.T) {
	for approve, want := range map[permit.Rule]string{permit.Always: "-32001 these arguments cannot be approved: 1200009 bytes, 1048576 are allowed", permit.Never: "paid"} {
		server := &bank{era: modern}
		shop := shopAt(serve(t, server))
		shop.Approve = approve
		h := newNodeOn(t, parley.NewMemoryStore(), catalogue{shop}, &permit.Options{}, nil)
		awaitUp(t, h, "shop")
		a := post(t, h.url, "alice", "shop__pay", `{"l":[1`+strings.Repeat(",1", 600_000)+`]}`, "", "")
		got := a.text()
		if a.Error != nil {
			got = fmt.Sprint(a.Error.Code, " ", a.Error.Message)
		}
		if got != want {
			t.Errorf("%s: %.300s", approve, got)
		}
	}
}
