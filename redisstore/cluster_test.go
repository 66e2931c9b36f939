package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// node is a server that was started with arguments of its own.
type node struct {
	url, port, bus string
	redis.Conn
	kill func()
}

// startNode starts a server and waits until it answers.
func startNode(t *testing.T, args ...string) *node {
	t.Helper()
	servers.Redis(t) // skips or fails where there is no Redis
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	if err != nil {
		t.Skip("no server's binary here")
	}
	n := &node{port: freePort(t), bus: freePort(t)}
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "BUS", n.bus)
	}
	cmd := exec.Command(path, append(args, "--bind", "127.0.0.1", "--port", n.port, "--dir", t.TempDir(), "--save", "")...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n.kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(n.kill)
	n.url = "redis://127.0.0.1:" + n.port
	eventually(t, func() error {
		n.Conn, err = redis.DialURL(n.url)
		return err
	})
	t.Cleanup(func() { n.Close() })
	return n
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// eventually tries until it succeeds.
func eventually(t *testing.T, try func() error) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// clusterNode starts a node that belongs to no cluster yet.
func clusterNode(t *testing.T) *node {
	t.Helper()
	return startNode(t, "--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--cluster-port", "BUS", "--cluster-announce-ip", "127.0.0.1")
}

// assignSlots gives a node all slots and waits until it takes commands.
func assignSlots(t *testing.T, n *node) {
	t.Helper()
	if _, err := ask(t, n, "CLUSTER", "ADDSLOTSRANGE", "0", "16383"); err != nil {
		t.Fatal(err)
	}
	awaitCluster(t, n)
}

func awaitCluster(t *testing.T, n *node) {
	t.Helper()
	eventually(t, func() error {
		info, err := redis.String(ask(t, n, "CLUSTER", "INFO"))
		if err == nil && !strings.Contains(info, "cluster_state:ok") {
			err = errors.New(info)
		}
		return err
	})
}

// pairOfNodes is a cluster in which the second node has all slots.
func pairOfNodes(t *testing.T) (bare, owner *node) {
	t.Helper()
	bare, owner = clusterNode(t), clusterNode(t)
	assignSlots(t, owner)
	if _, err := ask(t, bare, "CLUSTER", "MEET", "127.0.0.1", owner.port, owner.bus); err != nil {
		t.Fatal(err)
	}
	awaitCluster(t, bare)
	return bare, owner
}

func TestAClusterHoldsTheStore(t *testing.T) {
	t.Parallel()
	n := clusterNode(t)
	assignSlots(t, n)
	useAll(t, open(t, n.url, &redisstore.Options{Cluster: true}))
}

func TestEveryNodeOfAClusterLeadsToTheOneWithOurSlot(t *testing.T) {
	t.Parallel()
	bare, owner := pairOfNodes(t)
	s := open(t, bare.url, &redisstore.Options{Cluster: true})
	useAll(t, s)
	r := put(t, s, question("alice"))
	if n, err := redis.Int(ask(t, owner, "EXISTS", "{parley}:req:"+string(r.ID))); n != 1 || err != nil {
		t.Errorf("%d, %v; want the request at the node that has the slot", n, err)
	}
	// The node of the URL may be away by the time that the store connects again.
	bare.kill()
	if _, err := ask(t, owner, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { _, err := s.Get(t.Context(), r.ID); return err })
	if s, err := redisstore.Open(t.Context(), bare.url, &redisstore.Options{Cluster: true}); err == nil {
		s.Close()
		t.Error("opened by a node that is away")
	}
	useAll(t, open(t, bare.url+"?addr="+owner.url[len("redis://"):], &redisstore.Options{Cluster: true, Prefix: newPrefix()}))
}

func TestCallsFollowASlotThatMoved(t *testing.T) {
	t.Parallel()
	to, from := pairOfNodes(t)
	s := open(t, from.url, &redisstore.Options{Cluster: true})
	put(t, s, question("alice")) // the scripts are known here, and not there
	h := watch(t, s)
	slot := fmt.Sprint(redisstore.SlotOf("parley"))
	id := map[*node]string{}
	for _, n := range []*node{to, from} {
		name, err := redis.String(ask(t, n, "CLUSTER", "MYID"))
		if err != nil {
			t.Fatal(err)
		}
		id[n] = name
	}
	moved := make(chan struct{})
	done := make(chan []error)
	go func() {
		done <- race(32, func(i int) error {
			for last := false; ; {
				if err := s.Put(t.Context(), question(fmt.Sprint("user-", i)), 0); err != nil {
					return err
				}
				if last {
					return nil
				}
				select {
				case <-moved:
					last = true
				default:
				}
			}
		})
	}()
	for _, step := range []struct {
		at    *node
		words []string
	}{ // without the keys: they are few and it is the calls that count
		{to, []string{"SETSLOT", slot, "IMPORTING", id[from]}},
		{to, []string{"SETSLOT", slot, "NODE", id[to]}},
	} {
		if _, err := ask(t, step.at, "CLUSTER", step.words...); err != nil {
			t.Fatal(step, err)
		}
	}
	// The other node gives up its keys when it hears of that.
	eventually(t, func() error {
		_, err := ask(t, from, "GET", "{parley}:x")
		if err == nil {
			err = errors.New("the slot is still there")
		} else if strings.HasPrefix(err.Error(), "MOVED") {
			err = nil
		}
		return err
	})
	close(moved)
	for _, err := range <-done {
		if err != nil {
			t.Error(err)
		}
	}
	if err := h.end(t); err == nil { // the node may be taken out next, and hear nothing any more
		t.Error("Watch returned no error")
	}
	r := put(t, s, question("alice"))
	if n, err := redis.Int(ask(t, to, "EXISTS", "{parley}:req:"+string(r.ID))); n != 1 || err != nil {
		t.Errorf("%d, %v; want the request at the node that has the slot now", n, err)
	}
	useOne(t, s)
}

// useOne puts and settles a question.
func useOne(t *testing.T, s *redisstore.Store) {
	t.Helper()
	if err := s.Settle(t.Context(), put(t, s, question("alice")).ID, accepted("x")); err != nil {
		t.Error(err)
	}
}

func TestTheSlotOfATagIsTheServers(t *testing.T) {
	n := clusterNode(t)
	for _, tag := range []string{"parley", "parley_staging", "123456789", "a", "ä", "\x00\xff"} {
		if slot, err := redis.Int(ask(t, n, "CLUSTER", "KEYSLOT", "{"+tag+"}:due")); err != nil || slot != redisstore.SlotOf(tag) {
			t.Errorf("the slot of %q is %d, not %d (%v)", tag, slot, redisstore.SlotOf(tag), err)
		}
	}
}

// A node may be asked by a user who may not ask for the slots, and may not know its own name.
func TestANodeThatSendsACallAwayIsBelieved(t *testing.T) {
	var asked, there atomic.Int64
	second := newFake(t, func(words []string) (string, bool) {
		switch words[0] {
		case "CLUSTER":
			return "-NOPERM this user has no permissions\r\n", true
		case "GET":
			there.Add(1)
			return "$-1\r\n", true
		}
		return "", true
	})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(second.url, "redis://"))
	for _, host := range []string{"", "127.0.0.1", "?", "localhost"} {
		first := newFake(t, func(words []string) (string, bool) {
			switch words[0] {
			case "CLUSTER":
				return "-NOPERM this user has no permissions\r\n", true
			case "GET":
				asked.Add(1)
				return "-MOVED 1 " + host + ":" + port + "\r\n", true
			}
			return "", true
		})
		asked.Store(0)
		there.Store(0)
		s := open(t, first.url, &redisstore.Options{Cluster: true})
		for range 3 {
			if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%q: Get = %v", host, err)
			}
		}
		if asked.Load() != 1 || there.Load() != 3 {
			t.Errorf("%q: %d calls were sent away, %d answered", host, asked.Load(), there.Load())
		}
	}
}

// A connection that is left has calls to answer, and ends with the store all the same.
func TestCloseEndsAConnectionThatWasLeft(t *testing.T) {
	second := newFake(t, func(words []string) (string, bool) {
		if words[0] == "GET" {
			return "$-1\r\n", true
		}
		return "", true
	})
	moved, asked := make(chan struct{}), make(chan struct{})
	first := newFake(t, func(words []string) (string, bool) {
		switch words[0] {
		case "GET":
			close(moved)
			return strings.Repeat(pause, 5) + "-MOVED 1 " + strings.TrimPrefix(second.url, "redis://") + "\r\n", true
		case "EVALSHA":
			close(asked)
			return mute, true
		}
		return "", true
	})
	s := open(t, first.url, &redisstore.Options{Cluster: true})
	got, put := make(chan error, 1), make(chan error, 1)
	go func() { _, err := s.Get(t.Context(), "x"); got <- err }()
	<-moved
	go func() { put <- s.Put(t.Context(), question("alice"), 0) }()
	if err := <-got; !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("Get = %v", err)
	}
	<-asked
	start := time.Now()
	s.Close()
	if err := <-put; err == nil || !strings.Contains(err.Error(), "the store is closed") || time.Since(start) > 3*time.Second {
		t.Errorf("Put = %v after %v", err, time.Since(start))
	}
}

// Those that the URL does not name are asked, too.
func TestTheNodesThatOthersNamedAreAskedWhenThoseAreAway(t *testing.T) {
	var mu sync.Mutex
	var said string // of the slots, by all nodes
	var nodes []*fake
	for range 3 {
		nodes = append(nodes, newFake(t, func(words []string) (string, bool) {
			mu.Lock()
			defer mu.Unlock()
			switch words[0] {
			case "CLUSTER":
				return said, true
			case "GET":
				return "$-1\r\n", true
			}
			return "", true
		}))
	}
	slots := func(owner, replica *fake) {
		mu.Lock()
		defer mu.Unlock()
		said = "*1\r\n*4\r\n:0\r\n:16383\r\n"
		for _, f := range []*fake{owner, replica} {
			said += "*2\r\n$9\r\n127.0.0.1\r\n:" + f.url[strings.LastIndex(f.url, ":")+1:] + "\r\n"
		}
	}
	slots(nodes[1], nodes[2])
	s := open(t, nodes[0].url, &redisstore.Options{Cluster: true})
	slots(nodes[2], nodes[1])
	nodes[0].stop()
	nodes[1].stop()
	eventually(t, func() error {
		if _, err := s.Get(t.Context(), "x"); !errors.Is(err, parley.ErrNotFound) {
			return err
		}
		return nil
	})
	if nodes[2].accepted.Load() == 0 {
		t.Error("the third node was not asked")
	}
}

// A node that was taken out of the cluster knows nobody who has its keys now, and goes on.
func TestANodeThatWasTakenOutIsLeft(t *testing.T) {
	t.Parallel()
	to, from := pairOfNodes(t)
	s := open(t, from.url+"?addr=127.0.0.1:"+to.port, &redisstore.Options{Cluster: true})
	h := watch(t, s)
	gone, err := redis.String(ask(t, from, "CLUSTER", "MYID"))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		at    *node
		words []string
	}{
		{from, []string{"RESET", "HARD"}},
		{to, []string{"FORGET", gone}},
		{to, []string{"ADDSLOTSRANGE", "0", "16383"}},
	} {
		if _, err := ask(t, step.at, "CLUSTER", step.words...); err != nil {
			t.Fatal(step.words, err)
		}
	}
	awaitCluster(t, to)
	if err := s.Put(t.Context(), question("alice"), 0); err == nil || !strings.Contains(err.Error(), "CLUSTERDOWN") {
		t.Errorf("Put = %v", err)
	}
	if err := h.end(t); err == nil { // it would hear nothing any more
		t.Error("Watch returned no error")
	}
	useAll(t, s)
}

func TestNodesThatSendCallsInACircleAreLeft(t *testing.T) {
	var asked atomic.Int64
	var server *fake
	server = newFake(t, func(words []string) (string, bool) {
		switch words[0] {
		case "CLUSTER":
			return "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$0\r\n\r\n:" + server.url[strings.LastIndex(server.url, ":")+1:] + "\r\n", true
		case "GET":
			asked.Add(1)
			return "-MOVED 1 " + strings.TrimPrefix(server.url, "redis://") + "\r\n", true
		}
		return "", true
	})
	s := open(t, server.url, &redisstore.Options{Cluster: true})
	if _, err := s.Get(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "refuses: MOVED") {
		t.Errorf("Get = %v", err)
	}
	if n := asked.Load(); n < 2 || n > 10 {
		t.Errorf("asked %d times", n)
	}
}

func TestWhatAClusterSaysMayBeOdd(t *testing.T) {
	for _, said := range []string{"*0\r\n", "*1\r\n:5\r\n", "*1\r\n*2\r\n:0\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:16383\r\n*0\r\n", "*1\r\n*3\r\n:0\r\n:16383\r\n:7\r\n", "*1\r\n*3\r\n$1\r\na\r\n$-1\r\n*2\r\n$-1\r\n$-1\r\n", "$-1\r\n", "+OK\r\n"} {
		server := newFake(t, func(words []string) (string, bool) {
			switch words[0] {
			case "CLUSTER":
				return said, true
			case "GET":
				return "$-1\r\n", true
			}
			return "", true
		})
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		s, err := redisstore.Open(ctx, server.url, &redisstore.Options{Cluster: true})
		if err == nil {
			if _, err := s.Get(ctx, "x"); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%q: Get = %v", said, err)
			}
			s.Close()
		} else if !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%q: %v", said, err)
		}
		cancel()
	}
}
