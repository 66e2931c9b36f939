package elicitation

import (
	"encoding/json"
	"fmt"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

// MaxChain is how many agents there may be in a chain, the last one too.
const MaxChain = 12

// maxLink is the longest name of an agent in a chain, in bytes.
const maxLink = 64

// chainKey is the member of the extension's metadata that has the chain.
const chainKey = "chain"

// SetChain says in a message that begins a task which agents the task has come through,
// the first first.
func SetChain(m *a2a.Message, chain []string) {
	if len(chain) == 0 {
		return
	}
	if m.Metadata == nil {
		m.Metadata = map[string]any{}
	}
	// Lists of any, since that is what metadata is where it is read again.
	var names []any
	for _, name := range chain {
		names = append(names, name)
	}
	m.Metadata[URI] = map[string]any{chainKey: names}
}

// Chain are the agents that a task has come through, by a message that begins it; nil:
// it is not said. The error is an ErrMalformed.
func Chain(m *a2a.Message) ([]string, error) {
	if m == nil || m.Metadata[URI] == nil {
		return nil, nil
	}
	raw, err := json.Marshal(m.Metadata[URI])
	if err != nil {
		return nil, fmt.Errorf("%w: its metadata is not JSON", ErrMalformed)
	}
	var said struct {
		Chain []string `json:"chain"`
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return nil, fmt.Errorf("%w: its metadata has no list of texts as its chain", ErrMalformed)
	}
	if len(said.Chain) > 4*MaxChain { // which is refused in any case
		said.Chain = said.Chain[:4*MaxChain]
	}
	for _, name := range said.Chain {
		if name == "" || len(name) > maxLink {
			return nil, fmt.Errorf("%w: a name in the chain has 1 to %d bytes", ErrMalformed, maxLink)
		}
	}
	return said.Chain, nil
}
