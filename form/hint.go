package form

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Hint says in words what may be entered into a field; empty: there is nothing to say.
func Hint(f Field) string {
	switch {
	case f.Kind == Integer:
		return asSentence("A whole number", bounds(f))
	case f.Kind == Number && bounds(f) != "":
		return asSentence("A number", bounds(f))
	case f.Kind == Choices:
		return choicesHint(f)
	case f.Format == "email":
		return "An email address, such as name@example.com."
	case f.Format == "uri":
		return "A full address, such as https://example.com/page."
	case f.MinLength != nil && *f.MinLength > 1 || f.MaxLength != nil:
		return asSentence("", between(count(f.MinLength), count(f.MaxLength), "character", "characters"))
	}
	return ""
}

// bounds words those of a number.
func bounds(f Field) string {
	var all []string
	add := func(words, of string) {
		if of != "" {
			all = append(all, words+of)
		}
	}
	add("", between(told(f.Minimum), told(f.Maximum), "", ""))
	add("more than ", string(f.Above))
	add("less than ", string(f.Below))
	add("a multiple of ", string(f.MultipleOf))
	return strings.Join(all, ", ")
}

// told is a bound, unless it says no more than that the number is one that every
// program reads the same: libraries write that for whole numbers.
func told(bound json.Number) string {
	if strings.TrimPrefix(string(bound), "-") == "9007199254740991" {
		return ""
	}
	return string(bound)
}

func choicesHint(f Field) string {
	low, high := count(f.MinItems), count(f.MaxItems)
	if low == "" && high == "" {
		return "Choose any number, or none."
	}
	return asSentence("Choose", strings.TrimPrefix(between(low, high, "", ""), "from "))
}

// between words a range; either end may be missing.
func between(low, high, one, many string) string {
	noun := many
	if high == "1" || high == "" && low == "1" {
		noun = one
	}
	text := ""
	switch {
	case low != "" && low == high:
		text = "exactly " + low
	case low != "" && high != "":
		text = "from " + low + " to " + high
	case low != "":
		text = "at least " + low
	case high != "":
		text = "at most " + high
	}
	return strings.TrimSpace(text + " " + noun)
}

func count(n *int) string {
	if n == nil || *n == 0 {
		return ""
	}
	return strconv.Itoa(*n)
}

// asSentence makes a sentence of two parts, of which one may be missing.
func asSentence(first, rest string) string {
	if strings.HasSuffix(first, "number") && rest != "" && !strings.HasPrefix(rest, "from ") && !strings.HasPrefix(rest, "exactly ") {
		first += ","
	}
	text := strings.TrimSpace(first + " " + rest)
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
