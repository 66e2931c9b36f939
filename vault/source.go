package vault

import (
	"context"
	"time"
)

// Source keeps credentials in another place than the vault's records.
type Source interface {
	// Fetch returns the credential as it is now, or ErrNoCredential. What the
	// source can refresh is fresh.
	Fetch(ctx context.Context, at Place) (Secret, error)
}

// Keeper is an ability of sources that take keys which a person entered on the
// hosted page.
type Keeper interface {
	Keep(ctx context.Context, at Place, secret Secret) error
}

// Connector is an ability of sources that have a page of their own for people
// to connect their account.
type Connector interface {
	// Connect returns where to send the person, for a question of ours.
	Connect(ctx context.Context, at Place, question string) (url string, err error)
}

// Forgetter is an ability of sources that can disconnect.
type Forgetter interface {
	// Forget removes the credential; ErrNoCredential when there is none.
	Forget(ctx context.Context, at Place) error
}

// Place is where a source finds a credential.
type Place struct {
	Key
	Integration string // what the source calls the server
}

// Secret is a credential's value. It prints as nothing.
type Secret struct {
	Value   string
	Expires time.Time // zero: not known
}

// String hides the value.
func (Secret) String() string { return "(secret)" }

// GoString hides the value.
func (Secret) GoString() string { return "(secret)" }
