package mcp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/peers"
)

// startSubject starts a server; site is nil for the bare SDK.
func startSubject(ctx context.Context, s *kit.Site, space, profiles string) (*kit.Subject, error) {
	name := "bare"
	args := []string{"mcp-server"}
	if s != nil {
		name = s.Name
		args = append(args, "-store", s.URL(space), "-space", space)
	}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, name+"-"+space+".pprof"))
	}
	return kit.StartChild(ctx, name, args...)
}

// guests are what is compared with the bare SDK.
type guests struct {
	sites []*kit.Site
	peers []peers.Server
}

// startAll starts a bare server, one for each site and one for each peer that speaks the
// era, bare first. The returned function stops them.
func startAll(ctx context.Context, g *guests, era, space, profiles string) (all []*kit.Subject, stop func(), err error) {
	stop = func() {
		for _, p := range all {
			p.Stop()
		}
	}
	for _, s := range append([]*kit.Site{nil}, g.sites...) {
		p, err := startSubject(ctx, s, space, profiles)
		if err != nil {
			stop()
			return nil, nil, err
		}
		all = append(all, p)
	}
	for _, one := range g.peers {
		if !slices.Contains(one.Eras, era) {
			continue
		}
		p, err := one.Start(ctx)
		if err != nil {
			stop()
			return nil, nil, fmt.Errorf("%s: %w", one.Name, err)
		}
		all = append(all, p)
	}
	return all, stop, nil
}

// call makes one call, in which the person is asked, and checks its result.
func call(ctx context.Context, session *mcp.ClientSession) error {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "ask", Arguments: askInput{}})
	if err != nil {
		return err
	}
	content, _ := result.StructuredContent.(map[string]any)
	if result.IsError || content["status"] != "accept" || content["confirmed"] != true {
		return fmt.Errorf("the call returned %v (%+v)", result.StructuredContent, result.Content)
	}
	return nil
}

func timed(ctx context.Context, session *mcp.ClientSession) (time.Duration, error) {
	began := time.Now()
	err := call(ctx, session)
	return time.Since(began), err
}
