package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley/strictjson"
)

const (
	maxBody    = 1 << 20 // bytes of a request, and one less is taken
	maxDepth   = 64      // how deep a body may be: a form, or the details of an action
	bodyWithin = 5 * time.Second
)

// body is what of an input comes as the body of a request.
type body struct {
	field  int
	schema *huma.Schema
}

// bodyOf reads the type of a body.
func bodyOf(f reflect.StructField, field int, schemas huma.Registry, hint string) (*body, error) {
	if f.Type.Kind() != reflect.Struct || f.Tag != "" {
		return nil, errors.New("a body is a struct, and has no tags")
	}
	if err := checkType(f.Type); err != nil {
		return nil, err
	}
	return &body{field: field, schema: huma.SchemaFromField(schemas, f, hint)}, nil
}

// receive reads what was sent, once.
func receive(w http.ResponseWriter, r *http.Request) ([]byte, *huma.ErrorModel) {
	defer func() { _ = r.Body.Close() }() // within the deadline, unless all has come
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // where that is not possible, the server's limit holds
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	var slow net.Error
	switch {
	case len(data) == maxBody:
		return nil, problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("request body is too large limit=%d bytes", maxBody))
	case errors.As(err, &slow) && slow.Timeout():
		return nil, problem(http.StatusRequestTimeout, "request body read timeout")
	case err != nil:
		return nil, problem(http.StatusBadRequest, "The body breaks off, or is not sent as HTTP has it. Send it again.")
	}
	_ = control.SetReadDeadline(time.Time{})
	if len(data) == 0 {
		return nil, problem(http.StatusBadRequest, "request body is required")
	}
	return data, nil
}

// read validates a body and reads it into its type. The status is for what is wrong.
func (b *body) read(data []byte, kind string, into any, schemas huma.Registry) (status int, wrong []*huma.ErrorDetail) {
	if !isJSON(kind) {
		return http.StatusUnsupportedMediaType, atBody("unknown content type: " + kind)
	}
	value, err := readBody(data)
	if err != nil {
		return http.StatusBadRequest, atBody(err.Error())
	}
	status = http.StatusUnprocessableEntity
	if wrong = validate(schemas, b.schema, "body", value); len(wrong) > 0 {
		return status, wrong
	}
	// The type takes from these bytes what was validated, and nothing else. No name comes twice, or is a field's in other
	// letters (readBody); none is there that no field has (the schema); and no field has another name than in its schema
	// (checkType). Where a type is narrower than its schema, as for 1e3, this fails.
	if err := json.Unmarshal(data, into); err != nil {
		return status, atBody(err.Error())
	}
	return status, nil
}

func atBody(message string) []*huma.ErrorDetail {
	return []*huma.ErrorDetail{{Location: "body", Message: message}}
}

// isJSON reports whether a content type is JSON, or what is written as JSON. Where none is
// said, it is.
func isJSON(kind string) bool {
	name, _, _ := strings.Cut(kind, ";")
	name = strings.TrimRight(name, " \t") // which may stand before the semicolon
	if _, suffix, is := strings.Cut(name, "+"); is {
		name = suffix
	}
	return slices.Contains([]string{"", "json", "application/json"}, strings.ToLower(name))
}

// readBody reads JSON of which two readers cannot make different things, to be validated.
func readBody(data []byte) (any, error) {
	v, err := strictjson.Read(data, maxDepth)
	if err != nil {
		if broken := json.Unmarshal(data, new(any)); broken != nil {
			return nil, broken // which says where
		}
		return nil, fmt.Errorf("body has a member that is not clear: %w", err)
	}
	return plain(v, "body", false)
}

// memberName is the form of every member's name here.
var memberName = regexp.MustCompile(`^[a-z_]{1,64}$`)

// freeNames are the members below which names are not ours: they are free where it is a
// map, and all the way down where a program's own JSON begins.
var freeNames = []string{"auth_params", "labels", "requested_schema", "details"}

// plain is a value as schemas see it. It refuses names that no member has.
func plain(v any, at string, free bool) (_ any, err error) {
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			if v[i], err = plain(one, at, free); err != nil {
				return nil, err
			}
		}
	case strictjson.Object:
		members := make(map[string]any, len(v))
		for _, m := range v {
			if !free && !memberName.MatchString(m.Name) {
				return nil, fmt.Errorf("%s has a member that is not known: %.64q", at, m.Name)
			}
			if members[m.Name], err = plain(m.Value, at+"."+m.Name, free || slices.Contains(freeNames, m.Name)); err != nil {
				return nil, err
			}
		}
		return members, nil
	}
	return v, nil
}

// memberTags are the tags that JSON, or the schema of a member, looks at.
var memberTags = []string{
	"json", "doc", "example", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "nullable", "writeOnly",
}

var (
	resolver       = reflect.TypeFor[huma.Resolver]()
	placedResolver = reflect.TypeFor[huma.ResolverWithPath]()
	freeTypes      = []reflect.Type{reflect.TypeFor[json.RawMessage](), reflect.TypeFor[map[string]string]()}
)

// checkType says what of a type would not be looked at, or would be read otherwise than it
// is validated. A type with an UnmarshalJSON of its own has to read what JSON reads.
func checkType(t reflect.Type) error {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && !slices.Contains(freeTypes, t) {
		t = t.Elem()
	}
	switch kind := t.Kind(); {
	case reflect.PointerTo(t).Implements(resolver), reflect.PointerTo(t).Implements(placedResolver):
		return fmt.Errorf("%s checks itself, which nobody asks it to", t)
	case t == reflect.TypeFor[time.Time](), kind == reflect.String, kind >= reflect.Bool && kind <= reflect.Float64:
		return nil
	case kind != reflect.Struct:
		return fmt.Errorf("nobody reads a %s", t)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !f.Anonymous {
			continue // JSON passes it over
		}
		if err := checkMember(f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func checkMember(f reflect.StructField) error {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	free := slices.Contains(freeNames, name)
	switch {
	case f.Anonymous || !memberName.MatchString(name) || options != "" && options != "omitempty":
		return fmt.Errorf("it is no member as bodies have them: %s", f.Tag)
	case foreignTag(f, memberTags) != "":
		return fmt.Errorf("nobody looks at %s of %s", foreignTag(f, memberTags), f.Tag)
	case free && !slices.Contains(freeTypes, f.Type):
		return fmt.Errorf("names below %s are free, so a %s may be read otherwise than it is validated", name, f.Type)
	case free:
		return nil
	}
	return checkType(f.Type)
}
