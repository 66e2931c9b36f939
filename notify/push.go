package notify

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/outbound"
)

// Subscription is where a browser of a person's takes notifications, as its
// PushSubscription says it.
type Subscription struct {
	ID       string `json:"id"` // of the endpoint; it is ours
	Endpoint string `json:"endpoint"`
	P256DH   string `json:"p256dh"` // the browser's public key, base64url
	Auth     string `json:"auth"`   // the secret that both have, base64url
	Label    string `json:"label,omitempty"`

	Created time.Time `json:"created"`
}

// Bounds of a subscription, and of what is sent to it.
const (
	maxEndpoint = 1024
	maxLabel    = 100
	recordSize  = 4096 // what every push service takes (RFC 8030, section 7.2)
	pushTTL     = 28 * 24 * time.Hour
	tokenTTL    = 12 * time.Hour // RFC 8292 allows 24
)

// ErrSubscription says that a subscription is none.
var ErrSubscription = errors.New("not a push subscription")

var urlBase64 = base64.RawURLEncoding

// keys are the browser's part of the encryption.
func (s Subscription) keys() (*ecdh.PublicKey, []byte, error) {
	point, err := urlBase64.DecodeString(strings.TrimRight(s.P256DH, "="))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: p256dh is not base64url", ErrSubscription)
	}
	public, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: p256dh is no public key", ErrSubscription)
	}
	auth, err := urlBase64.DecodeString(strings.TrimRight(s.Auth, "="))
	if err != nil || len(auth) != 16 {
		return nil, nil, fmt.Errorf("%w: auth is not 16 bytes as base64url", ErrSubscription)
	}
	return public, auth, nil
}

// encrypt seals a message for one browser: RFC 8291, one record of RFC 8188.
// What the push service sees has the same size whatever is in it.
func encrypt(plain []byte, s Subscription) ([]byte, error) {
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, 16)
	rand.Read(salt)
	return encryptWith(plain, s, private, salt, recordSize-86-16-1)
}

// encryptWith pads the message to a length and encrypts it with a key of its own.
func encryptWith(plain []byte, s Subscription, private *ecdh.PrivateKey, salt []byte, padTo int) ([]byte, error) {
	public, auth, err := s.keys()
	if err != nil {
		return nil, err
	}
	if len(plain) > padTo {
		return nil, fmt.Errorf("push message of %d bytes, %d are allowed: %w", len(plain), padTo, parley.ErrTooLarge)
	}
	shared, err := private.ECDH(public)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSubscription, err)
	}
	ours := private.PublicKey().Bytes()
	info := "WebPush: info\x00" + string(public.Bytes()) + string(ours)
	ikm, err := hkdf.Key(sha256.New, shared, auth, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	out := append([]byte{}, salt...)
	out = binary.BigEndian.AppendUint32(out, recordSize)
	out = append(append(out, byte(len(ours))), ours...)
	padded := append(append([]byte{}, plain...), 2) // 2: the last record
	padded = append(padded, make([]byte, padTo-len(plain))...)
	return gcm.Seal(out, nonce, padded, nil), nil
}

// vapidKey is the key by which push services know this site (RFC 8292).
type vapidKey struct{ private *ecdsa.PrivateKey }

func newVAPIDKey() (vapidKey, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return vapidKey{private}, err
}

func parseVAPIDKey(raw []byte) (vapidKey, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	return vapidKey{private}, err
}

// public is what browsers are given to subscribe with.
func (k vapidKey) public() (string, error) {
	raw, err := k.private.PublicKey.Bytes()
	return urlBase64.EncodeToString(raw), err
}

// authorize says to the push service of an endpoint who sends.
func (k vapidKey) authorize(endpoint, subject string, now time.Time) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{
		"aud": u.Scheme + "://" + u.Host, "exp": now.Add(tokenTTL).Unix(), "sub": subject,
	})
	if err != nil {
		return "", err
	}
	text := urlBase64.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + urlBase64.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	public, err := k.public()
	return "vapid t=" + text + "." + urlBase64.EncodeToString(signature) + ", k=" + public, err
}

// pushChannel sends to browsers.
type pushChannel struct {
	subject string
	client  *http.Client // for URLs of strangers: a browser says where its push service is
	key     func(context.Context) (vapidKey, error)
}

// pushed is what the service worker is given.
type pushed struct {
	Type    string    `json:"type"`
	Tag     string    `json:"tag"` // of the notification: one for each question
	Title   string    `json:"title"`
	Body    string    `json:"body,omitempty"`
	URL     string    `json:"url,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
}

func (c *pushChannel) send(ctx context.Context, m message, s Subscription) error {
	plain, err := json.Marshal(pushed{
		Type: m.Event, Tag: string(m.Question), Title: m.From, Body: m.Title, URL: m.URL, Expires: m.Expires,
	})
	if err != nil {
		return err
	}
	body, err := encrypt(plain, s)
	if err != nil {
		return Final(err)
	}
	key, err := c.key(ctx)
	if err != nil {
		return err
	}
	authorization, err := key.authorize(s.Endpoint, c.subject, time.Now())
	if err != nil {
		return Final(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Endpoint, bytes.NewReader(body))
	if err != nil {
		return Final(err)
	}
	request.Header.Set("Content-Type", "application/octet-stream")
	request.Header.Set("Content-Encoding", "aes128gcm")
	request.Header.Set("Authorization", authorization)
	request.Header.Set("TTL", strconv.Itoa(int(m.life().Seconds())))
	request.Header.Set("Urgency", "high")
	request.Header.Set("Topic", string(m.Question)) // 32 letters and digits: one message waits for a device that is away
	return post(c.client, request)
}

// life is how long a push service keeps a message for a device that is away.
func (m message) life() time.Duration {
	if m.Expires.IsZero() {
		return time.Hour
	}
	return min(max(time.Until(m.Expires), time.Minute), pushTTL)
}

// checkSubscription says what is wrong with a subscription that somebody brings.
func checkSubscription(s Subscription, may *outbound.Options) error {
	switch {
	case len(s.Endpoint) > maxEndpoint:
		return fmt.Errorf("%w: the endpoint has %d bytes, %d are allowed", ErrSubscription, len(s.Endpoint), maxEndpoint)
	case len(s.Label) > maxLabel || s.Label != "" && !parley.ValidName(s.Label):
		return fmt.Errorf("%w: the label is no name of at most %d bytes", ErrSubscription, maxLabel)
	}
	if err := may.Check(s.Endpoint); err != nil {
		return err
	}
	_, _, err := s.keys()
	return err
}
