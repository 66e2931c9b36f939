package fakeslack

// Element is an interactive element in a block.
type Element struct {
	Block  string         // its block_id
	Object map[string]any // the element itself
	Input  map[string]any // the block, where that is an input
}

// Action is the element's action_id.
func (e Element) Action() string { return text(e.Object["action_id"]) }

// elements are those that somebody can use.
func elements(blocks []map[string]any) (all []Element) {
	add := func(block map[string]any, v any) {
		if object, ok := v.(map[string]any); ok && object["action_id"] != nil {
			e := Element{Block: text(block["block_id"]), Object: object}
			if block["type"] == "input" {
				e.Input = block
			}
			all = append(all, e)
		}
	}
	for _, b := range blocks {
		add(b, b["accessory"])
		add(b, b["element"])
		if list, ok := b["elements"].([]any); ok {
			for _, v := range list {
				add(b, v)
			}
		}
	}
	return all
}

func find(all []Element, action string) *Element {
	for i := range all {
		if all[i].Action() == action {
			return &all[i]
		}
	}
	return nil
}

func text(v any) string { s, _ := v.(string); return s }

// name gives ids to the blocks and elements that have none, as Slack does.
func (s *Slack) name(blocks []any) {
	for _, b := range blocks {
		block, ok := b.(map[string]any)
		if !ok {
			continue
		}
		if text(block["block_id"]) == "" {
			block["block_id"] = s.random(3)
		}
		list, _ := block["elements"].([]any)
		for _, v := range append([]any{block["accessory"], block["element"]}, list...) {
			if e, ok := v.(map[string]any); ok && interactive(text(e["type"])) && text(e["action_id"]) == "" {
				e["action_id"] = s.random(3)
			}
		}
	}
}

func interactive(kind string) bool {
	switch kind {
	case "", "image", "plain_text", "mrkdwn", "rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted":
		return false
	}
	return true
}
