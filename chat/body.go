package chat

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/strictjson"
)

// read decodes the body of a request. Fields that it does not know are ignored,
// so that newer clients are served as well.
func (c *Chat) read(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, c.opts.Limits.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return tooLarge(&parley.SizeError{Most: int(large.Limit)})
	case err != nil:
		return bad("The request broke off. Send it again.")
	}
	if err := decode(body, into); err != nil {
		return cmp.Or(twofold(err), bad("The body is not the JSON that is expected here. See the documentation of this endpoint."))
	}
	limit.Understood(r.Context())
	return nil
}

// maxDepth is how deep the content of an answer may be: forms have less.
const maxDepth = 64

// decode reads what clients send. Fields are named once, in their own letters, and the
// content of answers is read strictly.
func decode(raw []byte, into any) error { return strictjson.Decode(raw, maxDepth, into) }

// twofold is the refusal of what two programs would read differently, or nil where decode
// failed otherwise, or did not.
func twofold(err error) error {
	var is *strictjson.Error
	if !errors.As(err, &is) {
		return nil
	}
	return bad(fmt.Sprintf("This cannot be read in one way only: %.200s.", is))
}

// unread is JSON that is decoded later, or never: what clients keep of tools and other
// programs stands there too.
type unread []byte

// UnmarshalJSON implements json.Unmarshaler.
func (u *unread) UnmarshalJSON(raw []byte) error {
	*u = bytes.Clone(raw)
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
