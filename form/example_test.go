package form_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/parley-hq/parley/form"
)

type Order struct {
	Size  string   `json:"size" form:"title=Size,enum=s|m|l,titles=Small|Medium|Large,default=m"`
	Cups  int      `json:"cups" jsonschema:"How many" form:"title=Cups,minimum=1,maximum=9"`
	Extra []string `json:"extra,omitempty" form:"title=Extras,enum=milk|sugar,maxItems=2"`
	Email string   `json:"email" form:"title=Your email,format=email"`
}

func ExampleFor() {
	schema, err := form.For[Order]()
	if err != nil {
		fmt.Println(err)
		return
	}

	// A wrong answer says everything that is wrong with it, for the person to read.
	_, err = schema.Check([]byte(`{"cups": 12, "extra": ["milk", "salt"]}`))
	var wrong *form.ContentError
	if errors.As(err, &wrong) {
		for _, v := range wrong.Violations {
			fmt.Printf("%s (%s): %s\n", v.Path, v.Rule, v.Message)
		}
	}

	// A right one is completed and decodes into the struct.
	content, err := schema.Check([]byte(`{"email": "ann@example.com", "cups": 2.0}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var order Order
	if err := json.Unmarshal(content, &order); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(content))
	fmt.Printf("%d cups, size %s\n", order.Cups, order.Size)
	// Output:
	// cups (maximum): Cups must be at most 9.
	// extra[1] (enum): Extras, choice 2, must be milk or sugar.
	// email (required): Your email is required.
	// {"size":"m","cups":2,"email":"ann@example.com"}
	// 2 cups, size m
}

func ExampleParse() {
	schema, err := form.Parse([]byte(`{
		"type": "object",
		"properties": {
			"color": {"type": "string", "title": "Colour", "enum": ["#f00", "#0f0"], "enumNames": ["Red", "Green"]},
			"agree": {"type": "boolean"}
		},
		"required": ["agree"]
	}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range schema.Fields() {
		fmt.Println(f.Label(), f.Kind, f.Required)
	}

	_, err = form.Parse([]byte(`{"type":"object","properties":{"address":{"type":"object"}}}`), nil)
	fmt.Println(errors.Is(err, form.ErrNested), err)
	// Output:
	// Colour choice false
	// agree boolean true
	// true properties.address: nested objects are not allowed: the schema is not flat; ask for each part in a field of its own
}
