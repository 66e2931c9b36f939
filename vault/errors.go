package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-hq/parley"
)

// The errors of this package. Calls wrap them with what is concerned.
var (
	ErrInvalid    = errors.New("invalid configuration")
	ErrUnknown    = errors.New("not known here: check the name")
	ErrConfigured = errors.New("it comes from the configuration: change it there")

	// ErrRequired is what every *RequiredError is.
	ErrRequired = errors.New("credential required")
	// ErrNoPerson is for servers that need a person's own credential when it is
	// not known who asks.
	ErrNoPerson = errors.New("this server needs a person's own credential, and it is not known who asks: sign in")
	// ErrNotConnected is what every *NotConnectedError is.
	ErrNotConnected = errors.New("authentication required but not provided")

	// ErrNotConnecting is for questions that do not ask for a credential.
	ErrNotConnecting = errors.New("this question does not ask to connect an account")
	// ErrState is for an answer from a provider that belongs to nothing we
	// asked: unknown, too late, or used already.
	ErrState = errors.New("this connection attempt is over or was never made: start again from the question")
	// ErrWrongPerson is for an answer from a provider that another person asked
	// for. The provider is not contacted.
	ErrWrongPerson = errors.New("this connection attempt was started by somebody else: sign in as the person it is for, or start your own")
	// ErrWrongProvider is for an answer at another provider's callback.
	ErrWrongProvider = errors.New("the answer came from another provider than the one asked: start again")
	// ErrIssuer is for an answer that names another issuer, or none where one
	// is due.
	ErrIssuer = errors.New("the answer does not come from the provider that was asked: start again")

	// ErrSource is for sources that the server names and nobody configured.
	ErrSource = errors.New("the source of this credential is not configured")
	// ErrNoCredential is what a Source returns when it has none.
	ErrNoCredential = errors.New("no credential stored")
	// ErrOrigin is for a credential on its way to another place than its server.
	ErrOrigin = errors.New("a credential goes to its own server only")
	// ErrUnavailable is for a credential that cannot be looked up or changed just now: the
	// store, a secret or a source fails, and no server and no person is to blame.
	ErrUnavailable = errors.New("the credential cannot be looked up just now")
	// ErrKey is for keys that cannot be one. Each is one of the three below.
	ErrKey = errors.New("this is not a key")
	// ErrKeyEmpty is an ErrKey: nothing was entered.
	ErrKeyEmpty = fmt.Errorf("%w: it is empty", ErrKey)
	// ErrKeyLong is an ErrKey of more than MaxKey characters.
	ErrKeyLong = fmt.Errorf("%w: it has more than %d characters", ErrKey, MaxKey)
	// ErrKeyCharacter is an ErrKey that would not fit into a header.
	ErrKeyCharacter = fmt.Errorf("%w: it has a space, a line break, or a letter or sign that is not ASCII", ErrKey)
)

// unavailable is an ErrUnavailable. Its text is the reason, and for the log alone.
type unavailable struct{ error }

func (e unavailable) Is(target error) bool { return target == ErrUnavailable }
func (e unavailable) Unwrap() error        { return e.error }

// ours marks err as ErrUnavailable, unless it is one that says what somebody can do, or
// whoever wanted to know has gone.
func ours(ctx context.Context, err error) error {
	var provider *ProviderError
	if err == nil || errors.As(err, &provider) || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	for _, known := range []error{ErrRequired, ErrNoPerson, ErrUnknown, ErrSource, ErrNotOpen, ErrInvalid, ErrUnavailable} {
		if errors.Is(err, known) {
			return err
		}
	}
	return unavailable{err}
}

// Reason says why a credential is required.
type Reason string

// The reasons.
const (
	Missing      Reason = "missing"
	Expired      Reason = "expired"            // and it cannot be refreshed
	Revoked      Reason = "revoked"            // disconnected here or at the provider
	Rejected     Reason = "rejected"           // the server refused it
	Insufficient Reason = "insufficient_scope" // the server wants more scopes
)

// RequiredError says that a call cannot be made before somebody provides a
// credential. It carries what a question needs.
type RequiredError struct {
	Key    Key
	Server Server
	Reason Reason
	Scopes []string // what will be asked for; of MCP servers known once they were asked
}

func (e *RequiredError) Error() string {
	whose := "your account"
	switch e.Key.Scope {
	case Platform:
		whose = "an administrator"
	case Mentor:
		whose = "an administrator, for this agent"
	}
	return fmt.Sprintf("%v: %s (%s): to be connected by %s", ErrRequired, e.Server.Label(), e.Reason, whose)
}

func (e *RequiredError) Is(target error) bool { return target == ErrRequired }

// Askable reports whether the person in the conversation can provide it.
func (e *RequiredError) Askable() bool { return e.Key.Scope == User }

// NotConnectedError says how the question for a credential ended instead.
type NotConnectedError struct {
	Server  Server
	Outcome parley.Outcome
}

func (e *NotConnectedError) Error() string {
	how := map[parley.Action]string{
		parley.Decline: "the person declined",
		parley.Cancel:  "the question was cancelled",
		parley.Expire:  "nobody answered in time",
		parley.Accept:  "it was said to be done, but there is no credential",
	}[e.Outcome.Action]
	if e.Outcome.Reason != "" && e.Outcome.Action == parley.Cancel {
		how = e.Outcome.Reason
	}
	return fmt.Sprintf("%s: %v: %s", e.Server.Label(), ErrNotConnected, how)
}

func (e *NotConnectedError) Is(target error) bool { return target == ErrNotConnected }

// ProviderError is a provider that refused or failed. Its text is fit for
// people; it never holds what the provider sent beyond the code.
type ProviderError struct {
	Provider  string // as shown
	Code      string // the OAuth error code, if it sent one
	Temporary bool   // worth another try
	Settled   bool   // the question ended with this: it cannot be tried again
	cause     error  // for the log
}

func (e *ProviderError) Error() string {
	switch {
	case e.Code == "access_denied":
		return e.Provider + " was not connected: you declined there."
	case e.Temporary:
		return e.Provider + " cannot be reached just now. Try again in a moment."
	case e.Code == "invalid_client" || e.Code == "unauthorized_client":
		return e.Provider + " does not accept this application's registration. Tell the administrator."
	case e.Code != "":
		return fmt.Sprintf("%s refused the connection (%s). Tell the administrator if it happens again.", e.Provider, e.Code)
	}
	return e.Provider + " gave an answer that cannot be understood. Tell the administrator if it happens again."
}

func (e *ProviderError) Unwrap() error { return e.cause }
