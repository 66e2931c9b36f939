package permit

import (
	"encoding/json"
	"fmt"

	"github.com/parley-hq/parley/strictjson"
)

const (
	maxArgsBytes = 1 << 20
	maxArgsDepth = 64
)

// Canonical returns the one form of a JSON text that all texts of the same
// meaning share, see [strictjson.Canonical].
//
// It returns ErrArguments for what two programs could read differently: a text
// that is not one JSON value, invalid UTF-8, half of a surrogate pair, a name
// that is given twice or once more in other letter case, a number that no double
// comes near. And for more than 1 MiB, or more than 64 levels.
func Canonical(raw json.RawMessage) ([]byte, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	return appendCanonical(make([]byte, 0, len(raw)), v), nil
}

// object is a JSON object, its members in canonical order.
type object = strictjson.Object

// parse reads one JSON value and puts it into its canonical order.
func parse(raw []byte) (any, error) {
	if len(raw) > maxArgsBytes {
		return nil, fmt.Errorf("%w: %d bytes, %d are allowed", ErrArguments, len(raw), maxArgsBytes)
	}
	v, err := strictjson.Read(raw, maxArgsDepth)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrArguments, err)
	}
	return strictjson.Sorted(v), nil
}

func appendCanonical(b []byte, v any) []byte { return strictjson.Append(b, v, nil) }

// appendScalar writes what holds no other value; hide as in appendString.
func appendScalar(b []byte, v any, hide func(rune) bool) []byte { return strictjson.Append(b, v, hide) }

// appendString writes a JSON string. Characters that hide, if it is not nil,
// reports are written as escapes beyond those that JSON demands.
func appendString(b []byte, s string, hide func(rune) bool) []byte {
	return strictjson.AppendString(b, s, hide)
}
