package passkey

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/parley-hq/parley"
)

// Statement is what somebody approves. It is made from what the server has recorded, and
// again from a receipt: names are as parley.KeptName has them.
type Statement struct {
	Question string `json:"question"`
	Tenant   string `json:"tenant"`
	Person   string `json:"person"`
	For      string `json:"for,omitempty"` // whose call it is, where that is somebody else
	Server   string `json:"server,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Call     string `json:"call,omitempty"`
	Digest   string `json:"digest,omitempty"`  // of the call with the arguments that were shown
	Changes  string `json:"changes,omitempty"` // the digest of those that the person changed, see Changes
	Decision string `json:"decision"`
	Rule     string `json:"rule"`
	Shown    string `json:"shown"` // the digest of what was shown, see parley.Shown
}

// Challenge is what a device signs: the SHA-256 of a version and the statement as JSON.
func (s Statement) Challenge() []byte {
	for _, name := range []*string{&s.Question, &s.Tenant, &s.Person, &s.For, &s.Server, &s.Tool, &s.Call, &s.Digest, &s.Decision, &s.Rule} {
		*name = parley.KeptName(*name)
	}
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	if err := to.Encode(s); err != nil {
		panic(err) // strings can be encoded
	}
	sum := sha256.Sum256(append([]byte("parley/approval/v1\n"), bytes.TrimSuffix(b.Bytes(), []byte("\n"))...))
	return sum[:]
}

// Changes is the digest of canonical arguments that somebody changed; empty where there
// are none.
func Changes(canonical []byte) string {
	if len(canonical) == 0 {
		return ""
	}
	return sha(append([]byte("parley/changes/v1\n"), canonical...))
}

// Fingerprint is what people compare of a public key.
func Fingerprint(publicKey []byte) string { return sha(publicKey) }

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:])
}
