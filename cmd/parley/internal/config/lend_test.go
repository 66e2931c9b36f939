package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// with is the contract with more said of the provider.
func with(more string) string {
	return strings.Replace(contract, "scopes: [read]}", "scopes: [read]"+more+"}", 1)
}

func TestWhatIsLentToTenantsIsChecked(t *testing.T) {
	const service = "\nservices:\n  boards: {provider: acme, scopes: [boards.read]"
	for name, c := range map[string]struct{ text, want string }{
		"tenants":                 {with(", tenants: [globex, initech]"), ""},
		"every tenant":            {with(", tenants: ['*'], allowed_scopes: [read, write]"), ""},
		"no name":                 {with(", tenants: ['']"), "providers.acme.tenants"},
		"fewer than are asked":    {with(", tenants: [globex], allowed_scopes: [write]"), `providers.acme.allowed_scopes: "read"`},
		"scopes for nobody":       {with(", allowed_scopes: [read]"), "providers.acme.allowed_scopes"},
		"a service":               {contract + service + ", tenants: [globex]}\n", ""},
		"a service, for nobody":   {contract + service + ", allowed_scopes: [boards.read]}\n", "services.boards.allowed_scopes"},
		"a service, fewer scopes": {contract + service + ", tenants: [globex], allowed_scopes: [x]}\n", `services.boards.allowed_scopes: "boards.read"`},
		"scope":                   {with(", auth_params: {scope: admin}"), "auth_params"},
		"in capitals":             {with(", auth_params: {SCOPE: admin}"), "auth_params"},
		"request_uri":             {with(", auth_params: {request_uri: x}"), "auth_params"},
		"what may be sent":        {with(", auth_params: {access_type: offline}"), ""},
		"scope in the address":    {strings.Replace(contract, "auth_url: https://acme.example/a", "auth_url: 'https://acme.example/a?scope=admin'", 1), "auth_url"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Parse([]byte(c.text), env(nil))
			if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestWhatIsLentToTenantsIsExplained(t *testing.T) {
	c, err := config.Parse([]byte(with(", tenants: [globex], allowed_scopes: [read, write]")), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if said, want := c.Explain(), "provider acme: open to servers that the tenants [globex] add, for the scopes [read write]\n"; !strings.Contains(said, want) {
		t.Errorf("no %q in\n%s", want, said)
	}
}
