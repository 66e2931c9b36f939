package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// Webhook is a URL of the operator's that is told of questions.
type Webhook struct {
	Name    string
	URL     string
	Secret  parley.Secret // "whsec_…": NewWebhookSecret makes one
	Tenants []string      // whose questions it is told of; empty: the default tenant's; "*": all
}

func (w Webhook) of(tenant string) bool {
	if len(w.Tenants) == 0 {
		return tenant == parley.DefaultTenant
	}
	for _, one := range w.Tenants {
		if one == "*" || one == tenant {
			return true
		}
	}
	return false
}

// ErrSecret says that a text is no secret of a webhook.
var ErrSecret = errors.New(`the secret of a webhook is "whsec_" and the base64 of 24 to 64 bytes`)

const secretPrefix = "whsec_"

// NewWebhookSecret makes a secret.
func NewWebhookSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw)
	return secretPrefix + base64.StdEncoding.EncodeToString(raw)
}

func secretBytes(secret string) ([]byte, error) {
	text, ok := strings.CutPrefix(secret, secretPrefix)
	if !ok {
		return nil, ErrSecret
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) < 24 || len(raw) > 64 {
		return nil, ErrSecret
	}
	return raw, nil
}

// CheckWebhookSecret returns ErrSecret for what is none.
func CheckWebhookSecret(secret string) error {
	_, err := secretBytes(secret)
	return err
}

// SignWebhook is the value of webhook-signature for a message, as the
// specification of standard-webhooks has it. ErrSecret.
func SignWebhook(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := secretBytes(secret)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

// hooked is the body of every webhook.
type hooked struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"`
}

// hookedQuestion is a question as webhooks are told of it.
type hookedQuestion struct {
	ID        parley.ID  `json:"id"`
	Tenant    string     `json:"tenant"`
	To        string     `json:"to"`
	From      string     `json:"from"`
	Title     string     `json:"title"`
	URL       string     `json:"url"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// hook posts one event to a URL.
func hook(ctx context.Context, client *http.Client, url, secret, id string, body hooked) error {
	data, err := json.Marshal(body)
	if err != nil {
		return Final(err)
	}
	now := time.Now()
	signature, err := SignWebhook(secret, id, now, data)
	if err != nil {
		return Final(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return Final(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Webhook-Id", id)
	request.Header.Set("Webhook-Timestamp", strconv.FormatInt(now.Unix(), 10))
	request.Header.Set("Webhook-Signature", signature)
	return unlessGone(post(client, request))
}

// unlessGone makes an error one that is tried again. A receiver that answers 400 today may be
// mended tomorrow, and a name that led to a private address may lead elsewhere: only one that
// says that it is gone is.
func unlessGone(err error) error {
	if isFinal(err) && !isGone(err) {
		return errors.New(err.Error())
	}
	return err
}

func hookMessage(ctx context.Context, client *http.Client, w Webhook, m message) error {
	q := hookedQuestion{ID: m.Question, Tenant: m.Tenant, To: m.To, From: m.From, Title: m.Title, URL: m.URL, CreatedAt: m.Created}
	if !m.Expires.IsZero() {
		q.ExpiresAt = &m.Expires
	}
	return hook(ctx, client, w.URL, string(w.Secret), m.ID, hooked{Type: m.Event, Timestamp: time.Now().UTC().Truncate(time.Millisecond), Data: q})
}
