package server

import (
	"net/http"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/seal"
)

// a2aPath begins the paths of agents that are served by A2A.
var a2aPath = strings.TrimSuffix(a2a.Path, "{agent}")

// mountA2A serves the agents to those of others.
func (s *Server) mountA2A(mux *http.ServeMux, front *gate) error {
	keep, err := s.cfg.Retention.RunsFor()
	if err != nil {
		return err
	}
	s.tasks, err = a2a.New(s.Agents, s.Hub, seal.Records(s.store, s.keys, nil), &a2a.Options{
		Principal: s.a2aCaller, Scopes: s.neededScopes(), Issuers: s.issuers(), PublicURL: s.cfg.PublicURL, DefaultAgent: s.defaultAgent(),
		Listen: front.listenA2A, Post: s.Outbox, Keep: keep, Logger: s.opts.Logger,
	})
	if err != nil {
		return err
	}
	mux.Handle(a2a.Path, s.tasks)
	mux.Handle(a2a.PathBelow, s.tasks)
	mux.Handle(a2a.RootCardPath, s.tasks.RootCard())
	mux.HandleFunc(a2a.MetadataPath, s.a2aMetadata)
	return nil
}

// a2aResource is what a token for an agent is for, by a path of the agent's.
func a2aResource(public, path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, a2aPath), "/")
	return public + a2aPath + name
}

// a2aCaller is who sends a request to an agent. A token may be for the agent instead of
// the configured audience.
func (s *Server) a2aCaller(r *http.Request) (parley.Principal, error) {
	return s.scoped(r, a2aResource(s.cfg.PublicURL, r.URL.Path))
}

// a2aMetadata says which tokens an agent takes.
func (s *Server) a2aMetadata(w http.ResponseWriter, r *http.Request) {
	s.describeAgent(w, r, a2aResource(s.cfg.PublicURL, a2aPath+r.PathValue("agent")))
}
