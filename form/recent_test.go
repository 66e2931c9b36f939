package form

import (
	"fmt"
	"testing"
)

func schemaNamed(name string) []byte {
	return fmt.Appendf(nil, `{"type":"object","properties":{%q:{"type":"string"}}}`, name)
}

func TestASchemaThatWasJustReadIsNotCompiledAgain(t *testing.T) {
	raw := schemaNamed("again")
	first, err := Parse(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Parse(raw, nil); err != nil || second != first {
		t.Errorf("it was read again: %v", err)
	}
	raw[0] = '!' // whose bytes they are may use them again
	if third, err := Parse(schemaNamed("again"), nil); err != nil || third != first {
		t.Errorf("it depends on the caller's bytes: %v", err)
	}
	if _, err := Parse(schemaNamed("again"), &Limits{Fields: 1, Bytes: 10}); err == nil {
		t.Error("narrower limits do not count for what was read before")
	}
}

func TestOnlySoManySchemasAreKept(t *testing.T) {
	var r recent
	for i := range 10 * mostRecent {
		r.put(schemaNamed(fmt.Sprint(i)), Limits{}, &Schema{})
		if r.get(schemaNamed("0"), Limits{}) == nil && i < mostRecent {
			t.Fatalf("after %d the first is gone", i)
		}
	}
	if n := len(r.newer) + len(r.older); n > 2*mostRecent {
		t.Errorf("%d are kept", n)
	}
	if r.get(schemaNamed("0"), Limits{}) == nil {
		t.Error("one that is used again and again is gone")
	}
	if r.get(schemaNamed("1"), Limits{}) != nil {
		t.Error("one that nobody used is kept")
	}
	r.put(make([]byte, shortSchema+1), Limits{}, &Schema{})
	if r.get(make([]byte, shortSchema+1), Limits{}) != nil {
		t.Error("a long one is kept")
	}
}
