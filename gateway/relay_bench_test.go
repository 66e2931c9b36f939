package gateway_test

import (
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley"
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
