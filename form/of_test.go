package form_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/form"
)

func TestAFormOfFieldsIsTheOneThatItsTextMakes(t *testing.T) {
	fields := []form.Field{
		{Name: "size", Kind: form.Choice, Options: []form.Option{{Value: "s"}, {Value: "l"}}, Required: true, Default: []byte(`"l"`)},
		{Name: "count", Kind: form.Integer, Minimum: "1", Default: []byte(`0`)}, // does not fit
	}
	made, err := form.Of(fields, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := made.Fields(); string(got[0].Default) != `"l"` || got[1].Default != nil || fields[1].Default == nil {
		t.Errorf("%+v", got)
	}
	read, err := form.Parse(made.JSON(), nil)
	if err != nil || string(read.JSON()) != string(made.JSON()) {
		t.Errorf("%v: %s", err, made.JSON())
	}
	for want, wrong := range map[error][]form.Field{
		form.ErrSchema:   {{Name: "", Kind: form.String}},
		form.ErrTooLarge: {{Name: "x", Kind: form.String, Title: strings.Repeat("x", 65<<10)}},
	} {
		if _, err := form.Of(wrong, nil); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}
