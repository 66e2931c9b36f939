package limit_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/limit"
)

func sending(t *testing.T, bytes int, said bool) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat("x", bytes)))
	if err != nil {
		t.Fatal(err)
	}
	if !said {
		r.ContentLength = -1
	}
	return r
}

func TestLargeBodiesAreBoundedBySenderAndInAllUntilTheyAreUnderstood(t *testing.T) {
	l := limit.NewLarge(4, 6)
	take := func(who string, bytes int) (*http.Request, func()) {
		t.Helper()
		r, done, ok := l.Take(sending(t, bytes, true), who)
		if !ok {
			return nil, nil
		}
		return r, done
	}
	alice, _ := take("alice", 3*limit.LargeUnit)
	if alice == nil {
		t.Fatal("one alone is refused")
	}
	if second, _ := take("alice", 2*limit.LargeUnit); second != nil {
		t.Error("a person has more than their share")
	}
	if small, _ := take("alice", limit.LargeUnit-1); small == nil {
		t.Error("a small one is refused")
	}
	bob, done := take("bob", 3*limit.LargeUnit)
	if bob == nil {
		t.Fatal("another person is refused")
	}
	if carol, _ := take("carol", limit.LargeUnit); carol != nil {
		t.Error("there are more than there may be in all")
	}
	limit.Understood(alice.Context())
	limit.Understood(alice.Context())
	done()
	if dora, _ := take("dora", 100*limit.LargeUnit); dora == nil {
		t.Error("there is no room when all were given back")
	}
}

func TestABodyThatDoesNotSayItsLengthIsReadWhole(t *testing.T) {
	l := limit.NewLarge(1, 0)
	for _, bytes := range []int{0, 10, limit.LargeUnit - 1, limit.LargeUnit, 3 * limit.LargeUnit} {
		r, done, ok := l.Take(sending(t, bytes, false), "alice")
		if !ok {
			t.Fatalf("%d bytes alone are refused", bytes)
		}
		if got, err := io.ReadAll(r.Body); err != nil || len(got) != bytes {
			t.Errorf("%d bytes of %d, %v", len(got), bytes, err)
		}
		_, second, beside := l.Take(sending(t, limit.LargeUnit, true), "alice")
		if beside {
			second()
		}
		if large := bytes >= limit.LargeUnit; beside == large {
			t.Errorf("beside %d bytes another one is let in: %t", bytes, beside)
		}
		done()
	}
}
