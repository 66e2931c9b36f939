package form

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Decode reads content that Check returned into a struct that For has made the form of. It is json.Unmarshal, and reads
// the dates of time.Time fields with format=date too: as the beginning of that day, in UTC.
func Decode(content []byte, into any) error {
	dates, err := dateFields(reflect.TypeOf(into))
	if err != nil {
		return err
	}
	if len(dates) == 0 {
		return json.Unmarshal(content, into)
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(content, &values); err != nil {
		return err
	}
	for _, name := range dates {
		var text *string
		if err := json.Unmarshal(values[name], &text); err != nil || text == nil {
			continue // not there, or for Unmarshal to refuse
		}
		day, err := time.Parse(time.DateOnly, *text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if values[name], err = json.Marshal(day); err != nil {
			return err
		}
	}
	if content, err = json.Marshal(values); err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}

// dateFields are the names of the time.Time fields that a form asks for as dates.
func dateFields(t reflect.Type) (names []string, err error) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		return nil, nil
	}
	members, err := structMembers(t, t.Name(), 0, nil)
	if err != nil {
		return nil, err
	}
	for _, m := range dominant(members) {
		if isTime(m.Type) {
			f, err := inferField(m)
			if err != nil {
				return nil, err
			}
			if f.Format == "date" {
				names = append(names, f.Name)
			}
		}
	}
	return names, nil
}

// isTime reports whether a field is a time.Time, or a pointer to one.
func isTime(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == reflect.TypeFor[time.Time]()
}
