package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// output is how what an operation returns becomes an answer: a struct with a Body, with
// strings that are headers by their tag, and with a Status where it may be this or that.
type output struct {
	status  int // where the struct has none
	varies  int // the field that has it; negative: none
	headers []header
	body    int          // the field of the body; negative: none
	schema  *huma.Schema // of a body that is JSON
}

type header struct {
	name   string
	field  int
	schema *huma.Schema
}

// streamed is an answer that writes itself, with its status and its headers.
type streamed struct {
	Body func(http.ResponseWriter, *http.Request)
}

// outputOf reads the type of what an operation returns, which is a pointer.
func outputOf(pointer reflect.Type, schemas huma.Registry, o operation) (*output, error) {
	t, err := structOf(pointer)
	if err != nil {
		return nil, err
	}
	out := &output{status: o.status, varies: -1, body: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		switch name := f.Tag.Get("header"); {
		case f.Name == "Status" && f.Type == reflect.TypeFor[int]() && f.Tag == "":
			out.varies = i
		case f.Name == "Body" && f.Tag == "":
			out.body = i
		case name != "" && foreignTag(f, []string{"header"}) == "" && f.Type == reflect.TypeFor[string]():
			out.headers = append(out.headers, header{name, i, huma.SchemaFromField(schemas, f, "")})
		default:
			return nil, fmt.Errorf("%s: it is neither the status, nor a header, nor the body", f.Name)
		}
	}
	if out.body < 0 {
		out.status = cmp.Or(o.status, http.StatusNoContent)
		return out, nil
	}
	out.status = cmp.Or(o.status, http.StatusOK)
	return out, out.setBody(t, schemas, o.id)
}

// setBody reads the type of the body.
func (o *output) setBody(t reflect.Type, schemas huma.Registry, id string) error {
	f := t.Field(o.body)
	typed := slices.ContainsFunc(o.headers, func(h header) bool { return h.name == "Content-Type" })
	switch raw := f.Type == reflect.TypeFor[[]byte](); {
	case raw && typed, f.Type == reflect.TypeFor[streamed]().Field(0).Type:
		return nil
	case raw || typed:
		return fmt.Errorf("%s: bytes have a Content-Type, and nothing else has", f.Name)
	case reflect.PointerTo(f.Type).Implements(reflect.TypeFor[huma.ContentTypeFilter]()):
		return fmt.Errorf("%s: nobody asks a %s for its content type", f.Name, f.Type)
	}
	if o.schema = huma.SchemaFromField(schemas, f, hint(t, f, id+"Response")); o.schema == nil {
		return fmt.Errorf("%s: nobody writes a %s", f.Name, f.Type)
	}
	return nil
}

// describe adds what clients are told of the answer.
func (o *output) describe(to map[string]*huma.Response) {
	status := strconv.Itoa(o.status)
	if to[status] == nil {
		to[status] = &huma.Response{Description: http.StatusText(o.status)}
	}
	described := to[status]
	if o.schema != nil && described.Content == nil {
		described.Content = map[string]*huma.MediaType{"application/json": {Schema: o.schema}}
	}
	for _, h := range o.headers {
		if described.Headers == nil {
			described.Headers = map[string]*huma.Header{}
		}
		described.Headers[h.name] = &huma.Header{Schema: h.schema}
	}
}

// write answers with what an operation returned. If that is an error, nothing was sent.
func (o *output) write(w http.ResponseWriter, r *http.Request, returned any) (status int, err error) {
	v := reflect.ValueOf(returned)
	if v.IsNil() {
		w.WriteHeader(o.status)
		return o.status, nil
	}
	v, status = v.Elem(), o.status
	if o.varies >= 0 {
		status = int(v.Field(o.varies).Int())
	}
	var text []byte
	if o.body >= 0 {
		switch body := v.Field(o.body).Interface().(type) {
		case func(http.ResponseWriter, *http.Request):
			body(w, r)
			return status, nil
		case []byte:
			text = body
		default:
			if text, err = encode(body); err != nil {
				return 0, err
			}
			w.Header().Set("Content-Type", "application/json")
		}
	}
	for _, h := range o.headers {
		if value := v.Field(h.field).String(); value != "" {
			w.Header().Set(h.name, value)
		}
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // whoever has gone is told nothing
	return status, nil
}

// encode writes a value as JSON, on a line.
func encode(value any) ([]byte, error) {
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	err := to.Encode(value)
	return text.Bytes(), err
}
