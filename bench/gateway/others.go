package gateway

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/peers"
)

// other is a gateway of others before the server of one era.
type other struct {
	*kit.Subject
	peers.Gateway
	server string
}

type others []other

// startOthers starts each gateway of others once for each era of servers, since not all
// of them name the server that they pass a call to.
func startOthers(ctx context.Context, o options, servers string) (all others, absent []peers.Absent, err error) {
	chosen, absent, err := peers.Choose(ctx, peers.Gateways(), o.peers)
	if err != nil {
		return nil, nil, err
	}
	for _, g := range chosen {
		for _, era := range g.Servers {
			kit.Progress("%s before a server of %s", g.Name, era)
			p, err := g.Start(ctx, servers, era)
			if err != nil {
				return all, absent, fmt.Errorf("%s: %w", g.Name, err)
			}
			all = append(all, other{p, g, era})
		}
	}
	return all, absent, nil
}

func (all others) stop() {
	for _, o := range all {
		o.Stop()
	}
}

// ways are those to a tool of the server of an era, for clients of one.
func (all others) ways(client, server, tool string) (ways []*way) {
	for _, o := range all {
		if o.server == server && slices.Contains(o.Eras, client) {
			ways = append(ways, &way{Subject: o.Subject, url: o.URL, tool: o.Tool(tool)})
		}
	}
	return ways
}
