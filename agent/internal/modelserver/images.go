package modelserver

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/parley-hq/parley/agent"
)

// What a model is told that is shown no images.
const (
	textAlone = "Its images are not shown to you: you are given text alone."
	notTaken  = "Its images are not shown to you: they could not be read, or you do not take any."
)

// ErrNotTaken is in the error for a request whose content the server does not take.
var ErrNotTaken = errors.New("the server does not take this content")

// Seeing asks a model with the images of a prompt, and again in words alone where its server
// does not take them: not every model sees, and one image that cannot be read would
// stand in the way of all that comes after it. emit is told what is said.
func Seeing(p agent.Prompt, textOnly bool, emit func(string), ask func(agent.Prompt, func(string)) (agent.Reply, error)) (agent.Reply, error) {
	if !p.HasImages() {
		return ask(p, emit)
	}
	if textOnly {
		return ask(p.WithoutImages(textAlone), emit)
	}
	said := false
	reply, err := ask(p, func(text string) {
		said = true
		emit(text)
	})
	if said || !errors.Is(err, ErrNotTaken) {
		return reply, err
	}
	return ask(p.WithoutImages(notTaken), emit)
}

// aboutContent reports whether a fault may be that of an image. Servers of several models say
// in other ways that one of them sees none, and name it.
func (f Fault) aboutContent() bool {
	switch f.sentence() {
	case unaccepted:
		return true
	case unknown, trouble:
		message := strings.ToLower(f.Message)
		return f.Status >= http.StatusBadRequest && slices.ContainsFunc([]string{"image", "vision", "multimodal", "modalit"}, func(word string) bool {
			return strings.Contains(message, word)
		})
	}
	return false
}
