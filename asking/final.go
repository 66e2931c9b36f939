package asking

import (
	"context"
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// Final is what came of the action that r asked one of a group to allow: AllowOnce or
// Refuse, whatever this one said. It is empty until that is decided, and for any other
// question. The caller has verified whose question it is.
func (s *Questions) Final(ctx context.Context, r parley.Request) (permit.Choice, error) {
	id := AskID(r)
	if id == "" || r.Trigger != parley.TriggerApproval {
		return "", nil
	}
	a, err := s.load(ctx, addressOf(r.Tenant, id))
	if errors.Is(err, parley.ErrNotFound) {
		return "", nil
	}
	if err != nil || a.Group == "" || a.Decided == nil {
		return "", err
	}
	st, err := s.standing(ctx, a)
	if err != nil {
		return "", err
	}
	if a.Decided.Action != parley.Accept || st.Decision == permit.Refuse {
		return permit.Refuse, nil
	}
	return permit.AllowOnce, nil
}
