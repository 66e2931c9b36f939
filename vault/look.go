package vault

import (
	"context"
	"errors"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// lookers is how many questions are looked after at once: a source may be slow.
const lookers = 8

// Run looks every Options.Look whether what open questions ask for has come another
// way, and settles them as their persons' answers: from a source, an administrator,
// a process that died before it could say so, or with another server of the same
// provider. It blocks until ctx ends. Without it such a question waits until its
// page is opened. It also writes down when connections were last used.
func (v *Vault) Run(ctx context.Context) error {
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
		defer cancel()
		v.writeUses(ctx, v.uses.all())
	}()
	pause := rand.N(v.opts.Look) + 1 // processes that start together do not look together
	var trouble quietlog.Trouble
	for patience.Sleep(ctx, pause) {
		trouble.Note(ctx, v.opts.Logger, "open questions for credentials not looked after", v.look(ctx))
		v.writeUses(ctx, v.uses.due(v.now()))
		pause = v.opts.Look
	}
	return ctx.Err()
}

// look settles the open questions whose credential is there.
func (v *Vault) look(ctx context.Context) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(lookers)
	seen := map[Key]bool{}
	for after := parley.ID(""); ; {
		found, last, err := v.hub.Waiting(ctx, parley.TriggerCredential, after)
		if err != nil {
			return errors.Join(err, all.Wait())
		}
		for _, q := range found {
			key, server, err := v.wanted(ctx, q)
			if err != nil || seen[key] && key.Scope == User {
				continue // it asks for what has changed, or is settled with the first
			}
			seen[key] = q.Labels[LabelInvited] == "" // a call's own may find more
			all.Go(func() error {
				v.lookAfter(ctx, key, server, q)
				return nil
			})
		}
		if after = last; last == "" {
			return all.Wait()
		}
	}
}

func (v *Vault) lookAfter(ctx context.Context, key Key, server Server, q parley.Request) {
	there, err := v.connected(ctx, parley.OwnerOf(q.Tenant, q.To), key, server, q)
	switch {
	case err != nil && ctx.Err() == nil:
		v.opts.Logger.WarnContext(ctx, "open question for a credential not looked after", "id", q.ID, "server", key.Server, "err", err)
	case there:
		v.opts.Logger.InfoContext(ctx, "account connected another way", append(key.logged(), "id", q.ID)...)
	}
}
