package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const key = "a secret for the campaign, thirty-two bytes"

// site is the nodes that share a store.
type site struct {
	o      options
	fakes  *fakes
	client *http.Client
	nodes  []*node
	there  *node // who is asked after a kill
	token  string
}

// node is a process that runs parley serve, and again when it was killed.
type node struct {
	url, file, program string

	mu    sync.Mutex
	cmd   *exec.Cmd
	said  bytes.Buffer
	ended chan struct{}
}

func newSite(ctx context.Context, o options, dir, store string, n int, f *fakes) (*site, error) {
	s := &site{o: o, fakes: f, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, token: signed("alice")}
	for i := range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		address := listener.Addr().String()
		listener.Close()
		one := &node{url: "http://" + address, file: filepath.Join(dir, fmt.Sprintf("node-%d-%d.yaml", n, i)), program: o.parley}
		if err := os.WriteFile(one.file, []byte(configuration(address, store, f.url)), 0o600); err != nil {
			return nil, err
		}
		s.nodes = append(s.nodes, one)
		if err := one.start(ctx, s.client); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func configuration(address, store, fakes string) string {
	return fmt.Sprintf(`listen: %s
store: %q
secrets: [%q]
dev: true
auth:
  jwt: {issuer: https://campaign.example, audience: parley, hmac_key: %q}
models: {fake: {kind: openai, base_url: %q, api_key: k, model: fake}}
servers:
  shop: {url: %q, approve: never}
  strict: {url: %q, approve: always}
agents: {assistant: {model: fake, instructions: Help., servers: [shop, strict]}}
`, address, store, key, key, fakes+"/v1", fakes+"/mcp", fakes+"/mcp")
}

// signed is a token of a person.
func signed(user string) string {
	encode := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"iss":"https://campaign.example","aud":"parley","sub":%q,"exp":%d}`, user, time.Now().Add(24*time.Hour).Unix())
	text := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode([]byte(claims))
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(text))
	return text + "." + encode(mac.Sum(nil))
}

// start starts the node and waits until it serves.
func (n *node) start(ctx context.Context, client *http.Client) error {
	n.mu.Lock()
	n.cmd, n.ended = exec.Command(n.program, "serve", "-c", n.file), make(chan struct{})
	n.said.Reset()
	n.cmd.Stdout, n.cmd.Stderr = &n.said, &n.said
	err := n.cmd.Start()
	cmd, ended := n.cmd, n.ended
	n.mu.Unlock()
	if err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for {
		resp, err := client.Get(n.url + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return fmt.Errorf("the node ended:\n%s", n.said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// kill is kill -9.
func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	<-n.ended
}

func (s *site) close() {
	for _, n := range s.nodes {
		if n.cmd == nil {
			continue
		}
		_ = n.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-n.ended:
		case <-time.After(15 * time.Second):
			n.kill()
		}
	}
}

// said is what the nodes wrote last.
func (s *site) said() string {
	var all strings.Builder
	for _, n := range s.nodes {
		text := n.said.String()
		all.WriteString(text[max(0, len(text)-3000):])
	}
	return all.String()
}
