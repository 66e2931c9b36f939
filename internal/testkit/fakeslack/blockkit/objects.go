package blockkit

import (
	"regexp"
	"time"
)

// The composition objects.

func plain(most int) rule {
	return kinds(map[string]rule{"plain_text": plainShape(most)})
}

func plainShape(most int) rule {
	return object(shape{"type*": anything, "text*": str(1, most), "emoji": boolean})
}

// words is plain_text or mrkdwn.
func words(most int) rule {
	return kinds(map[string]rule{
		"plain_text": plainShape(most),
		"mrkdwn":     object(shape{"type*": anything, "text*": str(1, most), "verbatim": boolean}),
	})
}

var link = and(str(1, 3000), func(k *checker, at string, v any) {
	if s, ok := v.(string); ok && !scheme.MatchString(s) {
		k.wrong(at, "must be a valid URL")
	}
})

var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]+$`)

var confirm = object(shape{
	"title*": plain(100), "text*": words(300), "confirm*": plain(30), "deny*": plain(30), "style": constant("primary", "danger"),
})

// option is one of a select, whose text is plain; rich is one of checkboxes and radio
// buttons, which may have markup.
var (
	option = object(shape{"text*": plain(75), "value*": str(1, 150), "description": plain(75)})
	rich   = object(shape{"text*": words(75), "value*": str(1, 150), "description": words(75)})
	// inMenu is an option of an overflow menu.
	inMenu = object(shape{"text*": plain(75), "value*": str(1, 150), "description": plain(75), "url": link})
)

var groups = list(1, 100, object(shape{"label*": plain(75), "options*": list(1, 100, option)}))

var file = object(shape{"url": link, "id": str(1, 255)})

var (
	identity = str(1, 255)
	blockID  = str(0, 255) // an empty one is as none
)

func focus(k *checker, at string, v any) {
	boolean(k, at, v)
	if v == true {
		k.focused++
	}
}

var dispatching = object(shape{"trigger_actions_on": list(1, 2, constant("on_enter_pressed", "on_character_entered"))})

func date(k *checker, at string, v any) {
	s, _ := v.(string)
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		k.wrong(at, "must be a valid date in the format YYYY-MM-DD")
	}
}

func clock(k *checker, at string, v any) {
	s, _ := v.(string)
	if _, err := time.Parse("15:04", s); err != nil || len(s) != 5 {
		k.wrong(at, "must be a valid time in the format HH:mm")
	}
}

var digits = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// numeral is a number in a string, as number_input has it.
func numeral(k *checker, at string, v any) {
	if s, ok := v.(string); !ok || !digits.MatchString(s) {
		k.wrong(at, "must provide a string with a number")
	}
}
