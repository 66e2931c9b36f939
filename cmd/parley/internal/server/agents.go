package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/demomodel"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// openAgents makes the agents of this server, and of those elsewhere.
func (s *Server) openAgents(context.Context) error {
	leave := s.boxOptions("")
	s.leaves = toolbox.NewLeaves(&leave)
	s.closers = append(s.closers, s.boxes.Close, s.leaves.Close)
	boxes := map[string]agent.Toolbox{}
	for _, name := range config.Keys(s.cfg.Servers) {
		box, err := s.box(name, s.cfg.Servers[name])
		if err != nil {
			return err
		}
		boxes[name] = box
	}
	var agents []*agent.Agent
	for _, name := range config.Keys(s.cfg.Agents) {
		c := s.cfg.Agents[name]
		if c.A2A != "" {
			there, err := s.remote(name, c)
			if err != nil {
				return fmt.Errorf("agents.%s: %w", name, err)
			}
			agents = append(agents, there.Agent())
			continue
		}
		model, err := s.model(c.Model)
		if err != nil {
			return fmt.Errorf("agents.%s: %w", name, err)
		}
		input, err := c.InputSchema()
		if err != nil {
			return fmt.Errorf("agents.%s.input: %w", name, err)
		}
		a := &agent.Agent{Name: name, Input: input, Description: c.Description, Instructions: c.Instructions, Model: model, ModelName: c.Model, Steps: c.Steps, History: historyOf(c), TTL: config.Lasts(c.TTL), ExtraToolboxes: s.given}
		for _, server := range c.Servers {
			a.Toolboxes = append(a.Toolboxes, boxes[server])
		}
		a.Delegates = c.Delegates
		agents = append(agents, a)
	}
	keep, err := s.cfg.Retention.RunsFor()
	if err != nil {
		return fmt.Errorf("retention.runs: %w", err)
	}
	s.Agents, err = agent.New(s.Hub, s.store, s.keys, &agent.Options{
		Agents: agents, Site: s.cfg.PublicURL, Node: s.node, Logger: s.opts.Logger, TTL: s.opts.TTL, Keep: keep, Tracer: s.tracer(),
		ListTime: s.cfg.Limits.List(), Grace: s.cfg.Limits.Stop(),
		Limits: agent.Limits{InAll: s.cfg.Limits.Turns, PerTenant: s.cfg.Limits.TurnsPerTenant, PerPerson: s.cfg.Limits.TurnsPerPerson, Unanswered: s.cfg.Limits.QuestionsOfAgents},
		OnMessage: func(ctx context.Context, p parley.Principal, conversation string) error {
			return s.Permits.Lift(ctx, p.Tenant, p.User, conversation) // who speaks again may be asked again
		},
	})
	return s.inAgents(err)
}

// inAgents puts the place of each agent that is wrong, in the configuration, before what is
// wrong with it.
func (s *Server) inAgents(err error) error {
	if wrong, ok := err.(*agent.InvalidError); ok {
		return s.cfg.Locate(fmt.Errorf("agents.%s: %w", wrong.Agent, wrong.Problem))
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, s.inAgents(one))
	}
	return errors.Join(all...)
}

// historyOf is an agent's budget of history in bytes, as package agent has it.
func historyOf(c config.Agent) int {
	if c.History < 0 {
		return -1
	}
	return c.History << 10
}

func (s *Server) box(name string, c config.Server) (agent.Toolbox, error) {
	opts := s.boxOptions(name)
	opts.Title, opts.URL, opts.Command, opts.Env = c.Title, c.URL, c.Command, c.Env
	if c.URL != "" {
		s.guard(&opts, vault.AuthType(c.Auth.Type), outbound.Operator)
	}
	box, err := toolbox.New(&opts)
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, box.Close)
	rule, err := permit.ParseRule(c.Approve)
	if err != nil {
		return nil, fmt.Errorf("servers.%s.approve: %w", name, err)
	}
	return box.Ruled(c.Title, rule), nil
}

// boxKey is a server of the management API, as long as it stays where it is and
// wants the same kind of credential.
type boxKey struct {
	tenant, server, url string
	auth                vault.AuthType
}

// given returns the toolboxes of the servers, and of the agents elsewhere, that the
// management API gives to the caller's agent.
func (s *Server) given(ctx context.Context, who agent.Caller) ([]agent.Toolbox, error) {
	tenant := cmp.Or(who.Tenant, parley.DefaultTenant)
	all, err := s.servers.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var list []agent.Toolbox
	there := map[boxKey]bool{}
	for _, one := range all {
		key := boxKey{tenant, one.Name, one.URL, one.Auth.Type}
		there[key] = true
		if one.Configured || !one.Enabled || !slices.Contains(one.Agents, who.Agent) {
			continue
		}
		if one.Protocol == vault.A2A {
			if !s.delegated(one) {
				continue
			}
			there, err := s.delegate(tenant, one)
			if err != nil {
				return nil, err
			}
			list = append(list, there.Delegate())
			continue
		}
		opts := s.boxOptions(one.Name)
		opts.Title, opts.URL = one.Title, one.URL
		s.guard(&opts, one.Auth.Type, one.Namer())
		box, err := s.boxes.Get(key, &opts)
		if err != nil {
			return nil, err
		}
		list = append(list, box.Ruled(one.Title, one.Approve))
	}
	return list, s.boxes.Drop(func(key boxKey) bool { return key.tenant == tenant && !there[key] })
}

// boxOptions are what all boxes have.
func (s *Server) boxOptions(name string) toolbox.Options {
	return toolbox.Options{
		Name: name, PublicURL: s.cfg.PublicURL, CallTime: s.cfg.Limits.Call(), Programs: s.programs,
		Hub: s.Hub, Permits: s.Permits, Record: s.Audit.Record, Records: seal.Records(s.store, s.keys, nil), Tracer: s.tracer(), Logger: s.opts.Logger,
	}
}

// guard says how agents reach a server: the way is that of whoever wrote its URL, and
// the vault has the credential that it takes.
func (s *Server) guard(opts *toolbox.Options, auth vault.AuthType, by outbound.Namer) {
	opts.Client = s.stream.For(by)
	if auth != "" && auth != vault.None {
		opts.Vault, opts.Unready, opts.Unprovided = s.Vault, chat.NoOAuthURL, chat.NoConnectedService
	}
}

// model is a model of the configuration, or of this process, counted.
func (s *Server) model(name string) (agent.Model, error) {
	model, err := s.newModel(name)
	if err != nil {
		return nil, err
	}
	return s.measuredModel(name, model), nil
}

func (s *Server) newModel(name string) (agent.Model, error) {
	if m, ok := s.opts.Models[name]; ok {
		return m, nil
	}
	c := s.cfg.Models[name]
	switch c.Kind {
	case "openai":
		return openai.New(&openai.Options{BaseURL: c.BaseURL, APIKey: c.APIKey, Model: c.Model, MaxTokens: int(c.MaxTokens), Client: s.stream.For(outbound.Operator)})
	case "anthropic":
		return anthropic.New(&anthropic.Options{BaseURL: c.BaseURL, APIKey: c.APIKey, Model: c.Model, MaxTokens: int(c.MaxTokens), Client: s.stream.For(outbound.Operator)})
	case "demo":
		return demomodel.New(), nil
	}
	return nil, fmt.Errorf("models.%s.kind: %q", name, c.Kind)
}
