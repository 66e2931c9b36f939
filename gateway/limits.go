package gateway

import (
	"errors"

	"github.com/parley-hq/parley"
)

// How much a server may ask at once. What it asks is written down before anybody
// is asked, and shown to a person: more is no question but an attack.
const (
	maxAsks      = 16 // questions, or pages to visit
	maxState     = 64 << 10
	maxAskBytes  = 96 << 10 // of a question, its form included
	maxNameBytes = 256      // of what a server calls a question
)

// errAskTooLarge is for a question that nobody could read.
var errAskTooLarge = errors.New("the question is too large")

// tooLarge reports whether a question is larger than anybody could answer.
func (q ask) tooLarge() bool {
	return len(q.Key) > maxNameBytes || len(q.ID) > maxNameBytes || len(q.Message)+len(q.Schema)+len(q.URL) > maxAskBytes
}

// tooMuch is for a server that asks more than is taken.
func tooMuch(server string, n int, of string) error {
	return failed("%s asks for %d %s at once, and %d are taken; the call was given up.", server, n, of, maxAsks)
}

// unkept decides about a reply that the call's journal has no room for: a result
// goes to who waits for it, and questions are not asked that would be forgotten.
func (c *crossing) unkept(r reply, err error) error {
	if !errors.Is(err, parley.ErrTooLarge) {
		return err
	}
	if !r.asks() {
		return nil
	}
	c.letGo(r)
	return failed("%s asks for more than is kept of one call; the call was given up.", c.target.server.Name)
}
