package form_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/form"
)

type Journey struct {
	On     time.Time  `json:"on" form:"format=date"`
	Back   *time.Time `json:"back,omitempty" form:"format=date"`
	Leaves time.Time  `json:"leaves"`
	Where  string     `json:"where" form:"default='the sea'"`
	Born
}

type Born struct {
	Birthday time.Time `json:"birthday" form:"title=Birthday,format=date,default=2000-02-29"`
}

func TestADateOfAFormBecomesATime(t *testing.T) {
	schema, err := form.For[Journey]()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(schema.JSON()); strings.Count(got, `"format":"date"`) != 3 || strings.Count(got, `"format":"date-time"`) != 1 {
		t.Errorf("the form is %s", got)
	}
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	back := day(2026, 12, 24)
	for content, want := range map[string]Journey{
		`{"on":"2026-11-30","leaves":"2026-11-30T08:15:00+01:00","birthday":"1990-01-31"}`: {
			On: day(2026, 11, 30), Leaves: time.Date(2026, 11, 30, 7, 15, 0, 0, time.UTC), Where: "the sea", Born: Born{day(1990, 1, 31)},
		},
		`{"on":"2024-02-29","back":"2026-12-24","leaves":"2026-11-30T08:15:00Z","where":"home"}`: {
			On: day(2024, 2, 29), Back: &back, Leaves: time.Date(2026, 11, 30, 8, 15, 0, 0, time.UTC), Where: "home", Born: Born{day(2000, 2, 29)},
		},
	} {
		checked, err := schema.Check([]byte(content))
		if err != nil {
			t.Fatal(err)
		}
		var got Journey
		if err := form.Decode(checked, &got); err != nil {
			t.Fatalf("%s: %v", checked, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", content, diff)
		}
	}
	for _, content := range []string{`{"on":"2026-02-30"}`, `{"on":7}`, `{"on":"2026-11-30T08:15:00Z"}`} {
		if err := form.Decode([]byte(content), &Journey{}); err == nil {
			t.Errorf("%s was read", content)
		}
	}
}

// What a person could never answer is refused before anybody is asked.
func TestATimeIsADateOrADateAndTime(t *testing.T) {
	for _, format := range []string{"email", "uri"} {
		var err error
		if format == "email" {
			_, err = form.For[struct {
				F time.Time `form:"format=email"`
			}]()
		} else {
			_, err = form.For[struct {
				F *time.Time `form:"format=uri"`
			}]()
		}
		if err == nil || !strings.Contains(err.Error(), "time.Time is asked for as a date or as a date-time") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
