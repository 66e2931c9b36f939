package parley

import (
	"errors"
	"fmt"
)

// The errors of this package. Each names what went wrong and what to do; calls
// wrap them with the id or the field concerned. None of them changes anything.
var (
	// ErrNotFound also answers for requests that belong to somebody else.
	ErrNotFound = errors.New("not found: check the id, and that you are signed in as the person it is for")

	ErrExists   = errors.New("already there: use another id, or read the one that exists")
	ErrConflict = errors.New("changed by somebody else in the meantime: read it again and decide anew")

	ErrSettled = errors.New("already settled: the first answer counts, read the outcome")
	// ErrRepeated is an ErrSettled: the same person gave the same answer before, and
	// it counts. Surfaces tell them that it is taken.
	ErrRepeated = fmt.Errorf("the same answer was given before and counts: %w", ErrSettled)
	ErrExpired  = errors.New("expired: ask again")
	ErrQueued   = errors.New("an earlier question of this session is still open: answer that one first")

	ErrInvalid        = errors.New("invalid request")
	ErrAction         = errors.New("unknown action: use accept, decline or cancel")
	ErrTooLarge       = errors.New("too large: shorten it, or raise the limit in parley.Limits")
	ErrTooManyPending = errors.New("this person has too many open questions: wait until some are answered, or raise Limits.Pending")
	// ErrTooManyLong, ErrTooManyOfAsker, ErrTooManyOfOthers and ErrTooManyOfModels are ErrTooManyPending,
	// in words that whoever made the call may read.
	ErrTooManyLong     error = tooMany("too many long calls wait for an approval: wait until some are answered, or make the call shorter")
	ErrTooManyOfAsker  error = tooMany("too many calls of yours wait for the same approver: wait until some are answered")
	ErrTooManyOfOthers error = tooMany("too many questions wait for the approver: try again when some are answered")
	ErrTooManyOfModels error = tooMany("too many questions that agents brought about wait for this person already: try again when some are answered")
	ErrNoOwner               = errors.New("a question needs a known person: set Tenant and To from a verified principal")
	ErrPrincipal             = errors.New("not a principal: make one from a verified token, or with SessionPrincipal, CallPrincipal or OwnerOf")

	ErrQuery   = errors.New("invalid query")
	ErrRunning = errors.New("this runs already: call Run once")

	ErrNotSealed = errors.New("stored in plain although a secret is configured: it was written without the secret or by somebody else")
	// ErrUnopened: what is stored of one request was sealed with a secret that is not
	// here, or was damaged. Others may open.
	ErrUnopened = errors.New("it does not open")
	ErrSealed   = errors.New("stored sealed but no secret is configured: configure the secret it was sealed with")
)

// permanent reports whether trying again cannot help.
func permanent(err error) bool {
	for _, known := range []error{
		ErrNotFound, ErrExists, ErrConflict, ErrSettled, ErrTooManyPending, ErrQuery, ErrInvalid,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// tooMany is an ErrTooManyPending that says which kind of question there are too
// many of.
type tooMany string

func (e tooMany) Error() string { return string(e) }

func (e tooMany) Is(target error) bool { return target == ErrTooManyPending }

// SizeError is an ErrTooLarge of something that is counted in bytes.
type SizeError struct {
	What string // such as "the answer"
	Size int
	Most int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s has %d bytes, %d are allowed: %v", e.What, e.Size, e.Most, ErrTooLarge)
}

// Is makes it an ErrTooLarge.
func (e *SizeError) Is(target error) bool { return target == ErrTooLarge }

// Allowed says how much may be sent, for the person who sent more, such as
// ": 256 KiB are allowed"; empty: the error does not say.
func Allowed(err error) string {
	var size *SizeError
	switch {
	case !errors.As(err, &size):
		return ""
	case size.Most >= 1024 && size.Most%1024 == 0:
		return fmt.Sprintf(": %d KiB are allowed", size.Most/1024)
	}
	return fmt.Sprintf(": %d bytes are allowed", size.Most)
}
