package notify

import (
	"crypto/ecdh"
	"encoding/base64"
	"testing"
)

// The example of RFC 8291, section 5.
func TestAMessageIsEncryptedAsTheStandardDoesIt(t *testing.T) {
	raw := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	private, err := ecdh.P256().NewPrivateKey(raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	s := Subscription{
		P256DH: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		Auth:   "BTBZMqHH6r4Tts7J_aSIgg",
	}
	plain := "When I grow up, I want to be a watermelon"
	got, err := encryptWith([]byte(plain), s, private, raw("DGv6ra1nlYgDCS1FRnbzlw"), len(plain))
	if err != nil {
		t.Fatal(err)
	}
	want := "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
		"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if base64.RawURLEncoding.EncodeToString(got) != want {
		t.Errorf("got %s", base64.RawURLEncoding.EncodeToString(got))
	}
}

func TestWhatAPushServiceSeesHasOneSize(t *testing.T) {
	receiver, err := ecdh.P256().GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Subscription{P256DH: urlBase64.EncodeToString(receiver.PublicKey().Bytes()), Auth: urlBase64.EncodeToString(make([]byte, 16))}
	for _, size := range []int{0, 1, 3000, recordSize - 103} {
		if sealed, err := encrypt(make([]byte, size), s); err != nil || len(sealed) != recordSize {
			t.Errorf("%d bytes became %d, %v", size, len(sealed), err)
		}
	}
	if _, err := encrypt(make([]byte, recordSize-102), s); err == nil {
		t.Error("what does not fit was taken")
	}
}
