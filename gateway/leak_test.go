package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// secretPlace is in all that a breaking store says.
const secretPlace = "user=parley database=prod 10.9.8.7:5432"

// What a store says that hangs, and one that refuses.
var (
	errHangs   = fmt.Errorf("pgstore: cannot connect to %s: timeout: %w", secretPlace, context.DeadlineExceeded)
	errRefuses = errors.New("pgstore: cannot connect to " + secretPlace + ": refused")
)

// breaking is a store of which one operation fails, or all do.
type breaking struct {
	everything

	mu   sync.Mutex
	seen map[string]bool
	is   string // the operation that fails; all: each
	with error
}

const all = "all"

func (b *breaking) fail(op string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen[op] = true
	if b.is == op || b.is == all {
		return b.with
	}
	return nil
}

func (b *breaking) breaks(op string, with error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.is, b.with = op, with
}

func (b *breaking) Put(ctx context.Context, r parley.Request, most int) error {
	if err := b.fail("Put"); err != nil {
		return err
	}
	return b.everything.Put(ctx, r, most)
}

func (b *breaking) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	if err := b.fail("Get"); err != nil {
		return parley.Request{}, err
	}
	return b.everything.Get(ctx, id)
}

func (b *breaking) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if err := b.fail("Settle"); err != nil {
		return err
	}
	return b.everything.Settle(ctx, id, o)
}

func (b *breaking) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	if err := b.fail("List"); err != nil {
		return nil, err
	}
	return b.everything.List(ctx, q)
}

func (b *breaking) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if err := b.fail("Load " + at.Kind); err != nil {
		return parley.Record{}, err
	}
	return b.everything.Load(ctx, at)
}

func (b *breaking) Save(ctx context.Context, r parley.Record) (int64, error) {
	if err := b.fail("Save " + r.Kind); err != nil {
		return 0, err
	}
	return b.everything.Save(ctx, r)
}

func (b *breaking) Delete(ctx context.Context, at parley.Address, version int64) error {
	if err := b.fail("Delete " + at.Kind); err != nil {
		return err
	}
	return b.everything.Delete(ctx, at, version)
}

func (b *breaking) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	if err := b.fail("Scan " + from.Kind); err != nil {
		return nil, err
	}
	return b.everything.Scan(ctx, from, after, limit)
}

// guarded is a node over a breaking store, with a server that asks, whose calls need an
// approval and a credential of the site's.
type guarded struct {
	*house
	store *breaking
	bank  *bank
	log   logged
}

func newGuarded(t *testing.T, server string) *guarded {
	t.Helper()
	g := &guarded{store: &breaking{everything: parley.NewMemoryStore(), seen: map[string]bool{}}, bank: &bank{era: server, asks: true}}
	at := serve(t, g.bank)
	log := slog.New(slog.NewTextHandler(&g.log, nil))
	v, err := vault.New(parley.New(g.store, nil), g.store, newKeys(t), &vault.Options{
		PublicURL: "https://parley.example", Logger: log,
		Servers: []vault.Server{{Name: "shop", URL: at, Auth: vault.Auth{Type: vault.APIKey, Scope: vault.Platform}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Provide(t.Context(), vault.Need{Server: "shop"}, "key-of-the-site"); err != nil {
		t.Fatal(err)
	}
	g.house = newNodeOn(t, g.store, catalogue{{Name: "shop", URL: at, Approve: permit.Always, Guarded: true}}, nil, func(o *gateway.Options) { o.Vault, o.Logger, o.ListTTL = v, log, time.Second })
	return g
}

var errorID = regexp.MustCompile(`err_[a-z2-7]{16}`)

// check looks that nobody was told what the store says, and that the log has it under
// the id that they were told.
func (g *guarded) check(t *testing.T, what, told string) {
	t.Helper()
	if strings.Contains(told, "10.9.8.7") || strings.Contains(told, "pgstore") {
		t.Errorf("%s says %s", what, told)
	}
	for _, id := range errorID.FindAllString(told, -1) {
		found := slices.ContainsFunc(strings.Split(g.log.String(), "\n"), func(line string) bool {
			return strings.Contains(line, "errorId="+id) && strings.Contains(line, "10.9.8.7")
		})
		if !found {
			t.Errorf("%s says %s, and the log has nothing under it:\n%s", what, told, g.log.String())
		}
	}
}

// pay is all of a call's result, or error.
func pay(t *testing.T, v *visitor) (all string, paid bool) {
	result, err := v.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__pay", Arguments: map[string]any{}})
	raw, _ := json.Marshal(result)
	return fmt.Sprint(string(raw), err), err == nil && !result.IsError
}

// operations are those of the store that a call with a credential, an approval and a
// question makes.
func operations(t *testing.T, client, server string) []string {
	g := newGuarded(t, server)
	v := visit(t, g.url, "alice", client, agreeing)
	if said, paid := pay(t, v); !paid {
		t.Fatal(said)
	}
	g.store.mu.Lock()
	defer g.store.mu.Unlock()
	return slices.Sorted(maps.Keys(g.store.seen))
}

// Whatever operation of the store fails during a call: nobody is told what it says, and
// whoever is told of a fault can name it. Calls wait for the store for some ten seconds,
// so all are made at the same time.
func TestWhateverOfTheStoreFailsInACallIsToldToNobody(t *testing.T) {
	t.Parallel()
	var calls sync.WaitGroup
	defer calls.Wait()
	for _, client := range []string{legacy, modern} {
		for _, server := range []string{legacy, modern} {
			ops := operations(t, client, server)
			if len(ops) < 8 {
				t.Fatalf("only %v", ops)
			}
			try := func(op string, with error) {
				what := fmt.Sprintf("client %s, server %s, %s: %v", client, server, op, with)
				g := newGuarded(t, server)
				v := visit(t, g.url, "alice", client, agreeing)
				toolNames(t, v)
				g.store.breaks(op, with)
				calls.Go(func() {
					said, paid := pay(t, v)
					g.check(t, what, said)
					if !paid && !errorID.MatchString(said) {
						t.Errorf("%s: a fault without its id: %s", what, said)
					}
				})
			}
			for _, op := range append(ops, all) {
				try(op, errHangs)
			}
			try(all, errRefuses)
		}
	}
}

func TestWhatIsReadTellsNobodyWhatTheStoreSays(t *testing.T) {
	t.Parallel()
	eachEra(t, func(t *testing.T, client, server string) {
		for how, with := range map[string]error{"hangs": errHangs, "refuses": errRefuses} {
			g := newGuarded(t, server)
			v := visit(t, g.url, "alice", client, agreeing)
			toolNames(t, v)
			g.store.breaks(all, with)
			_, err := v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "shop__greet"})
			g.check(t, how+": prompts/get", fmt.Sprint(err))
			_, err = v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop+a:b"})
			g.check(t, how+": resources/read", fmt.Sprint(err))
			_, err = v.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "shop__greet"}, Argument: mcp.CompleteParamsArgument{Name: "a", Value: "b"}})
			g.check(t, how+": completion/complete", fmt.Sprint(err))
			list, err := v.ListTools(t.Context(), nil)
			raw, _ := json.Marshal(list)
			g.check(t, how+": tools/list", fmt.Sprint(string(raw), err))
		}
	})
}

// A list that cannot be made is a fault, whichever way its request came.
func TestAListThatCannotBeMadeHasAnID(t *testing.T) {
	c := &shifting{}
	var log logged
	h := newHouse(t, nil, func(o *gateway.Options) {
		o.Catalogue, o.Logger = c, slog.New(slog.NewTextHandler(&log, nil))
	})
	g := &guarded{house: h}
	for _, era := range []string{legacy, modern} {
		c.set(nil)
		v := visit(t, h.url, "alice", era, nil)
		c.set(errHangs)
		_, err := v.ListTools(t.Context(), nil)
		if !errorID.MatchString(fmt.Sprint(err)) {
			t.Errorf("%s: %v", era, err)
		}
		_, _ = g.log.Write([]byte(log.String()))
		g.check(t, "tools/list", fmt.Sprint(err))
	}
}

// The store, or a secret, is the trouble: the server is not, and nobody says so.
func TestAServerIsNotDownBecauseTheStoreIs(t *testing.T) {
	for _, known := range []bool{true, false} {
		t.Run(fmt.Sprint("known before ", known), func(t *testing.T) {
			g := newGuarded(t, modern)
			v := visit(t, g.url, "alice", modern, agreeing)
			if known {
				toolNames(t, v)
			}
			g.store.breaks("Load connection", errHangs)
			g.look(t, v)
			if st := g.Status(t.Context(), "default", "shop", ""); st.State == gateway.Down || known && st.State != gateway.Up || strings.Contains(st.Error, "10.9.8.7") {
				t.Errorf("%+v", st)
			}
			if text := g.log.String(); strings.Contains(text, "server down") {
				t.Errorf("the log says %s", text)
			}
		})
	}
}

// look has the list of the server read again, and waits until the log has something of it.
func (g *guarded) look(t *testing.T, v *visitor) {
	t.Helper()
	eventually(t, "the server is looked at", func() bool {
		_, _ = pay(t, v)
		toolNames(t, v)
		return strings.Contains(g.log.String(), "server not looked at")
	})
}
