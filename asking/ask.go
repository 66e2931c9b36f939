package asking

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// Ask asks, and returns how it stands. Under an idempotency key that was used for
// the same question before, it returns that one, and isNew is false.
//
// Errors: ErrMayNotAsk, *Fault, ErrOften, ErrKeyUsed, the store's. After the last
// ask again, under the same key.
func (s *Questions) Ask(ctx context.Context, by Asker, q Question) (st Standing, isNew bool, err error) {
	if err := by.Validate(); err != nil || by.Owner() == "" || by.Name == "" {
		return Standing{}, false, errors.Join(ErrMayNotAsk, err)
	}
	people, err := s.check(by, q)
	if err != nil {
		return Standing{}, false, err
	}
	a, isNew, err := s.prepare(ctx, by, q, people)
	if err != nil {
		return Standing{}, false, err
	}
	if isNew {
		if err = s.often(by, people); err != nil {
			return Standing{}, false, err
		}
		defer func() {
			if !isNew || err != nil { // it was asked before, or is not
				s.uncount(by, people)
			}
		}()
		if err = s.room(ctx, a); err != nil {
			return Standing{}, false, err
		}
		if a, err = s.stakeOut(ctx, by, q, people, a); err != nil {
			return Standing{}, false, err
		}
		err = s.create(ctx, a)
		if errors.Is(err, parley.ErrExists) { // of the same key, just now
			isNew, err = false, nil
		}
		if err != nil {
			return Standing{}, false, err
		}
	}
	stored, err := s.look(ctx, a.at)
	if errors.Is(err, parley.ErrTooManyPending) {
		return Standing{}, false, errors.Join(fmt.Errorf("%w: %w", ErrOften, err), s.undo(ctx, a))
	}
	if err != nil {
		return Standing{}, false, err
	}
	st, err = s.standing(ctx, stored)
	return st, isNew, err
}

// room refuses an ask for which too few have room, before anybody is asked or expects
// anything. Whoever cannot be looked at may have it: opening the question says so.
func (s *Questions) room(ctx context.Context, a ask) error {
	if a.Group == "" && a.Callback == "" {
		return nil // what opens the only question says it, and leaves nothing
	}
	with, without := 0, 0
	for _, name := range a.Panel.Names() {
		q := a.question()
		q.ID, q.To = a.Panel[name].ID, name
		err := s.hub.Room(ctx, q)
		if err == nil {
			with++
		}
		if errors.Is(err, parley.ErrTooManyPending) {
			without++
		}
		switch {
		case with >= a.Need:
			return nil
		case len(a.Panel)-without < a.Need:
			return fmt.Errorf("%w: %w", ErrOften, err)
		}
	}
	return nil
}

// prepare makes an ask, or finds the one that the idempotency key stands for.
func (s *Questions) prepare(ctx context.Context, by Asker, q Question, people []string) (a ask, isNew bool, err error) {
	id, digest, at := parley.NewID(), "", parley.Address{}
	if q.Key != "" {
		if digest, err = digestOf(q); err != nil {
			return ask{}, false, err
		}
		at = keyAddress(by, q.Key)
		switch c, known, err := s.claim(ctx, by, at); {
		case err != nil:
			return ask{}, false, err
		case known && c.Digest != digest:
			return ask{}, false, ErrKeyUsed
		case known:
			if _, err := s.load(ctx, addressOf(by.Tenant, c.ID)); err == nil || !errors.Is(err, parley.ErrNotFound) {
				return ask{at: addressOf(by.Tenant, c.ID)}, false, err
			}
			id = c.ID // whoever claimed it died before it was asked
		}
	}
	a, err = s.make(by, q, people, id)
	a.Digest, a.KeyRecord = digest, at.Key
	return a, true, err
}

// stakeOut has the idempotency key of a new ask stand for it, if it has one. If
// somebody was faster it returns the ask as theirs.
func (s *Questions) stakeOut(ctx context.Context, by Asker, q Question, people []string, a ask) (ask, error) {
	if a.KeyRecord == "" {
		return a, nil
	}
	id, err := s.stake(ctx, by, keyAddress(by, q.Key), claimed{a.id(), a.Digest}, s.forgotten(a))
	if err != nil || id == a.id() {
		return a, err
	}
	theirs, err := s.make(by, q, people, id)
	theirs.Digest, theirs.KeyRecord = a.Digest, a.KeyRecord
	return theirs, err
}

// make makes an ask of a question.
func (s *Questions) make(by Asker, q Question, people []string, id parley.ID) (ask, error) {
	r, err := q.request(by, id)
	if err != nil {
		return ask{}, err
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	r.Expires = now.Add(cmp.Or(q.TTL, defaultTTL))
	if err := s.hub.Valid(r); err != nil {
		return ask{}, faultOf(q, err)
	}
	a := ask{
		Asker: by.Principal, Group: q.Group, Need: max(1, q.Need), Labels: q.Labels, Callback: q.Callback, Secret: string(by.Secret),
		Created: now, Expires: r.Expires, Panel: quorum.New(people), at: addressOf(by.Tenant, id),
		Request: request{From: r.From, Mode: r.Mode, Message: r.Message, Schema: r.Schema, URL: r.URL, Trigger: r.Trigger, Labels: r.Labels},
	}
	if q.Group == "" { // the person's own question is the one that the asker knows
		a.Panel[q.To] = quorum.Asked{ID: id}
	}
	return a, nil
}

// often counts the question for everybody who is asked, or for nobody.
func (s *Questions) often(by Asker, people []string) error {
	for i, name := range people {
		if wait, ok := s.rates.Take(rateKey(by, name)); !ok {
			s.uncount(by, people[:i])
			return &OftenError{Wait: wait}
		}
	}
	return nil
}

// uncount takes a question back that was counted and not asked.
func (s *Questions) uncount(by Asker, people []string) {
	for _, name := range people {
		s.rates.GiveBack(rateKey(by, name))
	}
}

func rateKey(by Asker, name string) string { return hash(by.Tenant, by.Owner(), name) }

// OftenError is an ErrOften that passes by itself.
type OftenError struct{ Wait time.Duration }

func (e *OftenError) Error() string {
	return fmt.Sprintf("%v: wait for %v", ErrOften, e.Wait.Round(time.Second))
}

// Is makes it an ErrOften.
func (e *OftenError) Is(target error) bool { return target == ErrOften }

// stake has an idempotency key stand for an id, and returns for which it does.
func (s *Questions) stake(ctx context.Context, by Asker, at parley.Address, c claimed, until time.Time) (parley.ID, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	_, err = s.records.Save(ctx, parley.Record{Address: at, Owner: by.Owner(), Data: data, Expires: until})
	if !errors.Is(err, parley.ErrExists) {
		return c.ID, err
	}
	other, known, err := s.claim(ctx, by, at)
	switch {
	case err != nil:
		return "", err
	case known && other.Digest != c.Digest:
		return "", ErrKeyUsed
	case known:
		return other.ID, nil
	}
	return "", parley.ErrConflict // it was forgotten in between
}

// undo takes back an ask that nobody can be asked: its key is free again.
func (s *Questions) undo(ctx context.Context, a ask) error {
	ctx = context.WithoutCancel(ctx)
	all := []parley.Address{a.at}
	if a.KeyRecord != "" {
		all = append(all, parley.Address{Tenant: a.at.Tenant, Kind: keyKind, Key: a.KeyRecord})
	}
	if a.Group != "" {
		all = append(all, a.openAddress())
		if err := s.hub.Cancel(ctx, a.id(), "it could not be asked"); err != nil && !errors.Is(err, parley.ErrNotFound) && !errors.Is(err, parley.ErrSettled) {
			return err
		}
		if err := a.Panel.Dismiss(ctx, s.hub, "it could not be asked"); err != nil {
			return err
		}
	}
	for _, at := range all {
		if err := s.records.Delete(ctx, at, 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
	}
	return nil
}

// digestOf tells questions apart that come under one idempotency key.
func digestOf(q Question) (string, error) {
	q.Key = ""
	raw, err := json.Marshal(q)
	return hash(string(raw)), err
}

// Release lets an idempotency key stand for a new question.
func (s *Questions) Release(ctx context.Context, by Asker, key string) error {
	err := s.records.Delete(ctx, keyAddress(by, key), 0)
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}
