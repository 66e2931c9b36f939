package parley

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

const (
	nodeKind  = "mcp.node"
	nodeLease = 10 * time.Second
)

// NodeOptions configures a Node. Nil and zero fields mean the defaults.
type NodeOptions struct {
	// URL is where the other nodes reach this one. Empty: nowhere.
	URL string
	// Lease is for how long the others believe in a node that they no longer hear
	// of. Default 10 s.
	Lease time.Duration
	// Attendance tells the others sooner. Default: that of the records, where they
	// have it; records that are sealed have none.
	Attendance Attendance

	Logger *slog.Logger // default slog.Default()
}

// Node is this process among those that share a store. The others know it by a
// record that it keeps alive while it runs. A process has one, and gives it to
// whatever has to be found, or missed, by other processes: each further one costs
// a lease and, in most stores, a connection. It is safe for concurrent use.
type Node struct {
	id         string
	records    Records
	opts       NodeOptions
	attendance Attendance    // nil: leases alone tell who is there
	changed    chan struct{} // what the record says
	mourners   mourners

	mu     sync.Mutex
	runs   bool
	there  bool // the store tells the others when this process ends
	joined bool // the others can know it
	cache  map[string]foundNode
}

// nodeRecord is what the others read.
type nodeRecord struct {
	URL   string `json:"url"`
	There bool   `json:"there,omitempty"` // it attends: see Attendance
}

// NodeIDLength is how many letters and digits name a node.
const NodeIDLength = 16

// NewNode returns a node that does not run yet. Its name is new. Without records it
// is alone.
func NewNode(records Records, opts *NodeOptions) *Node {
	n := &Node{
		id: strings.ToLower(rand.Text()[:NodeIDLength]), records: records,
		changed: make(chan struct{}, 1), cache: map[string]foundNode{},
	}
	if opts != nil {
		n.opts = *opts
	}
	n.opts.Lease = cmp.Or(n.opts.Lease, nodeLease)
	if n.opts.Logger == nil {
		n.opts.Logger = slog.Default()
	}
	if n.attendance = n.opts.Attendance; n.attendance == nil {
		n.attendance, _ = records.(Attendance)
	}
	return n
}

// ID names the node.
func (n *Node) ID() string { return n.id }

// Joined reports whether the others can know this node: Run has said that it is
// there.
func (n *Node) Joined() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.joined
}

// Attends reports whether the others learn at once when this process ends.
func (n *Node) Attends() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.there
}

// Running reports whether Run is in progress.
func (n *Node) Running() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.runs
}

// Run keeps the node known to the others until ctx ends, and returns ctx's
// error; ErrRunning where it runs already. A store that fails is tried again; when
// it fails for longer than the lease the others take the node for dead.
func (n *Node) Run(ctx context.Context) error {
	if !n.begins() {
		return ErrRunning
	}
	defer n.ends()
	if n.records == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	var attending sync.WaitGroup
	defer attending.Wait()
	defer n.leave(ctx)
	attending.Go(func() { n.attend(ctx) })
	attending.Go(func() { n.watchOthers(ctx) })

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
		pause := n.opts.Lease / 3
		if err != nil {
			pause = n.opts.Lease / 10
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

func (n *Node) begins() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	first := !n.runs
	n.runs = true
	return first
}

func (n *Node) ends() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.runs = false
}

func (n *Node) report(ctx context.Context, err error) {
	if err != nil {
		n.opts.Logger.WarnContext(ctx, "node lease not renewed", "node", n.id, "err", err)
		return
	}
	n.opts.Logger.InfoContext(ctx, "node lease renewed again", "node", n.id)
}

// renew writes the record for another lease and returns its version. After an
// error the version may be out of date; the next call finds the right one.
func (n *Node) renew(ctx context.Context, version int64) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, n.opts.Lease/3)
	defer cancel()
	n.mu.Lock()
	said := nodeRecord{n.opts.URL, n.there}
	n.mu.Unlock()
	data, err := json.Marshal(said)
	if err != nil {
		return version, err
	}
	record := Record{Address: nodeAddress(n.id), Data: data, Version: version, Expires: time.Now().Add(n.opts.Lease)}
	renewed, err := n.records.Save(ctx, record)
	if Overtaken(err) {
		// An earlier write whose reply was lost, or the record expired while the
		// store was away.
		stored, lost := n.records.Load(ctx, record.Address)
		if lost != nil && !errors.Is(lost, ErrNotFound) {
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
func (n *Node) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.opts.Lease/3)
	defer cancel()
	err := n.records.Delete(ctx, nodeAddress(n.id), 0)
	if err != nil && !errors.Is(err, ErrNotFound) {
		n.opts.Logger.WarnContext(ctx, "node not signed off: its lease ends by itself", "node", n.id, "err", err)
	}
}

// A node that is killed keeps its lease for some seconds. A store that knows who
// attends tells sooner. Nobody else does: an address that nobody answers at, or
// another node, may be a balancer's, or lead elsewhere from here.

// attend lets the others know at once when this process ends, where the store can.
func (n *Node) attend(ctx context.Context) {
	if n.attendance == nil {
		return
	}
	for failed := false; ctx.Err() == nil; {
		stood := false
		err := n.attendance.Attend(ctx, n.id, func() {
			stood = true
			n.stand(true)
		})
		n.stand(false)
		if ctx.Err() != nil || errors.Is(err, errors.ErrUnsupported) {
			return
		}
		if stood || !failed {
			n.opts.Logger.WarnContext(ctx, "attendance not told: the end of this node is noticed by its lease", "node", n.id, "err", err)
		}
		failed = !stood
		patience.Sleep(ctx, 250*time.Millisecond)
	}
}

// stand notes whether the node attends, and has its record say so without delay:
// who finds it absent reads that once more.
func (n *Node) stand(there bool) {
	n.mu.Lock()
	changed := n.there != there
	n.there = there
	n.mu.Unlock()
	if !changed {
		return
	}
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

func nodeAddress(id string) Address { return Address{Kind: nodeKind, Key: id} }
