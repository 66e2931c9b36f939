package mcpclient_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// Who has as many programs as they may makes room by one of their own.
func TestAnOwnersProgramsEndForTheirOwnAlone(t *testing.T) {
	programs := mcpclient.NewPrograms(&mcpclient.ProgramsOptions{Each: 1, All: -1, Patience: time.Minute})
	ended := map[string]*atomic.Int64{"alice": {}, "bob": {}}
	start := func(owner string, idle time.Duration) *mcpclient.Conn {
		var conn atomic.Pointer[mcpclient.Conn]
		since := time.Now().Add(-idle)
		opts := child("legacy")
		opts.Programs = programs
		opts.Use = mcpclient.Use{
			Owner: owner,
			Idle:  func() (time.Time, bool) { return since, conn.Load() != nil },
			End: func() bool {
				ended[owner].Add(1)
				return conn.Load().Close() == nil
			},
		}
		c, err := mcpclient.Connect(t.Context(), &opts)
		if err != nil {
			t.Fatalf("%s: %v", owner, err)
		}
		conn.Store(c)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	alices := start("alice", time.Hour) // idle for longer than any of bob's
	start("bob", time.Minute)
	start("bob", 0)
	if a, b := ended["alice"].Load(), ended["bob"].Load(); a != 0 || b != 1 || programs.Running() != 2 {
		t.Errorf("for bob's second %d of alice's and %d of his own ended, and %d run", a, b, programs.Running())
	}
	if _, err := alices.Do(t.Context(), "tools/list", nil); err != nil {
		t.Errorf("alice's: %v", err)
	}
}
