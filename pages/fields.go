package pages

import (
	"slices"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/form"
)

// fieldView is one field as pages show it.
type fieldView struct {
	ID          string
	Name        string // of the input
	Control     string // how it is asked: one of the controls
	Label       string
	Description string
	Hint        string // what may be entered, in words
	Error       string
	Required    bool

	Value     string
	InputMode string // which keyboard a phone shows
	Zone      string // the name of the input for the zone
	Zones     []optionView
	Options   []optionView
}

type optionView struct {
	ID, Value, Label string
	Chosen           bool
}

// problemView is one line of the list of what is wrong.
type problemView struct{ ID, Message string }

// The controls.
const (
	controlText     = "text"
	controlArea     = "area"
	controlDate     = "date"
	controlDateTime = "datetime-local"
	controlCheckbox = "checkbox"
	controlYesNo    = "yesno"
	controlRadios   = "radios"
	controlSelect   = "select"
	controlBoxes    = "boxes"
)

// fewOptions is how many options are shown all at once.
const fewOptions = 7

// Described lists the elements that say more about the field.
func (f fieldView) Described() string {
	var ids []string
	for suffix, text := range map[string]string{"-about": f.Description, "-hint": f.Hint, "-error": f.Error} {
		if text != "" {
			ids = append(ids, f.ID+suffix)
		}
	}
	slices.Sort(ids) // about, error, hint
	return strings.Join(ids, " ")
}

// First is the element that a link to the field leads to.
func (f fieldView) First() string {
	if len(f.Options) > 0 && f.Control != controlSelect {
		return f.Options[0].ID
	}
	return f.ID
}

// viewFields makes the fields of a form, with what was entered, or else their
// defaults.
func viewFields(fields []form.Field, entered *entries) ([]fieldView, []problemView) {
	views := make([]fieldView, len(fields))
	var problems []problemView
	for i, f := range fields {
		views[i] = viewField("field-"+strconv.Itoa(i), f, entered)
		if views[i].Error != "" {
			problems = append(problems, problemView{views[i].First(), views[i].Error})
		}
	}
	if entered == nil {
		return views, nil
	}
	for _, v := range entered.violations {
		if !slices.ContainsFunc(fields, func(f form.Field) bool { return concerns(v, f) }) {
			problems = append(problems, problemView{Message: v.Message})
		}
	}
	return views, problems
}

func viewField(id string, f form.Field, entered *entries) fieldView {
	v := fieldView{
		ID: id, Name: form.InputName(f), Control: control(f), Label: prose(f.Label()), Description: prose(f.Description), Hint: form.Hint(f),
		Required: f.Required && f.Kind != form.Choices || f.MinItems != nil && *f.MinItems > 0 && f.Required,
	}
	if entered == nil {
		entered = &entries{sent: form.Prefilled(f)}
	}
	v.Error = entered.error(f)
	v.Value = strings.ReplaceAll(entered.sent.Get(v.Name), "\r\n", "\n")
	switch {
	case f.Kind == form.Integer:
		v.InputMode = "numeric"
	case f.Kind == form.Number:
		v.InputMode = "decimal"
	case f.Format == "email":
		v.InputMode = "email"
	case f.Format == "uri":
		v.InputMode = "url"
	case f.Format == "date-time":
		v.Zone = form.ZoneName(f)
		v.Zones = viewZones(entered.sent.Get(v.Zone))
	}
	v.Options = viewOptions(id, f, entered)
	return v
}

func control(f form.Field) string {
	switch {
	case isYesNo(f):
		return controlYesNo
	case f.Kind == form.Boolean:
		return controlCheckbox
	case f.Kind == form.Choices:
		return controlBoxes
	case f.Kind == form.Choice && len(f.Options) <= fewOptions:
		return controlRadios
	case f.Kind == form.Choice:
		return controlSelect
	case f.Format == "date":
		return controlDate
	case f.Format == "date-time":
		return controlDateTime
	case f.Kind == form.String && f.Format == "" && isLong(f):
		return controlArea
	}
	return controlText
}

// isYesNo reports whether a yes or no must be said.
func isYesNo(f form.Field) bool { return (&entries{}).entered().YesNo(f) }

// isLong reports whether a text may need several lines.
func isLong(f form.Field) bool {
	const line = 200
	return f.MaxLength != nil && *f.MaxLength > line || f.MinLength != nil && *f.MinLength > line/2 ||
		strings.Contains(string(f.Default), `\n`) || len(f.Default) > line
}

func viewOptions(id string, f form.Field, entered *entries) []optionView {
	chosen := entered.sent[form.InputName(f)]
	// Radio buttons cannot be emptied again, so there is one of none.
	none := optionView{ID: id + "-none", Label: "No answer", Chosen: entered.sent.Get(form.InputName(f)) == ""}
	if isYesNo(f) {
		options := []optionView{
			{ID: id + "-yes", Value: "true", Label: "Yes", Chosen: slices.Contains(chosen, "true")},
			{ID: id + "-no", Value: "false", Label: "No", Chosen: slices.Contains(chosen, "false")},
		}
		if !f.Required && f.Default == nil {
			options = append(options, none)
		}
		return options
	}
	var options []optionView
	for i, o := range f.Options {
		value := form.OptionValue(i)
		label := prose(o.Label())
		if strings.TrimSpace(label) == "" {
			label = "(empty)"
		}
		options = append(options, optionView{
			ID: id + "-" + strconv.Itoa(i), Value: value, Label: label, Chosen: slices.Contains(chosen, value),
		})
	}
	switch c := control(f); {
	case f.Default != nil:
	case c == controlRadios && !f.Required:
		options = append(options, none)
	case c == controlSelect:
		if f.Required {
			none.Label = "Choose one"
		}
		options = append([]optionView{none}, options...)
	}
	return options
}
