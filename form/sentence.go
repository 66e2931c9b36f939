package form

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// sentence says in the person's terms what is wrong with a field, or with its item at the given place if that is not
// negative.
func sentence(f Field, rule string, place int) string {
	subject := shown(f.Label())
	if place >= 0 {
		subject += ", choice " + strconv.Itoa(place+1) + ","
		return subject + " must be " + offered(f.Options) + "."
	}
	switch rule {
	case "required":
		return subject + " is required."
	case "type", "enum":
		return subject + " must be " + expected(f) + "."
	case "format":
		return subject + " must be " + formatted(f.Format) + "."
	case "minLength":
		return subject + " must be at least " + counted(*f.MinLength, "character") + " long."
	case "maxLength":
		return subject + " must be at most " + counted(*f.MaxLength, "character") + " long."
	case "minimum":
		return subject + " must be at least " + string(f.Minimum) + "."
	case "maximum":
		return subject + " must be at most " + string(f.Maximum) + "."
	case "exclusiveMinimum":
		return subject + " must be more than " + string(f.Above) + "."
	case "exclusiveMaximum":
		return subject + " must be less than " + string(f.Below) + "."
	case "multipleOf":
		return subject + " must be a multiple of " + string(f.MultipleOf) + "."
	case "const":
		return subject + " must be " + map[bool]string{true: "yes", false: "no"}[*f.Only] + "."
	case "minItems":
		return subject + " must have at least " + counted(*f.MinItems, "choice") + "."
	case "maxItems":
		return subject + " must have at most " + counted(f.maxItems(), "choice") + "."
	case "uniqueItems":
		return subject + " must not have the same choice twice."
	}
	return subject + " does not fit the form."
}

func expected(f Field) string {
	switch f.Kind {
	case Number:
		return "a number"
	case Integer:
		return "a whole number"
	case Boolean:
		return "true or false"
	case Choice:
		return offered(f.Options)
	case Choices:
		return "a list of choices"
	}
	return "text"
}

func formatted(format string) string {
	switch format {
	case "email":
		return "an email address such as name@example.com"
	case "uri":
		return "a full address such as https://example.com/page"
	case "date":
		return "a date such as 2026-01-31"
	case "date-time":
		return "a date and time with a time zone such as 2026-01-31T09:30:00Z"
	}
	return "in the right format"
}

// offered lists the options while they fit into a sentence.
func offered(options []Option) string {
	const few = 6
	if len(options) > few {
		return "one of the " + strconv.Itoa(len(options)) + " choices offered"
	}
	var b strings.Builder
	for i, o := range options {
		switch {
		case i == 0:
		case i == len(options)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(shown(o.Label()))
	}
	return b.String()
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// shown makes a foreign label part of a sentence: on one line, not too long, and in quotes where its own punctuation
// would end the sentence.
func shown(label string) string {
	const long = 80
	label = strings.Join(strings.Fields(label), " ")
	label = strings.TrimRight(label, ":* ")
	if utf8.RuneCountInString(label) > long {
		label = string([]rune(label)[:long]) + "…"
	}
	if label == "" || strings.ContainsAny(label[len(label)-1:], "?!.,;") {
		return "“" + label + "”"
	}
	return label
}

// subject is the beginning of a sentence about a place in content that could not be read.
func (s *Schema) subject(path string) string {
	if path == "" {
		return "The answer"
	}
	for _, f := range s.fields {
		if f.Name == path {
			return shown(f.Label())
		}
	}
	return shown(path)
}
