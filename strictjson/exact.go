package strictjson

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Exact refuses numbers of a value of Read that are others to a program that knows only
// doubles: those from 2^53 on, where whole numbers are rounded, those with more digits
// than a double has, and fractions that would become whole. It looks at what was written.
// Its error is an *Error.
func Exact(v any) error {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		digits, whole := significant(string(v))
		switch {
		case err != nil || math.Abs(f) >= 1<<53:
			return &Error{Reason: "is a number beyond 2^53, which would be rounded"}
		case digits > doubleDigits || !whole && f == math.Trunc(f):
			return &Error{Reason: "is a number with more digits than are kept, which would be rounded"}
		}
	case []any:
		for i, item := range v {
			if err := Exact(item); err != nil {
				return within(Item("", i), err)
			}
		}
	case Object:
		for _, m := range v {
			if err := Exact(m.Value); err != nil {
				return within(m.Name, err)
			}
		}
	}
	return nil
}

// doubleDigits is how many digits tell every double from all others: programs write so
// many, though fewer may do.
const doubleDigits = 17

// significant counts the digits of a number between its first and its last that is not
// zero, and says whether it is a whole number.
func significant(n string) (digits int, whole bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(n, "-")), "e")
	before, after, _ := strings.Cut(mantissa, ".")
	shift, _ := strconv.Atoi(exponent) // none is 0; long ones are no numbers of Read
	all := before + after
	short := strings.TrimRight(all, "0")
	shift += len(all) - len(short) - len(after)
	short = strings.TrimLeft(short, "0")
	return len(short), short == "" || shift >= 0
}
