// Package receivers is who is told by package notify in tests: a browser that decrypts
// what was pushed to it, and a post office that takes letters by SMTP.
package receivers

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
)

// Browser is the other end of a subscription: it decrypts as RFC 8291 says.
type Browser struct {
	Endpoint string
	private  *ecdh.PrivateKey
	auth     []byte
}

// NewBrowser returns a browser whose push service is at the endpoint.
func NewBrowser(t testing.TB, endpoint string) *Browser {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := &Browser{Endpoint: endpoint, private: private, auth: make([]byte, 16)}
	rand.Read(b.auth)
	return b
}

// Keys are what a subscription says of the browser: p256dh and auth.
func (b *Browser) Keys() (p256dh, auth string) {
	text := base64.RawURLEncoding.EncodeToString
	return text(b.private.PublicKey().Bytes()), text(b.auth)
}

// Decrypt opens one message: header of RFC 8188, keys of RFC 8291, one record.
func (b *Browser) Decrypt(body []byte) ([]byte, error) {
	if len(body) < 86 || body[20] != 65 {
		return nil, fmt.Errorf("no header in %d bytes", len(body))
	}
	salt, size, sender, sealed := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:86], body[86:]
	if len(sealed) > int(size) {
		return nil, errors.New("more than one record")
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(public)
	if err != nil {
		return nil, err
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			panic(err)
		}
		return key
	}
	ikm := derive(shared, b.auth, "WebPush: info\x00"+string(b.private.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		return nil, err
	}
	plain = bytes.TrimRight(plain, "\x00")
	if len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.New("the last record has no delimiter")
	}
	return plain[:len(plain)-1], nil
}
