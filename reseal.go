package parley

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Rewriter is an ability of stores whose data can be sealed anew where they are, when a
// secret was changed. What it writes means the same as before, so nobody who works with
// the data notices: versions stay, and no hint is given.
type Rewriter interface {
	// Walk calls visit with the records of all tenants and kinds that have not expired,
	// until that fails. Those that are saved meanwhile may be left out.
	Walk(ctx context.Context, visit func(Record) error) error

	// RewriteRecord replaces the data of a record that is still at r's version.
	// ErrConflict when it is not, or is gone.
	RewriteRecord(ctx context.Context, r Record, data []byte) error

	// RewriteRequest replaces the message of a request, and the content of its outcome,
	// while they are those of was. ErrConflict when they are not, or it is gone.
	RewriteRequest(ctx context.Context, was, is Request) error
}

// Reseal passes each sealed part of a request, as a store has it, to again, with what it
// is bound to. It returns the request with what again returned.
func Reseal(stored Request, again func(sealed []byte, b Binding) ([]byte, error)) (Request, error) {
	if text, sealed := strings.CutPrefix(stored.Message, sealedMark); sealed {
		raw, err := base64.RawStdEncoding.DecodeString(text)
		if err == nil {
			raw, err = again(raw, binding(stored, "question"))
		}
		if err != nil {
			return Request{}, fmt.Errorf("request %s: %w", stored.ID, err)
		}
		stored.Message = sealedMark + base64.RawStdEncoding.EncodeToString(raw)
	}
	if stored.Outcome == nil {
		return stored, nil
	}
	if content, sealed := strings.CutPrefix(string(stored.Outcome.Content), sealedMark); sealed {
		raw, err := again([]byte(content), binding(stored, "answer"))
		if err != nil {
			return Request{}, fmt.Errorf("request %s: its content: %w", stored.ID, err)
		}
		outcome := *stored.Outcome
		outcome.Content = append([]byte(sealedMark), raw...)
		stored.Outcome = &outcome
	}
	return stored, nil
}

// Walk implements Rewriter.
func (m *MemoryStore) Walk(ctx context.Context, visit func(Record) error) error {
	m.mu.RLock()
	var all []Record
	for _, r := range m.records {
		if !expired(r, time.Now()) {
			all = append(all, r.Clone())
		}
	}
	m.mu.RUnlock()
	for _, r := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// RewriteRecord implements Rewriter.
func (m *MemoryStore) RewriteRecord(_ context.Context, r Record, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, there := m.records[r.Address]
	if !there || old.Version != r.Version || expired(old, time.Now()) {
		return fmt.Errorf("%s %q: %w", r.Kind, r.Key, ErrConflict)
	}
	old.Data = slices.Clone(data)
	m.records[r.Address] = old
	return nil
}

// RewriteRequest implements Rewriter.
func (m *MemoryStore) RewriteRequest(_ context.Context, was, is Request) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, there := m.requests[was.ID]
	if !there || old.Message != was.Message || (old.Outcome == nil) != (was.Outcome == nil) || old.Outcome != nil && string(old.Outcome.Content) != string(was.Outcome.Content) {
		return fmt.Errorf("request %s: %w", was.ID, ErrConflict)
	}
	old.Message = is.Message
	if old.Outcome != nil {
		outcome := *old.Outcome
		outcome.Content = slices.Clone(is.Outcome.Content)
		old.Outcome = &outcome
	}
	return nil
}
