package storetest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plantedVariable names the bug that a process started by the test has.
const plantedVariable = "PARLEY_PLANTED_BUG"

// planted are stores with a bug each, and the sentence of the suite that must
// catch it.
var planted = map[string]struct {
	store  func(*parley.MemoryStore) storetest.Backend
	caught string
}{
	"settle overwrites":            {func(m *parley.MemoryStore) storetest.Backend { return overwriting{m, new(sync.Map)} }, "a settled request keeps its first outcome"},
	"settle checks, then writes":   {func(m *parley.MemoryStore) storetest.Backend { return checkThenSettle{m} }, "of many that settle exactly one succeeds"},
	"save checks, then writes":     {func(m *parley.MemoryStore) storetest.Backend { return checkThenSave{m} }, "of many that swap none is lost"},
	"delete checks, then deletes":  {func(m *parley.MemoryStore) storetest.Backend { return checkThenDelete{m} }, "of many that delete exactly one succeeds"},
	"watch is deaf":                {func(m *parley.MemoryStore) storetest.Backend { return deaf{m} }, "every watcher hears of what another handle settles"},
	"watch subscribes too late":    {func(m *parley.MemoryStore) storetest.Backend { return late{m} }, "what is settled as soon as the watch stands is heard"},
	"limit is ignored":             {func(m *parley.MemoryStore) storetest.Backend { return unlimited{m} }, "an owner has only so many pending"},
	"retention takes the pending":  {func(m *parley.MemoryStore) storetest.Backend { return eager{m} }, "then it goes, and what is pending stays"},
	"versions begin again":         {func(m *parley.MemoryStore) storetest.Backend { return recounting{m} }, "a version is never used again"},
	"a tenant's name may be split": {func(m *parley.MemoryStore) storetest.Backend { return joining{m} }, "addresses do not collide"},
}

func TestTheSuiteCatchesPlantedBugs(t *testing.T) {
	if os.Getenv(plantedVariable) != "" {
		t.Skip("this process has a bug itself")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for bug, p := range planted {
		t.Run(bug, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestAStoreWithABug$", "-test.v")
			cmd.Env = append(os.Environ(), plantedVariable+"="+bug)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("the suite passed: %v\n%s", err, out)
			}
			caught := strings.ReplaceAll(p.caught, " ", "_")
			for _, line := range strings.Split(string(out), "\n") {
				if strings.Contains(line, "--- FAIL") && strings.Contains(line, caught) {
					return
				}
			}
			t.Errorf("%q did not catch it:\n%s", p.caught, out)
		})
	}
}

// TestAStoreWithABug runs the suite in a process of its own.
func TestAStoreWithABug(t *testing.T) {
	bug, ok := planted[os.Getenv(plantedVariable)]
	if !ok {
		t.Skip("only with a planted bug")
	}
	storetest.SetPatience(time.Second)
	storetest.Run(t, func(_ *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		m := parley.NewMemoryStore()
		m.Retention = retention
		store := bug.store(m)
		return store, func() storetest.Backend { return store }
	})
}

// overwriting lets the last one win.
type overwriting struct {
	*parley.MemoryStore
	last *sync.Map // of outcomes, by id
}

func (s overwriting) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	err := s.MemoryStore.Settle(ctx, id, o)
	if errors.Is(err, parley.ErrSettled) {
		s.last.Store(id, o.Clone())
		return nil
	}
	return err
}

func (s overwriting) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	r, err := s.MemoryStore.Get(ctx, id)
	if o, ok := s.last.Load(id); ok {
		o := o.(parley.Outcome).Clone()
		r.Outcome = &o
	}
	return r, err
}

// checkThenSettle lets two that looked at once both win.
type checkThenSettle struct{ *parley.MemoryStore }

func (s checkThenSettle) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	r, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	if !r.Pending() {
		return parley.ErrSettled
	}
	runtime.Gosched()
	if err := s.MemoryStore.Settle(ctx, id, o); !errors.Is(err, parley.ErrSettled) {
		return err
	}
	return nil
}

// checkThenSave compares the version before it writes, not while.
type checkThenSave struct{ *parley.MemoryStore }

func (s checkThenSave) Save(ctx context.Context, r parley.Record) (int64, error) {
	old, err := s.Load(ctx, r.Address)
	if err != nil || r.Version != old.Version {
		return s.MemoryStore.Save(ctx, r)
	}
	runtime.Gosched()
	if old, err = s.Load(ctx, r.Address); err == nil {
		r.Version = old.Version // whatever it is by now
	}
	return s.MemoryStore.Save(ctx, r)
}

// checkThenDelete is "get, then delete" instead of an atomic claim.
type checkThenDelete struct{ *parley.MemoryStore }

func (s checkThenDelete) Delete(ctx context.Context, at parley.Address, version int64) error {
	r, err := s.Load(ctx, at)
	if err != nil {
		return err
	}
	if version != 0 && version != r.Version {
		return parley.ErrConflict
	}
	runtime.Gosched()
	if err := s.MemoryStore.Delete(ctx, at, 0); !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	return nil
}

// deaf stands and hears nothing.
type deaf struct{ *parley.MemoryStore }

func (deaf) Watch(ctx context.Context, settled func(parley.ID)) error {
	settled("")
	<-ctx.Done()
	return ctx.Err()
}

// late says that it stands before it does.
type late struct{ *parley.MemoryStore }

func (s late) Watch(ctx context.Context, settled func(parley.ID)) error {
	settled("")
	timer := time.NewTimer(20 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.MemoryStore.Watch(ctx, func(id parley.ID) {
		if id != "" {
			settled(id)
		}
	})
}

// unlimited never finds that there are too many.
type unlimited struct{ *parley.MemoryStore }

func (s unlimited) Put(ctx context.Context, r parley.Request, _ int) error {
	return s.MemoryStore.Put(ctx, r, 0)
}

// eager forgets what has expired before anybody settled it.
type eager struct{ *parley.MemoryStore }

func (s eager) Sweep(ctx context.Context, now time.Time) error {
	due, err := s.List(ctx, parley.Query{Pending: true, ExpiresBefore: now})
	if err != nil {
		return err
	}
	for _, r := range due {
		if err := s.Settle(ctx, r.ID, parley.Outcome{Action: parley.Expire}); err != nil {
			return err
		}
	}
	return s.MemoryStore.Sweep(ctx, now)
}

// recounting counts versions per record, so that they begin again after a
// deletion.
type recounting struct{ *parley.MemoryStore }

func (s recounting) Save(ctx context.Context, r parley.Record) (int64, error) {
	stored, err := s.MemoryStore.Load(ctx, r.Address)
	switch {
	case errors.Is(err, parley.ErrNotFound) && r.Version != 0:
		return 0, parley.ErrConflict
	case err == nil && r.Version == 0:
		return 0, parley.ErrExists
	case err == nil && r.Version != version(stored):
		return 0, parley.ErrConflict
	}
	next := r.Version + 1
	r.Version = stored.Version
	r.Data = append([]byte{byte(next)}, r.Data...)
	_, err = s.MemoryStore.Save(ctx, r)
	return next, err
}

func (s recounting) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	r, err := s.MemoryStore.Load(ctx, at)
	if err == nil {
		r.Version, r.Data = version(r), r.Data[1:]
	}
	return r, err
}

func (s recounting) Delete(ctx context.Context, at parley.Address, v int64) error {
	if r, err := s.MemoryStore.Load(ctx, at); err == nil && v != 0 && v == version(r) {
		v = r.Version
	}
	return s.MemoryStore.Delete(ctx, at, v)
}

func version(r parley.Record) int64 { return int64(r.Data[0]) }

// joining makes one name of three without saying where each ends.
type joining struct{ *parley.MemoryStore }

func join(at parley.Address) parley.Address {
	return parley.Address{Key: at.Tenant + ":" + at.Kind + ":" + at.Key}
}

func (s joining) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	r, err := s.MemoryStore.Load(ctx, join(at))
	r.Address = at
	return r, err
}

func (s joining) Save(ctx context.Context, r parley.Record) (int64, error) {
	r.Address = join(r.Address)
	return s.MemoryStore.Save(ctx, r)
}
