package fakemodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// created is the time of every answer, so that they are the same each time.
const created = 1735689600

type openAIRequest struct {
	Model    string
	Messages []openAIMessage
	Tools    []struct {
		Type     string
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
	Stream bool
}

type openAIMessage struct {
	Role       string
	Content    any
	Refusal    string
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string
		Type     string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// parseOpenAI reads a request, and refuses what OpenAI refuses.
func parseOpenAI(r *Request) error {
	var in openAIRequest
	if err := json.Unmarshal(r.Body, &in); err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	r.Model, r.Stream = in.Model, in.Stream
	for i, t := range in.Tools {
		var schema struct {
			Type       string
			Properties json.RawMessage
		}
		if t.Type != "function" || t.Function.Name == "" || len(t.Function.Name) > 64 {
			return fmt.Errorf("tools[%d] has no name that a function can have", i)
		}
		if json.Unmarshal(t.Function.Parameters, &schema) != nil || schema.Type != "object" || schema.Properties == nil {
			return fmt.Errorf("the schema of the function %s is no object with properties", t.Function.Name)
		}
		r.Tools = append(r.Tools, t.Function.Name)
	}
	if in.Model == "" {
		return errors.New("there is no model")
	}
	if len(in.Messages) == 0 {
		return errors.New("there are no messages")
	}
	return r.takeOpenAI(in.Messages)
}

func (r *Request) takeOpenAI(messages []openAIMessage) error {
	open := map[string]bool{} // calls without a result
	for i, m := range messages {
		text, err := openAIText(m.Content, m.Role == "user")
		if err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
		if len(open) > 0 && m.Role != "tool" {
			return fmt.Errorf("messages[%d] comes before the results of all calls", i)
		}
		switch m.Role {
		case "system", "developer":
			r.System += text
		case "user":
			images, err := openAIImages(m.Content)
			if err != nil {
				return fmt.Errorf("messages[%d]: %w", i, err)
			}
			r.Messages = append(r.Messages, Message{Role: "user", Text: text, Images: images})
		case "assistant":
			said := Message{Role: "assistant", Text: text + m.Refusal}
			for _, c := range m.ToolCalls {
				if c.ID == "" || c.Type != "function" || open[c.ID] {
					return fmt.Errorf("messages[%d] has a call without an id, with the id of another one, or without its type", i)
				}
				open[c.ID] = true
				said.Calls = append(said.Calls, Call{ID: c.ID, Tool: c.Function.Name, Args: c.Function.Arguments})
			}
			if m.Content == nil && m.Refusal == "" && len(said.Calls) == 0 {
				return fmt.Errorf("messages[%d] has neither content nor calls", i)
			}
			r.Messages = append(r.Messages, said)
		case "tool":
			if !open[m.ToolCallID] {
				return fmt.Errorf("messages[%d] is the result of no call", i)
			}
			delete(open, m.ToolCallID)
			r.result(Result{CallID: m.ToolCallID, Text: text})
		default:
			return fmt.Errorf("messages[%d] has the role %q, which is none", i, m.Role)
		}
	}
	if len(open) > 0 {
		return errors.New("calls have no results")
	}
	return nil
}

// result puts the results of one message of the model together.
func (r *Request) result(one Result) {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == "tool" {
		r.Messages[n-1].Results = append(r.Messages[n-1].Results, one)
		return
	}
	r.Messages = append(r.Messages, Message{Role: "tool", Results: []Result{one}})
}

// imageURL is an image in the text of a URL.
var imageURL = regexp.MustCompile(`^data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$`)

// openAIImages are those of a message of the user's.
func openAIImages(content any) ([]string, error) {
	parts, _ := content.([]any)
	var all []string
	for _, part := range parts {
		p, _ := part.(map[string]any)
		if p["type"] != "image_url" {
			continue
		}
		at, _ := p["image_url"].(map[string]any)
		url, _ := at["url"].(string)
		if !imageURL.MatchString(url) {
			return nil, errors.New("an image_url is not the data of an image")
		}
		all = append(all, url)
	}
	return all, nil
}

func openAIText(content any, user bool) (string, error) {
	switch c := content.(type) {
	case nil:
		return "", nil
	case string:
		return c, nil
	case []any:
		var b strings.Builder
		for _, part := range c {
			p, _ := part.(map[string]any)
			if p["type"] == "thinking" || user && p["type"] == "image_url" {
				continue
			}
			text, ok := p["text"].(string)
			if !ok {
				return "", errors.New("this fake reads text alone")
			}
			b.WriteString(text)
		}
		return b.String(), nil
	}
	return "", errors.New("the content is neither a text nor parts")
}
