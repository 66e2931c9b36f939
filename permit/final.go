package permit

import (
	"context"
	"strings"

	"github.com/parley-hq/parley"
)

// Final is what came of the call that q asked an approver about: AllowOnce or Refuse,
// whatever this one said; what was taken back is refused. It is empty until that is decided, once it is forgotten or
// asked anew, and for any other question. The caller has verified whose question it
// is.
func (p *Permits) Final(ctx context.Context, q parley.Request) (Choice, error) {
	o, round, ok := quorumOf(q)
	if !ok || q.OnlyTells() {
		return "", nil
	}
	id, _, _ := strings.Cut(round, ".")
	e, err := p.table.load(ctx, o, permissionKind, id)
	if err != nil || e == nil || e.Quorum == nil || e.round() != round {
		return "", err
	}
	switch {
	case e.Effect == Allow:
		return AllowOnce, nil
	case e.Effect == Deny, !e.Quorum.Left.IsZero():
		return Refuse, nil
	}
	return "", nil
}
