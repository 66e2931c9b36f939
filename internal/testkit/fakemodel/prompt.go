package fakemodel

import "github.com/parley-hq/parley/agent"

// Hello is a prompt that begins with the user's hello.
func Hello(more ...agent.PromptMessage) agent.Prompt {
	return agent.Prompt{Messages: append([]agent.PromptMessage{{Role: agent.FromUser, Text: "Hello"}}, more...)}
}

// Picture is [Hello] and two calls after it; the first has a result with image 1 and
// a link, or failed with them.
func Picture(failed bool, more ...agent.PromptMessage) agent.Prompt {
	return Hello(append([]agent.PromptMessage{
		{Role: agent.FromModel, Calls: []agent.ToolCall{{ID: "c1", Tool: "shot", Args: []byte(`{}`)}, {ID: "c2", Tool: "look", Args: []byte(`{}`)}}},
		{Role: agent.FromTools, Results: []agent.ToolResult{
			{CallID: "c1", Tool: "shot", Text: "(image 1)", Failed: failed, Content: []agent.Content{
				{Kind: agent.Image, Number: 1, MIMEType: "image/png", Data: []byte("bytes")}, {Kind: agent.Link, URI: "https://a.example/"},
			}},
			{CallID: "c2", Tool: "look", Text: "nothing"},
		}},
	}, more...)...)
}
