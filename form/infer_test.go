package form_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/form"
)

type colour string

type everything struct {
	Text    string      `json:"text" jsonschema:"Shown below it, in full" form:"title='It''s, well, text',minLength=1,maxLength=80,default='a,b'"`
	Mail    *string     `json:"mail" form:"format=email"`
	Note    string      `json:"note,omitempty"`
	Must    *string     `json:"must" form:"required"`
	May     string      `json:"may" form:"optional"`
	Agree   bool        `json:"agree" form:"default=true"`
	Age     int         `json:"age" form:"minimum=18,maximum=99,default=20.0"`
	Small   int8        `json:"small"`
	Byte    uint8       `json:"byte" form:"minimum=1"`
	Big     uint64      `json:"big,omitzero"`
	Share   float32     `json:"share" form:"minimum=0,maximum=1,default=0.50"`
	Exact   json.Number `json:"exact"`
	When    time.Time   `json:"when"`
	Until   *time.Time  `json:"until"`
	Colour  colour      `json:"colour" form:"enum=red|green,titles=Red|Green,default=green"`
	Colours []colour    `json:"colours" form:"enum=red|green|blue,minItems=1,maxItems=2,default=red|blue"`
	Sizes   *[]string   `json:"sizes" form:"enum=s|m,titles=Small|Medium"`
	Wait    time.Duration
	Hidden  string `json:"-"`
	//lint:ignore SA5008 encoding/json has a meaning for it
	Dash bool `json:"-,"`
	//lint:ignore U1000 it must be skipped
	internal string
}

func TestForInfersEveryKindOfField(t *testing.T) {
	s, err := form.For[everything]()
	if err != nil {
		t.Fatal(err)
	}
	want := []form.Field{
		{Name: "text", Title: "It's, well, text", Description: "Shown below it, in full", Kind: form.String, Required: true,
			MinLength: new(1), MaxLength: new(80), Default: []byte(`"a,b"`)},
		{Name: "mail", Kind: form.String, Format: "email"},
		{Name: "note", Kind: form.String},
		{Name: "must", Kind: form.String, Required: true},
		{Name: "may", Kind: form.String},
		{Name: "agree", Kind: form.Boolean, Required: true, Default: []byte(`true`)},
		{Name: "age", Kind: form.Integer, Required: true, Minimum: "18", Maximum: "99", Default: []byte(`20`)},
		{Name: "small", Kind: form.Integer, Required: true, Minimum: "-128", Maximum: "127"},
		{Name: "byte", Kind: form.Integer, Required: true, Minimum: "1", Maximum: "255"},
		{Name: "big", Kind: form.Integer, Minimum: "0"},
		{Name: "share", Kind: form.Number, Required: true, Minimum: "0", Maximum: "1", Default: []byte(`0.50`)},
		{Name: "exact", Kind: form.Number, Required: true},
		{Name: "when", Kind: form.String, Required: true, Format: "date-time"},
		{Name: "until", Kind: form.String, Format: "date-time"},
		{Name: "colour", Kind: form.Choice, Required: true, Default: []byte(`"green"`),
			Options: []form.Option{{Value: "red", Title: "Red"}, {Value: "green", Title: "Green"}}},
		{Name: "colours", Kind: form.Choices, Required: true, MinItems: new(1), MaxItems: new(2), Default: []byte(`["red","blue"]`),
			Options: []form.Option{{Value: "red"}, {Value: "green"}, {Value: "blue"}}},
		{Name: "sizes", Kind: form.Choices, Options: []form.Option{{Value: "s", Title: "Small"}, {Value: "m", Title: "Medium"}}},
		{Name: "Wait", Kind: form.Integer, Required: true},
		{Name: "-", Kind: form.Boolean, Required: true},
	}
	if diff := cmp.Diff(want, s.Fields()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, parse(t, string(s.JSON())).Fields()); diff != "" {
		t.Errorf("read back from JSON: %s", diff)
	}
}

func TestCheckedContentDecodesIntoTheStruct(t *testing.T) {
	s, err := form.For[everything]()
	if err != nil {
		t.Fatal(err)
	}
	content, err := s.Check([]byte(`{"must":"m","small":1e2,"byte":2.0,"big":18446744073709551615,"exact":1.10,"Wait":5,"-":true,
		"when":"2026-01-31T09:30:00+02:00","sizes":["m"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got everything
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	want := everything{Text: "a,b", Must: new("m"), Agree: true, Age: 20, Small: 100, Byte: 2, Big: 1<<64 - 1, Share: 0.5, Exact: "1.10",
		When: time.Date(2026, 1, 31, 7, 30, 0, 0, time.UTC), Colour: "green", Colours: []colour{"red", "blue"}, Sizes: &[]string{"m"},
		Wait: 5, Dash: true}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(everything{})); diff != "" {
		t.Error(diff)
	}
}

type Base struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Shade string
}

type other struct {
	Shade string
	Extra bool `json:"extra"`
}

type Loop struct {
	*Loop
	Round bool `json:"round"`
}

func TestForFlattensEmbeddedStructsAsEncodingJSONDoes(t *testing.T) {
	type flat struct {
		*Base
		other
		Loop
		Name int `json:"name"`
	}
	s, err := form.For[*flat]()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range s.Fields() {
		names = append(names, f.Name+" "+string(f.Kind))
	}
	if diff := cmp.Diff([]string{"id string", "extra boolean", "round boolean", "name integer"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestForAnEmptyStructIsAPlainConfirmation(t *testing.T) {
	s, err := form.For[struct{}]()
	if err != nil || len(s.Fields()) != 0 || string(s.JSON()) != `{"type":"object","properties":{}}` {
		t.Errorf("For = %v, %v", s, err)
	}
}

type hidden struct{ A string }

func TestForRefusesWhatIsNoFormAndNamesTheGoField(t *testing.T) {
	type In struct{ A string }
	tests := []struct {
		of     any
		nested bool
		want   string
	}{
		{struct{ F In }{}, true, "struct.F: a struct inside a form"},
		{struct {
			In `json:"in"`
		}{}, true, "struct.In: a struct inside a form"},
		{struct{ F map[string]string }{}, true, "struct.F: a map[string]string cannot"},
		{struct{ F []int }{}, true, "struct.F: a []int cannot"},
		{struct{ F []byte }{}, true, "struct.F: a []uint8 cannot"},
		{struct{ F []string }{}, true, "struct.F: a []string cannot be asked in a form; only []string with enum"},
		{struct {
			F []int `form:"enum=1|2"`
		}{}, true, "struct.F: a []int cannot"},
		{struct{ F [2]string }{}, true, "struct.F: a [2]string cannot"},
		{struct{ F **string }{}, true, "struct.F: a *string cannot"},
		{struct{ F any }{}, false, "struct.F: a interface {} cannot"},
		{struct{ F chan int }{}, false, "struct.F: a chan int cannot"},
		{struct{ *hidden }{}, false, "struct.hidden: encoding/json cannot fill"},
		{struct {
			F int `json:",string"`
		}{}, false, `struct.F: the json option "string"`},
		{struct {
			//lint:ignore SA5008 encoding/json ignores it, which is the point
			F int `json:"it's"`
		}{}, false, `struct.F: encoding/json ignores the name "it's"`},
		{struct {
			F int `jsonschema:"minimum=1"`
		}{}, false, `struct.F: the jsonschema tag is the description; "minimum" belongs`},
		{struct {
			F int `form:"min=1"`
		}{}, false, `struct.F: the form tag has an unknown key "min"`},
		{struct {
			F int `form:"minimum=1,,maximum=2"`
		}{}, false, `struct.F: the form tag has an unknown key ""`},
		{struct {
			F int `form:"minimum=1,minimum=2"`
		}{}, false, `struct.F: the form tag has the key "minimum" twice`},
		{struct {
			F int `form:"minimum"`
		}{}, false, `struct.F: the key "minimum" of the form tag needs a value`},
		{struct {
			F int `form:"required=true"`
		}{}, false, `struct.F: the key "required" of the form tag`},
		{struct {
			F int `form:"required,optional"`
		}{}, false, "struct.F: the form tag says both"},
		{struct {
			F int `form:"title='a"`
		}{}, false, `struct.F: the quoted value of "title"`},
		{struct {
			F int `form:"title='a'b"`
		}{}, false, `struct.F: the quoted value of "title"`},
		{struct {
			F int `form:"minLength=1"`
		}{}, false, `struct.F: the key "minLength" of the form tag has no meaning for a field of kind integer`},
		{struct {
			F int `form:"enum=1|2"`
		}{}, false, `struct.F: the key "enum" of the form tag has no meaning`},
		{struct {
			F string `form:"titles=A|B"`
		}{}, false, `struct.F: the key "titles" of the form tag has no meaning`},
		{struct {
			F string `form:"enum=a|b,titles=A"`
		}{}, false, "struct.F: the form tag has 1 titles for 2 values"},
		{struct {
			F string `form:"enum=a|a"`
		}{}, false, `struct.F: the option "a" is offered twice`},
		{struct {
			F string `form:"minLength=x"`
		}{}, false, "struct.F: minLength=x in the form tag"},
		{struct {
			F string `form:"minLength=2,maxLength=1"`
		}{}, false, "struct.F: minLength 2 is more than maxLength 1"},
		{struct {
			F int `form:"minimum=x"`
		}{}, false, "struct.F: minimum=x in the form tag"},
		{struct {
			F int `form:"minimum=1e999999999"`
		}{}, false, "struct.F: minimum=1e999999999 in the form tag"},
		{struct {
			F bool `form:"default=yes"`
		}{}, false, "struct.F: default=yes in the form tag is not a boolean"},
		{struct {
			F int8 `form:"default=200"`
		}{}, false, "struct.F.default: F must be at most 127"},
		{struct {
			F string `form:"format=phone"`
		}{}, false, `struct.F: the format "phone"`},
		{struct {
			F time.Time `form:"default=now"`
		}{}, false, "struct.F.default: F must be a date and time"},
		{0, false, "int: a form is made of a struct"},
		{time.Time{}, false, "time.Time: a form is made of a struct"},
		{nil, false, "a form is made of a struct, not of nil"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			_, err := form.ForType(reflect.TypeOf(tt.of))
			if !errors.Is(err, form.ErrSchema) || errors.Is(err, form.ErrNested) != tt.nested || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want an error that starts with %q, nested %v", err, tt.want, tt.nested)
			}
		})
	}
	type Named struct{ In In }
	if _, err := form.For[Named](); err == nil || !strings.HasPrefix(err.Error(), "Named.In: ") {
		t.Errorf("got %v, want the path Named.In", err)
	}
}

func TestForHoldsTheDefaultLimits(t *testing.T) {
	var fields []reflect.StructField
	for i := range 65 {
		fields = append(fields, reflect.StructField{Name: "F" + strings.Repeat("x", i), Type: reflect.TypeFor[bool]()})
	}
	if _, err := form.ForType(reflect.StructOf(fields)); !errors.Is(err, form.ErrTooLarge) {
		t.Errorf("65 fields: %v", err)
	}
	if _, err := form.ForType(reflect.StructOf(fields[:64])); err != nil {
		t.Errorf("64 fields: %v", err)
	}
	enum := strings.TrimSuffix(strings.Repeat("x|", 501), "|")
	many := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeFor[string](), Tag: reflect.StructTag(`form:"enum=` + enum + `"`)}})
	if _, err := form.ForType(many); !errors.Is(err, form.ErrTooLarge) {
		t.Errorf("501 options: %v", err)
	}
}
