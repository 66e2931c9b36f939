package redisstore_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// startSentinel starts a sentinel of one that watches a primary.
func startSentinel(t *testing.T, primary *node) *node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("sentinel monitor parley 127.0.0.1 %s 1\nsentinel down-after-milliseconds parley 1000\nsentinel failover-timeout parley 3000\n", primary.port)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return startNode(t, file, "--sentinel")
}

// replicated starts a primary, its replica and a sentinel that knows both.
func replicated(t *testing.T) (primary, replica, sentinel *node) {
	t.Helper()
	primary = startNode(t)
	replica = startNode(t, "--replicaof", "127.0.0.1 "+primary.port, "--repl-diskless-sync-delay", "0")
	eventually(t, func() error {
		info, err := redis.String(ask(t, replica, "INFO", "replication"))
		if err == nil && !strings.Contains(info, "master_link_status:up") {
			err = fmt.Errorf("%s", info)
		}
		return err
	})
	sentinel = startSentinel(t, primary)
	eventually(t, func() error { // it hears of the replica from the primary
		replicas, err := redis.Values(ask(t, sentinel, "SENTINEL", "REPLICAS", "parley"))
		if err == nil && len(replicas) != 1 {
			err = fmt.Errorf("%d replicas", len(replicas))
		}
		return err
	})
	return primary, replica, sentinel
}

func TestASentinelLeadsToThePrimary(t *testing.T) {
	t.Parallel()
	primary, replica, sentinel := replicated(t)
	useAll(t, open(t, sentinel.url+"?master_set=parley", &redisstore.Options{Prefix: newPrefix()}))
	s := open(t, "redis://127.0.0.1:1?master_set=parley&addr=127.0.0.1:"+sentinel.port, &redisstore.Options{}) // the first one is away
	h := watch(t, s)
	r := put(t, s, question("alice"))
	if n, err := redis.Int(ask(t, primary, "EXISTS", "{parley}:req:"+string(r.ID))); n != 1 || err != nil {
		t.Fatalf("%d, %v; want the request at the primary", n, err)
	}
	if _, err := ask(t, primary, "WAIT", "1", "5000"); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { _, err := ask(t, sentinel, "SENTINEL", "FAILOVER", "parley"); return err })
	if err := h.end(t); err == nil { // whoever watches does so anew
		t.Error("Watch returned no error")
	}
	eventually(t, func() error {
		if _, err := s.Get(t.Context(), r.ID); err != nil {
			return err
		}
		return s.Put(t.Context(), question("bob"), 0)
	})
	eventually(t, func() error {
		if n, err := redis.Int(ask(t, raw(t, replica.url), "EXISTS", "{parley}:due")); n != 1 || err != nil {
			return fmt.Errorf("%d, %v; want the requests at the new primary", n, err)
		}
		return nil
	})
	useOne(t, s)
}

// The rights that the documentation names are enough. Who may not ask a server what it is
// believes the sentinel.
func TestAUserOfFewRightsComesToThePrimary(t *testing.T) {
	t.Parallel()
	primary, replica, sentinel := replicated(t)
	for _, n := range []*node{primary, replica} {
		as(t, n.url, slices.Concat(allRights, wantedRights)...)
	}
	url := strings.Replace(as(t, primary.url, slices.Concat(allRights, wantedRights)...), primary.port, sentinel.port, 1)
	s := open(t, url+"?master_set=parley", &redisstore.Options{})
	useAll(t, s)
	eventually(t, func() error { _, err := ask(t, sentinel, "SENTINEL", "FAILOVER", "parley"); return err })
	eventually(t, func() error { return s.Put(t.Context(), question("bob"), 0) })
	useOne(t, s)
}

func TestThePrimaryMayDie(t *testing.T) {
	t.Parallel()
	primary, _, sentinel := replicated(t)
	s := open(t, sentinel.url+"?master_set=parley", &redisstore.Options{})
	put(t, s, question("alice"))
	primary.kill()
	eventually(t, func() error { return s.Put(t.Context(), question("bob"), 0) })
	useOne(t, s)
}

// A primary that is cut off from its sentinels, and from nobody else, goes on as if it were
// the primary.
func TestAPrimaryThatTheSentinelsReplacedIsLeft(t *testing.T) {
	first, second := startNode(t), startNode(t)
	var primary atomic.Value
	primary.Store(first.port)
	switched := make(chan struct{})
	sentinel := newFake(t, func(words []string) (string, bool) {
		switch words[0] {
		case "SUBSCRIBE":
			<-switched
			confirmed := "*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n"
			said := fmt.Sprintf("parley 127.0.0.1 %s 127.0.0.1 %s", first.port, second.port)
			return confirmed + fmt.Sprintf("*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$%d\r\n%s\r\n", len(said), said), true
		case "SENTINEL":
			if words[1] == "SENTINELS" {
				return "*0\r\n", true
			}
			port := primary.Load().(string)
			return fmt.Sprintf("*2\r\n$9\r\n127.0.0.1\r\n$%d\r\n%s\r\n", len(port), port), true
		}
		return "", true
	})
	s := open(t, sentinel.url+"?master_set=parley&write_timeout=1m", &redisstore.Options{})
	h := watch(t, s)
	put(t, s, question("alice"))
	primary.Store(second.port)
	close(switched)
	if err := h.end(t); err == nil || !strings.Contains(err.Error(), "another server is the primary now") {
		t.Errorf("Watch = %v", err)
	}
	r := question("bob")
	eventually(t, func() error { return s.Put(t.Context(), r, 0) })
	if n, err := redis.Int(ask(t, second, "EXISTS", "{parley}:req:"+string(r.ID))); n != 1 || err != nil {
		t.Errorf("%d, %v; want the request at the new primary", n, err)
	}
	// A call is told of the change at once, and so is one that the old primary refuses.
	if _, err := ask(t, second, "REPLICAOF", "127.0.0.1", "1"); err != nil {
		t.Fatal(err)
	}
	primary.Store(first.port)
	if err := s.Put(t.Context(), question("carol"), 0); err == nil || !strings.Contains(err.Error(), "READONLY") {
		t.Errorf("Put to a replica = %v", err)
	}
	useOne(t, s)
}

// guided are two servers, both of which say that they are the primary, and a sentinel that
// names one of them.
type guided struct {
	url           string
	first, second *fake
	named         atomic.Value  // the port of the one that it names
	told          chan struct{} // closed: the sentinel says that the second is the primary now
	asked         chan struct{} // has a word when the first was asked for its role
	goes          chan struct{} // closed: the first says what it is
	breaks        atomic.Bool   // the first hangs up on commands
	calls         atomic.Int64  // that the second has answered
}

func newGuided(t *testing.T) *guided {
	t.Helper()
	g := &guided{told: make(chan struct{}), asked: make(chan struct{}, 9), goes: make(chan struct{})}
	well := func(words []string) (string, bool) {
		switch words[0] {
		case "GET":
			return "$-1\r\n", true
		case "ROLE":
			return "*1\r\n$6\r\nmaster\r\n", true
		case "PING":
			return "*2\r\n$4\r\npong\r\n$0\r\n\r\n", true
		case "SUBSCRIBE":
			return fmt.Sprintf("*3\r\n$9\r\nsubscribe\r\n$%d\r\n%s\r\n:1\r\n", len(words[1]), words[1]), true
		case "PUBSUB":
			return fmt.Sprintf("*2\r\n$%d\r\n%s\r\n:0\r\n", len(words[2]), words[2]), true
		case "INFO":
			return "$22\r\nuptime_in_seconds:1000\r\n", true
		}
		return "", true
	}
	g.second = newFake(t, func(words []string) (string, bool) {
		if words[0] == "GET" {
			g.calls.Add(1)
		}
		return well(words)
	})
	g.first = newFake(t, func(words []string) (string, bool) {
		if words[0] == "ROLE" {
			g.asked <- struct{}{}
			<-g.goes
		}
		if words[0] == "GET" && g.breaks.Load() {
			return mute, false
		}
		return well(words)
	})
	g.named.Store(port(g.first))
	sentinel := newFake(t, func(words []string) (string, bool) {
		switch words[0] {
		case "SUBSCRIBE":
			<-g.told
			confirmed, _ := well(words)
			said := fmt.Sprintf("parley 127.0.0.1 %s 127.0.0.1 %s", port(g.first), port(g.second))
			return confirmed + fmt.Sprintf("*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$%d\r\n%s\r\n", len(said), said), true
		case "SENTINEL":
			if words[1] == "SENTINELS" {
				return "*0\r\n", true
			}
			port := g.named.Load().(string)
			return fmt.Sprintf("*2\r\n$9\r\n127.0.0.1\r\n$%d\r\n%s\r\n", len(port), port), true
		}
		return well(words)
	})
	g.url = sentinel.url + "?master_set=parley&write_timeout=1m"
	return g
}

func port(f *fake) string { return f.url[strings.LastIndexByte(f.url, ':')+1:] }

// Calls may come to the new primary before its sentinel is heard, since their connection
// broke. A subscription that stays would hear nothing any more.
func TestASubscriptionEndsWhenCallsGoToAnotherPrimary(t *testing.T) {
	g := newGuided(t)
	close(g.goes)
	defer close(g.told)
	s := open(t, g.url, &redisstore.Options{})
	h := watch(t, s)
	g.named.Store(port(g.second))
	g.breaks.Store(true)
	if _, err := s.Get(t.Context(), "x"); err == nil || errors.Is(err, parley.ErrNotFound) {
		t.Fatalf("Get = %v, want a broken connection", err)
	}
	if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) {
		t.Fatalf("Get = %v", err)
	}
	if err := h.end(t); err == nil || !strings.Contains(err.Error(), "another server is the primary now") {
		t.Errorf("Watch = %v", err)
	}
}

// Nobody stays with a server that the sentinels replaced while it was being connected to.
func TestAPrimaryThatIsReplacedWhileItIsConnectedToIsLeft(t *testing.T) {
	g := newGuided(t)
	go func() {
		<-g.asked
		g.named.Store(port(g.second))
		close(g.told)
		time.Sleep(200 * time.Millisecond) // for that to be heard
		close(g.goes)
	}()
	var s *redisstore.Store
	eventually(t, func() (err error) {
		s, err = redisstore.Open(t.Context(), g.url, nil)
		return err
	})
	defer s.Close()
	eventually(t, func() error {
		if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) {
			return err
		}
		if g.calls.Load() == 0 {
			return errors.New("calls go to the former primary")
		}
		return nil
	})
}

// Those that attended at the former primary have not had the time to do so at the new one.
func TestNobodyIsAbsentFromAPrimaryThatHasJustBecomeOne(t *testing.T) {
	g := newGuided(t)
	close(g.goes)
	s := open(t, g.url, &redisstore.Options{})
	if absent, err := s.Absent(t.Context(), "n1"); !absent || err != nil {
		t.Fatalf("Absent = %v, %v", absent, err)
	}
	h := watch(t, s)
	g.named.Store(port(g.second))
	close(g.told)
	_ = h.end(t)
	if absent, err := s.Absent(t.Context(), "n1"); absent || !errors.Is(err, parley.ErrUnsure) {
		t.Errorf("Absent = %v, %v after a switch", absent, err)
	}
}

// Who lost their connection does not know whether others have theirs again, or with whom.
func TestNobodyIsAbsentJustAfterAConnectionWasLost(t *testing.T) {
	g := newGuided(t)
	close(g.goes)
	s := open(t, g.first.url, &redisstore.Options{})
	if absent, err := s.Absent(t.Context(), "n1"); !absent || err != nil {
		t.Fatalf("Absent = %v, %v", absent, err)
	}
	g.breaks.Store(true)
	if _, err := s.Get(t.Context(), "x"); err == nil || errors.Is(err, parley.ErrNotFound) {
		t.Fatalf("Get = %v, want a broken connection", err)
	}
	if absent, err := s.Absent(t.Context(), "n1"); absent || !errors.Is(err, parley.ErrUnsure) {
		t.Errorf("Absent = %v, %v", absent, err)
	}
}

func TestASentinelThatDoesNotHelpIsTold(t *testing.T) {
	primary := startNode(t)
	sentinel := startSentinel(t, primary)
	replica := startNode(t, "--replicaof", "127.0.0.1 "+primary.port)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(replica.url, "redis://"))
	wrong := newFake(t, func(words []string) (string, bool) {
		if words[0] == "SENTINEL" {
			return fmt.Sprintf("*2\r\n$9\r\n127.0.0.1\r\n$%d\r\n%s\r\n", len(port), port), true
		}
		return "", true
	})
	host := strings.TrimPrefix(wrong.url, "redis://")
	for url, want := range map[string]string{
		sentinel.url + "?master_set=other":                                    `knows no master_set "other"`,
		wrong.url + "?master_set=parley":                                      "which the sentinels name, is no primary but a slave",
		"redis://127.0.0.1:1?master_set=parley":                               "connection refused",
		"redis://127.0.0.1:1?master_set=x&addr=" + host:                       "connection refused; 127.0.0.1:" + port,
		servers.Redis(t) + "?master_set=parley":                               "unknown command",
		"redis://" + answering(t, "*1\r\n$1\r\nx\r\n") + "?master_set=parley": `knows no master_set "parley"`,
	} {
		s, err := redisstore.Open(t.Context(), url, nil)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}
