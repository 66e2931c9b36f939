package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

const longSecret = "q7Zk2m9Xw4Tn8Rb5Vc1Ys6Hd3Lf0Gj2P"

func fileWith(t *testing.T, mode os.FileMode, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(data), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestASecretIsReadFromAFile(t *testing.T) {
	long, store := fileWith(t, 0o600, longSecret+"\n"), fileWith(t, 0o600, "postgres://parley:hush@db/parley\r\n")
	env := func(name string) (string, bool) {
		return map[string]string{"DIR": filepath.Dir(long), "LITERAL": "file:hush"}[name], name == "DIR" || name == "LITERAL"
	}
	c, err := config.Parse([]byte(`
secrets: ["file:`+long+`"]
store: file:`+store+`
auth: {jwt: {issuer: https://id.example, audience: parley, hmac_key: "file:${DIR}/secret"}}
models: {main: {kind: openai, model: gpt, api_key: "${LITERAL}"}}
providers: {acme: {auth_url: https://acme.example/a, token_url: https://acme.example/t, client_id: "file:is-no-secret", client_secret: "file:`+long+`"}}
servers: {tracker: {command: [tracker], env: {TRACKER_KEY: "file:`+long+`"}}}
telemetry: {otlp: {endpoint: https://collector.example, headers: {api-key: "file:`+long+`"}}}
`), env)
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]string{
		"secrets": c.Secrets[0], "hmac_key": c.Auth.JWT.HMACKey, "client_secret": c.Providers["acme"].ClientSecret.Reveal(), "env": c.Servers["tracker"].Env["TRACKER_KEY"],
		"headers": c.Telemetry.OTLP.Sent()["api-key"],
	} {
		if got != longSecret {
			t.Errorf("%s: %q", what, got)
		}
	}
	if c.Store != "postgres://parley:hush@db/parley" {
		t.Errorf("store: %q", c.Store)
	}
	if c.Models["main"].APIKey != "file:hush" {
		t.Errorf("the value of a variable named a file: %q", c.Models["main"].APIKey)
	}
	if c.Providers["acme"].ClientID != "file:is-no-secret" {
		t.Errorf("what is no secret came from a file: %q", c.Providers["acme"].ClientID)
	}
	if all := c.Explain() + strings.Join(c.Warnings(), "\n"); strings.Contains(all, longSecret) || strings.Contains(all, "hush") || strings.Contains(all, "everybody on this machine can read") {
		t.Error(all)
	}
}

func TestWhatIsWrongWithAFileOfASecretIsSaidInWords(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"secret":                      "write the whole path",
		"/nowhere/at/all":             "/nowhere/at/all cannot be read: no such file or directory",
		t.TempDir():                   "is not a file",
		pipe:                          "is not a file",
		fileWith(t, 0o600, "\n"):      "is empty",
		fileWith(t, 0o600, " \r\n\n"): "is empty",
		fileWith(t, 0o600, strings.Repeat("x", 64<<10+1)): "has more than 64 KiB",
	} {
		_, err := config.Parse([]byte("dev: true\nsecrets:\n  - \"file:"+path+"\"\n"), nothingSet)
		if err == nil || !strings.Contains(err.Error(), "line 3: secrets[0]: ") || !strings.Contains(err.Error(), want) || errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	open := fileWith(t, 0o644, longSecret)
	if err := os.Chmod(open, 0o644); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	c, err := config.Parse([]byte("dev: true\nsecrets: [\"file:"+open+"\"]\n"), nothingSet)
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(c.Warnings(), "\n"); !strings.Contains(all, "secrets[0]: everybody on this machine can read "+open) {
		t.Errorf("warnings: %s", all)
	}
}

// Whoever puts file:/… into a variable means the file; the path would be a secret that anybody can guess.
func TestAVariableThatHoldsTheNameOfAFileIsRefusedInPlaceOfASecret(t *testing.T) {
	env := env(map[string]string{"SEC": "file:/run/secrets/parley-sealing-secret"})
	for _, text := range []string{"secrets:\n  - ${SEC}\n", "secrets: []\nstore: ${SEC}\n", "auth:\n  oidc: {client_secret: \"${SEC}\"}\n", "telemetry:\n  otlp: {endpoint: https://c.example, headers: {authorization: \"Bearer ${SEC}\"}}\n",
		"servers:\n  a: {command: [a], env: {KEY: \"${SEC}\"}}\n"} {
		_, err := config.Parse([]byte("dev: true\n"+text), env)
		if err == nil || !strings.Contains(err.Error(), "line 3: ") || !strings.Contains(err.Error(), "the variable SEC holds file:/…") || strings.Contains(err.Error(), "sealing") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if c, err := config.Parse([]byte("dev: true\ntitle: ${SEC}\n"), env); err != nil || !strings.HasPrefix(c.Title, "file:/run") {
		t.Errorf("what is no secret: %v", err)
	}
}

// What is left out has a default: a variable that somebody forgot to fill in would choose it.
func TestAVariableWithNothingInItIsAnError(t *testing.T) {
	env := env(map[string]string{"EMPTY": "", "BLANK": " \n", "FULL": "there"})
	for text, want := range map[string]string{
		"secrets: [a, \"${EMPTY}\"]":   "invalid configuration: line 2: secrets[1]: the environment has EMPTY, with", // and not that it is too short
		"store: ${EMPTY}":              "line 2: store: the environment has EMPTY, with nothing in it; where it may be empty write ${EMPTY:-}",
		"secrets: [\"${BLANK}\"]":      "line 2: secrets[0]: the environment has BLANK, with nothing in it",
		"title: a${EMPTY}b":            "title: the environment has EMPTY",
		"title: ${NOWHERE}":            "title: the environment has no NOWHERE",
		"title: \"${NOT SET\"":         "line 2: title: a variable is written ${NAME}",
		"title: \"${NOT SET}\"":        "title: a variable is written ${NAME}",
		"title: \"${FULL\"":            "title: a variable is written ${NAME}",
		"title: \"${}\"":               "title: a variable is written ${NAME}",
		"title: \"${FULL:=x}\"":        "title: a variable is written ${NAME}",
		"store: ${EMPTY:-}":            "",
		"title: <${EMPTY:-a b}>":       "<a b>",
		"title: <${NOWHERE:-}>":        "<>",
		"title: <${FULL:-other}>":      "<there>",
		"title: <$${FULL} $FULL $$ {}": "<${FULL} $FULL $$ {}",
	} {
		c, err := config.Parse([]byte("dev: true\n"+text+"\n"), env)
		switch {
		case err != nil:
			if want == "" || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", text, err)
			}
		case c.Title != want:
			t.Errorf("%s: %q", text, c.Title)
		}
	}
}

// An empty key is everybody's.
func TestTheDigestOfNothingIsNoKey(t *testing.T) {
	const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for _, digest := range []string{nothing, strings.ToUpper(nothing)} {
		_, err := config.Parse([]byte("dev: true\nauth:\n  api_keys:\n    - {name: setup, sha256: "+digest+"}\n"), nothingSet)
		if err == nil || !strings.Contains(err.Error(), "line 4: auth.api_keys[0]: this sha256 is that of an empty key") {
			t.Error(err)
		}
	}
}

func nothingSet(string) (string, bool) { return "", false }

// Every key that is called like a secret takes a file: whoever adds one is told here.
func TestEverySecretMayComeFromAFile(t *testing.T) {
	digests := map[string]bool{"auth.api_keys.sha256": true}
	seen := 0
	var walk func(of reflect.Type, at string, marked bool)
	walk = func(of reflect.Type, at string, marked bool) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem(), at, marked)
		case reflect.Struct:
			for field := range of.Fields() {
				name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
				if name != "" && name != "-" {
					walk(field.Type, strings.TrimPrefix(at+"."+name, "."), field.Tag.Get("secret") == "file")
				}
			}
		case reflect.String:
			last := at[strings.LastIndex(at, ".")+1:]
			secret := marked || of == reflect.TypeFor[parley.Secret]()
			named := false
			for _, word := range []string{"secret", "secrets", "password", "token", "key"} {
				named = named || last == word || strings.HasSuffix(last, "_"+word)
			}
			if named && !secret && !digests[at] && at != "tls.key" { // which is a file already
				t.Errorf("%s is no parley.Secret, and not marked secret:\"file\"", at)
			}
			if secret {
				seen++
			}
		}
	}
	walk(reflect.TypeFor[config.Config](), "", false)
	if seen < 15 {
		t.Error(fmt.Errorf("%d secrets were found: the test looks at the wrong thing", seen))
	}
}
