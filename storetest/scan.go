package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

func runScan(t *testing.T, open Opener) {
	runAll(t, open, []subtest{
		{"a prefix is a prefix, byte for byte", scanPrefix},
		{"pages follow each other without gap or repetition", scanPages},
		{"other tenants and kinds are not seen", scanIsolation},
	})
}

func scanned(t *testing.T, s Backend, from parley.Address, after string, limit int) []string {
	t.Helper()
	list, err := s.Scan(t.Context(), from, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, r := range list {
		keys = append(keys, r.Key)
	}
	return keys
}

func scanPrefix(t *testing.T, a, b Backend) {
	keys := []string{"a", "a/", "a/1", "a/2", "a0", "A/1", "a%", "a%x", "a_x", "a\\", "ab", "b", "ä", "äa", "ä/", "日", "日本", "\x01", "~", "🙂", "\U0010ffff", "\U0010ffffx"}
	for _, key := range keys {
		save(t, a, record(key, key))
	}
	slices.Sort(keys)
	for _, prefix := range append([]string{"", "a/%", "c", "日本語", "zz"}, keys...) {
		var want []string
		for _, key := range keys {
			if strings.HasPrefix(key, prefix) {
				want = append(want, key)
			}
		}
		from := parley.Address{Tenant: "acme", Kind: "grant", Key: prefix}
		same(t, scanned(t, b, from, "", 0), want)
	}
}

func scanPages(t *testing.T, a, b Backend) {
	var want []string
	for i := range 130 {
		key := fmt.Sprintf("p/%03d", i)
		save(t, a, record(key, key))
		want = append(want, key)
	}
	save(t, a, record("q", "q"))
	from := parley.Address{Tenant: "acme", Kind: "grant", Key: "p/"}
	var got []string
	for after := ""; ; {
		page := scanned(t, b, from, after, 40)
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
		after = page[len(page)-1]
	}
	same(t, got, want)
	if got := len(scanned(t, b, from, "", 0)); got != parley.DefaultLimit {
		t.Errorf("limit 0 gives %d records, want %d", got, parley.DefaultLimit)
	}
}

func scanIsolation(t *testing.T, a, b Backend) {
	want := save(t, a, record("k", "mine"))
	for _, at := range []parley.Address{{Tenant: "other", Kind: "grant", Key: "k1"}, {Tenant: "acme", Kind: "other", Key: "k2"}, {Kind: "grant", Key: "k3"}} {
		save(t, a, parley.Record{Address: at, Data: []byte("x")})
	}
	list, err := b.Scan(t.Context(), parley.Address{Tenant: "acme", Kind: "grant"}, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, list, []parley.Record{want})
}
