package limit_test

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley/limit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestABucketGivesItsBurstAndThenItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := limit.NewRates(limit.Rate{PerSecond: 2, Burst: 5})
		taken := func() (n int) {
			for {
				if _, ok := r.Take("alice"); !ok {
					return n
				}
				n++
			}
		}
		if n := taken(); n != 5 {
			t.Errorf("%d at once", n)
		}
		if wait, _ := r.Take("alice"); wait != 500*time.Millisecond {
			t.Errorf("the next in %v", wait)
		}
		if _, ok := r.Take("bob"); !ok {
			t.Error("bob has none because alice took hers")
		}
		time.Sleep(time.Second)
		if n := taken(); n != 2 {
			t.Errorf("%d after a second", n)
		}
		time.Sleep(time.Hour)
		if n := taken(); n != 5 {
			t.Errorf("%d after an hour", n)
		}
	})
}

func TestWhatIsGivenBackCanBeTakenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := limit.NewRates(limit.Rate{PerSecond: 1, Burst: 2})
		take := func(who string, want bool) {
			t.Helper()
			if _, ok := r.Take(who); ok != want {
				t.Errorf("%s takes one: %v", who, ok)
			}
		}
		r.GiveBack("bob") // who has taken none
		take("alice", true)
		take("alice", true)
		take("alice", false)
		r.GiveBack("alice")
		take("alice", true)
		take("alice", false)
		for range 3 {
			r.GiveBack("bob")
		}
		take("bob", true)
		take("bob", true)
		take("bob", false)
	})
}

func TestARateOfNothingIsNoLimit(t *testing.T) {
	r := limit.NewRates(limit.Rate{})
	for range 1000 {
		if _, ok := r.Take("alice"); !ok {
			t.Fatal("refused")
		}
	}
	if r.Keys() != 0 {
		t.Error("it remembers somebody")
	}
}

func TestNobodyFillsTheMemoryByBeingMany(t *testing.T) {
	r := limit.NewRates(limit.Rate{PerSecond: 0.001, Burst: 1})
	for n := range 100_000 {
		if n%100 == 0 {
			if _, ok := r.Take("often"); ok != (n == 0) {
				t.Fatalf("who comes often was forgotten after %d others", n)
			}
		}
		r.Take(fmt.Sprint(n))
	}
	if n := r.Keys(); n > 20_000 {
		t.Errorf("%d are remembered", n)
	}
	long := strings.Repeat("x", 1<<20)
	if _, ok := r.Take(long + "a"); !ok {
		t.Error("a long key is refused")
	}
	if _, ok := r.Take(long + "a"); ok {
		t.Error("a long key has no limit")
	}
	if _, ok := r.Take(long + "b"); !ok {
		t.Error("two long keys are one")
	}
}

func TestWhatIsHeldIsBoundedForEachAndInAll(t *testing.T) {
	h := limit.NewHeld(2, 3)
	a, _ := h.Take("alice")
	if _, ok := h.Take("alice"); !ok {
		t.Fatal("the second of alice")
	}
	if _, ok := h.Take("alice"); ok {
		t.Error("alice holds three")
	}
	if _, ok := h.Take("bob"); !ok {
		t.Error("bob has none because alice has hers")
	}
	if _, ok := h.Take("carol"); ok {
		t.Error("there are four in all")
	}
	a()
	a() // once
	if _, ok := h.Take("alice"); !ok || h.Open() != 3 {
		t.Errorf("after one was given back: %t, %d open", ok, h.Open())
	}
	if _, ok := h.Take("carol"); ok {
		t.Error("what was given back twice counts twice")
	}
}

func TestAnAddressIsWhomTheRequestComesFrom(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		remote    string
		forwarded []string
		want      string
	}{
		"directly":                           {"192.0.2.1:5000", nil, "192.0.2.1"},
		"IPv6 by its network":                {"[2001:db8:1:2:3:4:5:6]:5000", nil, "2001:db8:1:2::/64"},
		"IPv6 with a zone":                   {"[fe80::1%eth0]:5000", nil, "fe80::/64"},
		"IPv4 in IPv6":                       {"[::ffff:192.0.2.1]:5000", nil, "192.0.2.1"},
		"claims to be another":               {"192.0.2.1:5000", []string{"198.51.100.7"}, "192.0.2.1"},
		"by a proxy":                         {"10.1.1.1:5000", []string{"198.51.100.7"}, "198.51.100.7"},
		"by a proxy, with a port":            {"10.1.1.1:5000", []string{"198.51.100.7:80"}, "198.51.100.7"},
		"by a proxy, claims to be another":   {"10.1.1.1:5000", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		"by two proxies":                     {"10.1.1.1:5000", []string{"203.0.113.9, 198.51.100.7, 10.2.2.2"}, "198.51.100.7"},
		"by two proxies, in two headers":     {"10.1.1.1:5000", []string{"203.0.113.9", "198.51.100.7", "10.2.2.2"}, "198.51.100.7"},
		"by a proxy that says nothing":       {"10.1.1.1:5000", nil, "10.1.1.1"},
		"by a proxy that says nonsense":      {"10.1.1.1:5000", []string{"198.51.100.7, unknown"}, "10.1.1.1"},
		"by a proxy, from IPv6":              {"[fd00::1]:5000", []string{"2001:db8:1:2::9"}, "2001:db8:1:2::/64"},
		"of a network that is trusted alone": {"10.1.1.1:5000", []string{"10.3.3.3, 10.2.2.2"}, "10.3.3.3"},
		"within the process":                 {"", []string{"198.51.100.7"}, ""},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		for _, value := range c.forwarded {
			r.Header.Add("X-Forwarded-For", value)
		}
		if got := limit.Address(r, trusted); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
