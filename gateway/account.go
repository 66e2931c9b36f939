package gateway

import (
	"fmt"
	"sync"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// sameAccount refuses to send anything on a connection with another account than
// it began with: what a server keeps for a session is that account's. Who has
// connected another one gets another connection.
func sameAccount() func(vault.Credential) error {
	var mu sync.Mutex
	var began *string
	return func(c vault.Credential) error {
		grant := c.Grant()
		mu.Lock()
		defer mu.Unlock()
		if began == nil {
			began = &grant
		}
		if *began != grant {
			return fmt.Errorf("%w: its account was changed", mcpclient.ErrSessionGone)
		}
		return nil
	}
}
