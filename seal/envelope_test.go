package seal_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

// The values below were sealed once and must open for ever: a change that breaks
// them breaks every installation. A second implementation of the package comment,
// in Python, opened them too.
var (
	knownSecret  = []byte("known-answer secret of 32 bytes.")
	knownPlain   = []byte(`{"token":"s3cr3t"}`)
	knownBinding = binding
	knownSealed  = unhex("fe505301b816f02e" +
		"8ea1c8c621db52e3fac0ae79b59abafe507d620b3481eb52e8324f5f9e35" +
		"c186987f7145da5611f161882b550ab5f8e6241957bc21ad6bbb0cccdb8a" +
		"b92fbbf69a526a847c1ad7f1de3b85a45b8207eb027975e6e5e492126abf4490cde843442a3395296fb7ec191e53")
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func TestKnownSealedValueOpensForEver(t *testing.T) {
	k := keyring(t, knownSecret)
	wantOpen(t, k, knownSealed, knownBinding, knownPlain)
	if got := fmt.Sprint(k); got != "seal.Keyring[b816f02e]" {
		t.Errorf("the key id changed: %s", got)
	}
}

func TestSealedComesBack(t *testing.T) {
	k := keyring(t, newSecret)
	for _, plain := range [][]byte{nil, {}, {0}, []byte("{}"), bytes.Repeat([]byte("long"), 100_000)} {
		for _, b := range []parley.Binding{{}, binding} {
			sealed := mustSeal(t, k, plain, b)
			if len(sealed) != len(plain)+seal.Overhead || !seal.Sealed(sealed) {
				t.Fatalf("%d bytes for %d, begins %x", len(sealed), len(plain), sealed[:4])
			}
			wantOpen(t, k, sealed, b, plain)
		}
	}
	if got, err := k.Open(mustSeal(t, k, []byte{}, binding), binding); got != nil || err != nil {
		t.Errorf("empty came back as %#v, %v; want nil", got, err)
	}
}

func TestEqualValuesSealToDifferentBytes(t *testing.T) {
	k := keyring(t, newSecret)
	a, b := mustSeal(t, k, knownPlain, binding), mustSeal(t, k, knownPlain, binding)
	for i := 8; i+16 <= len(a); i++ {
		if bytes.Contains(b, a[i:i+16]) {
			t.Fatalf("both contain %x", a[i:i+16])
		}
	}
}

func TestRotation(t *testing.T) {
	before, during, after := keyring(t, oldSecret), keyring(t, newSecret, oldSecret), keyring(t, newSecret)
	sealed := mustSeal(t, before, knownPlain, binding)
	wantOpen(t, during, sealed, binding, knownPlain)
	_, err := after.Open(sealed, binding)
	wantError(t, err, seal.ErrUnknownKey)
	_, _, err = after.Rewrap(sealed, binding)
	wantError(t, err, seal.ErrUnknownKey)
	wantOpen(t, after, mustSeal(t, during, knownPlain, binding), binding, knownPlain)

	kept := bytes.Clone(sealed)
	rewrapped, changed, err := during.Rewrap(sealed, binding)
	if err != nil || !changed {
		t.Fatalf("Rewrap = %t, %v; want a change", changed, err)
	}
	if !bytes.Equal(sealed, kept) {
		t.Error("Rewrap wrote into its argument")
	}
	if tail := len(knownPlain) + 28; !bytes.Equal(rewrapped[len(rewrapped)-tail:], sealed[len(sealed)-tail:]) {
		t.Error("Rewrap touched the payload")
	}
	wantOpen(t, after, rewrapped, binding, knownPlain)
	_, err = before.Open(rewrapped, binding)
	wantError(t, err, seal.ErrUnknownKey)

	again, changed, err := during.Rewrap(rewrapped, binding)
	if err != nil || changed || !bytes.Equal(again, rewrapped) {
		t.Errorf("second Rewrap = %t, %v; want no change", changed, err)
	}
}

func TestRewrapRefusesWhatBelongsElsewhere(t *testing.T) {
	k := keyring(t, newSecret, oldSecret)
	for _, by := range [][]byte{newSecret, oldSecret} {
		sealed := mustSeal(t, keyring(t, by), knownPlain, binding)
		for name, b := range elsewhere() {
			got, changed, err := k.Rewrap(sealed, b)
			if !errors.Is(err, seal.ErrTampered) || changed || got != nil {
				t.Errorf("%s: %x, %t, %v", name, got, changed, err)
			}
		}
	}
	_, _, err := k.Rewrap([]byte("plain"), binding)
	wantError(t, err, seal.ErrMalformed)
}

// elsewhere returns bindings that are not binding, among them those that would
// be it if fields were only joined.
func elsewhere() map[string]parley.Binding {
	change := func(f func(*parley.Binding)) parley.Binding {
		b := binding
		f(&b)
		return b
	}
	return map[string]parley.Binding{
		"tenant":            change(func(b *parley.Binding) { b.Tenant = "other" }),
		"purpose":           change(func(b *parley.Binding) { b.Purpose = "record:grant" }),
		"owner":             change(func(b *parley.Binding) { b.Owner = "eve" }),
		"key":               change(func(b *parley.Binding) { b.Key = "tracker/eve" }),
		"nothing":           {},
		"no owner":          change(func(b *parley.Binding) { b.Owner = "" }),
		"owner and key":     change(func(b *parley.Binding) { b.Owner, b.Key = "adat", "racker/ada" }),
		"all in the key":    change(func(b *parley.Binding) { b.Owner, b.Key = "", "adatracker/ada" }),
		"tenant, purpose":   change(func(b *parley.Binding) { b.Tenant, b.Purpose = "acmer", "ecord:connection" }),
		"purpose and owner": change(func(b *parley.Binding) { b.Purpose, b.Owner = "record:connectionada", "" }),
		"swapped":           change(func(b *parley.Binding) { b.Owner, b.Key = b.Key, b.Owner }),
		"length as text":    change(func(b *parley.Binding) { b.Owner, b.Key = "ada\x0btracker/ada", "" }),
	}
}

func TestMovedValueIsTampered(t *testing.T) {
	k := keyring(t, newSecret)
	sealed := mustSeal(t, k, knownPlain, binding)
	for name, b := range elsewhere() {
		got, err := k.Open(sealed, b)
		if !errors.Is(err, seal.ErrTampered) || got != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestPartsOfTwoValuesDoNotFit(t *testing.T) {
	k := keyring(t, newSecret)
	a, b := mustSeal(t, k, []byte("one"), binding), mustSeal(t, k, []byte("two"), binding)
	head := seal.Overhead - 28
	_, err := k.Open(append(bytes.Clone(a[:head]), b[head:]...), binding)
	wantError(t, err, seal.ErrTampered)
}

func TestEveryFlippedBitIsAnError(t *testing.T) {
	k := keyring(t, newSecret, oldSecret)
	sealed := mustSeal(t, k, knownPlain, binding)
	for i := range sealed {
		want := seal.ErrTampered
		switch {
		case i < 4:
			want = seal.ErrMalformed
		case i < 8:
			want = seal.ErrUnknownKey
		}
		for bit := range 8 {
			bad := bytes.Clone(sealed)
			bad[i] ^= 1 << bit
			if got, err := k.Open(bad, binding); !errors.Is(err, want) || got != nil {
				t.Fatalf("byte %d, bit %d: %q, %v; want %v", i, bit, got, err, want)
			}
		}
	}
}

func TestEveryTruncationAndExtensionIsAnError(t *testing.T) {
	k := keyring(t, newSecret)
	sealed := mustSeal(t, k, knownPlain, binding)
	for n := range sealed {
		want := seal.ErrTampered
		if n < seal.Overhead {
			want = seal.ErrMalformed
		}
		if got, err := k.Open(sealed[:n], binding); !errors.Is(err, want) || got != nil {
			t.Fatalf("first %d bytes: %q, %v; want %v", n, got, err, want)
		}
		if got, err := k.Open(sealed[n+1:], binding); !errors.Is(err, seal.ErrMalformed) || got != nil {
			t.Fatalf("without the first %d bytes: %q, %v", n+1, got, err)
		}
	}
	_, err := k.Open(append(bytes.Clone(sealed), 0), binding)
	wantError(t, err, seal.ErrTampered)
}

func TestOneKeyringServesManyGoroutines(t *testing.T) {
	k := keyring(t, newSecret, oldSecret)
	old := mustSeal(t, keyring(t, oldSecret), knownPlain, binding)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				b := parley.Binding{Tenant: fmt.Sprint("tenant ", i), Purpose: "p", Owner: fmt.Sprint(g)}
				plain := fmt.Appendf(nil, "%d of %d", i, g)
				sealed, err := k.Seal(plain, b)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := k.Open(sealed, b); err != nil || !bytes.Equal(got, plain) {
					t.Errorf("Open = %q, %v", got, err)
				}
				if _, changed, err := k.Rewrap(old, binding); err != nil || !changed {
					t.Errorf("Rewrap = %t, %v", changed, err)
				}
				token, err := k.Token("p", plain, later())
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := k.OpenToken("p", token); err != nil || !bytes.Equal(got, plain) {
					t.Errorf("OpenToken = %q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// FuzzOpen knows one sealed value; nothing else may open.
func FuzzOpen(f *testing.F) {
	k := keyring(f, knownSecret)
	b := knownBinding
	f.Add(knownSealed, b.Tenant, b.Purpose, b.Owner, b.Key)
	f.Add(knownSealed, b.Tenant, b.Purpose, "eve", b.Key)
	f.Add(knownSealed[:seal.Overhead], b.Tenant, b.Purpose, b.Owner, b.Key)
	f.Add(append(bytes.Clone(knownSealed), knownSealed...), b.Tenant, b.Purpose, b.Owner, b.Key)
	f.Add([]byte("{}"), "", "", "", "")
	f.Fuzz(func(t *testing.T, sealed []byte, tenant, purpose, owner, key string) {
		b := parley.Binding{Tenant: tenant, Purpose: purpose, Owner: owner, Key: key}
		known := bytes.Equal(sealed, knownSealed) && b == knownBinding
		plain, err := k.Open(sealed, b)
		if known != (err == nil) || err != nil && plain != nil {
			t.Fatalf("Open = %q, %v", plain, err)
		}
		if err != nil && !errors.Is(err, seal.ErrMalformed) && !errors.Is(err, seal.ErrUnknownKey) && !errors.Is(err, seal.ErrTampered) {
			t.Fatalf("an error without a name: %v", err)
		}
		if _, changed, err := k.Rewrap(sealed, b); changed || known && err != nil {
			t.Fatalf("Rewrap = %t, %v", changed, err)
		}
	})
}

func BenchmarkSeal1KiB(b *testing.B) {
	k, plain := keyring(b, newSecret), make([]byte, 1024)
	b.SetBytes(1024)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Seal(plain, binding); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen1KiB(b *testing.B) {
	k := keyring(b, newSecret)
	sealed := mustSeal(b, k, make([]byte, 1024), binding)
	b.SetBytes(1024)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Open(sealed, binding); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRewrap1KiB(b *testing.B) {
	k := keyring(b, newSecret, oldSecret)
	sealed := mustSeal(b, keyring(b, oldSecret), make([]byte, 1024), binding)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := k.Rewrap(sealed, binding); err != nil {
			b.Fatal(err)
		}
	}
}
