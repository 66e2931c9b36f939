package a2a

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// said is a message to a task, for the task's history. It is stored before what it answers
// is settled: a client that sends it again finds it.
type said struct {
	Message   *a2a.Message `json:"message"`
	Questions []parley.ID  `json:"questions"`       // that it is about
	Wrong     string       `json:"wrong,omitempty"` // why it was no answer; empty: it was one
	Nth       int          `json:"nth,omitempty"`   // which of the task's messages that were no answers it is, from 1
	At        time.Time    `json:"at"`
}

// What is kept of messages to one task, of which Options.Kept are for somebody. Answers beyond
// that are taken all the same; of messages that were no answers the last are kept, and they are kept short: whoever sends
// them decides how many there are.
const (
	saidKind   = "a2a.said"
	maxSaid    = 100
	saidBytes  = 64 << 10
	saidInAll  = 1 << 20
	maxWrong   = 20
	wrongBytes = 4 << 10
)

func saidPrefix(ref agent.Ref) string {
	return url.PathEscape(ref.User) + "/" + url.PathEscape(ref.Conversation) + "/" + ref.Run + "/"
}

// saidAt is where a message is kept. Other words by the same id are another message.
func saidAt(ref agent.Ref, m *a2a.Message) parley.Address {
	digest := sha256.Sum256([]byte(messageName(m)))
	return parley.Address{Tenant: ref.Tenant, Kind: saidKind, Key: saidPrefix(ref) + hex.EncodeToString(digest[:16])}
}

// keep stores a message. One that is there already stays as it is.
func (a *Agents) keep(ctx context.Context, ref agent.Ref, s said) error {
	s.At = time.Now().UTC()
	at := saidAt(ref, s.Message)
	all, err := a.records.Scan(ctx, parley.Address{Tenant: ref.Tenant, Kind: saidKind, Key: saidPrefix(ref)}, "", maxSaid)
	if err != nil {
		return err
	}
	left := saidInAll
	for _, record := range all {
		left -= len(record.Data)
	}
	most := min(saidBytes, left)
	if s.Wrong != "" {
		s.Wrong = strings.ToValidUTF8(s.Wrong[:min(len(s.Wrong), wrongBytes/2)], "")
		most = min(most, wrongBytes)
		if s.Nth, err = a.forgetWrong(ctx, all); err != nil {
			return err
		}
	} else if len(all) >= maxSaid {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if len(data) > most {
		if data, err = s.short(); err != nil {
			return err
		}
	}
	sum, err := a.hold(ctx, ref, len(data))
	if err != nil || sum > 2*a.opts.Kept {
		return err
	}
	if sum > a.opts.Kept {
		if data, err = s.short(); err != nil {
			return err
		}
	}
	_, err = a.records.Save(ctx, parley.Record{Address: at, Owner: ref.User, Data: data, Expires: a.until()})
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	return err
}

// short is a message as it is stored where there is no room for its words.
func (s said) short() ([]byte, error) {
	m := *s.Message
	m.Parts, m.Metadata = a2a.ContentParts{a2a.NewTextPart("(This message was too long to be kept.)")}, nil
	m.Extensions, m.ReferenceTasks = nil, nil
	s.Message = &m
	return json.Marshal(s)
}

// forgetWrong makes room for one more message that is no answer, and says the how manieth
// it is.
func (a *Agents) forgetWrong(ctx context.Context, all []parley.Record) (nth int, err error) {
	var oldest parley.Address
	count, first := 0, 0
	for _, record := range all {
		s, err := readSaid(record)
		if err != nil {
			return 0, err
		}
		if s.Wrong == "" {
			continue
		}
		if count++; count == 1 || s.Nth < first {
			oldest, first = record.Address, s.Nth
		}
		nth = max(nth, s.Nth)
	}
	if count >= maxWrong {
		if err := a.records.Delete(ctx, oldest, 0); err != nil && !isNotFound(err) {
			return 0, err
		}
	}
	return nth + 1, nil
}

// until is when what is stored now may be forgotten.
func (a *Agents) until() time.Time {
	if a.opts.Keep < 0 {
		return time.Time{}
	}
	return time.Now().Add(a.opts.Keep).UTC().Truncate(time.Millisecond)
}

// recall returns a message that was sent to a task before, or parley.ErrNotFound.
func (a *Agents) recall(ctx context.Context, ref agent.Ref, m *a2a.Message) (said, error) {
	record, err := a.records.Load(ctx, saidAt(ref, m))
	if err != nil {
		return said{}, err
	}
	return readSaid(record)
}

// conversed are all messages to a task, in their order. Without their parts they say no
// more than what they were about.
func (a *Agents) conversed(ctx context.Context, ref agent.Ref, parts bool) ([]said, error) {
	var all []said
	for record, err := range parley.Each(ctx, a.records, parley.Address{Tenant: ref.Tenant, Kind: saidKind, Key: saidPrefix(ref)}, "") {
		if err != nil {
			return nil, err
		}
		s, err := readSaid(record)
		if err != nil {
			return nil, err
		}
		if !parts {
			s.Message = &a2a.Message{ID: s.Message.ID}
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(x, y said) int {
		if by := x.At.Compare(y.At); by != 0 {
			return by
		}
		return strings.Compare(x.Message.ID, y.Message.ID)
	})
	return all, nil
}

func readSaid(record parley.Record) (said, error) {
	var s said
	err := json.Unmarshal(record.Data, &s)
	if err == nil && s.Message == nil {
		err = errors.New("it has no message")
	}
	if err != nil {
		return said{}, fmt.Errorf("message %s: %w", record.Key, err)
	}
	return s, nil
}
