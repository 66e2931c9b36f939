package notify_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/receivers"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
)

// nodeVariable makes this test's program a node, over the store that it names.
const nodeVariable = "PARLEY_TEST_NOTIFY_NODE"

// runNode is a process that does nothing but run an outbox, until it is killed.
func runNode(store, space, hook string) error {
	s, err := backend.Open(context.Background(), store, &backend.Options{Space: space, Logger: quiet})
	if err != nil {
		return err
	}
	o, err := killOutbox(s, hook)
	if err != nil {
		return err
	}
	return o.Run(context.Background())
}

func killOutbox(store notify.Store, hook string) (*notify.Outbox, error) {
	keys, err := newKeys()
	if err != nil {
		return nil, err
	}
	hub := parley.New(store, &parley.Options{Sealer: keys, Logger: quiet})
	may := &outbound.Options{Loopback: true}
	return notify.New(hub, store, keys, &notify.Options{
		PublicURL: "https://parley.example", Push: &notify.Push{Subject: "mailto:ops@parley.example"},
		Webhooks: []notify.Webhook{{Name: "ops", URL: hook + "/hook", Secret: hookSecret}},
		Channels: []notify.Choice{{Channel: notify.WebPush}, {Channel: notify.WebhookChannel("ops")}},
		Clients:  outbound.NewClients(may), Outbound: may, Logger: quiet,
		Poll: 50 * time.Millisecond, Sync: time.Second, Claim: 16 * time.Second,
	})
}

// ledger counts what arrives, by channel, event and question.
type ledger struct {
	b *receivers.Browser

	mu    sync.Mutex
	came  map[string][]time.Time
	kills []time.Time
	wrong []string
}

func (l *ledger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // its sender died in the middle: nothing was delivered
	}
	if r.URL.Path == "/push" {
		plain, err := l.b.Decrypt(body)
		if err != nil {
			l.mu.Lock()
			l.wrong = append(l.wrong, err.Error())
			l.mu.Unlock()
		}
		body = plain
	}
	var said struct {
		Type, Tag string
		Data      struct{ ID string }
	}
	_ = json.Unmarshal(body, &said)
	time.Sleep(20 * time.Millisecond) // so that some are killed while they send
	l.mu.Lock()
	defer l.mu.Unlock()
	event := r.URL.Path + " " + said.Type + " " + said.Tag + said.Data.ID
	l.came[event] = append(l.came[event], began)
	w.WriteHeader(http.StatusCreated)
}

// missing returns how many events have not come for these questions.
func (l *ledger) missing(event string, ids []parley.ID) (missing int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range ids {
		for _, path := range []string{"/push", "/hook"} {
			if len(l.came[path+" "+event+" "+string(id)]) == 0 {
				missing++
			}
		}
	}
	return missing
}

// inHand is what a node can be sending at once: 16 questions by two channels.
const inHand = 16 * 2

// arrival is the least time from an attempt to the next one of another node: the
// claim less the time that an attempt may take.
const arrival = time.Second

// repetitions returns how many events came again. Each is accounted for by the kill
// of a node: there is one between the two, and all kills together explain no more than
// those nodes had in hand.
func (l *ledger) repetitions(t *testing.T) (all int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for event, times := range l.came {
		for i := 1; i < len(times); i++ {
			all++
			gap := times[i].Sub(times[i-1])
			// What a node has sent may be read a moment after its death.
			at := slices.IndexFunc(l.kills, func(kill time.Time) bool { return kill.After(times[i-1].Add(-arrival)) && kill.Before(times[i]) })
			if at < 0 || gap < arrival {
				t.Errorf("%s came twice, %v apart, and that is nobody's death", event, gap)
			}
		}
	}
	// Kills come close upon each other, so which of two a repetition is due to cannot be told.
	if most := inHand * len(l.kills); all > most {
		t.Errorf("%d events came again after %d kills; %d could", all, len(l.kills), most)
	}
	return all
}

func (l *ledger) killed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kills = append(l.kills, time.Now())
}

func TestNothingIsLostWhenNodesAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the claims of the dead")
	}
	for name, url := range map[string]func(testing.TB) string{
		"postgres": func(t testing.TB) string { return servers.Postgres(t) },
		"redis":    func(t testing.TB) string { return servers.Redis(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killed(t, url(t))
		})
	}
}

func killed(t *testing.T, url string) {
	space := "notify_" + strings.ToLower(rand.Text()[:10])
	store, err := backend.Open(t.Context(), url, &backend.Options{Space: space, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	book := &ledger{came: map[string][]time.Time{}}
	web := httptest.NewServer(book)
	defer web.Close()
	book.b = receivers.NewBrowser(t, web.URL+"/push")
	here, err := killOutbox(store, web.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := here.Subscribe(t.Context(), alice, subscriptionOf(book.b)); err != nil {
		t.Fatal(err)
	}
	hub := parley.New(store, &parley.Options{Sealer: keyring(t), Logger: quiet, TTL: time.Hour})
	nodes := []*exec.Cmd{startNode(t, url, space, web.URL), startNode(t, url, space, web.URL)}
	var ids []parley.ID
	for round := range 6 { // each node in turn, while questions come in
		for range 60 {
			q, err := hub.Open(t.Context(), parley.Request{To: "alice", From: "bank", Message: "Which?"})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, q.ID)
		}
		time.Sleep(150 * time.Millisecond)
		kill(nodes[round%2])
		book.killed()
		nodes[round%2] = startNode(t, url, space, web.URL)
	}
	arrive := func(event string) {
		t.Helper()
		waitFor(t, func() bool { return book.missing(event, ids) == 0 })
		// A dead node's attempts are made again when its claims end: they are waited for.
		time.Sleep(17 * time.Second)
		t.Logf("%s: %d events; %d repetitions in all after %d kills", event, 2*len(ids), book.repetitions(t), len(book.kills))
	}
	arrive("question.opened")
	for i, id := range ids {
		if err := hub.Cancel(t.Context(), id, "test"); err != nil {
			t.Fatal(err)
		}
		if i == len(ids)/2 {
			kill(nodes[0])
			book.killed()
			nodes[0] = startNode(t, url, space, web.URL)
		}
	}
	arrive("question.closed")
	for _, wrong := range book.wrong {
		t.Error(wrong)
	}
	waitFor(t, func() bool {
		left, err := store.Scan(t.Context(), parley.Address{Kind: "notify_notice"}, "", 0)
		return err == nil && len(left) == 0
	})
}

func startNode(t *testing.T, url, space, hook string) *exec.Cmd {
	t.Helper()
	node := exec.Command(os.Args[0])
	node.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%s\n%s", nodeVariable, url, space, hook))
	node.Stderr = os.Stderr
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(node) })
	return node
}

func kill(node *exec.Cmd) {
	_ = node.Process.Kill()
	_ = node.Wait()
}
