package redisstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// odd are parts that would meet in the middle if names were only joined.
var odd = []string{"", "a", "b", ":", "a:", ":b", "a:b", "1:a", "1:a:b", "0:", "3", "3:a:b", "{", "}", "{a}", "a b", "\x00", "\xff", "ä", "🙂"}

func TestNoTwoThingsShareAName(t *testing.T) {
	owner := map[string]string{}
	for _, prefix := range []string{"parley", "parley:open", "p"} {
		for _, a := range odd {
			for _, b := range odd {
				for _, c := range odd {
					for what, name := range redisstore.Names(prefix, a, b, c) {
						what = prefix + ": " + what
						if other, taken := owner[name]; taken && other != what {
							t.Fatalf("%q names both %s and %s", name, what, other)
						}
						owner[name] = what
						if !strings.HasPrefix(name, "{"+prefix+"}:") {
							t.Fatalf("%q is not in the slot of its prefix", name)
						}
					}
				}
			}
		}
	}
}

// The scripts derive the same names as the program does: whatever it is called,
// all of it is found, and none of it is left afterwards.
func TestScriptsNameThingsAsTheProgramDoes(t *testing.T) {
	s, _, prefix := pair(t, redisstore.Options{})
	client := raw(t, servers.Redis(t))
	for _, tenant := range odd[1:] {
		for _, other := range odd[1:] {
			r := question(other)
			r.Tenant, r.Session = tenant, other
			put(t, s, r)
			names := redisstore.Names(prefix, tenant, other, "")
			for _, q := range []parley.Query{{Tenant: tenant, To: other}, {Tenant: tenant, Session: other}, {Tenant: tenant}} {
				if list, err := s.List(t.Context(), q); err != nil || len(list) != 1 || list[0].ID != r.ID {
					t.Fatalf("List(%+v) = %d, %v", q, len(list), err)
				}
			}
			if err := s.Settle(t.Context(), r.ID, accepted("x")); err != nil {
				t.Fatal(err)
			}
			for what, name := range names {
				gone := strings.HasPrefix(what, "open") || what == "due"
				if n, err := redis.Int64(ask(t, client, "EXISTS", name)); err != nil || gone && n != 0 {
					t.Fatalf("%s is left after the settle: %d, %v", what, n, err)
				}
			}
			at := parley.Address{Tenant: tenant, Kind: other, Key: other}
			if _, err := s.Save(t.Context(), parley.Record{Address: at, Expires: now().Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
			if list, err := s.Scan(t.Context(), at, "", 0); err != nil || len(list) != 1 {
				t.Fatalf("Scan(%+v) = %d, %v", at, len(list), err)
			}
			if err := s.Sweep(t.Context(), time.Now().Add(30*24*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if left, err := redis.Strings(ask(t, client, "KEYS", "{"+prefix+"}:*")); err != nil || len(left) != 1 {
		t.Errorf("left: %q, %v; want the version counter alone", left, err)
	}
}

func TestNothingIsLostInEncoding(t *testing.T) {
	r := question("alice")
	r.Labels = map[string]string{"": "", "a": "b", "ä": "\x01"}
	r.Message, r.URL = strings.Repeat("long ", 100), "https://example.com"
	o := accepted("x")
	o.Content, o.Reason = []byte("\x00\xff"), "why"
	stored := redisstore.EncodeRequest(r)
	got, err := redisstore.DecodeRequest(r.ID, stored)
	if diff := cmp.Diff(r, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	r.Outcome = &o
	got, err = redisstore.DecodeRequest(r.ID, redisstore.Settled(stored, redisstore.EncodeOutcome(o)))
	if diff := cmp.Diff(r, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, err = redisstore.DecodeRequest("id", redisstore.EncodeRequest(parley.Request{}))
	if diff := cmp.Diff(parley.Request{ID: "id"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestADamagedValueIsAnError(t *testing.T) {
	s, _, prefix := pair(t, redisstore.Options{})
	client := raw(t, servers.Redis(t))
	r := put(t, s, question("alice"))
	if _, err := ask(t, client, "SETRANGE", "{"+prefix+"}:req:"+string(r.ID), "1", "\x02"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), r.ID); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("Get = %v", err)
	}
	if _, err := s.List(t.Context(), parley.Query{}); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("List = %v", err)
	}
}

func TestBehindAPrefixBeginsWhatDoesNotHaveIt(t *testing.T) {
	for prefix, want := range map[string]string{"": "", "a": "b", "a/": "a0", "a\xff": "b", "\xff\xff": "", "\xf4\x8f\xbf\xbf": "\xf4\x8f\xbf\xc0"} {
		if got := redisstore.Behind(prefix); got != want {
			t.Errorf("behind %q comes %q, want %q", prefix, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := question("alice")
	r.Labels = map[string]string{"a": "b"}
	stored := redisstore.EncodeRequest(r)
	f.Add(stored)
	f.Add(redisstore.Settled(stored, redisstore.EncodeOutcome(accepted("x"))))
	f.Add("\x01\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00\x05alicedata")
	f.Fuzz(func(t *testing.T, stored string) {
		if r, err := redisstore.DecodeRequest("id", stored); err == nil {
			again, err := redisstore.DecodeRequest("id", redisstore.EncodeRequest(r))
			again.Outcome = r.Outcome
			if diff := cmp.Diff(r, again); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		}
		_, _ = redisstore.DecodeRecord(parley.Address{}, stored)
	})
}
