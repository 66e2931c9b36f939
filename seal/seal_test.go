package seal_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	oldSecret = []byte("the old secret, 32 bytes or more")
	newSecret = []byte("the new secret, 32 bytes or more")

	binding = parley.Binding{Tenant: "acme", Purpose: "record:connection", Owner: "ada", Key: "tracker/ada"}
)

func keyring(t testing.TB, secrets ...[]byte) *seal.Keyring {
	t.Helper()
	k, err := seal.New(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func mustSeal(t testing.TB, k *seal.Keyring, plain []byte, b parley.Binding) []byte {
	t.Helper()
	sealed, err := k.Seal(plain, b)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func wantOpen(t testing.TB, k *seal.Keyring, sealed []byte, b parley.Binding, want []byte) {
	t.Helper()
	got, err := k.Open(sealed, b)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("Open = %q, %v; want %q", got, err, want)
	}
}

func wantError(t testing.TB, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("error %v; want %v", got, want)
	}
}

func TestKeyringRefusesBadSecrets(t *testing.T) {
	for _, test := range []struct {
		name    string
		secrets [][]byte
		want    error
	}{
		{"none", nil, seal.ErrNoSecret},
		{"nil", [][]byte{nil}, seal.ErrWeakSecret},
		{"31 bytes", [][]byte{oldSecret[:31]}, seal.ErrWeakSecret},
		{"a weak one behind a good one", [][]byte{newSecret, []byte("hunter2")}, seal.ErrWeakSecret},
		{"twice the same", [][]byte{newSecret, oldSecret, newSecret}, seal.ErrDuplicateSecret},
		// These two differ and share the key id 428db293.
		{"one key id", [][]byte{numbered(3415), numbered(6182)}, seal.ErrDuplicateSecret},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, err := seal.New(test.secrets...)
			wantError(t, err, test.want)
			if k != nil {
				t.Error("a keyring came with the error")
			}
			for _, s := range test.secrets {
				if len(s) > 0 && strings.Contains(err.Error(), string(s)) {
					t.Errorf("the error quotes a secret: %v", err)
				}
			}
		})
	}
}

func numbered(n int) []byte { return fmt.Appendf(nil, "parley test secret number %08d", n) }

func TestKeyringWithoutSecretsRefusesEverything(t *testing.T) {
	sealed := mustSeal(t, keyring(t, oldSecret), []byte("x"), binding)
	token := mustToken(t, keyring(t, oldSecret), "connect", nil, later())
	for _, k := range []*seal.Keyring{nil, {}} {
		_, err := k.Seal(nil, binding)
		wantError(t, err, seal.ErrNoSecret)
		_, err = k.Token("connect", nil, later())
		wantError(t, err, seal.ErrNoSecret)
		_, err = k.Open(sealed, binding)
		wantError(t, err, seal.ErrUnknownKey)
		_, _, err = k.Rewrap(sealed, binding)
		wantError(t, err, seal.ErrUnknownKey)
		_, err = k.OpenToken("connect", token)
		wantError(t, err, seal.ErrUnknownKey)
	}
}

func TestKeyringPrintsOnlyKeyIDs(t *testing.T) {
	k := keyring(t, newSecret, oldSecret)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		if got := fmt.Sprintf(verb, k); len(got) != len("seal.Keyring[01234567 01234567]") {
			t.Errorf("%s prints %s", verb, got)
		}
	}
	if got := fmt.Sprint((*seal.Keyring)(nil)); got != "seal.Keyring[]" {
		t.Errorf("nil prints %s", got)
	}
}

func TestParseSecrets(t *testing.T) {
	const hex64 = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1efb"
	want := string(append([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
		20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30}, 0xfb))
	for _, test := range []struct {
		name, value, want string
		err               error
	}{
		{"raw", string(oldSecret), string(oldSecret), nil},
		{"raw with a line break behind it", string(oldSecret) + "\n", string(oldSecret), nil},
		{"hex", "hex:" + hex64, want, nil},
		{"base64", "base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHvs=", want, nil},
		{"base64 without padding", "base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHvs", want, nil},
		{"base64 of the URL alphabet", "base64:" + strings.Repeat("-_", 32), string(bytes.Repeat([]byte{0xfb, 0xff, 0xbf}, 16)), nil},
		{"empty", "", "", seal.ErrWeakSecret},
		{"short", "hunter2", "", seal.ErrWeakSecret},
		{"long as text, short as bytes", "hex:" + hex64[:62], "", seal.ErrWeakSecret},
		{"not hex", "hex:" + strings.Repeat("zz", 32), "", seal.ErrSecretFormat},
		{"not base64", "base64:" + strings.Repeat("!", 44), "", seal.ErrSecretFormat},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := seal.ParseSecrets([]string{string(newSecret), test.value})
			if test.err != nil {
				wantError(t, err, test.err)
				if !strings.Contains(err.Error(), "secret 2") || len(test.value) > 7 && strings.Contains(err.Error(), test.value[7:]) {
					t.Errorf("the error should give the position and not the value: %v", err)
				}
				return
			}
			if err != nil || len(got) != 2 || string(got[1]) != test.want {
				t.Fatalf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestSecretFromEnvTakesTheFirstThatIsSet(t *testing.T) {
	env := map[string]string{}
	for _, name := range []string{"", "MCP_SERVER_SECRET", "MCP_SESSION_SECRET", "MCP_ELICITATION_SECRET", "PARLEY_SECRET"} {
		if name != "" {
			env[name] = "value of " + name
		}
		secret, got := seal.SecretFromEnv(func(n string) string { return env[n] })
		if got != name || secret != env[name] {
			t.Errorf("got %q from %q; want that of %q", secret, got, name)
		}
	}
}
