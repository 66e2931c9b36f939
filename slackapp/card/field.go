package card

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
)

// value is the action of every input: which field it is says its block.
const value = "value"

// blockOf is the block of the field at a place.
func blockOf(i int) string { return "field-" + strconv.Itoa(i) }

// argument reports whether a field of an approval changes an argument of its call.
func argument(f form.Field) bool { return strings.HasPrefix(f.Name, permit.ArgumentPrefix) }

// entries are what was entered, as forms read them.
var entries = form.Entries{Partly: argument}

// showable reports whether Slack can show a field, with its default, as it is.
func showable(f form.Field) bool {
	if size(escape(label(f))) > maxLabel || size(escape(hintOf(f))) > maxLabel {
		return false
	}
	if f.MinLength != nil && *f.MinLength > maxText || f.Kind == form.Choices && f.MinItems != nil && *f.MinItems > maxMany {
		return false
	}
	for _, o := range f.Options {
		if text := optionLabel(o); size(escape(text)) > maxOption {
			return false
		}
	}
	if len(f.Options) > maxMany {
		return false
	}
	for _, text := range form.Prefilled(f)[form.InputName(f)] {
		if size(text) > maxText || !legible.AsWritten(text, func(c rune) bool { return legible.Hidden(c) && c != '\n' && c != '\t' }) || strings.Contains(text, "\r") {
			return false
		}
	}
	return true
}

func label(f form.Field) string { return one(f.Label()) }

func optionLabel(o form.Option) string {
	if text := one(o.Label()); text != "" {
		return text
	}
	return "(empty)"
}

// hintOf is what is said below a field: its description, and what may be entered.
func hintOf(f form.Field) string {
	words := form.Hint(f)
	if f.Format == "date-time" && f.Default != nil {
		words = "A date and time with a zone, such as 2026-01-31T09:30:00Z."
	}
	about := strings.TrimSpace(legible.Line(f.Description))
	if about != "" && words != "" && !strings.ContainsAny(about[len(about)-1:], ".!?:;)") {
		about += "."
	}
	return strings.TrimSpace(about + " " + words)
}

// input is the block of a field.
func input(i int, f form.Field) slack.Block {
	var hint *slack.TextBlockObject
	if words := hintOf(f); words != "" {
		hint = plain(words)
	}
	b := slack.NewInputBlock(blockOf(i), plain(label(f)), hint, element(f))
	b.Optional = mayBeEmpty(f)
	return b
}

// mayBeEmpty reports whether a field can be left empty. One with a default cannot, unless
// nothing is a value of it: the default would be back, which is not what the person saw.
func mayBeEmpty(f form.Field) bool {
	switch {
	case f.Kind == form.Choices:
		return f.MinItems == nil || *f.MinItems == 0 || !f.Required && f.Default == nil
	case f.Kind == form.Boolean && !entries.YesNo(f):
		return true
	case f.Required:
		return false
	}
	return f.Default == nil || f.Nullable || f.Kind == form.String && f.Format == "" && (f.MinLength == nil || *f.MinLength == 0)
}

// element is how a field is asked, with its default filled in.
func element(f form.Field) slack.BlockElement {
	given := form.Prefilled(f)[form.InputName(f)]
	first := ""
	if len(given) > 0 {
		first = given[0]
	}
	switch {
	case entries.YesNo(f):
		return radios([]*slack.OptionBlockObject{option("true", "Yes"), option("false", "No")}, given)
	case f.Kind == form.Boolean:
		return checkboxes([]*slack.OptionBlockObject{option("true", "Yes")}, given)
	case f.Kind == form.Choice || f.Kind == form.Choices:
		return chooser(f, given)
	case f.Kind == form.Integer || f.Kind == form.Number:
		return numberInput(f, first)
	case f.Format == "date" && (first == "" || isDate(first)):
		e := slack.NewDatePickerBlockElement(value)
		e.InitialDate = first
		return e
	case f.Format == "date-time" && f.Default == nil: // a picker would write a default in another zone than it has
		return slack.NewDateTimePickerBlockElement(value)
	case f.Format == "email":
		e := slack.NewEmailTextInputBlockElement(nil, value)
		e.InitialValue = first
		return e
	case f.Format == "uri":
		e := slack.NewURLTextInputBlockElement(nil, value)
		e.InitialValue = first
		return e
	}
	e := slack.NewPlainTextInputBlockElement(nil, value)
	e.InitialValue, e.Multiline, e.MaxLength = first, long(f), maxText
	if f.Format == "date-time" {
		_ = json.Unmarshal(f.Default, &e.InitialValue) // with its zone
	}
	return e
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// numberInput keeps the digits of a default: where Slack's own input may not, it is a
// text.
func numberInput(f form.Field, first string) slack.BlockElement {
	const digits = 15
	if len(first) > digits || strings.ContainsAny(first, "eE") {
		e := slack.NewPlainTextInputBlockElement(nil, value)
		e.InitialValue = first
		return e
	}
	e := slack.NewNumberInputBlockElement(nil, value, f.Kind == form.Number)
	e.InitialValue = first
	return e
}

// long reports whether a text may need several lines.
func long(f form.Field) bool {
	const line = 200
	return f.Format == "" && (f.MaxLength == nil || *f.MaxLength > line || strings.Contains(string(f.Default), `\n`))
}

func chooser(f form.Field, given []string) slack.BlockElement {
	var all []*slack.OptionBlockObject
	for i, o := range f.Options {
		all = append(all, option(form.OptionValue(i), optionLabel(o)))
	}
	few := len(all) <= maxFew
	switch {
	case f.Kind == form.Choice && few:
		return radios(all, given)
	case f.Kind == form.Choice:
		e := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, value, all...)
		if chosen := among(all, given); len(chosen) > 0 {
			e.InitialOption = chosen[0]
		}
		return e
	case few:
		return checkboxes(all, given)
	}
	e := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, nil, value, all...)
	e.InitialOptions = among(all, given)
	return e
}

func option(v, text string) *slack.OptionBlockObject {
	return slack.NewOptionBlockObject(v, plain(text), nil)
}

func radios(all []*slack.OptionBlockObject, given []string) slack.BlockElement {
	e := slack.NewRadioButtonsBlockElement(value, all...)
	if chosen := among(all, given); len(chosen) > 0 {
		e.InitialOption = chosen[0]
	}
	return e
}

func checkboxes(all []*slack.OptionBlockObject, given []string) slack.BlockElement {
	e := slack.NewCheckboxGroupsBlockElement(value, all...)
	e.InitialOptions = among(all, given)
	return e
}

// among are the options whose values are given.
func among(all []*slack.OptionBlockObject, given []string) (chosen []*slack.OptionBlockObject) {
	for _, o := range all {
		if slices.Contains(given, o.Value) {
			chosen = append(chosen, o)
		}
	}
	return chosen
}
