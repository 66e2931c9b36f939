package kit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// Site is where a backend lives during the benchmark.
type Site struct {
	Name   string
	Server *servers.Server // nil without one
	Dir    string
}

// NewSite starts what the backend needs: memory, sqlite, postgres or redis.
func NewSite(ctx context.Context, name string) (s *Site, err error) {
	s = &Site{Name: name}
	if s.Dir, err = os.MkdirTemp("", "parley-bench-"); err != nil {
		return nil, err
	}
	durable := &servers.Options{Durable: true}
	switch name {
	case "memory", "sqlite":
	case "postgres":
		s.Server, err = servers.StartPostgres(ctx, durable)
	case "redis":
		s.Server, err = servers.StartRedis(ctx, durable)
	default:
		err = fmt.Errorf("no such backend")
	}
	return s, err
}

// Close ends the backend, and what it kept is gone.
func (s *Site) Close() {
	if s.Server != nil {
		s.Server.Close()
	}
	os.RemoveAll(s.Dir)
	Progress("")
}

// URL names the store; each space has data of its own.
func (s *Site) URL(space string) string {
	switch s.Name {
	case "memory":
		return "memory:"
	case "sqlite":
		return "sqlite:" + filepath.Join(s.Dir, space+".db")
	}
	return s.Server.URL
}

// Open opens the store of a space.
func (s *Site) Open(ctx context.Context, space string) (backend.Store, error) {
	return backend.Open(ctx, s.URL(space), &backend.Options{Space: space})
}

// RunHub runs the hub until the returned function is called.
func RunHub(ctx context.Context, hub *parley.Hub) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = hub.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}
