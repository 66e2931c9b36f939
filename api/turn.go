package api

import (
	"context"
	"errors"
	"time"

	"github.com/parley-hq/parley"
)

const (
	turnTTL   = 10 * time.Second      // after which a turn that a crash has left is over
	turnPause = 10 * time.Millisecond // between two tries to get one
)

// change does something to a thing of the caller's tenant in turn with others.
func (a *API) change(ctx context.Context, c Caller, kind, name string, do func() error) error {
	return inTurn(ctx, a.records, parley.Address{Tenant: c.tenant(), Kind: kind, Key: name}, do)
}

// inTurn does something to one thing of a tenant's while nobody else does, in
// whatever process. A change reads before it writes, and a server is two
// records: of two at once neither would hold.
func inTurn(ctx context.Context, records parley.Records, at parley.Address, do func() error) error {
	at.Kind += "_claim"
	version, err := takeTurn(ctx, records, at)
	if err != nil {
		return err
	}
	err = do()
	over := records.Delete(context.WithoutCancel(ctx), at, version)
	switch {
	case err != nil:
		return err
	case errors.Is(over, parley.ErrNotFound), errors.Is(over, parley.ErrConflict):
		return nil // it took so long that the turn was over before
	}
	return over
}

func takeTurn(ctx context.Context, records parley.Records, at parley.Address) (version int64, err error) {
	for {
		ends := time.Now().UTC().Truncate(time.Millisecond).Add(turnTTL)
		version, err = records.Save(ctx, parley.Record{Address: at, Data: []byte("{}"), Expires: ends})
		if !errors.Is(err, parley.ErrExists) {
			return version, err
		}
		select {
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-time.After(turnPause):
		}
	}
}
