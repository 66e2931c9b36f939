package audit

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
)

// Checkpoint says what a chain was at a time. It is signed as a note
// (https://c2sp.org/tlog-checkpoint): the origin, the size, the root, and when.
type Checkpoint struct {
	Origin string // the name of the key, and the tenant: see OriginOf
	Size   int64
	Root   tlog.Hash
	At     time.Time
}

// OriginOf names the chain of a tenant that is signed by a key of that name.
func OriginOf(name, tenant string) string { return name + "/audit/" + url.PathEscape(tenant) }

func (c Checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\nat %s\n", c.Origin, c.Size, c.Root, c.At.UTC().Format(time.RFC3339Nano))
}

func (c Checkpoint) sign(with note.Signer) (string, error) {
	signed, err := note.Sign(&note.Note{Text: c.text()}, with)
	return string(signed), err
}

// OpenCheckpoint reads a signed checkpoint. It is an error if the key has not signed
// it, or if it is not written as this package writes it.
func OpenCheckpoint(signed string, key Key) (c Checkpoint, err error) {
	text, err := openNote("checkpoint", signed, key)
	if err != nil {
		return c, err
	}
	lines := strings.Split(text, "\n")
	if len(lines) != 5 || lines[4] != "" {
		return c, errors.New("the checkpoint does not have the lines of one")
	}
	c.Origin = lines[0]
	if c.Size, err = strconv.ParseInt(lines[1], 10, 64); err != nil || c.Size < 0 {
		return c, errors.New("the checkpoint has no size")
	}
	if c.Root, err = tlog.ParseHash(lines[2]); err != nil {
		return c, errors.New("the checkpoint has no root")
	}
	if c.At, err = time.Parse(time.RFC3339Nano, strings.TrimPrefix(lines[3], "at ")); err != nil {
		return c, errors.New("the checkpoint has no time")
	}
	if c.text() != text {
		return c, errors.New("the checkpoint is not written as parley writes them")
	}
	return c, nil
}

// openNote reads a text that the key has signed, and nobody else.
func openNote(what, signed string, key Key) (text string, err error) {
	n, err := note.Open([]byte(signed), note.VerifierList(key))
	if err != nil {
		var unsigned *note.UnverifiedNoteError
		if errors.As(err, &unsigned) {
			return "", fmt.Errorf("the %s is not signed by this key", what)
		}
		return "", fmt.Errorf("the signature of the %s is not right: %w", what, err)
	}
	if len(n.UnverifiedSigs) > 0 || len(n.Sigs) != 1 {
		return "", fmt.Errorf("the %s has other signatures than the one of this key", what)
	}
	if raw, err := base64.StdEncoding.Strict().DecodeString(n.Sigs[0].Base64); err != nil || len(raw) == 0 {
		return "", fmt.Errorf("the signature of the %s is not written as it was made", what)
	}
	return n.Text, nil
}

// mark is a checkpoint that is kept, with what is needed to go on from there.
type mark struct {
	Size   int64       `json:"size"`
	Last   tlog.Hash   `json:"last"`
	Edge   []tlog.Hash `json:"edge"`
	Signed string      `json:"signed"`
	At     time.Time   `json:"at"`
}

// Checkpoint signs what a tenant's chain is now.
func (l *Log) Checkpoint(ctx context.Context, tenant string) (string, error) {
	h, err := l.head(ctx, tenant)
	if err != nil {
		return "", err
	}
	m, err := l.mark(ctx, tenant, h)
	return m.Signed, err
}

func (l *Log) mark(ctx context.Context, tenant string, h head) (m mark, err error) {
	key, err := l.key(ctx)
	if err != nil {
		return m, err
	}
	root, err := h.root()
	if err != nil {
		return m, err
	}
	c := Checkpoint{Origin: OriginOf(key.signer.Name(), tenant), Size: h.Size, Root: root, At: now()}
	m = mark{Size: h.Size, Last: h.Last, Edge: h.Edge, At: c.At}
	m.Signed, err = c.sign(key.signer)
	return m, err
}

func checkpointAt(tenant string, size int64) parley.Address {
	return parley.Address{Tenant: tenant, Kind: checkpointKind, Key: numberKey(size)}
}

// Keep signs and keeps a checkpoint of each chain that has grown, and forgets what is
// older than the retention. Run calls it.
func (l *Log) Keep(ctx context.Context) error {
	var problems []error
	for r, err := range parley.Each(ctx, l.records, parley.Address{Kind: tenantKind}, "") {
		if err == nil {
			err = l.keep(ctx, r.Key)
		}
		if err == nil {
			err = l.cut(ctx, r.Key)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func (l *Log) keep(ctx context.Context, tenant string) error {
	h, err := l.head(ctx, tenant)
	if err != nil || h.Size == 0 {
		return err
	}
	_, err = l.records.Load(ctx, checkpointAt(tenant, h.Size))
	if !errors.Is(err, parley.ErrNotFound) {
		return err // it has not grown
	}
	if err := l.finish(ctx, tenant, h); err != nil {
		return err
	}
	m, err := l.mark(ctx, tenant, h)
	if err != nil {
		return err
	}
	return l.saveNew(ctx, checkpointAt(tenant, h.Size), encode(m))
}

func decodeMark(r parley.Record) (m mark, err error) {
	if err = json.Unmarshal(r.Data, &m); err != nil {
		err = fmt.Errorf("audit: checkpoint %s: %w", r.Key, err)
	}
	return m, err
}
