package audit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"github.com/parley-hq/parley"
)

// signingKey signs checkpoints. It is an Ed25519 key in the format of signed notes.
type signingKey struct {
	Private string `json:"private"`
	Public  string `json:"public"`

	signer note.Signer
}

// keyAt is the address of the key: one for all processes, made by the first, sealed.
var keyAt = parley.Address{Kind: keyKind, Key: "key"}

func (l *Log) key(ctx context.Context) (signingKey, error) {
	l.mu.Lock()
	known := l.signing
	l.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	r, err := parley.Update(ctx, l.records, keyAt, func(r *parley.Record) (bool, error) {
		if r.Version != 0 {
			return false, nil
		}
		var k signingKey
		var err error
		k.Private, k.Public, err = note.GenerateKey(rand.Reader, l.opts.Name)
		r.Data = encode(k)
		return true, err
	})
	if err != nil {
		return signingKey{}, fmt.Errorf("audit: key: %w", err)
	}
	var k signingKey
	if err := json.Unmarshal(r.Data, &k); err != nil {
		return k, fmt.Errorf("audit: key: %w", err)
	}
	if k.signer, err = note.NewSigner(k.Private); err != nil {
		return k, fmt.Errorf("audit: key: %w", err)
	}
	l.mu.Lock()
	l.signing = &k
	l.mu.Unlock()
	return k, nil
}

// PublicKey is what checkpoints are verified with: the name, an id and the key, in one
// word.
func (l *Log) PublicKey(ctx context.Context) (string, error) {
	k, err := l.key(ctx)
	return k.Public, err
}
