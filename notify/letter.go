package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley"
)

// Letter is something for a URL of somebody else's that is about no question of the
// store, in the words of who posts it: the outbox signs nothing and adds nothing.
type Letter struct {
	ID     parley.ID         // as parley.NewID makes them, and of no question; the same letter has the same one
	Owner  string            // whose it is, for the log: parley.Principal.Owner
	URL    string            // it is reached as strangers' URLs are
	Header map[string]string // besides Content-Type, which is application/json
	Body   json.RawMessage
}

// maxLetter is how many bytes a letter may have.
const maxLetter = 1 << 20

// Post has the outbox deliver a letter, until its receiver takes it or three days are over.
// Once it has returned a crash loses nothing. Posting the same letter again while it is on
// its way changes nothing.
//
// Errors: parley.ErrInvalid for an id that is none, outbound.ErrForbidden, parley.ErrTooLarge.
func (o *Outbox) Post(ctx context.Context, l Letter) error {
	if !l.ID.Valid() || !json.Valid(l.Body) {
		return fmt.Errorf("%w: a letter has an id of parley.NewID and a body of JSON", parley.ErrInvalid)
	}
	if len(l.Body) > maxLetter {
		return fmt.Errorf("a letter of %d bytes, %d are allowed: %w", len(l.Body), maxLetter, parley.ErrTooLarge)
	}
	if err := o.CheckAddress(l.URL); err != nil {
		return err
	}
	n := notice{id: l.ID, Callback: &callback{Owner: l.Owner, URL: l.URL, Since: now(), At: now(), Data: l.Body, Plain: true, Header: l.Header}}
	err := o.saveNotice(ctx, &n)
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	if err == nil {
		o.schedule.noticed(n)
		o.schedule.at(l.ID, now())
	}
	return err
}

// CheckAddress reports why a URL of somebody else's would not be called:
// outbound.ErrForbidden or parley.ErrTooLarge.
func (o *Outbox) CheckAddress(url string) error {
	if len(url) > maxEndpoint {
		return fmt.Errorf("a URL of %d bytes, %d are allowed: %w", len(url), maxEndpoint, parley.ErrTooLarge)
	}
	return o.opts.Outbound.Check(url)
}

// deliverLetter makes one attempt.
func (o *Outbox) deliverLetter(ctx context.Context, c *callback) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(c.Data))
	if err != nil {
		return Final(err)
	}
	for name, value := range c.Header {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/json")
	return unlessGone(post(o.stranger, request))
}
