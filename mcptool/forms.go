package mcptool

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/parley-hq/parley/form"
)

// forms keeps the schemas of the types that tools ask with: making one costs
// more than everything else that asking does. There are as many as the program
// has such types.
type forms struct {
	byType sync.Map // reflect.Type to json.RawMessage, which nobody changes
}

func (f *forms) of(t reflect.Type) (json.RawMessage, error) {
	if known, ok := f.byType.Load(t); ok {
		return known.(json.RawMessage), nil
	}
	schema, err := form.ForType(t)
	if err != nil {
		return nil, err
	}
	known, _ := f.byType.LoadOrStore(t, schema.JSON())
	return known.(json.RawMessage), nil
}
