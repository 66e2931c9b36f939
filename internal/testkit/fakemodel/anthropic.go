package fakemodel

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

type anthropicRequest struct {
	Model     string
	MaxTokens int `json:"max_tokens"`
	System    any
	Messages  []struct {
		Role    string
		Content json.RawMessage
	}
	Tools []struct {
		Name        string
		InputSchema struct{ Type string } `json:"input_schema"`
	}
	Stream bool
}

type anthropicBlock struct {
	Type      string
	Text      string
	Thinking  string
	Signature string
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	Content   json.RawMessage
	IsError   bool `json:"is_error"`
	Source    struct {
		Type      string
		MediaType string `json:"media_type"`
		Data      string
	}
}

// Signature is how this fake signs what the model thought.
func Signature(thinking string) string {
	digest := sha256.Sum256([]byte("fake signature of " + thinking))
	return base64.StdEncoding.EncodeToString(digest[:])
}

// parseAnthropic reads a request, and refuses what Anthropic refuses.
func parseAnthropic(r *Request) error {
	var in anthropicRequest
	if err := json.Unmarshal(r.Body, &in); err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	r.Model, r.Stream = in.Model, in.Stream
	var err error
	if r.System, err = anthropicText(in.System); err != nil {
		return fmt.Errorf("system: %w", err)
	}
	for i, t := range in.Tools {
		if t.Name == "" || t.InputSchema.Type != "object" {
			return fmt.Errorf("tools.%d has no name, or a schema that is no object", i)
		}
		r.Tools = append(r.Tools, t.Name)
	}
	switch {
	case r.Header.Get("Anthropic-Version") == "":
		return errors.New("the header anthropic-version is missing")
	case in.Model == "":
		return errors.New("there is no model")
	case in.MaxTokens < 1:
		return errors.New("there is no max_tokens")
	case len(in.Messages) == 0:
		return errors.New("there are no messages")
	case in.Messages[0].Role != "user":
		return errors.New("the first message is not the user's")
	}
	check := pairing{seen: map[string]bool{}}
	for i, m := range in.Messages {
		blocks, err := anthropicBlocks(m.Content)
		if err == nil {
			err = check.turn(m.Role, blocks)
		}
		if err == nil {
			err = r.takeAnthropic(m.Role, blocks)
		}
		if err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
	}
	if len(check.open) > 0 || check.used && len(in.Tools) == 0 {
		return errors.New("there are calls without results, or without tools")
	}
	return nil
}

// pairing checks that calls and results go together.
type pairing struct {
	open map[string]bool // calls of the message before
	seen map[string]bool
	used bool
}

var anthropicID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

func (p *pairing) turn(role string, blocks []anthropicBlock) error {
	before := p.open
	p.open = map[string]bool{}
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			p.used = true
			if !anthropicID.MatchString(b.ID) || p.seen[b.ID] || role != "assistant" {
				return fmt.Errorf("the id %q of a call is not one, or is there twice, or the call is not the model's", b.ID)
			}
			p.open[b.ID], p.seen[b.ID] = true, true
		case "tool_result":
			if !before[b.ToolUseID] || role != "user" {
				return fmt.Errorf("the result %q is that of no call of the message before", b.ToolUseID)
			}
			delete(before, b.ToolUseID)
		}
	}
	if len(before) > 0 {
		return errors.New("the calls of the message before have no results")
	}
	return nil
}

func (r *Request) takeAnthropic(role string, blocks []anthropicBlock) error {
	m := Message{Role: role}
	for i, b := range blocks {
		switch b.Type {
		case "text":
			m.Text += b.Text
		case "thinking":
			if b.Signature != Signature(b.Thinking) {
				return fmt.Errorf("content.%d: the signature is not that of this thinking", i)
			}
			if i == len(blocks)-1 {
				return errors.New("the last block is thinking")
			}
		case "tool_use":
			m.Calls = append(m.Calls, Call{ID: b.ID, Tool: b.Name, Args: string(b.Input)})
		case "tool_result":
			text, err := anthropicContent(b.Content)
			if err != nil {
				return err
			}
			images, err := anthropicImages(b)
			if err != nil {
				return err
			}
			r.result(Result{CallID: b.ToolUseID, Text: text, Failed: b.IsError, Images: images})
		}
	}
	if m.Text != "" || len(m.Calls) > 0 {
		r.Messages = append(r.Messages, m)
	}
	return nil
}

// anthropicBlocks reads content, be it a text or blocks.
func anthropicBlocks(content json.RawMessage) ([]anthropicBlock, error) {
	var blocks []anthropicBlock
	if text := ""; json.Unmarshal(content, &text) == nil {
		blocks = []anthropicBlock{{Type: "text", Text: text}}
	} else if err := json.Unmarshal(content, &blocks); err != nil {
		return nil, fmt.Errorf("content: %w", err)
	}
	if len(blocks) == 0 {
		return nil, errors.New("the content is empty")
	}
	for _, b := range blocks {
		if b.Type == "text" && strings.TrimSpace(b.Text) == "" {
			return nil, errors.New("a text is empty, or blank")
		}
	}
	return blocks, nil
}

func anthropicText(content any) (string, error) {
	if content == nil {
		return "", nil
	}
	return anthropicContent(json.RawMessage(encode(content)))
}

func anthropicContent(content json.RawMessage) (string, error) {
	if len(content) == 0 {
		return "", nil
	}
	blocks, err := anthropicBlocks(content)
	text := ""
	for _, b := range blocks {
		text += b.Text
	}
	return text, err
}

// anthropicImages are those of a result, as data URLs.
func anthropicImages(result anthropicBlock) ([]string, error) {
	if len(result.Content) == 0 {
		return nil, nil
	}
	blocks, err := anthropicBlocks(result.Content)
	var all []string
	for _, b := range blocks {
		switch {
		case b.Type == "text":
			continue
		case b.Type != "image" || result.IsError:
			return nil, fmt.Errorf("a result has a block of the type %q, or it is an error and has more than text", b.Type)
		}
		url := "data:" + b.Source.MediaType + ";base64," + b.Source.Data
		if b.Source.Type != "base64" || !imageURL.MatchString(url) {
			return nil, errors.New("the source of an image is not base64 of an image")
		}
		all = append(all, url)
	}
	return all, err
}
