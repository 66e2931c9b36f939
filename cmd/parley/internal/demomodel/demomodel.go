// Package demomodel is a small rule-based model, so that Parley can be shown
// without a key and without a network. It calls the tool whose name and
// description have the most words in common with what the person said, and
// then says what came of it. A sentence of its instructions that names a tool
// describes it. It understands nothing.
package demomodel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/parley-hq/parley/agent"
)

// Model is an agent.Model.
type Model struct{}

// New returns the model.
func New() *Model { return &Model{} }

// Generate implements agent.Model.
func (*Model) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	reply := next(p)
	for _, word := range strings.SplitAfter(reply.Text, " ") {
		if ctx.Err() != nil {
			return agent.Reply{}, ctx.Err()
		}
		emit(word)
	}
	return reply, nil
}

// next decides: call a tool, or say what the last ones returned.
func next(p agent.Prompt) agent.Reply {
	turn, said := thisTurn(p.Messages)
	if len(turn) > 0 {
		last := turn[len(turn)-1]
		if connected(last) {
			if call, ok := choose(said, p, called(turn)); ok {
				return agent.Reply{Calls: []agent.ToolCall{call}}
			}
		}
		return agent.Reply{Text: report(last.Results)}
	}
	if call, ok := choose(said, p, nil); ok {
		return agent.Reply{Text: "Let me see. ", Calls: []agent.ToolCall{call}}
	}
	return agent.Reply{Text: help(p.Tools)}
}

// thisTurn is what the tools returned since the person last spoke, and what
// they said.
func thisTurn(messages []agent.PromptMessage) (results []agent.PromptMessage, said string) {
	for _, m := range messages {
		switch m.Role {
		case agent.FromUser:
			results, said = nil, m.Text
		case agent.FromTools:
			results = append(results, m)
		}
	}
	return results, said
}

// connected reports whether a stand-in has just made room for a box's tools.
func connected(m agent.PromptMessage) bool {
	return len(m.Results) == 1 && !m.Results[0].Failed && strings.Contains(m.Results[0].Text, "You can use these tools now")
}

func called(turn []agent.PromptMessage) (names []string) {
	for _, m := range turn {
		for _, r := range m.Results {
			names = append(names, r.Tool)
		}
	}
	return names
}

func report(results []agent.ToolResult) string {
	var parts []string
	for _, r := range results {
		if r.Failed {
			parts = append(parts, "That did not work: "+r.Text)
		} else {
			parts = append(parts, told(r.Text))
		}
	}
	return strings.Join(parts, "\n\n")
}

// told is a result in sentences: an object is told field by field.
func told(text string) string {
	var fields map[string]any
	reader := json.NewDecoder(strings.NewReader(text))
	reader.UseNumber()
	if reader.Decode(&fields) != nil || reader.More() || len(fields) == 0 {
		return text
	}
	var sentences []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fmt.Sprint(fields[name])
		switch fields[name].(type) {
		case bool:
			value = map[bool]string{true: "yes", false: "no"}[fields[name] == true]
		case map[string]any, []any, nil:
			return text // it is not for reading
		}
		sentences = append(sentences, capital(strings.ReplaceAll(name, "_", " "))+": "+value+".")
	}
	return strings.Join(sentences, " ")
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func help(tools []agent.Tool) string {
	if len(tools) == 0 {
		return "I have no tools, so there is little that I can do."
	}
	var b strings.Builder
	b.WriteString("I am a small demonstration model: I call the tool that fits your words best. I can use:\n")
	for _, t := range tools {
		fmt.Fprintf(&b, "\n- `%s`: %s", t.Name, firstSentence(t.Description))
	}
	return b.String()
}

func firstSentence(text string) string {
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}

// choose returns a call of the tool that fits best, if one fits at all.
func choose(said string, p agent.Prompt, not []string) (agent.ToolCall, bool) {
	words, best, score := wordsOf(said), agent.Tool{}, 0
	for _, t := range p.Tools {
		if slices.Contains(not, t.Name) {
			continue
		}
		n := 6*common(words, wordsOf(t.Name)) + 2*common(words, wordsOf(t.Title+" "+t.Description+" "+instructed(p.Instructions, t.Name)))
		if n > 0 && t.ReadOnly != nil && *t.ReadOnly {
			n++ // in doubt, the tool that changes nothing
		}
		if n > score {
			best, score = t, n
		}
	}
	if score == 0 && len(p.Tools) == 1 && len(not) == 0 {
		best, score = p.Tools[0], 1 // who has one tool uses it for whatever they are told
	}
	if score == 0 {
		return agent.ToolCall{}, false
	}
	return agent.ToolCall{ID: fmt.Sprintf("call-%s-%d", best.Name, len(not)), Tool: best.Name, Args: arguments(said, best.Name, best.Schema)}, true
}

// instructed are the sentences of the instructions that name a tool: of one whose
// account is not connected yet, nothing else says what it is for.
func instructed(instructions, tool string) string {
	name := wordsOf(tool)
	var about []string
	for _, sentence := range strings.FieldsFunc(instructions, func(c rune) bool { return c == '.' || c == '\n' }) {
		if len(name) > 0 && common(name, wordsOf(sentence)) == len(name) {
			about = append(about, sentence)
		}
	}
	return strings.Join(about, " ")
}

// idle are words that say nothing.
var idle = strings.Fields("a an and are at be by can do for from i in is it me my of on or please the this that to up use user users what when with you your")

// wordsOf returns the words of a text in their plain form.
func wordsOf(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if slices.Contains(idle, w) {
			continue
		}
		if len(w) > 3 {
			w = strings.TrimSuffix(w, "s")
		}
		all[w] = true
	}
	return all
}

func common(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

var number = regexp.MustCompile(`-?\d+`)

// subject is what a text is about: what follows the words that name the tool, and
// those after them that say nothing or are a number.
func subject(said, tool string) string {
	named, all := wordsOf(tool), strings.Fields(said)
	start := slices.IndexFunc(all, func(word string) bool { return common(wordsOf(word), named) > 0 })
	if start < 0 {
		return said
	}
	rest := all[start+1:]
	for len(rest) > 0 {
		word := wordsOf(rest[0])
		if len(word) > 0 && common(word, named) == 0 && !number.MatchString(rest[0]) {
			return strings.TrimRight(strings.Join(rest, " "), ".!?")
		}
		rest = rest[1:]
	}
	return said
}

// arguments fills in what a tool wants: numbers with the numbers of the text,
// in their order, everything else with what the text is about.
func arguments(said, tool string, schema json.RawMessage) json.RawMessage {
	var wants struct {
		Properties map[string]struct {
			Type string `json:"type"`
			Enum []any  `json:"enum"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	_ = json.Unmarshal(schema, &wants) // no schema wants nothing
	numbers := number.FindAllString(said, -1)
	args := map[string]any{}
	slices.Sort(wants.Required)
	for _, name := range wants.Required {
		switch property := wants.Properties[name]; {
		case len(property.Enum) > 0:
			args[name] = property.Enum[0]
		case property.Type == "integer" || property.Type == "number":
			args[name] = json.Number("1")
			if len(numbers) > 0 {
				args[name], numbers = json.Number(numbers[0]), numbers[1:]
			}
		case property.Type == "boolean":
			args[name] = true
		default:
			args[name] = subject(said, tool)
		}
	}
	data, err := json.Marshal(args)
	if err != nil {
		return json.RawMessage("{}")
	}
	return data
}
