package seal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/seal"
)

const (
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

	// Made once, until the year 9999, and to open for ever.
	knownToken = "AbgW8C6YACskl6EFp0umXEhJh9R-3M6mK9GOBIq68wM9qZkOkQgJZeWAMbz2OUJtNuJcdNwjUy55XuDxd8N7tZ45" +
		"-KphDxoyYMbOdJTYT0_Kj_E3P3r-liA5pQP0XAkB4q9Zf1eU3te2eTSBLVnzf-7L-bMF5GRzfusLIDQS_J47vYDDJnFTnU4gog"
	knownPayload = "session-42"
)

func later() time.Time { return time.Now().Add(time.Hour) }

func mustToken(t testing.TB, k *seal.Keyring, purpose string, payload []byte, expires time.Time) string {
	t.Helper()
	token, err := k.Token(purpose, payload, expires)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestKnownTokenOpensForEver(t *testing.T) {
	got, err := keyring(t, knownSecret).OpenToken("connect", knownToken)
	if err != nil || string(got) != knownPayload {
		t.Fatalf("OpenToken = %q, %v", got, err)
	}
}

func TestTokenSizesTellOnlyTheBucket(t *testing.T) {
	k := keyring(t, newSecret)
	sizes := map[int]int{} // of tokens, by bucket
	for n := range 1025 {
		payload := bytes.Repeat([]byte{0xff}, n)
		token := mustToken(t, k, "connect", payload, later())
		bucket := 0
		if n > 96 {
			bucket = (n - 96 + 63) / 64
		}
		if sizes[bucket] == 0 {
			sizes[bucket] = len(token)
		}
		if len(token) != sizes[bucket] || strings.Trim(token, alphabet) != "" {
			t.Fatalf("%d bytes: %d characters, others of bucket %d have %d: %s", n, len(token), bucket, sizes[bucket], token)
		}
		if got, err := k.OpenToken("connect", token); err != nil || !bytes.Equal(got, payload) {
			t.Fatalf("%d bytes: OpenToken = %q, %v", n, got, err)
		}
	}
	if len(sizes) != 16 || sizes[0] != 186 {
		t.Errorf("sizes by bucket: %v", sizes)
	}
	_, err := k.Token("connect", make([]byte, 1025), later())
	wantError(t, err, seal.ErrTokenTooLarge)
}

func TestTokenForAnotherPurposeDoesNotOpen(t *testing.T) {
	k := keyring(t, newSecret)
	token := mustToken(t, k, "connect", []byte("x"), later())
	for _, purpose := range []string{"", "answer", "connec", "connect ", "Connect"} {
		got, err := k.OpenToken(purpose, token)
		if !errors.Is(err, seal.ErrTampered) || got != nil {
			t.Errorf("purpose %q: %q, %v", purpose, got, err)
		}
	}
}

func TestTokenRotation(t *testing.T) {
	token := mustToken(t, keyring(t, oldSecret), "connect", []byte("x"), later())
	if got, err := keyring(t, newSecret, oldSecret).OpenToken("connect", token); err != nil || string(got) != "x" {
		t.Errorf("with both secrets: %q, %v", got, err)
	}
	_, err := keyring(t, newSecret).OpenToken("connect", token)
	wantError(t, err, seal.ErrUnknownKey)
}

func TestTokenExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keyring(t, newSecret)
		token := mustToken(t, k, "connect", []byte("x"), time.Now().Add(time.Hour))
		time.Sleep(time.Hour - time.Millisecond)
		if got, err := k.OpenToken("connect", token); err != nil || string(got) != "x" {
			t.Fatalf("a millisecond early: %q, %v", got, err)
		}
		time.Sleep(time.Millisecond)
		got, err := k.OpenToken("connect", token)
		wantError(t, err, seal.ErrTokenExpired)
		if got != nil {
			t.Errorf("an expired token gave %q", got)
		}
		// Whoever may not read it does not learn that it has expired.
		_, err = k.OpenToken("answer", token)
		wantError(t, err, seal.ErrTampered)

		for _, past := range []time.Time{{}, time.Now().Add(-time.Hour), time.Now()} {
			_, err = k.Token("connect", nil, past)
			wantError(t, err, seal.ErrTokenExpired)
		}
	})
}

func TestEveryOtherSpellingOfATokenIsRefused(t *testing.T) {
	k := keyring(t, newSecret)
	for _, n := range []int{1, 100, 180} { // with 4, 0 and 2 unused bits in the last character
		token := mustToken(t, k, "connect", make([]byte, n), later())
		for name, other := range map[string]string{
			"line break inside":  token[:8] + "\n" + token[8:],
			"line break behind":  token + "\r\n",
			"space behind":       token + " ",
			"padded":             token + strings.Repeat("=", (4-len(token)%4)%4) + "====",
			"standard alphabet":  token[:8] + "+/" + token[10:],
			"percent":            token[:8] + "%41" + token[9:],
			"a character behind": token + "A",
			"twice":              token + token,
		} {
			if got, err := k.OpenToken("connect", other); err == nil || got != nil {
				t.Errorf("%d bytes, %s: opened", n, name)
			}
		}
		last := len(token) - 1
		for _, c := range alphabet {
			if byte(c) == token[last] {
				continue
			}
			if _, err := k.OpenToken("connect", token[:last]+string(c)); err == nil {
				t.Errorf("%d bytes: also opened with %c at the end", n, c)
			}
		}
	}
	padded := base64.URLEncoding.EncodeToString(mustDecode(t, mustToken(t, k, "connect", nil, later())))
	_, err := k.OpenToken("connect", padded)
	wantError(t, err, seal.ErrMalformed)
}

func mustDecode(t testing.TB, token string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestEveryBrokenTokenIsAnError(t *testing.T) {
	k := keyring(t, newSecret)
	token := mustToken(t, k, "connect", []byte("session-42"), later())
	raw := mustDecode(t, token)
	for i := range raw {
		want := seal.ErrTampered
		switch {
		case i < 1:
			want = seal.ErrMalformed
		case i < 5:
			want = seal.ErrUnknownKey
		}
		for bit := range 8 {
			bad := bytes.Clone(raw)
			bad[i] ^= 1 << bit
			got, err := k.OpenToken("connect", base64.RawURLEncoding.EncodeToString(bad))
			if !errors.Is(err, want) || got != nil {
				t.Fatalf("byte %d, bit %d: %q, %v; want %v", i, bit, got, err, want)
			}
		}
	}
	for n := range token {
		got, err := k.OpenToken("connect", token[:n])
		if !errors.Is(err, seal.ErrMalformed) || got != nil {
			t.Fatalf("first %d characters: %q, %v", n, got, err)
		}
	}
	_, err := k.OpenToken("connect", strings.Repeat("A", 1<<20))
	wantError(t, err, seal.ErrMalformed)
}

func TestTokensAndSealedValuesAreNotEachOther(t *testing.T) {
	k := keyring(t, newSecret)
	_, err := k.OpenToken(binding.Purpose, base64.RawURLEncoding.EncodeToString(mustSeal(t, k, make([]byte, 100), binding)))
	wantError(t, err, seal.ErrMalformed)
	_, err = k.Open(mustDecode(t, mustToken(t, k, binding.Purpose, nil, later())), binding)
	wantError(t, err, seal.ErrMalformed)
}

// FuzzOpenToken knows one token; nothing else may open. It tries each input as it
// stands and as the bytes of a token, or most would end at the base64.
func FuzzOpenToken(f *testing.F) {
	k := keyring(f, knownSecret)
	f.Add("connect", knownToken)
	f.Add("answer", knownToken)
	f.Add("connect", knownToken[:185]+"h")
	f.Add("connect", knownToken+"\n")
	f.Add("connect", string(mustDecode(f, knownToken)))
	f.Add("", "")
	f.Fuzz(func(t *testing.T, purpose, input string) {
		for _, token := range []string{input, base64.RawURLEncoding.EncodeToString([]byte(input))} {
			known := purpose == "connect" && token == knownToken
			payload, err := k.OpenToken(purpose, token)
			if known != (err == nil) || err != nil && payload != nil {
				t.Fatalf("OpenToken = %q, %v", payload, err)
			}
			if err != nil && !errors.Is(err, seal.ErrMalformed) && !errors.Is(err, seal.ErrUnknownKey) && !errors.Is(err, seal.ErrTampered) {
				t.Fatalf("an error without a name: %v", err)
			}
		}
	})
}

func BenchmarkToken(b *testing.B) {
	k, expires := keyring(b, newSecret), later()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Token("connect", []byte(knownPayload), expires); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenToken(b *testing.B) {
	k := keyring(b, knownSecret)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.OpenToken("connect", knownToken); err != nil {
			b.Fatal(err)
		}
	}
}
