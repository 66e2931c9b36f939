package redisstore_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

func TestOf64WhoSettleThroughTwoHandlesOneSucceeds(t *testing.T) {
	a, b, _ := pair(t, redisstore.Options{})
	for range 20 {
		r := put(t, a, question("alice"))
		errs := race(64, func(i int) error {
			return [2]*redisstore.Store{a, b}[i%2].Settle(t.Context(), r.ID, accepted(strconv.Itoa(i)))
		})
		won := -1
		for i, err := range errs {
			if err == nil {
				if won >= 0 {
					t.Fatalf("attempts %d and %d both succeeded", won, i)
				}
				won = i
			} else if !errors.Is(err, parley.ErrSettled) {
				t.Fatal(err)
			}
		}
		got, err := b.Get(t.Context(), r.ID)
		if err != nil || got.Pending() || got.Outcome.Claim != strconv.Itoa(won) {
			t.Fatalf("outcome %+v, %v; attempt %d succeeded", got.Outcome, err, won)
		}
	}
}

func TestOf64WhoPutForOnePersonAsManyAsMaySucceed(t *testing.T) {
	a, b, _ := pair(t, redisstore.Options{})
	errs := race(64, func(i int) error {
		return [2]*redisstore.Store{a, b}[i%2].Put(t.Context(), question("alice"), 10)
	})
	stored := 0
	for _, err := range errs {
		if err == nil {
			stored++
		} else if !errors.Is(err, parley.ErrTooManyPending) {
			t.Fatal(err)
		}
	}
	if stored != 10 {
		t.Errorf("%d stored, want exactly 10", stored)
	}
}

func TestOnlyASettledRequestHasATimeToLive(t *testing.T) {
	const retention = time.Hour
	s, _, prefix := pair(t, redisstore.Options{Retention: retention})
	client := raw(t, servers.Redis(t))
	r := question("alice")
	r.Expires = now().Add(-time.Hour) // its own expiry is the hub's business
	put(t, s, r)
	key := "{" + prefix + "}:req:" + string(r.ID)
	if ttl, err := redis.Int64(ask(t, client, "PTTL", key)); err != nil || ttl != -1 {
		t.Errorf("PTTL of a pending request = %d, %v; want -1", ttl, err)
	}
	if err := s.Settle(t.Context(), r.ID, accepted("x")); err != nil {
		t.Fatal(err)
	}
	ttl, err := redis.Int64(ask(t, client, "PTTL", key))
	if left := time.Duration(ttl) * time.Millisecond; err != nil || left > retention || left < retention-time.Minute {
		t.Errorf("time to live of a settled request = %v, %v; want about %v", left, err, retention)
	}
}

func TestNothingIsLeftOfWhatIsOver(t *testing.T) {
	for name, clean := range map[string]func(*testing.T, *redisstore.Store){
		"after a sweep": func(t *testing.T, s *redisstore.Store) {
			if err := s.Sweep(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
		},
		"after some writes": func(t *testing.T, s *redisstore.Store) {
			for range 600 / 4 {
				at := parley.Address{Tenant: "last", Kind: "tick", Key: "tock"}
				if _, err := s.Save(t.Context(), parley.Record{Address: at}); err != nil {
					t.Fatal(err)
				}
				if err := s.Delete(t.Context(), at, 0); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			const retention = 50 * time.Millisecond
			s, _, prefix := pair(t, redisstore.Options{Retention: retention})
			for i := range 300 {
				r := question(fmt.Sprint("user-", i%7))
				r.Tenant, r.Session = fmt.Sprint("tenant-", i%3), fmt.Sprint("session-", i%11)
				put(t, s, r)
				if err := s.Settle(t.Context(), r.ID, accepted("x")); err != nil {
					t.Fatal(err)
				}
				at := parley.Address{Tenant: r.Tenant, Kind: "lease", Key: string(r.ID)}
				if _, err := s.Save(t.Context(), parley.Record{Address: at, Expires: now().Add(retention)}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(retention + 20*time.Millisecond) // the server's clock, which no test can turn
			clean(t, s)
			left, err := redis.Strings(ask(t, raw(t, servers.Redis(t)), "KEYS", "{"+prefix+"}:*"))
			if err != nil || len(left) != 1 || !strings.HasSuffix(left[0], ":version") {
				t.Errorf("left: %q, %v; want the version counter alone", left, err)
			}
		})
	}
}

func TestAnIDThatIsPutAnewAfterItsTimeIsNotForgotten(t *testing.T) {
	s, _, _ := pair(t, redisstore.Options{Retention: time.Millisecond})
	r := put(t, s, question("alice"))
	if err := s.Settle(t.Context(), r.ID, accepted("x")); err != nil {
		t.Fatal(err)
	}
	for s.Put(t.Context(), r, 0) != nil {
		time.Sleep(time.Millisecond)
	}
	if err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), r.ID); err != nil || !got.Pending() {
		t.Errorf("Get = %+v, %v; want it pending", got, err)
	}
}

func TestManyDueRequestsAreListedInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("puts more requests than are sorted at once")
	}
	s, _, _ := pair(t, redisstore.Options{})
	const due = 10_500
	fill(t, s, due, func(i int, r *parley.Request) {
		r.Tenant, r.Expires = fmt.Sprint("tenant-", i%3), now().Add(-time.Duration(i)*time.Second)
	})
	fill(t, s, 50, func(int, *parley.Request) {})
	q := parley.Query{Pending: true, ExpiresBefore: now(), Limit: parley.MaxLimit}
	found := 0
	for {
		page, err := s.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			if r.ID <= q.After {
				t.Fatalf("%s comes after %s", r.ID, q.After)
			}
			q.After = r.ID
		}
		if found += len(page); len(page) == 0 {
			break
		}
	}
	if found != due {
		t.Errorf("%d found, want %d", found, due)
	}
}

// fill puts n requests in parallel.
func fill(t testing.TB, s *redisstore.Store, n int, change func(i int, r *parley.Request)) {
	t.Helper()
	const workers = 64
	errs := race(workers, func(worker int) error {
		for i := worker; i < n; i += workers {
			r := question(fmt.Sprint("user-", i%1000))
			change(i, &r)
			if err := s.Put(t.Context(), r, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// race runs do in n goroutines that start together and returns their errors.
func race(n int, do func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}
