package a2a

import (
	"fmt"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
)

// chain are the agents that a task comes through. One that comes back to an agent that
// works on it, or has come through too many, is refused: it would go round for ever.
func (o *offer) chain(m *a2a.Message) ([]string, error) {
	chain, err := elicitation.Chain(m)
	switch {
	case err != nil:
		return nil, invalid(err.Error())
	case slices.Contains(chain, o.runtime.ChainName(o.name)):
		return nil, a2a.NewError(a2a.ErrUnsupportedOperation, "this task has come back to an agent that it came through: nobody in the chain would ever do it")
	case len(chain) >= elicitation.MaxChain:
		return nil, a2a.NewError(a2a.ErrUnsupportedOperation, fmt.Sprintf("this task has come through %d agents, %d at most may pass it on", len(chain), elicitation.MaxChain-1))
	}
	return chain, nil
}
