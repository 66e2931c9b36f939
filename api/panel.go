package api

import (
	"context"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// Approvals knows whom a call waits for. *permit.Permits is one.
type Approvals interface {
	Panel(ctx context.Context, q parley.Request) (permit.Panel, error)
}

// panelWire is whom a call waits for.
type panelWire struct {
	Need   int            `json:"need" doc:"How many must allow it."`
	People []approverWire `json:"people" nullable:"false"`
}

type approverWire struct {
	Name     string     `json:"name"`
	Decision string     `json:"decision,omitempty" enum:"allow_once,changed,deny"`
	At       *time.Time `json:"at,omitempty" doc:"When they said it. Without a decision: their time was over, or see withdrawn."`

	For       string `json:"for,omitempty" doc:"Whose deputy they are: both have one voice, which is that of who answers first."`
	Withdrawn string `json:"withdrawn,omitempty" doc:"Their question was withdrawn before they answered: why, or by whom."`
}

// withPanel adds to a question that only tells its person whom their call waits for.
// Nobody else is told, and no list is: each takes several reads.
func (a *API) withPanel(ctx context.Context, c Caller, r parley.Request, shown *elicitationWire) error {
	if a.opts.Approvals == nil || !r.OnlyTells() || !r.Pending() || !c.Owns(r) {
		return nil
	}
	panel, err := a.opts.Approvals.Panel(ctx, r)
	if err != nil || panel.Need == 0 {
		return err
	}
	shown.Approvers, shown.waitsFor = &panelWire{Need: panel.Need, People: []approverWire{}}, panel.Open()
	for _, one := range panel.People {
		shown.Approvers.People = append(shown.Approvers.People, approverWire{one.Name, string(one.Said), moment(one.At), one.For, one.Withdrawn})
	}
	return nil
}

// orAny ends a context as soon as one of some questions is settled. The caller calls
// stop when it has waited.
func (a *API) orAny(ctx context.Context, questions []parley.ID) (waiting context.Context, stop func()) {
	waiting, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, id := range questions {
		all.Go(func() {
			if _, err := a.hub.Wait(waiting, id); err == nil {
				cancel()
			}
		})
	}
	return waiting, func() { cancel(); all.Wait() }
}
