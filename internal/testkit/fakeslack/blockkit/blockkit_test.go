package blockkit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/fakeslack/blockkit"
)

// x is so many characters; each has more than one byte.
func x(n int) string { return strings.Repeat("ö", n) }

func plain(n int) string { return fmt.Sprintf(`{"type":"plain_text","text":%q}`, x(n)) }

func times(n int, one string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(one, "#", fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

const (
	divider = `{"type":"divider"}`
	section = `{"type":"section","text":{"type":"mrkdwn","text":"a"}}`
	option  = `{"text":{"type":"plain_text","text":"a"},"value":"#"}`
)

func button(fields string) string {
	return `{"type":"button","text":{"type":"plain_text","text":"a"},"action_id":"#"` + fields + `}`
}

func actions(elements string) string { return `[{"type":"actions","elements":[` + elements + `]}]` }

func input(element string) string {
	return `[{"type":"input","label":{"type":"plain_text","text":"a"},"element":` + element + `}]`
}

// Each row has what is just allowed, and what is just not, with Slack's words for it.
var rows = []struct {
	name      string
	good, bad string
	says      string
}{
	{"50 blocks", "[" + times(50, divider) + "]", "[" + times(51, divider) + "]", "no more than 50 items allowed [json-pointer:/blocks]"},
	{"text of a section", `[{"type":"section","text":` + plain(3000) + `}]`, `[{"type":"section","text":` + plain(3001) + `}]`, "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"},
	{"empty text", `[` + section + `]`, `[{"type":"section","text":{"type":"mrkdwn","text":""}}]`, "must be more than 0 characters [json-pointer:/blocks/0/text/text]"},
	{"fields of a section", `[{"type":"section","fields":[` + times(10, plain(2000)) + `]}]`, `[{"type":"section","fields":[` + times(11, plain(1)) + `]}]`, "no more than 10 items allowed [json-pointer:/blocks/0/fields]"},
	{"a field", `[{"type":"section","fields":[` + plain(2000) + `]}]`, `[{"type":"section","fields":[` + plain(2001) + `]}]`, "must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]"},
	{"text or fields", `[` + section + `]`, `[{"type":"section"}]`, "must define either `text` or `fields` [json-pointer:/blocks/0]"},
	{"header", `[{"type":"header","text":` + plain(150) + `}]`, `[{"type":"header","text":` + plain(151) + `}]`, "must be less than 151 characters [json-pointer:/blocks/0/text/text]"},
	{"header is plain", `[{"type":"header","text":` + plain(1) + `}]`, `[{"type":"header","text":{"type":"mrkdwn","text":"a"}}]`, "unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]"},
	{"context", `[{"type":"context","elements":[` + times(10, plain(1)) + `]}]`, `[{"type":"context","elements":[` + times(11, plain(1)) + `]}]`, "no more than 10 items allowed [json-pointer:/blocks/0/elements]"},
	{"actions", actions(times(25, button(""))), actions(times(26, button(""))), "no more than 25 items allowed [json-pointer:/blocks/0/elements]"},
	{"button text", actions(`{"type":"button","text":` + plain(75) + `}`), actions(`{"type":"button","text":` + plain(76) + `}`), "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]"},
	{"button value", actions(button(`,"value":"` + x(2000) + `"`)), actions(button(`,"value":"` + x(2001) + `"`)), "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]"},
	{"button url", actions(button(`,"url":"https:` + x(2994) + `"`)), actions(button(`,"url":"https:` + x(2995) + `"`)), "must be less than 3001 characters [json-pointer:/blocks/0/elements/0/url]"},
	{"button style", actions(button(`,"style":"danger"`)), actions(button(`,"style":"loud"`)), "must be a valid enum value: [primary danger] [json-pointer:/blocks/0/elements/0/style]"},
	{"action_id", actions(`{"type":"button","text":` + plain(1) + `,"action_id":"` + x(255) + `"}`), actions(`{"type":"button","text":` + plain(1) + `,"action_id":"` + x(256) + `"}`), "must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]"},
	{"block_id", `[{"type":"divider","block_id":"` + x(255) + `"}]`, `[{"type":"divider","block_id":"` + x(256) + `"}]`, "must be less than 256 characters [json-pointer:/blocks/0/block_id]"},
	{"same action_id", actions(times(2, button(""))), actions(strings.ReplaceAll(times(2, button("")), "1", "0")), "action_id `0` already exists [json-pointer:/blocks/0/elements/1/action_id]"},
	{"same block_id", `[{"type":"divider","block_id":"a"},{"type":"divider","block_id":"b"}]`, `[{"type":"divider","block_id":"a"},{"type":"divider","block_id":"a"}]`, "block_id `a` already exists [json-pointer:/blocks/1/block_id]"},
	{"unknown block", `[` + divider + `]`, `[{"type":"marquee"}]`, "unsupported type: marquee [json-pointer:/blocks/0/type]"},
	{"unknown field", `[` + divider + `]`, `[{"type":"divider","colour":"red"}]`, "invalid additional property: colour [json-pointer:/blocks/0]"},
	{"missing field", `[{"type":"header","text":` + plain(1) + `}]`, `[{"type":"header"}]`, "missing required field: text [json-pointer:/blocks/0]"},
	{"input is not in actions", actions(button("")), actions(`{"type":"plain_text_input"}`), "unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]"},
	{"button is not an input", input(`{"type":"plain_text_input"}`), input(button("")), "unsupported type: button [json-pointer:/blocks/0/element/type]"},
	{"datetimepicker is not in a section", actions(`{"type":"datetimepicker"}`), `[{"type":"section","text":` + plain(1) + `,"accessory":{"type":"datetimepicker"}}]`, "unsupported type: datetimepicker [json-pointer:/blocks/0/accessory/type]"},
	{"options of a select", input(`{"type":"static_select","options":[` + times(100, option) + `]}`), input(`{"type":"static_select","options":[` + times(101, option) + `]}`), "no more than 100 items allowed [json-pointer:/blocks/0/element/options]"},
	{"a select without options", input(`{"type":"static_select","options":[` + option + `]}`), input(`{"type":"static_select"}`), "must define either `options` or `option_groups` [json-pointer:/blocks/0/element]"},
	{"checkboxes", input(`{"type":"checkboxes","options":[` + times(10, option) + `]}`), input(`{"type":"checkboxes","options":[` + times(11, option) + `]}`), "no more than 10 items allowed [json-pointer:/blocks/0/element/options]"},
	{"radio buttons", input(`{"type":"radio_buttons","options":[` + times(10, option) + `]}`), input(`{"type":"radio_buttons","options":[` + times(11, option) + `]}`), "no more than 10 items allowed [json-pointer:/blocks/0/element/options]"},
	{"overflow", actions(`{"type":"overflow","options":[` + times(5, option) + `]}`), actions(`{"type":"overflow","options":[` + times(6, option) + `]}`), "no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]"},
	{"option text", input(`{"type":"static_select","options":[{"text":` + plain(75) + `,"value":"a"}]}`), input(`{"type":"static_select","options":[{"text":` + plain(76) + `,"value":"a"}]}`), "must be less than 76 characters [json-pointer:/blocks/0/element/options/0/text/text]"},
	{"option value", input(`{"type":"static_select","options":[{"text":` + plain(1) + `,"value":"` + x(150) + `"}]}`), input(`{"type":"static_select","options":[{"text":` + plain(1) + `,"value":"` + x(151) + `"}]}`), "must be less than 151 characters [json-pointer:/blocks/0/element/options/0/value]"},
	{"option description", input(`{"type":"static_select","options":[{"text":` + plain(1) + `,"value":"a","description":` + plain(75) + `}]}`), input(`{"type":"static_select","options":[{"text":` + plain(1) + `,"value":"a","description":` + plain(76) + `}]}`), "must be less than 76 characters [json-pointer:/blocks/0/element/options/0/description/text]"},
	{"option values differ", input(`{"type":"static_select","options":[` + times(2, option) + `]}`), input(`{"type":"static_select","options":[` + strings.ReplaceAll(times(2, option), "1", "0") + `]}`), "option values must be unique: 0 [json-pointer:/blocks/0/element/options]"},
	{"initial option", input(`{"type":"static_select","options":[` + times(2, option) + `],"initial_option":` + times(1, option) + `}`), input(`{"type":"static_select","options":[` + times(2, option) + `],"initial_option":` + strings.ReplaceAll(option, "#", "9") + `}`), "must be one of the provided options [json-pointer:/blocks/0/element/initial_option]"},
	{"initial option is an object", input(`{"type":"radio_buttons","options":[` + times(1, option) + `],"initial_option":` + times(1, option) + `}`), input(`{"type":"radio_buttons","options":[` + times(1, option) + `],"initial_option":"0"}`), "must provide an object [json-pointer:/blocks/0/element/initial_option]"},
	{"initial text", input(`{"type":"plain_text_input","initial_value":"5"}`), input(`{"type":"plain_text_input","initial_value":5}`), "must provide a string [json-pointer:/blocks/0/element/initial_value]"},
	{"initial date", input(`{"type":"datepicker","initial_date":"2026-11-17"}`), input(`{"type":"datepicker","initial_date":"17.11.2026"}`), "must be a valid date in the format YYYY-MM-DD [json-pointer:/blocks/0/element/initial_date]"},
	{"initial time", input(`{"type":"timepicker","initial_time":"09:05"}`), input(`{"type":"timepicker","initial_time":"9:05"}`), "must be a valid time in the format HH:mm [json-pointer:/blocks/0/element/initial_time]"},
	{"initial date and time", input(`{"type":"datetimepicker","initial_date_time":1700000000}`), input(`{"type":"datetimepicker","initial_date_time":"1700000000"}`), "must provide an integer [json-pointer:/blocks/0/element/initial_date_time]"},
	{"number", input(`{"type":"number_input","is_decimal_allowed":false,"initial_value":"5"}`), input(`{"type":"number_input","is_decimal_allowed":false,"initial_value":5}`), "must provide a string with a number [json-pointer:/blocks/0/element/initial_value]"},
	{"number says whether decimals", input(`{"type":"number_input","is_decimal_allowed":true}`), input(`{"type":"number_input"}`), "missing required field: is_decimal_allowed [json-pointer:/blocks/0/element]"},
	{"longest input", input(`{"type":"plain_text_input","max_length":3000}`), input(`{"type":"plain_text_input","max_length":3001}`), "must be between 1 and 3000 [json-pointer:/blocks/0/element/max_length]"},
	{"shortest input", input(`{"type":"plain_text_input","min_length":3,"max_length":3}`), input(`{"type":"plain_text_input","min_length":4,"max_length":3}`), "must be less than or equal to max_length [json-pointer:/blocks/0/element/min_length]"},
	{"initial value of an input", input(`{"type":"plain_text_input","initial_value":"` + x(3000) + `"}`), input(`{"type":"plain_text_input","initial_value":"` + x(3001) + `"}`), "must be less than 3001 characters [json-pointer:/blocks/0/element/initial_value]"},
	{"placeholder", input(`{"type":"plain_text_input","placeholder":` + plain(150) + `}`), input(`{"type":"plain_text_input","placeholder":` + plain(151) + `}`), "must be less than 151 characters [json-pointer:/blocks/0/element/placeholder/text]"},
	{"label", `[{"type":"input","label":` + plain(2000) + `,"element":{"type":"plain_text_input"}}]`, `[{"type":"input","label":` + plain(2001) + `,"element":{"type":"plain_text_input"}}]`, "must be less than 2001 characters [json-pointer:/blocks/0/label/text]"},
	{"hint", `[{"type":"input","label":` + plain(1) + `,"hint":` + plain(2000) + `,"element":{"type":"plain_text_input"}}]`, `[{"type":"input","label":` + plain(1) + `,"hint":` + plain(2001) + `,"element":{"type":"plain_text_input"}}]`, "must be less than 2001 characters [json-pointer:/blocks/0/hint/text]"},
	{"markdown", `[{"type":"markdown","text":"` + x(12000) + `"}]`, `[{"type":"markdown","text":"` + x(12001) + `"}]`, "must be less than 12001 characters [json-pointer:/blocks/0/text]"},
	{"rich text", `[{"type":"rich_text","elements":[{"type":"rich_text_preformatted","elements":[{"type":"text","text":"a"}]}]}]`, `[{"type":"rich_text","elements":[{"type":"text","text":"a"}]}]`, "unsupported type: text [json-pointer:/blocks/0/elements/0/type]"},
	{"image", `[{"type":"image","alt_text":"a","image_url":"https://a.example/a.png"}]`, `[{"type":"image","alt_text":"a"}]`, "must define either `image_url` or `slack_file` [json-pointer:/blocks/0]"},
	{"confirm", actions(button(`,"confirm":{"title":` + plain(100) + `,"text":` + plain(300) + `,"confirm":` + plain(30) + `,"deny":` + plain(30) + `}`)), actions(button(`,"confirm":{"title":` + plain(101) + `,"text":` + plain(300) + `,"confirm":` + plain(30) + `,"deny":` + plain(30) + `}`)), "must be less than 101 characters [json-pointer:/blocks/0/elements/0/confirm/title/text]"},
}

func TestMessages(t *testing.T) {
	for _, r := range rows {
		if found := blockkit.MessageJSON([]byte(r.good)); len(found) != 0 {
			t.Errorf("%s: what is allowed is refused: %v", r.name, found)
		}
		said := blockkit.MessageJSON([]byte(r.bad))
		if !says(said, r.says) {
			t.Errorf("%s: %v, not %s", r.name, said, r.says)
		}
	}
}

func says(found []blockkit.Problem, want string) bool {
	for _, p := range found {
		if p.String() == want {
			return true
		}
	}
	return false
}

// A text of two kinds says also that it fits neither, first, as Slack does.
func TestUnionIsNamedFirst(t *testing.T) {
	found := blockkit.MessageJSON([]byte(`[` + divider + `,{"type":"section","text":` + plain(3001) + `}]`))
	want := []blockkit.Problem{
		{Text: "failed to match all allowed schemas", Pointer: "/blocks/1/text"}, {Text: "must be less than 3001 characters", Pointer: "/blocks/1/text/text"},
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", found, want)
	}
}

func TestModals(t *testing.T) {
	modal := func(changes map[string]string) []byte {
		fields := map[string]json.RawMessage{"type": json.RawMessage(`"modal"`), "title": json.RawMessage(plain(24)), "blocks": json.RawMessage(`[` + divider + `]`)}
		for name, value := range changes {
			fields[name] = json.RawMessage(value)
		}
		raw, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for _, r := range []struct {
		name, field, good, bad, says string
	}{
		{"100 blocks", "blocks", "[" + times(100, divider) + "]", "[" + times(101, divider) + "]", "no more than 100 items allowed [json-pointer:/view/blocks]"},
		{"title", "title", plain(24), plain(25), "must be less than 25 characters [json-pointer:/view/title/text]"},
		{"submit", "submit", plain(24), plain(25), "must be less than 25 characters [json-pointer:/view/submit/text]"},
		{"close", "close", plain(24), plain(25), "must be less than 25 characters [json-pointer:/view/close/text]"},
		{"private_metadata", "private_metadata", `"` + x(3000) + `"`, `"` + x(3001) + `"`, "must be less than 3001 characters [json-pointer:/view/private_metadata]"},
		{"callback_id", "callback_id", `"` + x(255) + `"`, `"` + x(256) + `"`, "must be less than 256 characters [json-pointer:/view/callback_id]"},
		{"an input needs submit", "blocks", `[` + section + `]`, input(`{"type":"plain_text_input"}`), "missing required field: submit [json-pointer:/view/submit]"},
		{"unknown field", "notify_on_close", `true`, `"yes"`, "must provide a boolean [json-pointer:/view/notify_on_close]"},
		{"markdown is for messages", "blocks", `[` + section + `]`, `[{"type":"markdown","text":"a"}]`, "unsupported type: markdown [json-pointer:/view/blocks/0/type]"},
		{"type", "type", `"modal"`, `"dialog"`, "unsupported type: dialog [json-pointer:/view/type]"},
	} {
		if found := blockkit.ModalJSON(modal(map[string]string{r.field: r.good})); len(found) != 0 {
			t.Errorf("%s: what is allowed is refused: %v", r.name, found)
		}
		if said := blockkit.ModalJSON(modal(map[string]string{r.field: r.bad})); !says(said, r.says) {
			t.Errorf("%s: %v, not %s", r.name, said, r.says)
		}
	}
}
