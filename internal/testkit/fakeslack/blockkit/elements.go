package blockkit

import (
	"maps"
	"reflect"
	"strconv"
)

// with adds fields that several elements share.
func with(s shape, names ...string) rule {
	s = maps.Clone(s)
	s["type*"] = anything
	for _, name := range names {
		switch name {
		case "action":
			s["action_id"] = identity
		case "confirm":
			s["confirm"] = confirm
		case "focus":
			s["focus_on_load"] = focus
		case "placeholder":
			s["placeholder"] = plain(150)
		case "dispatch":
			s["dispatch_action_config"] = dispatching
		}
	}
	return object(s)
}

var buttonFields = shape{
	"text*": plain(75), "value": str(0, 2000), "url": link, "style": constant("primary", "danger"), "accessibility_label": str(1, 75),
}

var picture = and(object(shape{"type*": anything, "alt_text*": str(1, 2000), "image_url": link, "slack_file": file}), func(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	_, byURL := o["image_url"]
	_, byFile := o["slack_file"]
	if byURL == byFile {
		k.wrong(at, "must define either `image_url` or `slack_file`")
	}
})

var filter = object(shape{
	"include": list(1, 4, constant("im", "mpim", "private", "public")), "exclude_external_shared_channels": boolean, "exclude_bot_users": boolean,
})

const most = 1 << 31

// element are all elements that there are, but for those of rich text.
var element = map[string]rule{
	"button":        with(buttonFields, "action", "confirm"),
	"image":         picture,
	"overflow":      with(shape{"options*": list(1, 5, inMenu)}, "action", "confirm"),
	"checkboxes":    and(with(shape{"options*": list(1, 10, rich), "initial_options": list(1, 10, rich)}, "action", "confirm", "focus"), chosen),
	"radio_buttons": and(with(shape{"options*": list(1, 10, rich), "initial_option": rich}, "action", "confirm", "focus"), chosen),
	"static_select": and(with(shape{"options": list(1, 100, option), "option_groups": groups, "initial_option": option},
		"action", "confirm", "focus", "placeholder"), optionsOrGroups, chosen),
	"multi_static_select": and(with(shape{"options": list(1, 100, option), "option_groups": groups, "initial_options": list(1, 100, option),
		"max_selected_items": integer(1, most)}, "action", "confirm", "focus", "placeholder"), optionsOrGroups, chosen),
	"users_select": with(shape{"initial_user": identity}, "action", "confirm", "focus", "placeholder"),
	"multi_users_select": with(shape{"initial_users": list(1, 100, identity), "max_selected_items": integer(1, most)},
		"action", "confirm", "focus", "placeholder"),
	"channels_select": with(shape{"initial_channel": identity, "response_url_enabled": boolean}, "action", "confirm", "focus", "placeholder"),
	"multi_channels_select": with(shape{"initial_channels": list(1, 100, identity), "max_selected_items": integer(1, most)},
		"action", "confirm", "focus", "placeholder"),
	"conversations_select": with(shape{"initial_conversation": identity, "default_to_current_conversation": boolean, "response_url_enabled": boolean,
		"filter": filter}, "action", "confirm", "focus", "placeholder"),
	"multi_conversations_select": with(shape{"initial_conversations": list(1, 100, identity), "default_to_current_conversation": boolean,
		"max_selected_items": integer(1, most), "filter": filter}, "action", "confirm", "focus", "placeholder"),
	"external_select": with(shape{"initial_option": option, "min_query_length": integer(0, most)}, "action", "confirm", "focus", "placeholder"),
	"multi_external_select": with(shape{"initial_options": list(1, 100, option), "min_query_length": integer(0, most), "max_selected_items": integer(1, most)},
		"action", "confirm", "focus", "placeholder"),
	"datepicker": with(shape{"initial_date": date}, "action", "confirm", "focus", "placeholder"),
	"timepicker": with(shape{"initial_time": clock, "timezone": str(1, 255)}, "action", "confirm", "focus", "placeholder"),
	// Ten digits, as Slack has it.
	"datetimepicker": with(shape{"initial_date_time": integer(1e9, 1e10-1)}, "action", "confirm", "focus"),
	"plain_text_input": and(with(shape{"initial_value": str(0, 3000), "multiline": boolean, "min_length": integer(0, 3000), "max_length": integer(1, 3000)},
		"action", "focus", "placeholder", "dispatch"), lengths),
	"email_text_input": with(shape{"initial_value": str(0, 3000)}, "action", "focus", "placeholder", "dispatch"),
	"url_text_input":   with(shape{"initial_value": str(0, 3000)}, "action", "focus", "placeholder", "dispatch"),
	"number_input": with(shape{"is_decimal_allowed*": boolean, "initial_value": numeral, "min_value": numeral, "max_value": numeral},
		"action", "focus", "placeholder", "dispatch"),
	"rich_text_input":  with(shape{"initial_value": anything}, "action", "focus", "placeholder", "dispatch"),
	"file_input":       with(shape{"filetypes": list(1, 100, identity), "max_files": integer(1, 10)}, "action"),
	"workflow_button":  with(shape{"text*": plain(75), "workflow*": anything, "style": constant("primary", "danger"), "accessibility_label": str(1, 75)}, "action", "confirm"),
	"feedback_buttons": with(shape{"positive_button*": feedback, "negative_button*": feedback}, "action"),
	"icon_button": with(shape{"icon*": constant("trash"), "text*": plain(75), "value": str(0, 2000), "accessibility_label": str(1, 75),
		"visible_to_user_ids": list(1, 100, identity)}, "action", "confirm"),
}

var feedback = object(shape{"text*": plain(75), "value*": str(1, 2000), "accessibility_label": str(1, 75)})

// Where elements may be.
var (
	selects = []string{
		"static_select", "users_select", "channels_select", "conversations_select", "external_select",
		"multi_static_select", "multi_users_select", "multi_channels_select", "multi_conversations_select", "multi_external_select",
	}
	inSection = only(element, append([]string{"button", "image", "overflow", "checkboxes", "radio_buttons", "datepicker", "timepicker", "workflow_button"}, selects...)...)
	inActions = only(element, append([]string{
		"button", "overflow", "checkboxes", "radio_buttons", "datepicker", "timepicker", "datetimepicker", "workflow_button", "rich_text_input",
	}, selects...)...)
	inInput = only(element, append([]string{
		"checkboxes", "radio_buttons", "datepicker", "timepicker", "datetimepicker", "plain_text_input", "email_text_input", "url_text_input",
		"number_input", "rich_text_input", "file_input",
	}, selects...)...)
)

func optionsOrGroups(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	_, options := o["options"]
	_, groups := o["option_groups"]
	if options == groups {
		k.wrong(at, "must define either `options` or `option_groups`")
	}
}

func lengths(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	least, has := whole(o["min_length"])
	if most, both := whole(o["max_length"]); has && both && least > most {
		k.wrong(at+"/min_length", "must be less than or equal to max_length")
	}
}

// chosen checks that options that are chosen from the start are among the options, as
// they are there, and that no value is there twice.
func chosen(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	var all []any
	add := func(v any) {
		l, _ := v.([]any)
		all = append(all, l...)
	}
	add(o["options"])
	groups, _ := o["option_groups"].([]any)
	for _, g := range groups {
		group, _ := g.(map[string]any)
		add(group["options"])
	}
	values := map[any]bool{}
	for _, one := range all {
		option, _ := one.(map[string]any)
		value, ok := option["value"].(string)
		if ok && values[value] {
			k.wrong(at+"/options", "option values must be unique: "+value)
		}
		values[value] = true
	}
	among := func(at string, v any) {
		for _, one := range all {
			if reflect.DeepEqual(one, v) {
				return
			}
		}
		k.wrong(at, "must be one of the provided options")
	}
	if first, there := o["initial_option"]; there {
		among(at+"/initial_option", first)
	}
	several, _ := o["initial_options"].([]any)
	for i, one := range several {
		among(at+"/initial_options/"+strconv.Itoa(i), one)
	}
}
