package form

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// For infers the form of a Go struct, so that Decode reads the content which Check returns into a T. Without dates
// encoding/json does too.
//
// Names come from json tags, and embedded structs are flattened, as encoding/json does it. A field is required unless
// it is a pointer or has omitempty or omitzero. The jsonschema tag is the description. The form tag holds the rest,
// separated by commas: title, format, minLength, maxLength, minimum, maximum, minItems, maxItems, default, enum and
// titles (values separated by |), and the bare words required and optional. A value with a comma in it stands in single
// quotes; a single quote inside those is doubled:
//
//	Color string `json:"color" jsonschema:"Of the car" form:"title='Colour, please',enum=red|blue,default=red"`
//
// Strings, booleans, integers, floats, json.Number, time.Time (date-time, or date with format=date), []string with enum (choices), types derived
// from them and pointers to them are allowed. Small integers get the bounds of their Go type, unsigned ones a minimum
// of 0. The error is an ErrSchema, an ErrNested or an ErrTooLarge that names the Go field.
//
// The result is not cached: keep it.
func For[T any]() (*Schema, error) { return ForType(reflect.TypeFor[T]()) }

// ForType is For for a type known only at run time: a struct or a pointer to one.
func ForType(t reflect.Type) (*Schema, error) {
	if t == nil {
		return nil, refuse(ErrSchema, "", "a form is made of a struct, not of nil")
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		return nil, refuse(ErrSchema, t.String(), "a form is made of a struct")
	}
	root := t.Name()
	if root == "" {
		root = "struct"
	}
	members, err := structMembers(t, root, 0, nil)
	if err != nil {
		return nil, err
	}
	var fields []Field
	places := map[string]string{}
	for _, m := range dominant(members) {
		f, err := inferField(m)
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
		places[f.Name] = m.path
	}
	return build(fields, (*Limits)(nil).orDefault(), false, func(f Field) string { return places[f.Name] })
}

// structMember is a Go field that encoding/json would consider.
type structMember struct {
	reflect.StructField
	path     string // in Go's terms, such as Order.Address.City
	name     string
	tagged   bool
	optional bool
	depth    int
}

func structMembers(t reflect.Type, path string, depth int, within []reflect.Type) ([]structMember, error) {
	if slices.Contains(within, t) { // an embedded pointer to itself
		return nil, nil
	}
	within = append(within, t)
	var members []structMember
	for i := range t.NumField() {
		sf := t.Field(i)
		m := structMember{StructField: sf, path: path + "." + sf.Name, name: sf.Name, depth: depth}
		if err := m.readJSONTag(); err != nil {
			return nil, err
		}
		embedded := sf.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		isStruct := embedded.Kind() == reflect.Struct && embedded != reflect.TypeFor[time.Time]()
		switch {
		case sf.Tag.Get("json") == "-":
		case sf.Anonymous && isStruct && !m.tagged:
			if !sf.IsExported() && sf.Type.Kind() == reflect.Pointer {
				return nil, refuse(ErrSchema, m.path, "encoding/json cannot fill an embedded pointer to an unexported struct")
			}
			inner, err := structMembers(embedded, m.path, depth+1, within)
			if err != nil {
				return nil, err
			}
			members = append(members, inner...)
		case sf.IsExported():
			members = append(members, m)
		}
	}
	return members, nil
}

func (m *structMember) readJSONTag() error {
	name, rest, _ := strings.Cut(m.Tag.Get("json"), ",")
	if name != "" {
		if strings.ContainsFunc(name, ignoredByJSON) {
			return refuse(ErrSchema, m.path, "encoding/json ignores the name %q in the json tag", name)
		}
		m.name, m.tagged = name, true
	}
	m.optional = m.Type.Kind() == reflect.Pointer
	for option := range strings.SplitSeq(rest, ",") {
		switch option {
		case "omitempty", "omitzero":
			m.optional = true
		case "string":
			return refuse(ErrSchema, m.path, "the json option \"string\" is not supported")
		}
	}
	return nil
}

// ignoredByJSON tells whether a rune in a json tag makes encoding/json fall back to the Go name.
func ignoredByJSON(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
}

// dominant leaves one member per name, as encoding/json does: the least nested, then the tagged one, else none.
func dominant(members []structMember) []structMember {
	byName := map[string][]structMember{}
	for _, m := range members {
		byName[m.name] = append(byName[m.name], m)
	}
	winner := map[string]string{}
	for name, rivals := range byName {
		rank := func(m structMember) int {
			if m.tagged {
				return 2 * m.depth
			}
			return 2*m.depth + 1
		}
		slices.SortStableFunc(rivals, func(a, b structMember) int { return cmp.Compare(rank(a), rank(b)) })
		if len(rivals) == 1 || rank(rivals[0]) != rank(rivals[1]) {
			winner[name] = rivals[0].path
		}
	}
	return slices.DeleteFunc(members, func(m structMember) bool { return winner[m.name] != m.path })
}

func inferField(m structMember) (Field, error) {
	tag, err := readTag(m.path, m.Tag.Get("form"))
	if err != nil {
		return Field{}, err
	}
	f := Field{Name: m.name, Description: m.Tag.Get("jsonschema"), Required: !m.optional}
	if key, _, ok := strings.Cut(f.Description, "="); ok && key != "" && !strings.ContainsAny(key, " ,.") {
		return Field{}, refuse(ErrSchema, m.path, "the jsonschema tag is the description; %q belongs in the form tag", key)
	}
	t := m.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, isChoice := tag.values["enum"]
	if err := inferKind(&f, t, m.path, isChoice); err != nil {
		return Field{}, err
	}
	if err := tag.apply(&f); err != nil {
		return Field{}, err
	}
	if isTime(m.Type) && f.Format != "date" && f.Format != "date-time" {
		return Field{}, refuse(ErrSchema, m.path, "a time.Time is asked for as a date or as a date-time, not as %q", f.Format)
	}
	return f, nil
}

func inferKind(f *Field, t reflect.Type, path string, isChoice bool) error {
	switch t.Kind() {
	case reflect.String:
		f.Kind = String
		switch {
		case t == reflect.TypeFor[json.Number]():
			f.Kind = Number
		case isChoice:
			f.Kind = Choice
		}
	case reflect.Bool:
		f.Kind = Boolean
	case reflect.Int8, reflect.Int16, reflect.Int32:
		bound := int64(1) << (t.Bits() - 1)
		f.Kind = Integer
		f.Minimum = json.Number(strconv.FormatInt(-bound, 10))
		f.Maximum = json.Number(strconv.FormatInt(bound-1, 10))
	case reflect.Int, reflect.Int64:
		f.Kind = Integer
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		f.Kind = Integer
		f.Minimum, f.Maximum = "0", json.Number(strconv.FormatUint(1<<t.Bits()-1, 10))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		f.Kind, f.Minimum = Integer, "0"
	case reflect.Float32, reflect.Float64:
		f.Kind = Number
	case reflect.Slice:
		if t.Elem().Kind() != reflect.String || !isChoice {
			return refuse(ErrNested, path, "a %s cannot be asked in a form; only []string with enum in its form tag can", t)
		}
		f.Kind = Choices
	case reflect.Struct:
		if t != reflect.TypeFor[time.Time]() {
			return refuse(ErrNested, path, "a struct inside a form is not allowed")
		}
		f.Kind, f.Format = String, "date-time"
	case reflect.Map, reflect.Array, reflect.Pointer:
		return refuse(ErrNested, path, "a %s cannot be asked in a form", t)
	default:
		return refuse(ErrSchema, path, "a %s cannot be asked in a form", t)
	}
	return nil
}
