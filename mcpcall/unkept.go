package mcpcall

import (
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
)

// unkept decides about a reply that the call's journal has no room for: a result
// goes to who waits for it, and questions are not asked that would be forgotten.
func (c *Call) unkept(r Reply, err error) error {
	if !errors.Is(err, parley.ErrTooLarge) {
		return err
	}
	if !r.asks() {
		return nil
	}
	c.abandon(r)
	return Failed("%s asks for more than is kept of one call; %s", c.Target.Server.Label(), mcpclient.GivenUp)
}
