package server_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// A node that cannot open what the others have sealed would sign everybody out
// and find no account connected.
func TestANodeWithAForeignSecretIsNotReady(t *testing.T) {
	const old, new, foreign = "the first secret, of thirty-two bytes", "the next secret, of thirty-two bytes!", "of another site, with its own secret!"
	head := strings.Replace(forDevelopment, "gateway: {}\n", "", 1) + "store: sqlite:" + filepath.Join(t.TempDir(), "parley.db") + "\n"
	ready := surface{http.MethodGet, "/readyz", ""}
	for _, step := range []struct {
		what    string
		secrets []string
		want    int
	}{
		{"the first node", []string{old}, http.StatusOK},
		{"another with its secret", []string{old}, http.StatusOK},
		{"one with a foreign secret", []string{foreign}, http.StatusServiceUnavailable},
		{"one that changes the secret", []string{new, old}, http.StatusOK},
		{"one that has not yet", []string{old}, http.StatusOK},
		{"one with the next secret alone", []string{new}, http.StatusOK},
		{"the foreign one again", []string{foreign}, http.StatusServiceUnavailable},
	} {
		s, log := built(t, head+`secrets: ["`+strings.Join(step.secrets, `", "`)+"\"]\n")
		w := asksAt(s, ready)
		said := w.Body.String()
		if w.Code != step.want {
			t.Errorf("%s: %d %s", step.what, w.Code, said)
		}
		if failed := step.want != http.StatusOK; failed != strings.Contains(said, "secrets") || failed != strings.Contains(log.String(), `level=ERROR msg="secret is foreign"`) {
			t.Errorf("%s: %s\n%s", step.what, said, log)
		}
		for _, one := range []surface{
			{http.MethodGet, "/.well-known/parley-audit-key", ""}, {http.MethodPost, "/api/elicitations", `{"to":"alice","message":"Here?"}`},
			{http.MethodGet, "/inbox", ""}, {http.MethodGet, "/login", ""},
		} {
			got := asksAt(s, one)
			if refused := got.Code == http.StatusServiceUnavailable && strings.Contains(got.Body.String(), "another secret"); refused != (step.want != http.StatusOK) {
				t.Errorf("%s: %s %s: %d %s", step.what, one.method, one.path, got.Code, got.Body)
			}
		}
		if got := asksAt(s, surface{http.MethodGet, "/healthz", ""}); got.Code != http.StatusOK {
			t.Errorf("%s: not even healthy: %d", step.what, got.Code)
		}
		if strings.Contains(said+log.String(), foreign) {
			t.Errorf("%s: the secret is told", step.what)
		}
	}
}
