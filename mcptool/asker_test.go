package mcptool_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/seal"
)

const (
	goodSecret  = "a secret of thirty-two bytes, or more"
	otherSecret = "another secret of thirty-two bytes!!!"
)

func TestTheMemoryStoreSaysOnceThatItIsForOneNode(t *testing.T) {
	var log bytes.Buffer
	newAsker(t, parley.New(parley.NewMemoryStore(), nil), &mcptool.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), "single-node") {
		t.Errorf("logged:\n%s", log.String())
	}
}

// journals returns the stored data of calls that wait.
func journals(t *testing.T, s *site) string {
	t.Helper()
	var all strings.Builder
	for _, tenant := range []string{"", parley.DefaultTenant} {
		found, err := s.store.Scan(t.Context(), parley.Address{Tenant: tenant, Kind: "mcp.call"}, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			all.Write(r.Data)
		}
	}
	return all.String()
}

func TestSecretsComeFromTheOptionsThenFromTheEnvironment(t *testing.T) {
	for _, name := range append([]string{""}, secretNames...) {
		t.Run("from "+name, func(t *testing.T) {
			var opts mcptool.Options
			if name == "" {
				opts.Secrets = []string{goodSecret}
			} else {
				t.Setenv(name, goodSecret)
			}
			s := newSite(t, opts)
			addDelete(s, nil)
			c := s.connect(t, clientOptions{era: modern, manual: true, person: say("cancel")})
			if r := call(t, c, "delete-account", account{"7"}); !r.NeedsInput() {
				t.Fatalf("result %+v", r)
			}
			stored := journals(t, s)
			if stored == "" || strings.Contains(stored, "delete-account") {
				t.Errorf("stored in plain: %q", stored)
			}
		})
	}
}

func TestAStateOpensWithTheSecretItWasSealedWith(t *testing.T) {
	store := parley.NewMemoryStore()
	options := clientOptions{era: modern, manual: true, user: "alice", person: say("cancel")}
	retry := func(secrets []string, state string) error {
		s := newSiteOn(t, store, mcptool.Options{Secrets: secrets})
		addDelete(s, nil)
		_, err := s.connect(t, options).CallTool(t.Context(), &mcp.CallToolParams{
			Name: "delete-account", Arguments: account{"7"}, RequestState: state,
			InputResponses: mcp.InputResponseMap{"q1": &mcp.ElicitResult{Action: "decline"}},
		})
		return err
	}
	first := newSiteOn(t, store, mcptool.Options{Secrets: []string{otherSecret}})
	addDelete(first, nil)
	r := call(t, first.connect(t, options), "delete-account", account{"7"})
	if err := retry([]string{goodSecret}, r.RequestState); err == nil {
		t.Error("a state of another secret was taken")
	}
	if err := retry([]string{goodSecret, otherSecret}, r.RequestState); err != nil {
		t.Errorf("after rotation: %v", err)
	}
}

// Document 002 asks for 32 characters. What is shorter is refused before anybody is
// asked, and nothing is stored in plain instead.
func TestASecretThatIsTooShortIsRefusedAtTheStart(t *testing.T) {
	refused := func(t *testing.T, opts *mcptool.Options, want ...string) {
		t.Helper()
		opts.Logger = quiet
		asker, err := mcptool.New(parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet}), opts)
		if asker != nil || !errors.Is(err, seal.ErrWeakSecret) {
			t.Fatalf("got %v, %v", asker, err)
		}
		for _, words := range want {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q does not say %q", err, words)
			}
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q says the secret", err)
		}
	}
	for _, name := range secretNames {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "hunter2")
			refused(t, &mcptool.Options{}, name, "7 bytes", "32 random bytes")
		})
	}
	t.Run("one of the options'", func(t *testing.T) {
		refused(t, &mcptool.Options{Secrets: []string{goodSecret, "hunter2"}}, "Options.Secrets", "secret 2 has 7 bytes")
	})
}
