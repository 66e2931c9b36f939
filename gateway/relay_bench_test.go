package gateway_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/sqlitestore"
)

// BenchmarkRelay is a call that nobody is asked about, by a known person: of a tool
// that is sent at once, and of one that is looked for before.
func BenchmarkRelay(b *testing.B) {
	for name, open := range map[string]func() (everything, error){
		"memory": func() (everything, error) { return parley.NewMemoryStore(), nil },
		"SQLite": func() (everything, error) {
			return sqlitestore.Open(b.Context(), filepath.Join(b.TempDir(), "parley.db"), nil)
		},
	} {
		for tool, hint := range map[string]string{"read-only": `"readOnlyHint":true`, "other": ""} {
			b.Run(name+"/"+tool, func(b *testing.B) {
				store, err := open()
				if err != nil {
					b.Fatal(err)
				}
				h := newNodeOn(b, store, catalogue{shopAt(serve(b, &bank{era: modern, hint: hint}))}, nil, nil)
				if a, err := tryPost(h.url, "alice", "shop__pay", `{}`, "", ""); err != nil || a.text() != "paid" {
					b.Fatalf("%+v, %v", a, err)
				}
				for b.Loop() {
					if a, err := tryPost(h.url, "alice", "shop__pay", `{"n":1}`, "", ""); err != nil || a.text() != "paid" {
						b.Fatalf("%+v, %v", a, err)
					}
				}
			})
		}
	}
}

// BenchmarkList is a list of 4,000 tools, at the endpoint for all and at that of their
// server, where each has another name.
func BenchmarkList(b *testing.B) {
	tools := make([]string, 4000)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}`, i, strings.Repeat("what it does ", 10))
	}
	url := scripted(b, map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
		"tools/list": `{"tools":[` + strings.Join(tools, ",") + `]}`,
	})
	h := newNodeOn(b, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: url}}, nil, nil)
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for name, endpoint := range map[string]string{"all": h.url, "own": h.at("shop")} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, body := sendRaw(b, endpoint, message, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/list"); strings.Count(body, `"inputSchema"`) != len(tools) {
					b.Fatalf("%.200s", body)
				}
			}
		})
	}
}

// BenchmarkLargeArguments is a call with a list of small numbers: too long to be approved,
// too long to be shown, and one that nobody is asked about.
func BenchmarkLargeArguments(b *testing.B) {
	for _, one := range []struct {
		name    string
		bytes   int
		approve permit.Rule
	}{{"over 1 MiB", 3_800_000, permit.Unsafe}, {"1 MB", 1_000_000, permit.Unsafe}, {"relayed", 3_800_000, permit.Never}} {
		b.Run(one.name, func(b *testing.B) {
			shop := shopAt(serve(b, &bank{era: modern}))
			shop.Approve = one.approve
			h := newNodeOn(b, parley.NewMemoryStore(), catalogue{shop}, &permit.Options{}, nil)
			list := `{"amount":1,"l":[1` + strings.Repeat(",1", one.bytes/2) + `]}`
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tryPost(h.url, "alice", "shop__pay", list, "", ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
