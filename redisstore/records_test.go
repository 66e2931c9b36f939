package redisstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

func TestTheServerDropsAnExpiringRecord(t *testing.T) {
	s, _, prefix := pair(t, redisstore.Options{})
	client := raw(t, servers.Redis(t))
	r := parley.Record{Address: parley.Address{Tenant: "acme", Kind: "lease", Key: "k"}}
	key := "{" + prefix + "}:rec:4:acme:5:lease:k"
	for _, left := range []time.Duration{0, time.Hour, 0, time.Minute} {
		r.Expires = time.Time{}
		if left > 0 {
			r.Expires = now().Add(left)
		}
		version, err := s.Save(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		r.Version = version
		ttl, err := redis.Int64(ask(t, client, "PTTL", key))
		got := time.Duration(ttl) * time.Millisecond
		if err != nil || left == 0 && ttl != -1 || left > 0 && (got > left || got < left-30*time.Second) {
			t.Errorf("time to live %v, %v; want %v", got, err, left)
		}
		dying, err := redis.Int64(ask(t, client, "ZCARD", "{"+prefix+"}:dying"))
		if err != nil || (dying == 1) != (left > 0) {
			t.Errorf("%d are dying, %v", dying, err)
		}
	}
}

func TestLargeVersionsStayExact(t *testing.T) {
	s, _, prefix := pair(t, redisstore.Options{})
	const many = 1 << 52
	if _, err := ask(t, raw(t, servers.Redis(t)), "SET", "{"+prefix+"}:version", "4503599627370496"); err != nil {
		t.Fatal(err)
	}
	r := parley.Record{Address: parley.Address{Tenant: "acme", Kind: "grant", Key: "k"}}
	for i := range int64(3) {
		version, err := s.Save(t.Context(), r)
		if err != nil || version != many+i+1 {
			t.Fatalf("version %d, %v; want %d", version, err, many+i+1)
		}
		if r, err = s.Load(t.Context(), r.Address); err != nil || r.Version != version {
			t.Fatalf("loaded version %d, %v; want %d", r.Version, err, version)
		}
	}
	if err := s.Delete(t.Context(), r.Address, r.Version-1); !errors.Is(err, parley.ErrConflict) {
		t.Errorf("Delete of the version before = %v", err)
	}
}
