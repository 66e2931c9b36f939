package parley_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// largeSchema is a form of some 60 kB that no other has.
func largeSchema(n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"object","title":"form %d","properties":{`, n)
	for f := range 15 {
		if f > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"field%d":{"type":"string","enum":[`, f)
		for o := range 500 {
			if o > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%x"`, n<<9|o)
		}
		b.WriteString(`]}`)
	}
	b.WriteString(`}}`)
	return []byte(b.String())
}

// What is remembered of forms is bounded by their size, not by their number: 250
// forms of 60 kB must not hold hundreds of megabytes.
func TestManyLargeFormsDoNotFillTheMemory(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, sent := heap(), 0
	for n := range 250 {
		schema := largeSchema(n)
		sent += len(schema)
		r, err := hub.Open(t.Context(), parley.Request{To: "alice", Message: "Which?", Schema: schema, Expires: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		if err := hub.Cancel(t.Context(), r.ID, "enough"); err != nil {
			t.Fatal(err)
		}
	}
	// The memory store keeps the forms themselves.
	grown := int64(heap()) - int64(before)
	if most := int64(4 * sent); grown > most {
		t.Errorf("%d forms of %d bytes hold %d MiB, %d times as much", 250, sent/250, grown>>20, grown/int64(sent))
	}
	runtime.KeepAlive(hub)
}
