package api

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// input is how a request becomes what an operation takes: a struct with a field for each
// parameter, named by its tag path, query or header, and one that is called Body.
type input struct {
	of      reflect.Type
	schemas huma.Registry
	params  []param
	body    *body // nil: it takes none, and looks at none
}

// param is a parameter of an operation.
type param struct {
	in, name string
	field    int
	usual    string // where it is not given, or empty
	schema   *huma.Schema
}

// inputOf reads the type of an operation's input, which is a pointer.
func inputOf(pointer reflect.Type, schemas huma.Registry, o operation) (*input, error) {
	t, err := structOf(pointer)
	if err != nil {
		return nil, err
	}
	in := &input{of: t, schemas: schemas}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "Body" {
			in.body, err = bodyOf(f, i, schemas, hint(t, f, o.id+"Request"))
		} else {
			var p param
			p, err = paramOf(f, i, schemas, o.path)
			in.params = append(in.params, p)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return in, nil
}

// structOf returns what a pointer leads to. Resolvers are a feature of huma's that nothing
// here needs.
func structOf(pointer reflect.Type) (reflect.Type, error) {
	if pointer.Kind() != reflect.Pointer || pointer.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is no pointer to a struct", pointer)
	}
	if reflect.PointerTo(pointer.Elem()).Implements(resolver) || reflect.PointerTo(pointer.Elem()).Implements(placedResolver) {
		return nil, fmt.Errorf("%s checks itself, which nobody asks it to", pointer)
	}
	return pointer.Elem(), nil
}

// hint names the schema of a field whose type has no name.
func hint(of reflect.Type, f reflect.StructField, other string) string {
	if of.Name() != "" {
		return of.Name() + f.Name
	}
	return other
}

// paramTypes are what parse reads; paramTags what it, or the schema of a parameter, looks
// at.
var (
	paramTypes = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[bool](), reflect.TypeFor[time.Time]()}
	paramTags  = []string{"path", "query", "header", "default", "doc", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern"}
)

func paramOf(f reflect.StructField, field int, schemas huma.Registry, path string) (param, error) {
	p := param{field: field, usual: f.Tag.Get("default")}
	places := 0
	for _, in := range []string{"path", "query", "header"} {
		if name := f.Tag.Get(in); name != "" {
			p.in, p.name = in, name
			places++
		}
	}
	switch {
	case places != 1 || f.Anonymous || !f.IsExported():
		return p, errors.New("it is neither a parameter of the path, the query or the header, nor the body")
	case p.in == "path" && !strings.Contains(path, "{"+p.name+"}"):
		return p, fmt.Errorf("%s has no %s", path, p.name)
	case foreignTag(f, paramTags) != "" || strings.Contains(p.name, ","):
		return p, fmt.Errorf("nobody looks at %s", f.Tag)
	case !slices.Contains(paramTypes, f.Type) || p.in == "header" && f.Type.Kind() != reflect.String:
		return p, fmt.Errorf("nobody reads a parameter of type %s", f.Type)
	}
	p.schema = huma.SchemaFromField(schemas, f, "")
	return p, nil
}

// tagKeys finds the keys of a struct's tag.
var tagKeys = regexp.MustCompile(`([^\s":]+):"(?:[^"\\]|\\.)*"`)

// foreignTag returns a key of a field's tag that is none of those that are known.
func foreignTag(f reflect.StructField, known []string) string {
	for _, m := range tagKeys.FindAllStringSubmatch(string(f.Tag), -1) {
		if !slices.Contains(known, m[1]) {
			return m[1]
		}
	}
	return ""
}

// describe returns what clients are told of a parameter.
func (p param) describe() *huma.Param {
	described := &huma.Param{Name: p.name, In: p.in, Description: p.schema.Description, Required: p.in == "path", Schema: p.schema}
	if p.in == "query" {
		described.Explode = new(bool)
	}
	return described
}

// read makes of a request what the operation takes, and tells all that is wrong with it.
func (in *input) read(w http.ResponseWriter, r *http.Request) (any, *huma.ErrorModel) {
	query, wrong := in.query(r.URL.RawQuery)
	if len(wrong) > 0 {
		return nil, problem(http.StatusUnprocessableEntity, invalidSentence, wrong...)
	}
	made := reflect.New(in.of)
	for _, p := range in.params {
		wrong = append(wrong, p.read(r, query, made.Elem().Field(p.field).Addr().Interface(), in.schemas)...)
	}
	status := http.StatusUnprocessableEntity
	if in.body != nil {
		data, refused := receive(w, r)
		if refused != nil {
			if refused.Errors == nil {
				refused.Errors = wrong
			}
			return nil, refused
		}
		var more []*huma.ErrorDetail
		status, more = in.body.read(data, r.Header.Get("Content-Type"), made.Elem().Field(in.body.field).Addr().Interface(), in.schemas)
		wrong = append(wrong, more...)
	}
	if len(wrong) > 0 {
		return nil, problem(status, invalidSentence, wrong...)
	}
	return made.Interface(), nil
}

// query reads a query of known parameters. One that some take for another is refused: pairs
// that cannot be read, which others leave out, names alone, which are nothing or true, and
// names that come twice.
func (in *input) query(raw string) (query url.Values, wrong []*huma.ErrorDetail) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, []*huma.ErrorDetail{{Location: "query", Message: "it cannot be read: & stands between parameters, and % before two hexadecimal digits"}}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		known := slices.ContainsFunc(in.params, func(p param) bool { return p.in == "query" && p.name == name })
		alone := func(pair string) bool { said, _ := url.QueryUnescape(pair); return said == name }
		switch {
		case !known:
			wrong = append(wrong, &huma.ErrorDetail{Location: "query." + name, Message: "unknown query parameter"})
		case len(query[name]) > 1:
			wrong = append(wrong, &huma.ErrorDetail{Location: "query." + name, Message: "it is given twice: some take the first, some the last"})
		case slices.ContainsFunc(strings.Split(raw, "&"), alone):
			wrong = append(wrong, &huma.ErrorDetail{Location: "query." + name, Message: "it has no value: give it one behind a =, or leave it out"})
		}
	}
	return query, wrong
}

// read looks for a parameter in a request, and reads it into a field.
func (p param) read(r *http.Request, query url.Values, into any, schemas huma.Registry) []*huma.ErrorDetail {
	text, at := query.Get(p.name), p.in+"."+p.name
	switch p.in {
	case "path": // of which no part is empty: the mux has no operation for that
		text = r.PathValue(p.name)
	case "header":
		text = r.Header.Get(p.name)
		if len(r.Header.Values(p.name)) > 1 {
			return []*huma.ErrorDetail{{Location: at, Message: "it is given twice: some take the first, some the last"}}
		}
	}
	if text = cmp.Or(text, p.usual); text == "" {
		return nil
	}
	value, err := parse(text, into)
	if err != nil {
		return []*huma.ErrorDetail{{Location: at, Message: err.Error()}}
	}
	return validate(schemas, p.schema, at, value)
}

// validate returns what a schema finds wrong with a value.
func validate(schemas huma.Registry, by *huma.Schema, at string, value any) (wrong []*huma.ErrorDetail) {
	var found huma.ValidateResult
	huma.Validate(schemas, by, huma.NewPathBuffer([]byte(at), len(at)), huma.ModeWriteToServer, value, &found)
	for _, one := range found.Errors {
		wrong = append(wrong, one.(*huma.ErrorDetail)) // as huma.ValidateResult adds them
	}
	return wrong
}

// parse reads a parameter into a field, and returns it as its schema sees it.
func parse(text string, into any) (any, error) {
	switch to := into.(type) {
	case *string:
		*to = text
		return text, nil
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, errors.New("invalid integer")
		}
		*to = n
		return n, nil
	case *bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, errors.New("invalid boolean")
		}
		*to = b
		return b, nil
	case *time.Time:
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return nil, errors.New("it is no time as RFC 3339 has it, such as 2026-11-17T09:44:18Z")
		}
		*to = t
		return text, nil
	}
	return nil, fmt.Errorf("nobody reads a %T", into) // of which paramTypes has none
}
