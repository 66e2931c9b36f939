// Package softkey is a passkey in software, for tests: it does what a browser and a device
// do, and what they never would.
package softkey

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// Device has one passkey. Its fields may be changed before it signs.
type Device struct {
	Origin     string // of the page that asks
	Host       string // that its passkey is for
	Unverified bool   // it does not ask for its person
	Absent     bool   // nobody touches it
	Chatter    string // more of what its browser says
	Within     string // the page is in a frame of this origin
	Framed     bool   // it is in a frame, of a browser that does not say whose
	Handle     string // whose it says that its passkey is; empty: it does not say
	Stuck      bool   // it does not count on

	ID      []byte
	counter uint32
	key     *ecdsa.PrivateKey
}

// New returns a device for the site at an origin.
func New(t testing.TB, origin, host string) *Device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Device{Origin: origin, Host: host, ID: []byte(rand.Text()), key: key}
}

// Create is what navigator.credentials.create returns, as JSON, for these options.
func (d *Device) Create(t testing.TB, options json.RawMessage) json.RawMessage {
	t.Helper()
	attested := append(make([]byte, 16), byte(len(d.ID)>>8), byte(len(d.ID)))
	data := append(d.data(0x40), append(append(attested, d.ID...), d.PublicKey(t)...)...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59"), byte(len(data)>>8), byte(len(data)))
	return d.response(t, map[string]string{
		"attestationObject": text(append(object, data...)), "clientDataJSON": text(d.client(t, "webauthn.create", challengeOf(t, options))),
	})
}

// Get is what navigator.credentials.get returns, as JSON, for these options.
func (d *Device) Get(t testing.TB, options json.RawMessage) json.RawMessage {
	t.Helper()
	return d.Sign(t, challengeOf(t, options))
}

// Sign signs a challenge, in base64.
func (d *Device) Sign(t testing.TB, challenge string) json.RawMessage {
	t.Helper()
	if !d.Stuck {
		d.counter++
	}
	data, client := d.data(0), d.client(t, "webauthn.get", challenge)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{"authenticatorData": text(data), "clientDataJSON": text(client), "signature": text(signature)}
	if d.Handle != "" {
		parts["userHandle"] = text([]byte(d.Handle))
	}
	return d.response(t, parts)
}

// Uncounted is a copy of the device that does not count at all.
func (d *Device) Uncounted() *Device {
	other := *d
	other.counter, other.Stuck = 0, true
	return &other
}

// PublicKey is the passkey's, as COSE.
func (d *Device) PublicKey(t testing.TB) []byte {
	t.Helper()
	point, err := d.key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	all := []byte("\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20")
	all = append(append(all, point[1:33]...), "\x22\x58\x20"...)
	return append(all, point[33:]...)
}

func (d *Device) data(flags byte) []byte {
	var host [sha256.Size]byte // of no site, where there is none
	if d.Host != "" {
		host = sha256.Sum256([]byte(d.Host))
	}
	if !d.Absent {
		flags |= 1
	}
	if !d.Unverified {
		flags |= 4
	}
	return binary.BigEndian.AppendUint32(append(host[:], flags), d.counter)
}

func (d *Device) client(t testing.TB, kind, challenge string) []byte {
	t.Helper()
	said := map[string]any{"type": kind, "challenge": challenge, "origin": d.Origin, "crossOrigin": d.Framed || d.Within != ""}
	if d.Within != "" {
		said["topOrigin"] = d.Within
	}
	if d.Chatter != "" {
		said["chatter"] = d.Chatter
	}
	data, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (d *Device) response(t testing.TB, parts map[string]string) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(map[string]any{"id": text(d.ID), "rawId": text(d.ID), "type": "public-key", "response": parts})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func challengeOf(t testing.TB, options json.RawMessage) string {
	t.Helper()
	var o struct {
		Challenge string `json:"challenge"`
	}
	if err := json.Unmarshal(options, &o); err != nil || o.Challenge == "" {
		t.Fatalf("no challenge in %s: %v", options, err)
	}
	return o.Challenge
}

func text(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
