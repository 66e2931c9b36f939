package form_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley/form"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func parse(t *testing.T, raw string) *form.Schema {
	t.Helper()
	s, err := form.Parse([]byte(raw), nil)
	if err != nil {
		t.Fatalf("Parse(%s): %v", raw, err)
	}
	return s
}

// one returns the schema of a form with the one optional field "f".
func one(field string) string { return `{"type":"object","properties":{"f":` + field + `}}` }
