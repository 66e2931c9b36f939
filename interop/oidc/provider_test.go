package oidc_test

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"os/exec"
	"testing"
	"time"

	"github.com/parley-hq/parley/interop/kit"
)

// oidcProvider is an OAuth server that we did not write, in a process of its
// own: npm/oidcprovider.mjs.
type oidcProvider struct {
	t      *testing.T
	Issuer string

	in    io.Writer
	out   *bufio.Scanner
	calls int
}

// oidcRequest is a request that the provider got.
type oidcRequest struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"`
	Grant  string `json:"grant"` // of a token request
	Client string `json:"client"`
	Error  string `json:"error"`
}

// startProvider starts the provider, which runs until the test ends.
// npm/README.md lists the options.
func startProvider(t *testing.T, options kit.Fields) *oidcProvider {
	t.Helper()
	kit.NeedNode(t)
	raw, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(kit.SuiteNode(t), "npm/oidcprovider.mjs", string(raw))
	var said kit.Output
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &oidcProvider{t: t, in: in, out: bufio.NewScanner(out)}
	p.out.Buffer(nil, 16<<20)
	t.Cleanup(func() {
		in.Close() // it ends by itself; if not, it is made to
		killer := time.AfterFunc(kit.Patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		for p.out.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the provider: %v", err)
		}
		if t.Failed() {
			t.Logf("the provider wrote:\n%s", said.String())
		}
	})
	p.read(&struct {
		Issuer *string `json:"issuer"`
	}{&p.Issuer})
	if p.Issuer == "" {
		t.Fatalf("the provider did not start: %s", p.out.Text())
	}
	return p
}

func (p *oidcProvider) read(into any) {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("the provider has ended: %v", p.out.Err())
	}
	if err := json.Unmarshal(p.out.Bytes(), into); err != nil {
		p.t.Fatalf("%v in %s", err, p.out.Text())
	}
}

// do gives the provider a command and stores its result.
func (p *oidcProvider) do(op string, parameters kit.Fields, into any) {
	p.t.Helper()
	p.calls++
	command := kit.Fields{"id": p.calls, "op": op}
	maps.Copy(command, parameters)
	raw, err := json.Marshal(command)
	if err == nil {
		_, err = p.in.Write(append(raw, '\n'))
	}
	if err != nil {
		p.t.Fatal(err)
	}
	var answer struct {
		ID     int             `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	p.read(&answer)
	if answer.ID != p.calls || answer.Error != nil {
		p.t.Fatalf("%s: %s", raw, p.out.Text())
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.Result, into); err != nil {
		p.t.Fatalf("%v in %s", err, answer.Result)
	}
}

// requests returns every request that the provider got so far.
func (p *oidcProvider) requests() (all []oidcRequest) {
	p.t.Helper()
	p.do("requests", nil, &all)
	return all
}

// grants counts the token requests by grant, those that were refused too.
func (p *oidcProvider) grants() map[string]int {
	p.t.Helper()
	count := map[string]int{}
	for _, r := range p.requests() {
		if r.Path == "/token" {
			count[r.Grant]++
		}
	}
	return count
}

// secrets returns everything secret that the provider gave out or was shown,
// with its kind.
func (p *oidcProvider) secrets() map[string]string {
	p.t.Helper()
	var all []struct{ Kind, Value string }
	p.do("secrets", nil, &all)
	kinds := map[string]string{}
	for _, secret := range all {
		kinds[secret.Value] = secret.Kind
	}
	return kinds
}

// fail makes the provider answer the next requests for a path with an error.
func (p *oidcProvider) fail(path string, status, times int) {
	p.t.Helper()
	p.do("fail", kit.Fields{"path": path, "status": status, "times": times, "body": kit.Fields{"error": "server_error"}}, nil)
}
