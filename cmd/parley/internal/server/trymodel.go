package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// tryModel asks a model's server for its models, which costs nothing. It warns when the
// model is not among them: some serve more than they list.
func (s *Server) tryModel(ctx context.Context, name string) Trial {
	ctx, stop := context.WithTimeout(ctx, tryTime)
	defer stop()
	m, t := s.cfg.Models[name], Trial{What: "models." + name}
	var answer *http.Response
	var err error
	switch m.Kind {
	case "openai":
		answer, err = s.get(ctx, strings.TrimSuffix(cmp.Or(m.BaseURL, "https://api.openai.com/v1"), "/")+"/models", "Authorization", "Bearer "+m.APIKey)
	case "anthropic":
		base := strings.TrimSuffix(strings.TrimSuffix(cmp.Or(m.BaseURL, "https://api.anthropic.com"), "/"), "/v1")
		answer, err = s.get(ctx, base+"/v1/models?limit=1000", "X-Api-Key", m.APIKey, "Anthropic-Version", "2023-06-01")
	default:
		t.Says = "it is part of this program"
		return t
	}
	if err == nil && answer.StatusCode == http.StatusOK && lacks(answer.Body, m.Model) {
		t.Warnings = []string{fmt.Sprintf("models.%s.model: %q is not in the list of its provider: unless that serves more than it lists, every turn fails", name, m.Model)}
	}
	t.Says, err = keyed(answer, err)
	t.Err = nameless(err)
	return t
}

// mostModels is how much of a list of models is read.
const mostModels = 4 << 20

// lacks reports whether a list of models is whole, and has not this one.
func lacks(list io.Reader, model string) bool {
	var said struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
		More bool `json:"has_more"`
	}
	if err := json.NewDecoder(io.LimitReader(list, mostModels)).Decode(&said); err != nil || len(said.Data) == 0 || said.More {
		return false
	}
	for _, one := range said.Data {
		if sameModel(one.ID, model) {
			return false
		}
	}
	return true
}

// sameModel reports whether a model of a list is the one that a configuration names:
// lists have a path before it, or the date of the version that it stands for behind it.
func sameModel(listed, model string) bool {
	if strings.HasSuffix(listed, "/"+model) {
		return true
	}
	version, ok := strings.CutPrefix(listed, model)
	return ok && (version == "" || version == ":latest" || version[0] == '-' && strings.Trim(version, "-0123456789") == "")
}
