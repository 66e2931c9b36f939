package redisstore

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/parley-hq/parley"
)

// A stored request is its state, the format, then tenant, user and session with
// lengths of four bytes, which the scripts read, then everything else. When it
// settles the state changes and the outcome is appended.
//
// A stored record is the format, its version and expiry in eight bytes each,
// which the scripts read, its owner and its data.
const (
	pendingState = '?'
	settledState = '!'
	format       = 1
)

var errFormat = errors.New("stored value cannot be read: it is damaged, or written by a newer version")

func encodeRequest(r parley.Request) string {
	b := make([]byte, 0, 128+len(r.Message)+len(r.Schema)+len(r.URL))
	b = append(b, pendingState, format)
	for _, part := range []string{r.Tenant, r.To, r.Session} {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	for _, part := range []string{r.From, string(r.Mode), r.Message, string(r.Schema), r.URL, r.Trigger} {
		b = appendText(b, part)
	}
	b = binary.AppendUvarint(b, uint64(len(r.Labels)))
	for name, value := range r.Labels {
		b = appendText(appendText(b, name), value)
	}
	return string(appendTime(appendTime(b, r.Created), r.Expires))
}

func encodeOutcome(o parley.Outcome) string {
	b := make([]byte, 0, 64+len(o.Content))
	for _, part := range []string{string(o.Action), string(o.Content), o.By, o.Via, o.Reason, o.Claim} {
		b = appendText(b, part)
	}
	return string(appendTime(b, o.At))
}

func decodeRequest(id parley.ID, stored string) (parley.Request, error) {
	d := decoder{rest: stored}
	state := d.byte()
	if d.byte() != format {
		return parley.Request{}, errFormat
	}
	r := parley.Request{ID: id, Tenant: d.measured(), To: d.measured(), Session: d.measured()}
	r.From, r.Mode, r.Message = d.text(), parley.Mode(d.text()), d.text()
	r.Schema, r.URL, r.Trigger = d.bytes(), d.text(), d.text()
	r.Labels = d.labels()
	r.Created, r.Expires = d.time(), d.time()
	if state == settledState {
		o := parley.Outcome{Action: parley.Action(d.text()), Content: d.bytes(), By: d.text(), Via: d.text()}
		o.Reason, o.Claim, o.At = d.text(), d.text(), d.time()
		r.Outcome = &o
	} else if state != pendingState {
		d.failed = true
	}
	if d.failed || d.rest != "" {
		return parley.Request{}, errFormat
	}
	return r, nil
}

// encodeRecord returns what stands behind format and version.
func encodeRecord(r parley.Record) string {
	b := make([]byte, 0, 16+len(r.Owner)+len(r.Data))
	b = binary.BigEndian.AppendUint64(b, uint64(expiry(r)))
	return string(append(appendText(b, r.Owner), r.Data...))
}

func decodeRecord(at parley.Address, stored string) (parley.Record, error) {
	d := decoder{rest: stored}
	if d.byte() != format {
		return parley.Record{}, errFormat
	}
	r := parley.Record{Address: at, Version: d.integer()}
	if ms := d.integer(); ms != 0 {
		r.Expires = time.UnixMilli(ms).UTC()
	}
	r.Owner = d.text()
	if d.failed {
		return parley.Record{}, errFormat
	}
	if d.rest != "" {
		r.Data = []byte(d.rest)
	}
	return r, nil
}

// expiry is when r expires, in milliseconds; 0 means never.
func expiry(r parley.Record) int64 {
	if r.Expires.IsZero() {
		return 0
	}
	return max(r.Expires.UnixMilli(), 1)
}

// encodeVersion is empty for no version.
func encodeVersion(version int64) string {
	if version == 0 {
		return ""
	}
	return string(binary.BigEndian.AppendUint64(nil, uint64(version)))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendTime(b []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(t.UnixMilli()))
}

// decoder reads what the functions above have written. After a failure it
// gives zeros.
type decoder struct {
	rest   string
	failed bool
}

func (d *decoder) take(n uint64) string {
	if d.failed || n > uint64(len(d.rest)) {
		d.failed = true
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) byte() byte {
	if s := d.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (d *decoder) integer() int64 {
	s := d.take(8)
	if s == "" {
		return 0
	}
	return int64(binary.BigEndian.Uint64([]byte(s)))
}

func (d *decoder) time() time.Time { return time.UnixMilli(d.integer()).UTC() }

// measured reads a string with a length of four bytes.
func (d *decoder) measured() string {
	s := d.take(4)
	if s == "" {
		return ""
	}
	return d.take(uint64(binary.BigEndian.Uint32([]byte(s))))
}

func (d *decoder) text() string { return d.take(d.count()) }

func (d *decoder) count() uint64 {
	head := d.rest[:min(len(d.rest), binary.MaxVarintLen64)]
	n, size := binary.Uvarint([]byte(head))
	if d.failed || size <= 0 {
		d.failed = true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *decoder) bytes() []byte {
	if s := d.text(); s != "" {
		return []byte(s)
	}
	return nil
}

func (d *decoder) labels() map[string]string {
	n := d.count()
	if n == 0 || n > uint64(len(d.rest)) { // each takes two bytes at least
		d.failed = d.failed || n != 0
		return nil
	}
	labels := make(map[string]string, n)
	for range n {
		name := d.text()
		labels[name] = d.text()
	}
	return labels
}
