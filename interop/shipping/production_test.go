package shipping_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// site is two nodes of the complete configuration behind the proxy of deploy/.
type site struct {
	*world
	public string
	trusts *x509.CertPool
	nodes  []*kit.Node
}

// startSite starts deploy/parley.yaml, as it is, on two nodes.
func startSite(t *testing.T) *site {
	t.Helper()
	program, addresses := kit.BuildParley(t), kit.FreeAddresses(t, 4)
	s := &site{public: "https://" + addresses[0]}
	s.world = newWorld(t, s.public)
	for _, address := range addresses[2:] {
		n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(program, "serve", "-c", fileOf(t, "parley.yaml")), Ended: make(chan struct{})}
		n.Cmd.Env = append(os.Environ(), append(s.variables(t, s.public), "PARLEY_LISTEN="+address, "PARLEY_ADVERTISE="+n.Url)...)
		n.Run(t)
		s.nodes = append(s.nodes, n)
	}
	s.startProxy(t, addresses)
	return s
}

// startProxy starts HAProxy with the configuration of deploy/, whose names and ports
// are those of this machine.
func (s *site) startProxy(t *testing.T, addresses []string) {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil && !servers.Required() {
		t.Skip("needs haproxy: scripts/install-servers")
	} else if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text, err := os.ReadFile(deploy + "haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	config := string(text)
	for written, here := range map[string]string{
		"bind :8443":            "bind " + addresses[0],
		"bind :8080":            "bind " + addresses[1],
		"node-1:8420":           addresses[2],
		"node-2:8420":           addresses[3],
		"/run/secrets/tls.pem":  s.certify(t, dir),
		"http-check send meth ": "http-check send meth ", // it asks whether they are ready
	} {
		if !strings.Contains(config, written) {
			t.Fatalf("haproxy.cfg has no %q", written)
		}
		config = strings.ReplaceAll(config, written, here)
	}
	file := filepath.Join(dir, "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, said := exec.Command(program, "-db", "-f", file), &kit.Output{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kit.Eventually(t, "the proxy listens", func() bool {
		c, err := net.Dial("tcp", addresses[0])
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("haproxy wrote:\n%s", said.String())
		}
	})
}

// certify makes a certificate for this machine, which the site's visitors trust.
func (s *site) certify(t *testing.T, dir string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "parley"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	both := append(public[:len(public):len(public)], pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	s.trusts = x509.NewCertPool()
	s.trusts.AppendCertsFromPEM(public)
	file := filepath.Join(dir, "tls.pem")
	if err := os.WriteFile(file, both, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// visitor is somebody who comes through the proxy.
func (s *site) visitor(t *testing.T) *kit.Visitor {
	v := kit.NewVisitor(t)
	v.Browser.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: s.trusts}
	return v
}

// asks sends a request through the proxy, with a key or token.
func (s *site) asks(t *testing.T, method, path, key, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.public+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.visitor(t).Browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}

// The complete configuration of docs/deploy.md does what it says: people sign in at the
// provider and talk with an agent through the proxy, which passes each word on at once;
// programs ask them; there are metrics and a log; and when a node dies the other one
// does it all.
func TestTheCompleteConfigurationServes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	t.Parallel()
	s := startSite(t)
	for key, want := range map[string]int{metricsToken: http.StatusOK, "": http.StatusUnauthorized} {
		status, _, said, err := kit.HttpTry(t.Context(), http.MethodGet, s.nodes[0].Url+"/metrics", http.Header{"Authorization": {"Bearer " + key}}, "")
		if err != nil || status != want || strings.Contains(string(said), "\nparley_nodes 2\n") != (want == http.StatusOK) {
			t.Errorf("metrics of a node with %q: %d %s %v", key, status, said, err)
		}
	}
	if status, _ := s.asks(t, http.MethodGet, "/metrics", metricsToken, ""); status != http.StatusNotFound { // they would be those of any node
		t.Errorf("metrics through the proxy: %d", status)
	}
	if status, said := s.asks(t, http.MethodPut, "/api/connections/tracker", setupKey, `{"value": "`+trackerKey+`"}`); status != http.StatusOK {
		t.Fatalf("the account: %d %s", status, said)
	}

	alice := s.visitor(t)
	s.signIn(t, alice)
	s.streams(t, alice)
	s.answers(t, alice)

	s.nodes[0].Kill(t)
	kit.Eventually(t, "the proxy has noticed", func() bool {
		for range 4 { // it takes turns
			if status, _ := s.asks(t, http.MethodGet, "/healthz", "", ""); status != http.StatusOK {
				return false
			}
		}
		return true
	})
	s.answers(t, alice)
	s.logged(t)
}

// signIn signs alice in at the provider.
func (s *site) signIn(t *testing.T, alice *kit.Visitor) {
	t.Helper()
	alice.Open(t, s.public+"/inbox")
	if !strings.HasPrefix(alice.At.String(), s.issuer) {
		t.Fatalf("she is sent to %s", alice.At)
	}
	alice.Press(t, "alice")
	alice.Press(t, "Allow")
	if got := alice.At.String(); got != s.public+"/inbox" {
		t.Fatalf("signed in she is at %s: %s", got, alice.Text())
	}
}

// streams has alice talk with the agent: she reads its first words while the tool is at
// work, so nothing on the way keeps them back.
func (s *site) streams(t *testing.T, alice *kit.Visitor) {
	t.Helper()
	answer := alice.Say(t, s.public, "conversation-1", "What is there to do?")
	<-s.looking
	answer.Until(t, "I look.")
	close(s.seen)
	answer.Until(t, "The tracker says: two issues")
}

// answers has the release ask alice, who answers.
func (s *site) answers(t *testing.T, alice *kit.Visitor) {
	t.Helper()
	status, said := s.asks(t, http.MethodPost, "/api/elicitations", releaseKey, `{"to": "alice", "message": "May 1.3 be released?"}`)
	var question struct{ ID string }
	if err := json.Unmarshal([]byte(said), &question); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s: %v", status, said, err)
	}
	alice.Open(t, s.public+"/answer/"+question.ID)
	alice.Press(t, "Send answer")
	if status, said = s.asks(t, http.MethodGet, "/api/elicitations/"+question.ID, releaseKey, ""); status != http.StatusOK || !strings.Contains(said, `"by":"alice"`) {
		t.Errorf("%d %s", status, said)
	}
}

// logged looks for what the nodes said of all this: JSON, the client's own address, and
// no secret.
func (s *site) logged(t *testing.T) {
	t.Helper()
	messages := map[string]bool{}
	for _, n := range s.nodes {
		text := n.Said.String()
		for line := range strings.Lines(text) {
			var entry struct{ Msg, Address string }
			if err := json.NewDecoder(bytes.NewReader([]byte(line))).Decode(&entry); err != nil {
				t.Errorf("the log is not JSON: %v: %s", err, line)
			}
			messages[entry.Msg] = true
		}
		for name, secret := range s.secrets() {
			if strings.Contains(text, secret) {
				t.Errorf("the log has %s", name)
			}
		}
	}
	for _, want := range []string{"parley serves", "person signed in", "question opened", "question answered", "request served"} {
		if !messages[want] {
			t.Errorf("the log does not say %q", want)
		}
	}
	if messages["configuration warning"] {
		t.Error("the configuration is warned of")
	}
}
