package mcptool

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

// A client takes each endpoint of a server for a server of its own, and lets the apps
// of one call the tools of that one alone. So a call's journal says at which endpoints
// it was made: there its questions are shown, answered and waited for, and its task is
// looked at, and nowhere else.

// endpoints are those at which a call was made. Without any it was that which has no
// name.
type endpoints []string

// endpointsOf are those of a call that was made at one.
func endpointsOf(name string) endpoints {
	if name == "" {
		return nil
	}
	return endpoints{name}
}

func (e endpoints) has(name string) bool {
	return len(e) == 0 && name == "" || slices.Contains(e, name)
}

// with are those of a call that goes on at another one.
func (e endpoints) with(name string) endpoints {
	switch {
	case e.has(name):
		return e
	case len(e) == 0:
		return endpoints{"", name}
	}
	return append(slices.Clone(e), name)
}

// errOtherEndpoint is for what was asked, or begun, at another endpoint: to who looks
// for it, it is not there.
var errOtherEndpoint = fmt.Errorf("the call was made at another endpoint: %w", parley.ErrNotFound)

// askedAt checks that the call of a question was made at an endpoint of this server. Of a call that is
// over nothing is known. errOtherEndpoint.
func (at *attached) askedAt(ctx context.Context, who parley.Principal, opened parley.Request, endpoint string) error {
	record, err := at.asker.records.Load(ctx, parley.Address{Tenant: tenantOf(who), Kind: callKind, Key: opened.Labels[callLabel]})
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := parsePage(record)
	if err == nil && !p.At.has(endpoint) && !at.madeBefore(p) {
		err = errOtherEndpoint
	}
	return err
}

// madeBefore reports whether a call was made here by a version that wrote no endpoints
// down: only this server has its tool.
func (at *attached) madeBefore(p *page) bool {
	return len(p.At) == 0 && at.relay == nil && at.tool(p.Target.Name) != nil
}
