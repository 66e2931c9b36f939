package permit

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// kindOfValue is what people call the type of a value; numbers are of one kind.
func kindOfValue(v ref.Val) string {
	switch v.(type) {
	case types.Int, types.Uint, types.Double:
		return "a number"
	case types.String:
		return "a text"
	case types.Bool:
		return "true or false"
	case types.Null:
		return "null"
	case traits.Lister:
		return "a list"
	case traits.Mapper:
		return "an object"
	}
	return v.Type().TypeName()
}

func differentTypes(a, b ref.Val) ref.Val {
	return types.NewErr("%s is compared with %s", kindOfValue(a), kindOfValue(b))
}

// fit reports whether two values are of one kind, with all that lists and objects have in the
// same place, and else the first two that are not.
func fit(left, right ref.Val) (a, b ref.Val, ok bool) {
	if kindOfValue(left) != kindOfValue(right) {
		return left, right, false
	}
	switch left := left.(type) {
	case traits.Lister:
		right := right.(traits.Lister)
		if left.Size() != right.Size() {
			return nil, nil, true
		}
		for one, other := left.Iterator(), right.Iterator(); one.HasNext() == types.True; {
			if a, b, ok = fit(one.Next(), other.Next()); !ok {
				return a, b, false
			}
		}
	case traits.Mapper:
		right := right.(traits.Mapper)
		for keys := left.Iterator(); keys.HasNext() == types.True; {
			key := keys.Next()
			if other, known := right.Find(key); known {
				if a, b, ok = fit(left.Get(key), other); !ok {
					return a, b, false
				}
			}
		}
	}
	return nil, nil, true
}

// memberFits reports whether a value could have been in a list or an object that it is not in. Of a list
// that the rule has written out one element of its kind is enough: several kinds are meant.
func memberFits(member, in ref.Val, written bool) (a, b ref.Val, ok bool) {
	switch in := in.(type) {
	case traits.Mapper:
		if _, text := member.(types.String); !text {
			return member, types.String(""), false
		}
	case traits.Lister:
		for all := in.Iterator(); all.HasNext() == types.True; {
			one := all.Next()
			x, y, same := fit(member, one)
			switch {
			case same && written:
				return nil, nil, true
			case !same && a == nil:
				a, b = x, y
			}
		}
	}
	return a, b, a == nil
}

// isWritten reports whether a part is a list that the rule has written out.
func isWritten(part interpreter.Interpretable) bool {
	if m, ok := part.(*meteredPart); ok {
		part = m.Interpretable
	}
	switch part.(type) {
	case interpreter.InterpretableConstructor, interpreter.InterpretableConst:
		return true
	}
	return false
}

func isNull(part interpreter.Interpretable) bool {
	constant, ok := part.(interpreter.InterpretableConst)
	return ok && constant.Value() == types.NullValue
}

// undeclaredType reports an argument of another type than its tool declares. A server that takes
// it nevertheless makes of it what no expression sees: size is that of a text and of a list.
func undeclaredType(schema json.RawMessage, args object) error {
	var declared struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &declared) != nil {
		return nil // none, or nobody knows what it says
	}
	for _, m := range args {
		var property struct {
			Type any `json:"type"`
		}
		if m.Value == nil || json.Unmarshal(declared.Properties[m.Name], &property) != nil || property.Type == nil {
			continue // null stands for what is left out, and nothing is taken of it
		}
		names, several := property.Type.([]any)
		if !several {
			names = []any{property.Type}
		}
		if !slices.ContainsFunc(names, func(name any) bool { return isOfType(m.Value, name) }) {
			return fmt.Errorf("the argument %s is not of the type that the tool declares", label(m.Name, ""))
		}
	}
	return nil
}

// isOfType reports whether a value is what JSON Schema calls so. Of a type that is not known
// everything is.
func isOfType(v, name any) bool {
	switch name {
	case "string":
		_, is := v.(string)
		return is
	case "number", "integer":
		_, is := v.(json.Number)
		return is
	case "boolean":
		_, is := v.(bool)
		return is
	case "array":
		_, is := v.([]any)
		return is
	case "object":
		_, is := v.(object)
		return is
	case "null":
		return false
	}
	return true
}
