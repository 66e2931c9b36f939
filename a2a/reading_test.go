package a2a_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// watched are records that say how much of the runs was read at once.
type watched struct {
	parley.Records
	hold chan struct{} // nil: what is read comes at once; else when it is closed
	came chan struct{} // one for each scan of runs

	mu    sync.Mutex
	bytes int // the most of one scan
	loads int
}

func (w *watched) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	page, err := w.Records.Scan(ctx, from, after, limit)
	if from.Kind != "run" {
		return page, err
	}
	sum := 0
	for _, r := range page {
		sum += len(r.Data)
	}
	w.mu.Lock()
	w.bytes = max(w.bytes, sum)
	hold := w.hold
	w.mu.Unlock()
	if hold != nil {
		w.came <- struct{}{}
		<-hold
	}
	return page, err
}

func (w *watched) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	r, err := w.Records.Load(ctx, at)
	if at.Kind == "run" {
		w.mu.Lock()
		w.loads++
		w.mu.Unlock()
	}
	return r, err
}

// talker says a lot.
func talker(bytes int) *agent.Agent {
	return &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: strings.Repeat("M", bytes)} })}
}

func TestAListReadsItsTasksOneByOneUntilItIsFull(t *testing.T) {
	store := parley.NewMemoryStore()
	w := &watched{Records: store}
	s := openSiteOver(t, store, w, nil, talker(900_000))
	c := s.client("alice", "JSON-RPC")
	const tasks = 12
	for range tasks {
		state(t, c.send(says("Talk")), wire.TaskStateCompleted)
	}
	largest := 0
	all, err := store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "run"}, "", 100)
	if err != nil || len(all) != tasks {
		t.Fatalf("%d runs: %v", len(all), err)
	}
	for _, r := range all {
		largest = max(largest, len(r.Data))
	}
	for _, artifacts := range []bool{true, false} {
		t.Run(fmt.Sprint("artifacts ", artifacts), func(t *testing.T) {
			w.mu.Lock()
			w.bytes, w.loads = 0, 0
			w.mu.Unlock()
			page := c.list(wire.ListTasksRequest{PageSize: 100, IncludeArtifacts: artifacts})
			w.mu.Lock()
			defer w.mu.Unlock()
			if page.TotalSize != tasks || len(page.Tasks) == 0 || page.NextPageToken == "" {
				t.Errorf("%d of %d tasks, then %q", len(page.Tasks), page.TotalSize, page.NextPageToken)
			}
			if w.bytes > 4*largest+1<<20 {
				t.Errorf("%d bytes were read at once, a run has up to %d", w.bytes, largest)
			}
			if w.loads > len(page.Tasks)+1 {
				t.Errorf("%d runs were read for %d tasks", w.loads, len(page.Tasks))
			}
		})
	}
	seen := map[wire.TaskID]bool{}
	for token := ""; ; {
		page := c.list(wire.ListTasksRequest{PageSize: 100, PageToken: token})
		for _, one := range page.Tasks {
			seen[one.ID] = true
		}
		if token = page.NextPageToken; token == "" {
			break
		}
	}
	if len(seen) != tasks {
		t.Errorf("%d tasks", len(seen))
	}
}

func TestSoManyListsOfAPersonAreMadeAtOnce(t *testing.T) {
	store := parley.NewMemoryStore()
	w := &watched{Records: store}
	s := openSiteOver(t, store, w, nil, talker(1))
	s.client("alice", "JSON-RPC").send(says("Talk"))
	const lists, most = 10, 4
	w.mu.Lock()
	w.hold, w.came = make(chan struct{}), make(chan struct{}, 2*lists)
	w.mu.Unlock()
	var all sync.WaitGroup
	failures := make(chan error, lists)
	for range lists {
		c := s.client("alice", "JSON-RPC")
		all.Go(func() {
			_, err := c.ListTasks(t.Context(), &wire.ListTasksRequest{})
			failures <- err
		})
	}
	for range most {
		<-w.came
	}
	bobs := make(chan error, 1)
	all.Go(func() {
		_, err := s.client("bob", "JSON-RPC").ListTasks(t.Context(), &wire.ListTasksRequest{})
		bobs <- err
	})
	<-w.came // his is made beside them
	select {
	case <-w.came:
		t.Errorf("more than %d lists of one person are made at once", most)
	default:
	}
	close(w.hold)
	all.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			t.Error(err)
		}
	}
	if err := <-bobs; err != nil {
		t.Error(err)
	}
}
