package api

import (
	"context"
	"time"

	"github.com/parley-hq/parley"
)

// lockTTL is when a lock that a crash has left is over.
const lockTTL = 10 * time.Second

// change does something to a thing of the caller's tenant in turn with others.
func (a *API) change(ctx context.Context, c Caller, kind, name string, do func() error) error {
	return inTurn(ctx, a.records, parley.Address{Tenant: c.tenant(), Kind: kind, Key: name}, do)
}

// inTurn does something to one thing of a tenant's while nobody else does, in
// whatever process. A change reads before it writes, and a server is two
// records: of two at once neither would hold.
func inTurn(ctx context.Context, records parley.Records, at parley.Address, do func() error) error {
	at.Kind += "_claim"
	return parley.Lease(ctx, records, at, lockTTL, do)
}
