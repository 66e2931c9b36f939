package mcpcall

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley/mcpclient"
)

// Faults are what servers list and clients would not take. Who looks after the
// server is told of the first ones.
type Faults struct {
	First []mcpclient.Fault
	Count int
}

// maxFaults is how many are told of.
const maxFaults = 50

// Add adds an error, and what is wrong with parts of a thing.
func (f *Faults) Add(err error, parts ...mcpclient.Fault) {
	for _, part := range parts {
		f.Add(part)
	}
	if err == nil {
		return
	}
	var one mcpclient.Fault
	if f.Count++; len(f.First) < maxFaults && errors.As(err, &one) {
		f.First = append(f.First, one)
	}
}

func (f Faults) same(other Faults) bool {
	return f.Count == other.Count && slices.Equal(f.First, other.First)
}

// names are for a log.
func (f Faults) names() (all []string) {
	for _, one := range f.First {
		all = append(all, one.Error())
	}
	return all
}

// ListTools asks a server for its tools. One that cannot be called, or has more
// bytes than most, is a fault; of two with one name the first is called anyway.
func ListTools(ctx context.Context, conn *mcpclient.Conn, most int, faults *Faults) (tools []mcpclient.Tool, err error) {
	if !conn.Server().Tools {
		return nil, nil
	}
	all, err := conn.List(ctx, "tools/list", "tools")
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	seen := map[string]bool{}
	for _, raw := range all {
		t, err := mcpclient.ReadTool(raw)
		if err == nil && len(raw) > most {
			err = mcpclient.Fault{Kind: mcpclient.KindTool, Name: t.Name, Reason: fmt.Sprintf("it has more than %d KiB", most>>10)}
		}
		faults.Add(err, t.Faults...)
		if err == nil && !seen[t.Name] {
			seen[t.Name] = true
			tools = append(tools, t)
		}
	}
	return tools, nil
}
