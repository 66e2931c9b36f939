package server_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/seal"
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
		{"one that was given the next one", []string{old, new}, http.StatusOK},
		{"one that was not yet", []string{old}, http.StatusOK},
		{"one that seals with the next one", []string{new, old}, http.StatusOK},
		{"one that does not yet", []string{old, new}, http.StatusOK},
		{"one that was never given it", []string{old}, http.StatusServiceUnavailable},
		{"one that has lost the old one", []string{new}, http.StatusServiceUnavailable},
		{"one that has lost it and has another", []string{foreign, new}, http.StatusServiceUnavailable},
		{"one with both, again", []string{new, old}, http.StatusOK},
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

// Another node that seals with a secret that was never given to the others takes no node
// down that is at work.
func TestANodeAtWorkGoesOnWhenAnotherSealsWithASecretThatItHasNot(t *testing.T) {
	const old, new = "the first secret, of thirty-two bytes", "the next secret, of thirty-two bytes!"
	head := strings.Replace(forDevelopment, "gateway: {}\n", "", 1) + "store: sqlite:" + filepath.Join(t.TempDir(), "parley.db") + "\n"
	s, _ := built(t, head+`secrets: ["`+old+"\"]\n")
	built(t, head+`secrets: ["`+new+`", "`+old+"\"]\n")
	if w := asksAt(s, surface{http.MethodGet, "/readyz", ""}); w.Code != http.StatusServiceUnavailable {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
	if w := asksAt(s, surface{http.MethodGet, "/login", ""}); w.Code != http.StatusOK {
		t.Errorf("at work: %d %s", w.Code, w.Body)
	}
}

// Of a store that an earlier version wrote nobody noted which secrets are needed: a node that
// runs looks once, says which it has not, and goes on.
func TestANodeNotesWhatEarlierVersionsDidNot(t *testing.T) {
	const old, new, foreign = "the first secret, of thirty-two bytes", "the next secret, of thirty-two bytes!", "of another site, with its own secret!"
	url := "sqlite:" + filepath.Join(t.TempDir(), "parley.db")
	store, err := backend.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ring := func(secrets ...string) *seal.Keyring {
		var all [][]byte
		for _, one := range secrets {
			all = append(all, []byte(one))
		}
		keys, err := seal.New(all...)
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	for _, one := range []string{old, foreign} {
		at := parley.Address{Tenant: "acme", Kind: "kept", Key: ring(one).ID()}
		if _, err := seal.Records(store, ring(one), nil).Save(t.Context(), parley.Record{Address: at, Data: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	s, log := built(t, strings.Replace(forDevelopment, "gateway: {}\n", "", 1)+"listen: 127.0.0.1:0\nstore: "+url+"\nsecrets: [\""+new+`", "`+old+"\"]\n")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	for ring(new).Check(t.Context(), store) == nil || !strings.Contains(log.String(), `level=ERROR msg="secret is missing" key=`+ring(foreign).ID()+" records=1") {
		time.Sleep(time.Millisecond)
	}
	if w := asksAt(s, surface{http.MethodGet, "/readyz", ""}); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
