package agent

import (
	"slices"
	"time"
)

// Stay is a node at which a run was, from when it was begun or taken up there.
type Stay struct {
	Node  string    `json:"node"`
	From  time.Time `json:"from"`
	Part  int       `json:"part"`            // which begins there, as its span says
	After Parting   `json:"after,omitempty"` // empty: the run was begun there
}

// Parting is how a run came away from the node at which it was before.
type Parting string

// The partings.
const (
	AfterWaiting Parting = "waiting" // it waited, and was at no node
	AfterLeft    Parting = "left"    // the node died in the midst of it, or handed it over
)

// mostStays is how many nodes of a run are kept: the first, and the last ones.
const mostStays = 50

// Stays returns the nodes at which a run was, in this order: each time another one than
// before. They are of the record that the spans of the run are linked by, and say what
// those say. Nil: it was begun before they were kept, or has not begun.
func (r *Run) Stays() []Stay {
	if r.Trail == nil {
		return nil
	}
	return slices.Clone(r.Trail.Stays)
}

// takenUp is Stays with the node that takes the run up now. A node at which nothing
// happened, since the run was woken there for nothing, is left out.
func (r *Run) takenUp(node string, now time.Time) []Stay {
	t := r.Trail
	stays := slices.Clone(t.Stays)
	if len(stays) == 0 && t.Part > 0 {
		stays = []Stay{{Node: t.Node, From: t.From, Part: t.Part}}
	}
	last := len(stays) - 1
	if last >= 0 && len(r.Log) <= t.Log && stays[last].Part == t.Part {
		stays, last = stays[:last], last-1
	}
	switch {
	case last < 0:
		return []Stay{{Node: node, From: r.Created, Part: t.Part + 1}}
	case stays[last].Node == node:
		return stays
	case len(stays) == mostStays:
		stays = slices.Delete(stays, 1, 2)
	}
	after := AfterWaiting
	if r.Status == Working {
		after = AfterLeft
	}
	return append(stays, Stay{Node: node, From: now, Part: t.Part + 1, After: after})
}
