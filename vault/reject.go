package vault

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley"
)

// forcedAgain is how long after a refresh that a refusal caused another
// refusal means that refreshing does not help.
const forcedAgain = 2 * time.Minute

// Reject notes that a server refused a credential with a 401, or with a 403
// that asks for more scopes; answer may be nil. The next lookup tries a fresh
// token first if there can be one, and asks the person after that. A
// credential that is not the current one any more is not held against its
// successor.
func (v *Vault) Reject(ctx context.Context, c Credential, answer *http.Response) error {
	if c.value == "" {
		return nil
	}
	server, err := v.Server(ctx, c.Key.Tenant, c.Key.Server)
	if err != nil {
		return err
	}
	if server.Auth.Source != "" {
		return v.refuse(ctx, c)
	}
	more := missingScopes(answer)
	return persistent.Do(ctx, func() error {
		s, err := v.load(ctx, c.Key)
		if errors.Is(err, parley.ErrNotFound) { // disconnected, or the configuration's own token
			if server.Auth.Token != "" {
				v.toldRefused(ctx, c.Key, Refused, more)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if s.Shares != "" {
			return v.rejectLeaning(ctx, server, c, s, more)
		}
		if digest := sha256.Sum256([]byte(s.Secret)); subtle.ConstantTimeCompare(digest[:], c.secret[:]) == 0 || s.Status != Active {
			return nil
		}
		switch {
		case len(more) > 0:
			s.Status, s.Wanted = Narrower, union(s.Scopes, more)
		case s.Refresh != "" && v.now().After(s.Forced.Add(forcedAgain)):
			s.Forced, s.Expires = v.now(), v.now()
		default:
			s.Status = Refused
		}
		v.toldRefused(ctx, c.Key, s.Status, more)
		return v.save(ctx, c.Key, &s)
	})
}

// toldRefused logs that a server refused a credential. People are asked for another one;
// that of a platform is the operator's, who is warned, of one in a minute.
func (v *Vault) toldRefused(ctx context.Context, key Key, now Status, more []string) {
	reason := "not taken"
	if len(more) > 0 {
		reason = "more scopes wanted"
	}
	about := []any{"server", key.Server, "scope", key.Scope, "status", now, "reason", reason}
	if key.Scope == Platform && now != Active {
		v.notices.Tell("credential refused by the server", append(about, "tenant", key.Tenant)...)
		return
	}
	v.opts.Logger.InfoContext(ctx, "credential refused by the server", about...)
}

// missingScopes reads what a server wants from its challenge. Some send the
// scopes with a 403 and leave out the error code.
func missingScopes(answer *http.Response) []string {
	if answer == nil || answer.StatusCode != http.StatusForbidden {
		return nil
	}
	challenges, err := oauthex.ParseWWWAuthenticate(answer.Header.Values("WWW-Authenticate"))
	if err != nil {
		return nil
	}
	for _, c := range challenges {
		if c.Scheme == "bearer" && (c.Params["error"] == "insufficient_scope" || c.Params["error"] == "") {
			return strings.Fields(c.Params["scope"])
		}
	}
	return nil
}

const refusalKind = "refusal"

// refuse remembers that a credential which a source keeps does not work, by
// its digest: the source may get another.
func (v *Vault) refuse(ctx context.Context, c Credential) error {
	at := c.Key.address()
	at.Kind = refusalKind
	digest := []byte(hex.EncodeToString(c.secret[:]))
	return persistent.Do(ctx, func() error {
		_, err := parley.Put(ctx, v.records, parley.Record{Address: at, Owner: c.Key.Owner, Data: digest, Expires: v.now().Add(24 * time.Hour)})
		return err
	})
}

func (v *Vault) refused(ctx context.Context, key Key, secret string) (bool, error) {
	at := key.address()
	at.Kind = refusalKind
	record, err := v.records.Load(ctx, at)
	if errors.Is(err, parley.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%v: %w", key, err)
	}
	digest := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(record.Data, []byte(hex.EncodeToString(digest[:]))) == 1, nil
}
