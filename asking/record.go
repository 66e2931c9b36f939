package asking

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// The kinds of record.
const (
	askKind  = "ask"      // by the id that its asker knows
	keyKind  = "ask_key"  // by asker and idempotency key
	openKind = "ask_open" // groups that Run looks at, of every tenant

	everywhere = "-asks"
)

// ask is what somebody asked, as its record has it. All questions are made of it,
// so that whoever comes back after a crash opens the same.
type ask struct {
	Asker     parley.Principal  `json:"asker"`
	Group     string            `json:"group,omitempty"`
	Need      int               `json:"need"`
	Request   request           `json:"request"`
	Labels    map[string]string `json:"labels,omitempty"`
	Callback  string            `json:"callback,omitempty"`
	Secret    string            `json:"secret,omitempty"`
	Digest    string            `json:"digest,omitempty"` // of the question, where it has an idempotency key
	KeyRecord string            `json:"key,omitempty"`
	Created   time.Time         `json:"created"` // as soon as it is opened, that of the stored question
	Expires   time.Time         `json:"expires"`

	Panel   quorum.Panel `json:"panel"`
	Decided *decision    `json:"decided,omitempty"`
	Closed  bool         `json:"closed,omitempty"` // all that follows from the decision is done

	at parley.Address
}

// request is what everybody is asked.
type request struct {
	From    string            `json:"from"`
	Mode    parley.Mode       `json:"mode,omitempty"`
	Message string            `json:"message"`
	Schema  json.RawMessage   `json:"schema,omitempty"`
	URL     string            `json:"url,omitempty"`
	Trigger string            `json:"trigger"`
	Labels  map[string]string `json:"labels"`
}

// decision is how it ended. It never changes once it is there. What was answered is
// read from the questions of those by whom it was.
type decision struct {
	Action parley.Action `json:"action"`
	By     []string      `json:"by,omitempty"`  // in the order of their answers
	Via    string        `json:"via,omitempty"` // where nobody accepted: how they said so, all of them
	Reason string        `json:"reason,omitempty"`
	At     time.Time     `json:"at"`
}

func addressOf(tenant string, id parley.ID) parley.Address {
	return parley.Address{Tenant: cmp.Or(tenant, parley.DefaultTenant), Kind: askKind, Key: string(id)}
}

func (a ask) id() parley.ID { return parley.ID(a.at.Key) }

func (a ask) openAddress() parley.Address {
	return parley.Address{Tenant: everywhere, Kind: openKind, Key: a.at.Key}
}

// question is what everybody is asked.
func (a ask) question() parley.Request {
	r := a.Request
	return parley.Request{
		Tenant: a.at.Tenant, From: r.From, Mode: r.Mode, Message: r.Message, Schema: r.Schema, URL: r.URL, Trigger: r.Trigger, Labels: r.Labels, Expires: a.Expires,
	}
}

// grace is how much longer the question of a group is open than those of its
// members: they decide.
const grace = time.Minute

// over reports whether its time has been over for so long.
func (a ask) over(since time.Duration) bool {
	return !time.Now().UTC().Truncate(time.Millisecond).Before(a.Expires.Add(since))
}

// ofGroup is the question that is settled when the group's is decided.
func (a ask) ofGroup() parley.Request {
	return parley.Request{
		ID: a.id(), Tenant: a.at.Tenant, To: parley.GroupPrincipal(a.at.Tenant, a.Group).User, From: a.Request.From, Message: a.Request.Message,
		Trigger: parley.TriggerProgram, Labels: map[string]string{parley.LabelAsker: a.Asker.Owner()}, Expires: a.Expires.Add(grace),
	}
}

func (s *Questions) load(ctx context.Context, at parley.Address) (ask, error) {
	record, err := s.records.Load(ctx, at)
	if err != nil {
		return ask{}, fmt.Errorf("question %.64q: %w", at.Key, err)
	}
	return read(record)
}

func read(record parley.Record) (ask, error) {
	a := ask{at: record.Address}
	err := json.Unmarshal(record.Data, &a)
	if err == nil && a.Asker.Owner() != record.Owner {
		err = errors.New("it names another asker than its record")
	}
	if err != nil {
		return ask{}, fmt.Errorf("question %s: its record: %w", record.Key, err)
	}
	return a, nil
}

// update changes an ask that is there.
func (s *Questions) update(ctx context.Context, at parley.Address, change func(*ask) (bool, error)) (a ask, err error) {
	_, err = parley.Update(ctx, s.records, at, func(record *parley.Record) (bool, error) {
		if record.Version == 0 {
			return false, fmt.Errorf("question %s: %w", at.Key, parley.ErrNotFound)
		}
		var err error
		if a, err = read(*record); err != nil {
			return false, err
		}
		changed, err := change(&a)
		if err != nil || !changed {
			return false, err
		}
		record.Data, err = json.Marshal(a)
		return true, err
	})
	return a, err
}

// forgotten is when it need not be known any more how an ask ended.
func (s *Questions) forgotten(a ask) time.Time {
	return a.Expires.Add(grace + keepFor).UTC().Truncate(time.Millisecond)
}

// create writes an ask down, before anything of it is opened.
func (s *Questions) create(ctx context.Context, a ask) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if a.Group != "" {
		tenant, err := json.Marshal(a.at.Tenant)
		if err != nil {
			return err
		}
		if _, err := parley.Put(ctx, s.records, parley.Record{Address: a.openAddress(), Data: tenant, Expires: s.forgotten(a)}); err != nil {
			return err
		}
	}
	_, err = s.records.Save(ctx, parley.Record{Address: a.at, Owner: a.Asker.Owner(), Data: data, Expires: s.forgotten(a)})
	return err
}

// goOn looks at a group whose record says that it is open.
func (s *Questions) goOn(ctx context.Context, record parley.Record) error {
	var tenant string
	if err := json.Unmarshal(record.Data, &tenant); err != nil {
		return err
	}
	_, err := s.look(ctx, addressOf(tenant, parley.ID(record.Key)))
	if errors.Is(err, parley.ErrNotFound) || errors.Is(err, parley.ErrTooManyPending) {
		return nil // it is being asked, or was not to the end
	}
	return err
}

// claimed is what an idempotency key stands for.
type claimed struct {
	ID     parley.ID `json:"id"`
	Digest string    `json:"digest"`
}

func keyAddress(by Asker, key string) parley.Address {
	return parley.Address{Tenant: cmp.Or(by.Tenant, parley.DefaultTenant), Kind: keyKind, Key: hash(by.Owner(), key)}
}

func (s *Questions) claim(ctx context.Context, by Asker, at parley.Address) (c claimed, known bool, err error) {
	record, err := s.records.Load(ctx, at)
	if errors.Is(err, parley.ErrNotFound) {
		return c, false, nil
	}
	if err == nil {
		err = json.Unmarshal(record.Data, &c)
	}
	return c, err == nil, err
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
