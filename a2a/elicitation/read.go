package elicitation

import (
	"encoding/json"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/strictjson"
)

// Questions are what a message asks. Messages that do not name the extension ask
// nothing by it. Members of a question that are not known are passed over; fields of a
// form are in the order that the asker meant. The error is an ErrMalformed.
func Questions(m *a2a.Message) ([]Question, error) {
	if m == nil || !slices.Contains(m.Extensions, URI) {
		return nil, nil
	}
	var all []Question
	err := each(m, func(o *object) {
		q := Question{
			ID: o.text("elicitationId", maxName, true), Mode: Mode(o.text("mode", maxName, true)), Message: o.text("message", maxMessage, true),
			URL: o.text("url", maxURL, false), From: o.text("from", maxName, false), SettledBy: o.text("settledBy", maxName, false),
			ExpiresAt: o.time("expiresAt"),
		}
		switch q.Mode {
		case Form:
			q.RequestedSchema, q.Secret = o.schema()
		case URL:
			if u, err := url.Parse(q.URL); o.err == nil && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
				o.refuse("url is not an address of the web")
			}
		default:
			o.refuse("mode is neither %q nor %q", Form, URL)
		}
		all = append(all, q)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Answers are what a message answers, whether or not it names the extension: it is
// enough that a data part names a question. An answer has the members that the
// extension gives it and no others; one question is answered once. The error is an
// ErrMalformed.
func Answers(m *a2a.Message) ([]Answer, error) {
	if m == nil {
		return nil, nil
	}
	var all []Answer
	err := each(m, func(o *object) {
		a := Answer{ID: o.text("elicitationId", maxName, true), Action: Action(o.text("action", maxName, true))}
		content, given := o.take("content")
		switch {
		case a.Action != Accept && a.Action != Decline && a.Action != Cancel:
			o.refuse("action is none of %q, %q and %q", Accept, Decline, Cancel)
		case given && a.Action != Accept:
			o.refuse("there is content although the question is not accepted")
		case given:
			a.Content = o.content(content)
		}
		for _, m := range o.members {
			o.refuse("it has a member %.60q, which an answer has not", m.Name)
		}
		if slices.ContainsFunc(all, func(b Answer) bool { return b.ID == a.ID }) {
			o.refuse("the question is answered twice")
		}
		all = append(all, a)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// each reads the data parts that name a question.
func each(m *a2a.Message, read func(*object)) error {
	found := 0
	for i, p := range m.Parts {
		if p == nil {
			continue
		}
		data, ok := p.Content.(a2a.Data)
		if !ok {
			continue
		}
		raw, err := json.Marshal(data.Value)
		if err != nil {
			return malformed(i, "the data is not JSON")
		}
		if !names(data.Value) {
			continue // data of something else
		}
		if found++; found > maxParts {
			return malformed(i, "there are more than %d", maxParts)
		}
		value, err := strictjson.Read(raw, maxDepth)
		if err != nil {
			return malformed(i, "%v", err)
		}
		o := &object{part: i}
		o.members, _ = value.(strictjson.Object)
		if read(o); o.err != nil {
			return o.err
		}
	}
	return nil
}

// names reports whether data names a question.
func names(data any) bool {
	switch o := data.(type) {
	case map[string]any:
		_, ok := o["elicitationId"]
		return ok
	case json.RawMessage:
		var named map[string]json.RawMessage
		return json.Unmarshal(o, &named) == nil && named["elicitationId"] != nil
	}
	return false
}

// object is a part that is being read. Its first fault stays.
type object struct {
	part    int
	members strictjson.Object
	err     error
}

func (o *object) refuse(format string, args ...any) {
	if o.err == nil {
		o.err = malformed(o.part, format, args...)
	}
}

func (o *object) take(name string) (any, bool) {
	v, ok := o.members.Get(name)
	o.members = slices.DeleteFunc(o.members, func(m strictjson.Member) bool { return m.Name == name })
	return v, ok
}

func (o *object) text(name string, most int, required bool) string {
	v, ok := o.take(name)
	s, isText := v.(string)
	switch {
	case !ok && !required:
	case !ok || s == "" && required && isText:
		o.refuse("%s is missing", name)
	case !isText:
		o.refuse("%s is not a text", name)
	case len(s) > most:
		o.refuse("%s has %d bytes, %d are allowed", name, len(s), most)
	case !utf8.ValidString(s):
		o.refuse("%s is not UTF-8", name)
	}
	return s
}

func (o *object) time(name string) time.Time {
	s := o.text(name, maxName, false)
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		o.refuse("%s is not a time as in RFC 3339", name)
	}
	return t.UTC()
}

// schema is a form that people can be shown.
func (o *object) schema() (_ json.RawMessage, secret string) {
	v, ok := o.take("requestedSchema")
	order, _ := o.take("fieldOrder")
	if !ok {
		o.refuse("requestedSchema is missing")
		return nil, ""
	}
	schema, err := form.Parse(strictjson.Append(nil, v, nil), nil)
	if err != nil {
		o.refuse("requestedSchema: %v", err)
		return nil, ""
	}
	var fields []string
	list, _ := order.([]any)
	for _, name := range list {
		if s, ok := name.(string); ok {
			fields = append(fields, s)
		}
	}
	raw, err := ordered(schema, fields)
	if err != nil {
		o.refuse("requestedSchema: %v", err)
	}
	return raw, secretOf(schema, v)
}

// secretOf is the label of a field that asks for a secret: by what it is called, or by its
// format, which no field of ours has.
func secretOf(schema *form.Schema, raw any) string {
	whole, _ := raw.(strictjson.Object)
	properties, _ := whole.Get("properties")
	fields, _ := properties.(strictjson.Object)
	for _, f := range schema.Fields() {
		given, _ := fields.Get(f.Name)
		field, _ := given.(strictjson.Object)
		format, _ := field.Get("format")
		if f.Secret() || format == "password" {
			return f.Label()
		}
	}
	return ""
}

// content is that of an accepted form. Whether it fits its schema is for who asked.
func (o *object) content(v any) json.RawMessage {
	if _, ok := v.(strictjson.Object); !ok {
		o.refuse("content is not an object")
		return nil
	}
	if err := strictjson.Exact(v); err != nil {
		o.refuse("content: %v", err)
		return nil
	}
	raw := strictjson.Append(nil, v, nil)
	if len(raw) > maxContent {
		o.refuse("content has %d bytes, %d are allowed", len(raw), maxContent)
		return nil
	}
	return raw
}
