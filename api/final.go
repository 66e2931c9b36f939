package api

import (
	"context"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// finals is what Approvals have that know what came of a call in the end.
type finals interface {
	Final(ctx context.Context, q parley.Request) (permit.Choice, error)
}

// withFinal adds to what one of several decided what came of it: their own word is
// not the last.
func (a *API) withFinal(ctx context.Context, r parley.Request, shown *elicitationWire) error {
	if shown.Outcome == nil || shown.Outcome.Decision == "" {
		return nil
	}
	var final permit.Choice
	var err error
	if knows, ok := a.opts.Approvals.(finals); ok {
		final, err = knows.Final(ctx, r)
	}
	if err == nil && final == "" && a.opts.Asking != nil {
		final, err = a.opts.Asking.Final(ctx, r)
	}
	switch final {
	case "":
	case permit.Refuse:
		shown.Outcome.Final = "deny"
	default:
		shown.Outcome.Final = "allow"
	}
	return err
}
