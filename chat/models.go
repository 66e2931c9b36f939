package chat

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// model is an agent as OpenAI's API lists it.
type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"` // model
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

type modelList struct {
	Object string  `json:"object"` // list
	Data   []model `json:"data"`
}

func (c *Chat) newModel(name string) model {
	return model{ID: name, Object: "model", Created: c.opened.Unix(), OwnedBy: "parley"}
}

// listModels is OpenAI's list of models: the agents.
func (c *Chat) listModels(w http.ResponseWriter, _ *http.Request, _ parley.Principal) error {
	list := modelList{Object: "list", Data: []model{}}
	for _, name := range slices.Sorted(maps.Keys(c.rt.Agents())) {
		list.Data = append(list.Data, c.newModel(name))
	}
	reply(w, http.StatusOK, list)
	return nil
}

func (c *Chat) showModel(w http.ResponseWriter, r *http.Request, _ parley.Principal) error {
	name := r.PathValue("model")
	if c.rt.Agents()[name] == nil {
		return fmt.Errorf("agent %.50q: %w", name, agent.ErrUnknownAgent)
	}
	reply(w, http.StatusOK, c.newModel(name))
	return nil
}
