package vault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

func TestATenantsSecretsAreKeptAndShownToNobody(t *testing.T) {
	w := newWorld(t, nil)
	keyed := vault.Server{Name: "keyed2", URL: "https://keyed.example/mcp", Auth: vault.Auth{Type: vault.Bearer, Scope: vault.Platform, Token: "s3cr3t"}}
	known := vault.Server{Name: "known", URL: "https://known.example/mcp", Auth: vault.Auth{
		Type: vault.MCP, Scope: vault.User, Issuer: "https://idp.example", ClientID: "parley", ClientSecret: "s3cr3t",
	}}
	for _, want := range []vault.Server{keyed, known} {
		if err := w.PutServer(t.Context(), "globex", want); err != nil {
			t.Fatal(err)
		}
		got, err := w.Server(t.Context(), "globex", want.Name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Auth.Token.Reveal()+want.Auth.ClientSecret.Reveal(), got.Auth.Token.Reveal()+got.Auth.ClientSecret.Reveal()); diff != "" {
			t.Error(diff)
		}
		if data, err := json.Marshal(got); !errors.Is(err, parley.ErrSecret) {
			t.Errorf("as JSON: %s, %v", data, err)
		}
		if text := fmt.Sprintf("%+v %#v", got, got); strings.Contains(text, "s3cr3t") {
			t.Errorf("printed: %s", text)
		}
	}
}
