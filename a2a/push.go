package a2a

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/notify"
)

// Post delivers letters; notify.Outbox does.
type Post interface {
	Post(ctx context.Context, l notify.Letter) error
	CheckAddress(url string) error
}

// pushed is a URL that is told of a task, as it is stored.
type pushed struct {
	Config a2a.PushConfig `json:"config"`
	Old    bool           `json:"old,omitempty"` // its client speaks 0.3
}

const (
	pushKind      = "a2a.push"
	maxPushes     = 10 // of one task
	maxCredential = 4 << 10
)

func pushAt(ref agent.Ref, id string) parley.Address {
	digest := sha256.Sum256([]byte(id))
	return parley.Address{Tenant: ref.Tenant, Kind: pushKind, Key: saidPrefix(ref) + hex.EncodeToString(digest[:16])}
}

// checkPush refuses what could not be told anything.
func (a *Agents) checkPush(c *a2a.PushConfig) error {
	if a.opts.Post == nil {
		return a2a.ErrPushNotificationNotSupported
	}
	if err := a.opts.Post.CheckAddress(c.URL); err != nil {
		return invalid("this URL is not told of tasks: " + err.Error())
	}
	texts := []string{c.Token}
	if c.Auth != nil {
		texts = append(texts, c.Auth.Scheme, c.Auth.Credentials)
	}
	for _, text := range texts {
		if len(text) > maxCredential || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
			return invalid(fmt.Sprintf("a token and credentials have at most %d characters, of ASCII", maxCredential))
		}
	}
	if len(c.ID) > maxMessageID {
		return invalid(fmt.Sprintf("the id of a configuration has at most %d bytes", maxMessageID))
	}
	return nil
}

// savePush stores a configuration, in place of one with the same id, and has its URL told
// from now on. One without an id is named by its URL: a message that is sent again, and the
// next to the same task, bring it along, and it stays one.
func (o *offer) savePush(ctx context.Context, run agent.Run, c *a2a.PushConfig) (*a2a.PushConfig, error) {
	if err := o.checkPush(c); err != nil {
		return nil, err
	}
	ref := run.Ref
	kept := pushed{Config: *c}
	kept.Config.Tenant, kept.Config.TaskID = "", o.placeOf(ref).taskID()
	if kept.Config.ID == "" {
		digest := sha256.Sum256([]byte(c.URL))
		kept.Config.ID = hex.EncodeToString(digest[:16])
	}
	if came := arrived(ctx); came != nil {
		kept.Old = came.old
	}
	if err := o.keepPush(ctx, ref, kept); err != nil {
		return nil, err
	}
	var err error
	if run.Status != agent.Ended {
		err = o.beginPush(ctx, run, kept.Config.ID)
	}
	return shownPush(kept), err
}

// keepPush stores a configuration, unless the task has as many others as it may. It counts
// before, and again afterwards: several may come at once.
func (o *offer) keepPush(ctx context.Context, ref agent.Ref, kept pushed) error {
	room := func(more int) error {
		all, err := o.pushesOf(ctx, ref)
		if slices.ContainsFunc(all, func(one pushed) bool { return one.Config.ID == kept.Config.ID }) {
			more = 0
		}
		if err == nil && len(all)+more > maxPushes {
			err = invalid(fmt.Sprintf("a task tells at most %d URLs", maxPushes))
		}
		return err
	}
	if err := room(1); err != nil {
		return err
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	_, err = parley.Update(ctx, o.records, pushAt(ref, kept.Config.ID), func(r *parley.Record) (bool, error) {
		r.Owner, r.Data, r.Expires = ref.User, data, o.until()
		return true, nil
	})
	if err != nil {
		return err
	}
	if err := room(0); err != nil {
		if gone := o.records.Delete(ctx, pushAt(ref, kept.Config.ID), 0); gone != nil && !isNotFound(gone) {
			return gone
		}
		return err
	}
	return nil
}

// shownPush is a configuration as clients see it: without what is secret.
func shownPush(p pushed) *a2a.PushConfig {
	c := p.Config
	if c.Auth != nil {
		c.Auth = &a2a.PushAuthInfo{Scheme: c.Auth.Scheme}
	}
	return &c
}

func (a *Agents) pushesOf(ctx context.Context, ref agent.Ref) ([]pushed, error) {
	var all []pushed
	for record, err := range parley.Each(ctx, a.records, parley.Address{Tenant: ref.Tenant, Kind: pushKind, Key: saidPrefix(ref)}, "") {
		if err != nil {
			return nil, err
		}
		p, err := readPush(record)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func readPush(record parley.Record) (pushed, error) {
	var p pushed
	if err := json.Unmarshal(record.Data, &p); err != nil {
		return p, fmt.Errorf("push configuration %s: %w", record.Key, err)
	}
	return p, nil
}

// What a client is told of a configuration that is not there, or is not named.
var (
	errNoPush   = a2a.NewError(a2a.ErrTaskNotFound, "the task has no push configuration with this id")
	errNoPushID = invalid("the id of the configuration is missing")
)

// CreateTaskPushConfig implements a2asrv.RequestHandler.
func (o *offer) CreateTaskPushConfig(ctx context.Context, c *a2a.PushConfig) (*a2a.PushConfig, error) {
	run, err := o.pushable(ctx, c.TaskID)
	if err == nil {
		c, err = o.savePush(ctx, run, c)
	}
	if err != nil {
		return nil, o.explain(ctx, "push configuration not stored", err)
	}
	return c, nil
}

// pushable is the run of a task that can tell URLs.
func (o *offer) pushable(ctx context.Context, id a2a.TaskID) (agent.Run, error) {
	if o.opts.Post == nil {
		return agent.Run{}, a2a.NewError(a2a.ErrPushNotificationNotSupported, a2a.ErrPushNotificationNotSupported.Error())
	}
	run, _, err := o.find(ctx, arrived(ctx).who, id)
	return run, err
}

// GetTaskPushConfig implements a2asrv.RequestHandler.
func (o *offer) GetTaskPushConfig(ctx context.Context, req *a2a.GetTaskPushConfigRequest) (*a2a.PushConfig, error) {
	run, err := o.pushable(ctx, req.TaskID)
	if err != nil {
		return nil, o.explain(ctx, "push configuration not read", err)
	}
	if req.ID == "" {
		return nil, errNoPushID
	}
	record, err := o.records.Load(ctx, pushAt(run.Ref, req.ID))
	var p pushed
	if err == nil {
		p, err = readPush(record)
	}
	if isNotFound(err) {
		err = errNoPush
	}
	if err != nil {
		return nil, o.explain(ctx, "push configuration not read", err)
	}
	return shownPush(p), nil
}

// ListTaskPushConfigs implements a2asrv.RequestHandler.
func (o *offer) ListTaskPushConfigs(ctx context.Context, req *a2a.ListTaskPushConfigRequest) (*a2a.ListTaskPushConfigResponse, error) {
	run, err := o.pushable(ctx, req.TaskID)
	var all []pushed
	if err == nil {
		all, err = o.pushesOf(ctx, run.Ref)
	}
	if err != nil {
		return nil, o.explain(ctx, "push configurations not listed", err)
	}
	list := &a2a.ListTaskPushConfigResponse{Configs: []*a2a.PushConfig{}}
	for _, p := range all {
		list.Configs = append(list.Configs, shownPush(p))
	}
	return list, nil
}

// DeleteTaskPushConfig implements a2asrv.RequestHandler. What is not there is deleted, but
// of somebody else's task that is not said.
func (o *offer) DeleteTaskPushConfig(ctx context.Context, req *a2a.DeleteTaskPushConfigRequest) error {
	run, err := o.pushable(ctx, req.TaskID)
	if err == nil && req.ID == "" {
		err = errNoPushID
	}
	if err == nil {
		if err = o.records.Delete(ctx, pushAt(run.Ref, req.ID), 0); isNotFound(err) {
			return nil
		}
	}
	return o.explain(ctx, "push configuration not deleted", err)
}
