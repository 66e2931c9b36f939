package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

const (
	nodeKind  = "mcp.node"
	nodeLease = 10 * time.Second

	// foundFor is how long a look-up of another node is believed.
	foundFor = time.Second
	foundMax = 1024
)

// node is this process among those that share a store. The others know it by a
// record that it keeps alive while it runs.
type node struct {
	id      string
	url     string // where the others reach it; empty: nowhere
	records parley.Records
	lease   time.Duration
	logger  *slog.Logger

	attendance parley.Attendance // nil: leases alone tell who is there
	changed    chan struct{}     // what the record says

	mu      sync.Mutex
	runs    bool
	there   bool     // the store tells the others when this process ends
	joined  bool     // the others can know it
	letters *letters // set: what is forwarded carries no credentials
	cache   map[string]foundNode
}

// nodeRecord is what the others read.
type nodeRecord struct {
	URL   string `json:"url"`
	There bool   `json:"there,omitempty"` // it attends: see parley.Attendance
}

type foundNode struct {
	url   string
	alive bool
	until time.Time
}

// newNode returns a node that does not run yet. id is random: nodeIDLength
// letters and digits.
func newNode(id, url string, records parley.Records) *node {
	return &node{
		id: id, url: url, records: records,
		lease: nodeLease, logger: slog.Default(), changed: make(chan struct{}, 1),
		cache: map[string]foundNode{},
	}
}

func (n *node) post() *letters {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.letters
}

func (n *node) running() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.runs
}

// run keeps the node known to the others until ctx ends, and returns ctx's
// error. A store that fails is tried again; when it fails for longer than the
// lease the others take the node for dead.
func (n *node) run(ctx context.Context) error {
	n.mu.Lock()
	if n.runs {
		n.mu.Unlock()
		return errors.New("this node runs already: call Run once")
	}
	n.runs = true
	n.mu.Unlock()
	defer func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.runs = false
	}()
	if n.records == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	var attending sync.WaitGroup
	defer attending.Wait()
	defer n.leave(ctx)
	attending.Go(func() { n.attend(ctx) })

	var version int64
	failing := false
	for {
		var err error
		version, err = n.renew(ctx, version)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			n.mu.Lock()
			n.joined = true
			n.mu.Unlock()
		}
		pause := n.lease / 3
		if err != nil {
			pause = n.lease / 10
		}
		if (err != nil) != failing {
			failing = err != nil
			n.report(ctx, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-n.changed:
		case <-time.After(pause):
		}
	}
}

func (n *node) report(ctx context.Context, err error) {
	if err != nil {
		n.logger.WarnContext(ctx, "this node cannot tell the others that it is alive; trying again", "node", n.id, "err", err)
		return
	}
	n.logger.InfoContext(ctx, "this node is known to the others again", "node", n.id)
}

// renew writes the record for another lease and returns its version. After an
// error the version may be out of date; the next call finds the right one.
func (n *node) renew(ctx context.Context, version int64) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, n.lease/3)
	defer cancel()
	n.mu.Lock()
	said := nodeRecord{n.url, n.there}
	n.mu.Unlock()
	data, err := json.Marshal(said)
	if err != nil {
		return version, err
	}
	record := parley.Record{Address: nodeAddress(n.id), Data: data, Version: version, Expires: time.Now().Add(n.lease)}
	renewed, err := n.records.Save(ctx, record)
	if parley.Overtaken(err) {
		// An earlier write whose reply was lost, or the record expired while the
		// store was away.
		stored, lost := n.records.Load(ctx, record.Address)
		if lost != nil && !errors.Is(lost, parley.ErrNotFound) {
			return version, lost
		}
		record.Version = stored.Version
		renewed, err = n.records.Save(ctx, record)
	}
	if err != nil {
		return version, err
	}
	return renewed, nil
}

// leave tells the others at once, instead of letting them wait for the lease's
// end.
func (n *node) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.lease/3)
	defer cancel()
	err := n.records.Delete(ctx, nodeAddress(n.id), 0)
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		n.logger.WarnContext(ctx, "this node could not sign off; the others will miss it when its lease ends", "node", n.id, "err", err)
	}
}

// await finds a node as find does, and waits for a store that is away for a moment,
// for as long as the node's lease may last: a client whose answer to a question is
// refused does not send it again.
func (n *node) await(ctx context.Context, id string) (url string, alive bool, err error) {
	over := time.Now().Add(n.lease)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		url, alive, err = n.find(ctx, id)
		if err == nil || time.Now().Add(pause).After(over) {
			return url, alive, err
		}
		select {
		case <-ctx.Done():
			return url, alive, err
		case <-time.After(pause):
		}
	}
}

// find returns where the node with that id is reached and whether it is alive,
// as of a second ago at most.
func (n *node) find(ctx context.Context, id string) (url string, alive bool, err error) {
	now := time.Now()
	n.mu.Lock()
	known, cached := n.cache[id]
	own := id == n.id && n.runs
	n.mu.Unlock()
	switch {
	case own:
		return n.url, true, nil
	case id == n.id, n.records == nil:
		return "", false, nil
	case cached && now.Before(known.until):
		return known.url, known.alive, nil
	}

	found := foundNode{until: now.Add(foundFor)}
	_, r, err := n.load(ctx, id)
	switch {
	case errors.Is(err, parley.ErrNotFound):
	case err != nil:
		return "", false, err
	default:
		found.url, found.alive = r.URL, true
	}
	n.remember(id, found)
	return found.url, found.alive, nil
}

// load reads the record of a node as it is now.
func (n *node) load(ctx context.Context, id string) (record parley.Record, r nodeRecord, err error) {
	if record, err = n.records.Load(ctx, nodeAddress(id)); err != nil {
		return record, r, fmt.Errorf("looking for node %s: %w", id, err)
	}
	if err = json.Unmarshal(record.Data, &r); err != nil {
		return record, r, fmt.Errorf("the record of node %s: %w", id, err)
	}
	return record, r, nil
}

func (n *node) remember(id string, found foundNode) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.cache) >= foundMax {
		clear(n.cache) // ids come from clients: whoever invents many costs look-ups, not memory
	}
	n.cache[id] = found
}

// forget makes the next find look again.
func (n *node) forget(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.cache, id)
}

func nodeAddress(id string) parley.Address { return parley.Address{Kind: nodeKind, Key: id} }
