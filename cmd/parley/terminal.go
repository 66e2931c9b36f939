package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// openDeletion asks whether an account is to be deleted.
func openDeletion(ctx context.Context, hub *parley.Hub) (parley.Request, error) {
	schema, err := form.For[deletion]()
	if err != nil {
		return parley.Request{}, err
	}
	return hub.Open(ctx, parley.Request{
		To: you.User, From: "accounts", Message: "Delete account 7? This cannot be undone.", Schema: schema.JSON(),
	})
}

// terminal is a person at a keyboard. Headless, or at the end of the input, it
// agrees to everything.
type terminal struct {
	in       *bufio.Reader
	headless bool
}

// ask shows a question and reads the answer, field by field.
func (t terminal) ask(r parley.Request) (parley.Answer, error) {
	fmt.Printf("   %s\n", r.Text())
	schema, err := form.Parse(r.Schema, nil)
	if err != nil {
		return parley.Answer{}, err
	}
	content := map[string]any{}
	for _, f := range schema.Fields() {
		text, err := t.field(f)
		if err != nil {
			return parley.Answer{}, err
		}
		switch {
		case text == "cancel":
			return parley.Answer{Action: parley.Cancel, Via: "terminal"}, nil
		case f.Kind == form.Boolean:
			content[f.Name] = strings.HasPrefix(strings.ToLower(text), "y")
		case text != "":
			content[f.Name] = text
		}
	}
	raw, err := json.Marshal(content)
	return parley.Answer{Action: parley.Accept, Content: raw, Via: "terminal"}, err
}

func (t terminal) field(f form.Field) (string, error) {
	hint := "or cancel"
	if f.Kind == form.Boolean {
		hint = "y/n, or cancel"
	}
	label := f.Description
	if label == "" {
		label = f.Label()
	}
	fmt.Printf("   %s (%s): ", label, hint)
	if !t.headless {
		line, err := t.in.ReadString('\n')
		if !errors.Is(err, io.EOF) {
			return strings.TrimSpace(line), err
		}
	}
	text := map[form.Kind]string{form.Boolean: "y", form.String: "as agreed"}[f.Kind]
	fmt.Println(text)
	return text, nil
}
