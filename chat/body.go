package chat

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parley-hq/parley/limit"
)

// read decodes the body of a request. Fields that it does not know are ignored,
// so that newer clients are served as well.
func (c *Chat) read(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, c.opts.Limits.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return errLarge
	case err != nil:
		return bad("The request broke off. Send it again.")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return bad("The body is not the JSON that is expected here. See the documentation of this endpoint.")
	}
	limit.Understood(r.Context())
	return nil
}

// text is a string that some clients send as a number.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		*t = text(number)
		return nil
	}
	return json.Unmarshal(raw, (*string)(t))
}

// words is the text of a message: a string, or parts of which some are text.
type words string

func (t *words) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*string)(t)) == nil {
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil // something that we do not know, and that says nothing to us
	}
	var texts []string
	for _, raw := range parts {
		var p struct{ Type, Text string }
		if json.Unmarshal(raw, &p) == nil && p.Type == "text" && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	*t = words(strings.Join(texts, "\n"))
	return nil
}

// checkConversation refuses names that no conversation has.
func checkConversation(name string) error {
	if name == "" || len(name) > 200 || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return bad("A conversation's id has 1 to 200 bytes of text without control characters.")
	}
	return nil
}

// newConversation makes up a name in the form of a UUID, which is what some
// clients expect.
func newConversation() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: crypto/rand aborts the program instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

const conversationHeader = "x-conversation-id"

// nameConversation tells the client where it is. One that chose a name that no
// header can carry knows it.
func nameConversation(w http.ResponseWriter, name string) {
	if !strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c > '~' }) {
		w.Header().Set(conversationHeader, name)
	}
}
