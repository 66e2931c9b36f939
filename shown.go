package parley

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// Shown is what a person was shown of a question: what receipts have, and what
// passkeys sign.
type Shown struct {
	Question  string          `json:"question"`
	To        string          `json:"to"`
	From      string          `json:"from,omitempty"`
	Title     string          `json:"title,omitempty"`
	Mode      string          `json:"mode"`
	Message   string          `json:"message"`
	Schema    json.RawMessage `json:"schema,omitempty"`
	URLDigest string          `json:"url_sha256,omitempty"` // who has the link may have what it leads to
	CreatedAt time.Time       `json:"created_at"`
	ExpiresAt time.Time       `json:"expires_at"`
}

// ShownTo is what was shown of a question, as the hub returns it.
func ShownTo(r Request) Shown {
	s := Shown{
		Question: string(r.ID), To: r.To, From: r.From, Title: r.Labels[LabelTitle], Mode: string(r.Mode), Message: r.Message,
		Schema: r.Schema, CreatedAt: r.Created.UTC(), ExpiresAt: r.Expires.UTC(),
	}
	if r.URL != "" {
		sum := sha256.Sum256([]byte(r.URL))
		s.URLDigest = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return s
}

// Digest is the SHA-256 of s as JSON without escapes for HTML, in base64.
func (s Shown) Digest() string {
	text, err := unescaped(s)
	if err != nil {
		panic(err) // strings, times and JSON that the hub has read can be encoded
	}
	sum := sha256.Sum256(append([]byte("parley/shown/v1\n"), text...))
	return "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// unescaped is v as JSON without escapes for HTML: a schema within comes back as it was.
func unescaped(v any) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// maxKeptName is how much of a name records have.
const maxKeptName = 512

// KeptName is a name as a record of deeds keeps it: of bounded length, in valid UTF-8.
func KeptName(name string) string {
	name = strings.ToValidUTF8(name, "�")
	for len(name) > maxKeptName {
		_, n := utf8.DecodeLastRuneInString(name[:maxKeptName+1])
		name = name[:min(maxKeptName, maxKeptName+1-n)]
	}
	return name
}
