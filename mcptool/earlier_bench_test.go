package mcptool_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/sqlitestore"
)

// BenchmarkEarlier is what a call costs that is looked for before it is sent.
func BenchmarkEarlier(b *testing.B) {
	file, err := sqlitestore.Open(b.Context(), filepath.Join(b.TempDir(), "parley.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for name, records := range map[string]parley.Records{"memory": parley.NewMemoryStore(), "SQLite": file} {
		b.Run(name, func(b *testing.B) {
			asker := newAsker(b, parley.New(parley.NewMemoryStore(), nil), &mcptool.Options{Records: records, Logger: quiet})
			who := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
			b.ReportAllocs()
			for b.Loop() {
				if found, err := asker.Earlier(b.Context(), who, "shop__pay", json.RawMessage(`{"amount":1,"to":"bob"}`)); found || err != nil {
					b.Fatal(found, err)
				}
			}
		})
	}
}
