package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// statePurpose keeps our other tokens from being taken for a requestState.
const statePurpose = "mcp.requestState"

// state is what a requestState says, sealed: which call it continues, of whom,
// for what, and which of the call's states it is. What counts is the journal;
// the state only finds it.
type state struct {
	Tenant  string `json:"t"`
	Key     string `json:"k"`
	User    string `json:"u"`
	Program string `json:"p,omitempty"` // the key of the program whose call it is
	Digest  string `json:"d"`
	Nonce   string `json:"n"`
}

func (a *Asker) sealState(ctx context.Context, s state, expires time.Time) (string, error) {
	keys, err := a.Keys(ctx)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	return keys.Token(statePurpose, payload, expires)
}

// resume returns the call that a requestState continues and makes this node the
// one that works on it. Whatever is wrong with the state is ErrState: it is
// forged, expired, somebody else's, for another request, or was used before.
func (a *Asker) resume(ctx context.Context, token string, who parley.Principal, digest string) (*page, parley.Principal, error) {
	keys, err := a.Keys(ctx)
	if err != nil {
		return nil, who, err
	}
	var s state
	payload, err := keys.OpenToken(statePurpose, token)
	if err == nil {
		err = json.Unmarshal(payload, &s)
	}
	if err != nil {
		return nil, who, fmt.Errorf("%w (%v)", ErrState, err)
	}
	if who = takenOn(who, parley.OwnerOf(s.Tenant, s.User)); s.Tenant != who.Tenant || s.User != who.User || s.Program != who.Key {
		return nil, who, fmt.Errorf("%w (it is somebody else's)", ErrState)
	}
	if s.Digest != digest {
		return nil, who, fmt.Errorf("%w (it is for another request)", ErrState)
	}
	at := parley.Address{Tenant: s.Tenant, Kind: callKind, Key: s.Key}
	ctx = parley.FlushLater(ctx) // a power cut ends the node as well
	p, err := a.resumeHanded(ctx, at, s)
	if p == nil && err == nil {
		p, err = a.resumeStored(ctx, at, s)
	}
	return p, who, err
}

// resumeHanded goes on with a call whose requestState this node has handed out, if nothing
// has happened to it since. Otherwise it is nil.
func (a *Asker) resumeHanded(ctx context.Context, at parley.Address, s state) (*page, error) {
	record, known := a.handed.take(at)
	if !known {
		return nil, nil
	}
	p, err := parsePage(record)
	if err != nil || a.unfold(ctx, p) != nil || a.usable(ctx, p, s) != nil {
		return nil, nil // what is wrong with it is said of the one that is stored
	}
	switch err := a.claim(ctx, p); {
	case parley.Overtaken(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return p, nil
}

func (a *Asker) resumeStored(ctx context.Context, at parley.Address, s state) (*page, error) {
	p, err := a.read(ctx, at)
	if errors.Is(err, parley.ErrNotFound) {
		return nil, errStateOver
	}
	if err != nil {
		return nil, err
	}
	if a.owed.over(s.Key) {
		return nil, errStateOver
	}
	known := a.owed.take(s.Key)
	if known != nil {
		p = known // the store does not know yet how it stands
	}
	if err := a.usable(ctx, p, s); err != nil {
		if known != nil {
			a.giveBack(p)
		}
		return nil, err
	}
	if err := a.claim(ctx, p); errors.Is(err, parley.ErrConflict) {
		return nil, errStateInUse
	} else if err != nil {
		return nil, err
	}
	return p, nil
}

// staleState is a state that was good: what it stands for must not be made anew without
// a second thought. It is an ErrState.
type staleState string

const (
	errStateInUse staleState = "the call goes on with this requestState already: send the same request again in a moment, and do not make the call anew"
	errStateOver  staleState = "the call of this requestState is over, and whether its client had the result is not known. Find out what came of it before you make the call anew"
)

func (e staleState) Error() string { return string(e) }

// Is makes it an ErrState.
func (staleState) Is(target error) bool { return target == ErrState }

// usable returns nil for a state that has not been used. The node that works with it
// may die; then it may be used again.
func (a *Asker) usable(ctx context.Context, p *page, s state) error {
	if p.Nonce != s.Nonce || p.record.Owner != s.User || p.Digest != s.Digest {
		return fmt.Errorf("%w (it was used before)", ErrState)
	}
	if p.Node != "" && !p.Abandoned {
		free, err := a.released(ctx, p)
		if err != nil {
			return err
		}
		if !free {
			return errStateInUse
		}
	}
	return nil
}

// released reports whether nobody works with a journal that a node took. Whether that
// node lives may take some seconds to know: a client that is refused would make a
// call anew that was carried out.
func (a *Asker) released(ctx context.Context, p *page) (bool, error) {
	seen := a.node.Witness()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		dead, err := a.orphaned(ctx, p.Node)
		if dead || err != nil {
			return dead, err
		}
		unsure, err := seen.Doubts(ctx, p.Node, false)
		if !unsure || err != nil {
			return false, err
		}
		if !patience.Sleep(ctx, pause) {
			return false, context.Cause(ctx)
		}
	}
}
