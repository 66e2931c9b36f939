package serve_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// proxyProgram is a proxy of this machine, which scripts/install-servers installs, or skips
// the test.
func proxyProgram(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{name, "/usr/sbin/" + name, "/usr/local/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	if servers.Required() {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// configurationOf is the part of docs/proxies.md in one language.
func configurationOf(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/proxies.md") // tests run in interop
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```"+language+"\n")
	text, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatalf("docs/proxies.md has no %s", language)
	}
	return text
}

// behind starts a proxy with the configuration of the documentation, without TLS, and returns what it writes.
func behind(t *testing.T, name, at string, nodes []string) *kit.Output {
	t.Helper()
	dir := t.TempDir()
	text := configurationOf(t, name)
	for i, node := range nodes {
		text = strings.ReplaceAll(text, fmt.Sprintf("10.0.0.%d:8420", i+1), node)
	}
	var cmd *exec.Cmd
	switch program := proxyProgram(t, name); name {
	case "nginx":
		text = regexp.MustCompile(`(?m)^\tssl_.*$`).ReplaceAllString(text, "")
		text = strings.Replace(text, "listen 443 ssl http2;", "listen "+at+";", 1)
		places := ""
		for _, place := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
			places += place + "_temp_path " + dir + "/" + place + ";\n"
		}
		text = "daemon off;\nmaster_process off;\npid " + dir + "/pid;\nerror_log stderr;\nevents { worker_connections 256; }\nhttp {\naccess_log off;\n" + places + text + "}\n"
		cmd = exec.Command(program, "-p", dir, "-c", filepath.Join(dir, "conf"), "-e", "stderr")
	case "haproxy":
		text = regexp.MustCompile(`(?m)^\tbind .*$`).ReplaceAllString(text, "\tbind "+at)
		cmd = exec.Command(program, "-db", "-f", filepath.Join(dir, "conf"))
	}
	if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := &kit.Output{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s wrote:\n%s", name, said.String())
		}
	})
	kit.Eventually(t, name+" serves", func() bool {
		select {
		case <-ended:
			t.Fatalf("%s ended:\n%s", name, said.String())
		default:
		}
		status, _, _, err := kit.HttpTry(t.Context(), http.MethodGet, "http://"+at+"/healthz", nil, "")
		return err == nil && status == http.StatusOK
	})
	return said
}

// A conversation with a question goes through the proxies as the documentation has them:
// the question is seen while the stream is open, the sign-in and the account come back
// to the same site, and a node that stops is not noticed.
func TestAConversationThroughTheProxiesOfTheDocumentation(t *testing.T) {
	program := withParley(t)
	postgres := servers.OwnPostgres(t, nil)
	for _, name := range []string{"nginx", "haproxy"} {
		t.Run(name, func(t *testing.T) {
			addresses := kit.FreeAddresses(t, 3)
			s := newSite(t, program, inSpace(postgres.URL, name), addresses[0])
			a := s.start(t, addresses[1])
			s.start(t, addresses[2])
			said := behind(t, name, addresses[0], addresses[1:])
			s.signIn(t)
			stream := s.person.Say(t, s.public, "tickets", "List the tickets in my tracker")
			q := stream.Question(t)
			s.connect(t, q)
			stream.End(t)
			if diff := cmp.Diff(connected(), s.finished(t, s.public, "tickets")); diff != "" {
				t.Errorf("the conversation (-want +got):\n%s", diff)
			}
			a.Stop(t)
			for range 10 {
				if r := s.person.Reload(t, s.public, "tickets"); len(r.Messages) != 2 {
					t.Errorf("with one node: %+v", r)
				}
				time.Sleep(20 * time.Millisecond)
			}
			s.tickets.called(t, map[string]int{"list_tickets": 1})
			if name != "haproxy" { // which is the last, and asks whether nodes are ready
				return
			}
			if err := postgres.Stop(); err != nil {
				t.Fatal(err)
			}
			kit.Eventually(t, "the proxy knows that no node is ready", func() bool { return strings.Contains(said.String(), "backend 'parley' has no server available") })
			answer, err := s.person.Browser.Get(s.public + "/inbox")
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if page, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(page), "You are still signed in; try again in a minute") {
				t.Errorf("while no node is ready people see %d %s %v", answer.StatusCode, page, err)
			}
		})
	}
}
