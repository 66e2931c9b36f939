package form

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Most forms ask for plain things, and most answers fit. Compiling the validator for one that is answered once costs more
// than everything else that its question does, so it is left to what is not plain: a value of which nothing here can say that
// it fits. What does not fit is always its to name.

// plainlyFit reports whether the values that are there are certain to fit their fields.
func (s *Schema) plainlyFit(values map[string]any) bool {
	for i, f := range s.fields {
		if v, ok := values[strconv.Itoa(i)]; ok && !f.plainlyFits(v) {
			return false
		}
	}
	return true
}

// complete reports whether no value is missing that has to be there.
func (s *Schema) complete(values map[string]any) bool {
	for i, f := range s.fields {
		if _, ok := values[strconv.Itoa(i)]; f.Required && !ok {
			return false
		}
	}
	return true
}

func (f Field) plainlyFits(v any) bool {
	switch v := v.(type) {
	case string:
		switch f.Kind {
		case String:
			return f.Format == "" && within(utf8.RuneCountInString(v), f.MinLength, f.MaxLength)
		case Choice:
			return f.Of == "" && f.offers(v)
		}
	case bool:
		return f.Kind == Boolean && (f.Only == nil || *f.Only == v)
	case json.Number:
		return (f.Kind == Number || f.Kind == Integer) && f.plainlyHolds(v)
	case []any:
		return f.Kind == Choices && f.plainlyChosen(v)
	}
	return false
}

func (f Field) offers(value string) bool {
	return slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == value })
}

// plainlyHolds is for numbers of few digits and nothing else.
func (f Field) plainlyHolds(n json.Number) bool {
	const short = 16
	if _, err := strconv.ParseInt(string(n), 10, 64); err != nil || len(n) > short || f.MultipleOf != "" {
		return false
	}
	value := exact(n)
	return (f.Minimum == "" || value.Cmp(exact(f.Minimum)) >= 0) && (f.Maximum == "" || value.Cmp(exact(f.Maximum)) <= 0) &&
		(f.Above == "" || value.Cmp(exact(f.Above)) > 0) && (f.Below == "" || value.Cmp(exact(f.Below)) < 0)
}

func (f Field) plainlyChosen(list []any) bool {
	if most := f.maxItems(); !within(len(list), f.MinItems, &most) {
		return false
	}
	for i, one := range list {
		v, ok := one.(string)
		if !ok || !f.offers(v) || slices.Contains(list[:i], one) {
			return false
		}
	}
	return true
}

func within(n int, low, high *int) bool {
	return (low == nil || n >= *low) && (high == nil || n <= *high)
}
