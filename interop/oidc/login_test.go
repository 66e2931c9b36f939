package oidc_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// A program logs in at one node, the person signs in at a third party's provider and
// confirms at another, which is killed at once; the program has its token all the same.
func TestAProgramIsLoggedInByAPersonOfAThirdPartyProvider(t *testing.T) {
	kit.NeedNode(t)
	parley, addresses, dir := kit.BuildParley(t), kit.FreeAddresses(t, 2), t.TempDir()
	public := "http://" + addresses[0]
	p := startProvider(t, kit.Fields{
		"host":    "localhost",
		"clients": []kit.Fields{{"client_id": "parley", "client_secret": "the-clients-secret", "redirect_uris": []string{public + "/login/callback"}}},
	})
	store := servers.Postgres(t)
	var nodes []*kit.Node
	for i, address := range addresses {
		file := filepath.Join(dir, fmt.Sprintf("node%d.yaml", i))
		text := fmt.Sprintf("listen: %s\npublic_url: %s\nstore: %q\nsecrets: [\"a secret for tests, thirty-two bytes or more\"]\nauth: {oidc: {issuer: %q, client_id: parley, client_secret: the-clients-secret}}\n",
			address, public, store, p.Issuer)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(parley, "serve", "-c", file), Ended: make(chan struct{})}
		n.Run(t)
		nodes = append(nodes, n)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), parley, append(args, "--server", nodes[1].Url)...)
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "HOME="+dir, "PARLEY_TOKEN=")
		return cmd
	}

	login, said := command("login", "--no-keychain", "--name", "a <b>laptop</b>"), &kit.Output{}
	login.Stdout = said
	if err := login.Start(); err != nil {
		t.Fatal(err)
	}
	page := strings.TrimSpace(strings.TrimPrefix(said.Line(t, "Open"), "Open"))
	if !strings.HasPrefix(page, public+"/device?user_code=") {
		t.Fatalf("the page is %q", page)
	}
	alice := browser.Start(t).Person(t)
	alice.Open(page)
	alice.WaitFor("Sign-in")
	alice.Fill("login", "alice")
	alice.Fill("password", "whatever alice typed")
	alice.Follow("Sign-in")
	alice.WaitFor("Authorize")
	alice.Follow("Continue")
	alice.WaitFor("Let this program act as you?")
	alice.WaitFor("a <b>laptop</b>")
	alice.WaitFor("the same address as this browser")
	alice.CheckAccessible()
	alice.Screenshot("a program asks to act as a person")
	alice.Emulate(browser.View{Dark: true, Width: 390})
	alice.CheckAccessible()
	alice.Screenshot("the same on a phone, in dark")
	alice.Follow("The codes are the same: allow")
	alice.WaitFor("The program is logged in")
	nodes[0].Kill(t)
	if err := login.Wait(); err != nil || !strings.Contains(said.String(), "as alice until") {
		t.Fatalf("%v: %s", err, said.String())
	}
	if out, err := command("inbox").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "Nothing waits for you.\n") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := command("logout").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := command("inbox").CombinedOutput(); err == nil || !strings.Contains(string(out), "run parley login") {
		t.Errorf("%v: %s", err, out)
	}
}
