// Package blockkit checks messages and modals against Slack's rules of Block Kit: what
// blocks and elements there are and what they have, where they may be, how many, and
// how long their texts are. It refuses what Slack refuses, with its words.
//
// [Message] and [Modal] take decoded JSON, [MessageJSON] and [ModalJSON] the bytes.
package blockkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// Problem is what is wrong, and where.
type Problem struct {
	Text    string
	Pointer string // a JSON pointer, as /blocks/0/text/text
}

// String is the problem as Slack says it.
func (p Problem) String() string { return p.Text + " [json-pointer:" + p.Pointer + "]" }

const (
	maxInMessage = 50
	maxInModal   = 100
)

// Message checks the blocks of a message.
func Message(blocks []any) []Problem {
	k := &checker{message: true}
	k.blocks("/blocks", blocks, maxInMessage)
	return k.problems
}

// Modal checks a view of type modal.
func Modal(view map[string]any) []Problem {
	k := &checker{}
	if kind, _ := view["type"].(string); kind != "modal" {
		k.wrong("/view/type", "unsupported type: "+kind)
		return k.problems
	}
	modal(k, "/view", view)
	if blocks, ok := view["blocks"].([]any); ok {
		k.blocks("/view/blocks", blocks, maxInModal)
		if _, submits := view["submit"]; !submits && k.inputs > 0 {
			k.wrong("/view/submit", "missing required field: submit")
		}
	}
	return k.problems
}

// MessageJSON checks the blocks of a message: a JSON array.
func MessageJSON(blocks []byte) []Problem {
	var list []any
	if err := read(blocks, &list); err != nil {
		return []Problem{{err.Error(), "/blocks"}}
	}
	return Message(list)
}

// ModalJSON checks a view.
func ModalJSON(view []byte) []Problem {
	var object map[string]any
	if err := read(view, &object); err != nil {
		return []Problem{{err.Error(), "/view"}}
	}
	return Modal(object)
}

func read(raw []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	return in.Decode(into)
}

// checker collects problems.
type checker struct {
	problems []Problem
	message  bool // it is a message, not a modal
	inputs   int
	focused  int
	ids      map[string]bool // of blocks
}

func (k *checker) wrong(at, text string) {
	k.problems = append(k.problems, Problem{text, at})
}

// blocks checks all blocks of a surface, and what holds for them together.
func (k *checker) blocks(at string, list []any, most int) {
	if len(list) > most {
		k.wrong(at, fmt.Sprintf("no more than %d items allowed", most))
		return
	}
	k.ids = map[string]bool{}
	tables := 0
	for i, v := range list {
		here := at + "/" + strconv.Itoa(i)
		block(k, here, v)
		object, ok := v.(map[string]any)
		if !ok {
			continue
		}
		switch object["type"] {
		case "input":
			k.inputs++
		case "table":
			if tables++; tables > 1 {
				k.wrong(at, "only_one_table_allowed")
			}
		}
		if id, _ := object["block_id"].(string); id != "" {
			if k.ids[id] {
				k.wrong(here+"/block_id", "block_id `"+id+"` already exists")
			}
			k.ids[id] = true
		}
	}
	if k.focused > 1 {
		k.wrong(at, "only one element can have focus_on_load set to true")
	}
}
