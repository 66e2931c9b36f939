package blockkit

import (
	"maps"
	"strconv"
)

// blockOf is a block with these fields, and what all blocks have.
func blockOf(s shape) rule {
	s = maps.Clone(s)
	s["type*"], s["block_id"] = anything, blockID
	return object(s)
}

var inContext = kinds(map[string]rule{
	"image": picture, "plain_text": plainShape(3000),
	"mrkdwn": object(shape{"type*": anything, "text*": str(1, 3000), "verbatim": boolean}),
})

// Where blocks may be: these are for messages alone.
var messagesOnly = map[string]bool{
	"markdown": true, "table": true, "file": true, "context_actions": true, "task_card": true, "plan": true, "data_table": true,
	"card": true, "carousel": true,
}

// block checks one block.
func block(k *checker, at string, v any) {
	o, ok := v.(map[string]any)
	if !ok {
		k.wrong(at, "must provide an object")
		return
	}
	kind, isText := o["type"].(string)
	if !isText {
		k.wrong(at, "missing required field: type")
		return
	}
	r := rulesOfBlocks[kind]
	if r == nil || !k.message && messagesOnly[kind] {
		k.wrong(at+"/type", "unsupported type: "+kind)
		return
	}
	r(k, at, v)
}

var rulesOfBlocks = map[string]rule{
	"divider": blockOf(shape{}),
	"header":  blockOf(shape{"text*": plain(150)}),
	"section": and(blockOf(shape{
		"text": words(3000), "fields": list(1, 10, words(2000)), "accessory": inSection, "expand": boolean,
	}), textOrFields),
	"context": blockOf(shape{"elements*": list(1, 10, inContext)}),
	"actions": and(blockOf(shape{"elements*": list(1, 25, inActions)}), uniqueActions),
	"input": blockOf(shape{
		"label*": plain(2000), "hint": plain(2000), "element*": inInput, "optional": boolean, "dispatch_action": boolean,
	}),
	"image": and(blockOf(shape{"alt_text*": str(1, 2000), "title": plain(2000), "image_url": link, "slack_file": file}), oneImage),
	"file":  blockOf(shape{"external_id*": identity, "source*": constant("remote")}),
	"video": blockOf(shape{
		"alt_text*": str(1, 2000), "title*": plain(200), "thumbnail_url*": link, "video_url*": link, "title_url": link, "author_name": str(1, 50),
		"description": plain(200), "provider_icon_url": link, "provider_name": str(1, 255),
	}),
	"markdown":        blockOf(shape{"text*": str(1, 12000)}),
	"rich_text":       blockOf(shape{"elements*": list(1, 1000, richText)}),
	"table":           blockOf(shape{"rows*": list(1, 100, list(1, 20, anything)), "column_settings": list(0, 20, anything)}),
	"context_actions": and(blockOf(shape{"elements*": list(1, 5, only(element, "feedback_buttons", "icon_button"))}), uniqueActions),
	"alert":           blockOf(shape{"text*": words(3000), "level": constant("default", "info", "warning", "error", "success")}),
	"task_card": blockOf(shape{
		"task_id*": identity, "title*": str(1, 255), "details": anything, "output": anything, "sources": anything,
		"status*": constant("pending", "in_progress", "complete", "error"),
	}),
	"plan": blockOf(shape{"title*": str(1, 255), "tasks": list(0, 50, anything)}),
}

var richText = only(map[string]rule{
	"rich_text_section":      object(shape{"type*": anything, "elements*": list(0, 1000, richElement)}),
	"rich_text_preformatted": object(shape{"type*": anything, "elements*": list(0, 1000, richElement), "border": integer(0, 1), "language": str(0, 255)}),
	"rich_text_quote":        object(shape{"type*": anything, "elements*": list(0, 1000, richElement), "border": integer(0, 1)}),
	"rich_text_list": object(shape{
		"type*": anything, "elements*": list(0, 1000, anything), "style*": constant("bullet", "ordered"), "indent": integer(0, 8),
		"offset": integer(0, most), "border": integer(0, 1),
	}),
}, "rich_text_section", "rich_text_preformatted", "rich_text_quote", "rich_text_list")

var richStyle = object(shape{
	"bold": boolean, "italic": boolean, "strike": boolean, "code": boolean, "underline": boolean, "highlight": boolean,
	"client_highlight": boolean, "unlink": boolean,
})

var richElement = kinds(map[string]rule{
	"text":      object(shape{"type*": anything, "text*": str(1, 40000), "style": richStyle}),
	"link":      object(shape{"type*": anything, "url*": link, "text": str(0, 40000), "unsafe": boolean, "style": richStyle}),
	"emoji":     object(shape{"type*": anything, "name*": identity, "unicode": identity, "url": link, "style": richStyle}),
	"user":      object(shape{"type*": anything, "user_id*": identity, "style": richStyle}),
	"usergroup": object(shape{"type*": anything, "usergroup_id*": identity, "style": richStyle}),
	"channel":   object(shape{"type*": anything, "channel_id*": identity, "style": richStyle}),
	"team":      object(shape{"type*": anything, "team_id*": identity, "style": richStyle}),
	"broadcast": object(shape{"type*": anything, "range*": constant("here", "channel", "everyone"), "style": richStyle}),
	"color":     object(shape{"type*": anything, "value*": identity, "style": richStyle}),
	"date": object(shape{
		"type*": anything, "timestamp*": integer(0, 1<<40), "format*": str(1, 255), "url": link, "fallback": str(0, 3000), "style": richStyle,
	}),
})

func textOrFields(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	if o["text"] == nil && o["fields"] == nil {
		k.wrong(at, "must define either `text` or `fields`")
	}
}

func oneImage(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	if (o["image_url"] == nil) == (o["slack_file"] == nil) {
		k.wrong(at, "must define either `image_url` or `slack_file`")
	}
}

// uniqueActions checks that no action_id is in a block twice.
func uniqueActions(k *checker, at string, v any) {
	o, _ := v.(map[string]any)
	all, _ := o["elements"].([]any)
	seen := map[string]bool{}
	for i, one := range all {
		e, _ := one.(map[string]any)
		id, _ := e["action_id"].(string)
		if id != "" && seen[id] {
			k.wrong(at+"/elements/"+strconv.Itoa(i)+"/action_id", "action_id `"+id+"` already exists")
		}
		seen[id] = true
	}
}

var modal = object(shape{
	"type*": anything, "title*": plain(24), "blocks*": arrayOnly, "submit": plain(24), "close": plain(24), "private_metadata": str(0, 3000),
	"callback_id": str(0, 255), "external_id": str(0, 255), "clear_on_close": boolean, "notify_on_close": boolean, "submit_disabled": boolean,
})

// arrayOnly leaves the blocks to the checker, which knows the surface.
func arrayOnly(k *checker, at string, v any) {
	if _, ok := v.([]any); !ok {
		k.wrong(at, "must provide an array")
	}
}
