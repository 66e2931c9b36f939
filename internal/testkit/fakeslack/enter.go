package fakeslack

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// enter is the state of an element after somebody entered a value; nil: nothing. It is
// an error if Slack's own clients would not let them.
func enter(e Element, value any) (fields, error) {
	kind := text(e.Object["type"])
	wrong := func(why string) (fields, error) {
		return nil, fmt.Errorf("%s %q: %s", kind, e.Action(), why)
	}
	if strings.HasPrefix(kind, "multi_") || kind == "checkboxes" {
		return several(e, kind, value, wrong)
	}
	s, isText := value.(string)
	if n, isNumber := value.(int64); isNumber && kind == "datetimepicker" {
		return fields{"type": kind, "selected_date_time": n}, nil
	}
	if n, isNumber := value.(int); isNumber && kind == "datetimepicker" {
		return fields{"type": kind, "selected_date_time": int64(n)}, nil
	}
	if value != nil && !isText {
		return wrong(fmt.Sprintf("a %T cannot be entered", value))
	}
	empty := value == nil || s == ""
	switch kind {
	case "plain_text_input", "email_text_input", "url_text_input", "number_input":
		if empty {
			return fields{"type": kind, "value": nil}, nil
		}
		if why := unfit(e.Object, kind, s); why != "" {
			return wrong(why)
		}
		return fields{"type": kind, "value": s}, nil
	case "datepicker", "timepicker":
		field, layout := "selected_date", time.DateOnly
		if kind == "timepicker" {
			field, layout = "selected_time", "15:04"
		}
		if empty {
			return fields{"type": kind, field: nil}, nil
		}
		if _, err := time.Parse(layout, s); err != nil {
			return wrong(err.Error())
		}
		return fields{"type": kind, field: s}, nil
	case "datetimepicker":
		if !empty {
			return wrong("a time is entered as a number of seconds")
		}
		return fields{"type": kind, "selected_date_time": nil}, nil
	case "static_select", "radio_buttons", "overflow":
		if empty {
			return fields{"type": kind, "selected_option": nil}, nil
		}
		if o := option(e.Object, s); o != nil {
			return fields{"type": kind, "selected_option": o}, nil
		}
		return wrong("there is no option " + strconv.Quote(s))
	}
	return wrong("the fake cannot use it")
}

func several(e Element, kind string, value any, wrong func(string) (fields, error)) (fields, error) {
	chosen, isList := value.([]string)
	if value != nil && !isList {
		return wrong(fmt.Sprintf("a %T cannot be chosen", value))
	}
	if limit, ok := number(e.Object["max_selected_items"]); ok && len(chosen) > limit {
		return wrong("too many are chosen")
	}
	picked := []any{}
	for _, one := range chosen {
		o := option(e.Object, one)
		if o == nil {
			return wrong("there is no option " + strconv.Quote(one))
		}
		picked = append(picked, o)
	}
	return fields{"type": kind, "selected_options": picked}, nil
}

// unfit says why a text cannot be entered; empty: it can.
func unfit(element fields, kind, s string) string {
	length := utf8.RuneCountInString(s)
	if least, ok := number(element["min_length"]); ok && length < least {
		return "it is too short"
	}
	if most, ok := number(element["max_length"]); ok && length > most || length > 3000 {
		return "it is too long"
	}
	switch kind {
	case "email_text_input":
		if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
			return "it is no e-mail address"
		}
	case "url_text_input":
		if u, err := url.Parse(s); err != nil || u.Scheme == "" || u.Host == "" {
			return "it is no URL"
		}
	case "number_input":
		n, ok := new(big.Rat).SetString(s)
		if !ok || strings.ContainsAny(s, "/eE_xXpP") {
			return "it is no number"
		}
		if element["is_decimal_allowed"] != true && !n.IsInt() {
			return "it is not a whole number"
		}
		bound := func(name string) *big.Rat { b, _ := new(big.Rat).SetString(text(element[name])); return b }
		if b := bound("min_value"); b != nil && n.Cmp(b) < 0 {
			return "it is too small"
		}
		if b := bound("max_value"); b != nil && n.Cmp(b) > 0 {
			return "it is too large"
		}
	case "plain_text_input":
		if element["multiline"] != true && strings.Contains(s, "\n") {
			return "it has only one line"
		}
	}
	return ""
}

// option is the option of an element with a value, or nil.
func option(element fields, value string) fields {
	lists := []any{element["options"]}
	groups, _ := element["option_groups"].([]any)
	for _, g := range groups {
		group, _ := g.(map[string]any)
		lists = append(lists, group["options"])
	}
	for _, l := range lists {
		list, _ := l.([]any)
		for _, v := range list {
			if o, ok := v.(map[string]any); ok && text(o["value"]) == value {
				return o
			}
		}
	}
	return nil
}

func number(v any) (int, bool) {
	switch n := v.(type) {
	case float64:
		return int(n), true
	case json.Number:
		i, err := n.Int64()
		return int(i), err == nil
	}
	return 0, false
}

// initial is the value that an element has before anybody entered one, and whether it
// keeps a value at all.
func initial(e Element) (any, bool) {
	value := func(v any) string { o, _ := v.(map[string]any); return text(o["value"]) }
	kind := text(e.Object["type"])
	switch {
	case kind == "button" || kind == "overflow":
		return nil, false
	case strings.HasPrefix(kind, "multi_") || kind == "checkboxes":
		chosen := []string{}
		list, _ := e.Object["initial_options"].([]any)
		for _, o := range list {
			chosen = append(chosen, value(o))
		}
		return chosen, true
	case kind == "static_select" || kind == "radio_buttons":
		return value(e.Object["initial_option"]), true
	case kind == "datepicker":
		return text(e.Object["initial_date"]), true
	case kind == "timepicker":
		return text(e.Object["initial_time"]), true
	case kind == "datetimepicker":
		if n, ok := number(e.Object["initial_date_time"]); ok {
			return int64(n), true
		}
		return nil, true
	}
	return text(e.Object["initial_value"]), slices.Contains([]string{"plain_text_input", "email_text_input", "url_text_input", "number_input"}, kind)
}

// put writes the state of an element that keeps a value.
func put(state fields, e Element, value any) {
	if _, keeps := initial(e); !keeps {
		return
	}
	entered, err := enter(e, value)
	if err != nil {
		return
	}
	block, _ := state[e.Block].(fields)
	if block == nil {
		block = fields{}
		state[e.Block] = block
	}
	block[e.Action()] = entered
}
