package blockkit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// rule checks a value at a place.
type rule func(k *checker, at string, v any)

// shape is what an object has: the rules of its fields. Those whose names end with an
// asterisk are required.
type shape map[string]rule

// object checks the fields of an object: all that are there are known, and all that
// are required are there.
func object(s shape) rule {
	known, required := map[string]rule{}, []string{}
	for name, r := range s {
		if name[len(name)-1] == '*' {
			name = name[:len(name)-1]
			required = append(required, name)
		}
		known[name] = r
	}
	slices.Sort(required)
	return func(k *checker, at string, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			k.wrong(at, "must provide an object")
			return
		}
		for _, name := range required {
			if _, there := o[name]; !there {
				k.wrong(at, "missing required field: "+name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if r := known[name]; r == nil {
				k.wrong(at, "invalid additional property: "+name)
			} else {
				r(k, at+"/"+name, o[name])
			}
		}
	}
}

// kinds checks an object by its type, which is one of these. What Slack says of an
// object that fits none of several is said of the whole, too.
func kinds(of map[string]rule) rule {
	return func(k *checker, at string, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			k.wrong(at, "must provide an object")
			return
		}
		name, isText := o["type"].(string)
		if _, there := o["type"]; !there || !isText {
			k.wrong(at, "missing required field: type")
			return
		}
		r := of[name]
		if r == nil {
			k.wrong(at+"/type", "unsupported type: "+name)
			return
		}
		before := len(k.problems)
		r(k, at, v)
		if len(of) > 1 && len(k.problems) > before {
			k.problems = slices.Insert(k.problems, before, Problem{"failed to match all allowed schemas", at})
		}
	}
}

// only takes some of the kinds that there are.
func only(of map[string]rule, names ...string) rule {
	some := map[string]rule{}
	for _, name := range names {
		if of[name] == nil {
			panic(name)
		}
		some[name] = of[name]
	}
	return kinds(some)
}

// str is a string of so many characters.
func str(least, most int) rule {
	return func(k *checker, at string, v any) {
		s, ok := v.(string)
		switch length := utf8.RuneCountInString(s); {
		case !ok:
			k.wrong(at, "must provide a string")
		case length < least:
			k.wrong(at, fmt.Sprintf("must be more than %d characters", least-1))
		case length > most:
			k.wrong(at, fmt.Sprintf("must be less than %d characters", most+1))
		}
	}
}

// list is an array of so many items.
func list(least, most int, item rule) rule {
	return func(k *checker, at string, v any) {
		l, ok := v.([]any)
		switch {
		case !ok:
			k.wrong(at, "must provide an array")
		case len(l) < least:
			k.wrong(at, fmt.Sprintf("no less than %d items allowed", least))
		case len(l) > most:
			k.wrong(at, fmt.Sprintf("no more than %d items allowed", most))
		default:
			for i, one := range l {
				item(k, at+"/"+strconv.Itoa(i), one)
			}
		}
	}
}

// constant is a string that is one of these.
func constant(of ...string) rule {
	return func(k *checker, at string, v any) {
		if s, ok := v.(string); !ok || !slices.Contains(of, s) {
			k.wrong(at, fmt.Sprintf("must be a valid enum value: %v", of))
		}
	}
}

func boolean(k *checker, at string, v any) {
	if _, ok := v.(bool); !ok {
		k.wrong(at, "must provide a boolean")
	}
}

// integer is a whole number in a range.
func integer(least, most int64) rule {
	return func(k *checker, at string, v any) {
		n, ok := whole(v)
		switch {
		case !ok:
			k.wrong(at, "must provide an integer")
		case n < least || n > most:
			k.wrong(at, fmt.Sprintf("must be between %d and %d", least, most))
		}
	}
}

func whole(v any) (int64, bool) {
	switch n := v.(type) {
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	case float64:
		return int64(n), n == float64(int64(n))
	case int:
		return int64(n), true
	case int64:
		return n, true
	}
	return 0, false
}

// and is all rules.
func and(all ...rule) rule {
	return func(k *checker, at string, v any) {
		for _, r := range all {
			r(k, at, v)
		}
	}
}

func anything(*checker, string, any) {}
