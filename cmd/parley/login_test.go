package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/visitor"
)

// killable runs `parley serve` until the test kills it, and is ready.
func killable(t *testing.T, parley, file, address string) (kill func()) {
	t.Helper()
	cmd := exec.Command(parley, "serve", "-c", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if answer, err := client.Get("http://" + address + "/readyz"); err == nil {
			answer.Body.Close()
			return kill
		}
	}
	kill()
	t.Fatal("parley serve is not ready")
	return nil
}

// confirm is somebody who opens the page of a login and allows it.
func confirm(t *testing.T, address, person, page string) {
	t.Helper()
	v := visitor.New()
	defer v.Leave()
	err := v.Send(t.Context(), "http://"+address+"/login", url.Values{"user": {person}})
	if err == nil {
		err = v.Open(t.Context(), page)
	}
	if err == nil {
		err = v.Press(t.Context(), "The codes are the same", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The program logs in, its server dies with kill -9 after the person has said yes, and
// the next one gives the token. Then chat, inbox and mcp need none.
func TestALoginOutlivesTheServerThatItWasConfirmedAt(t *testing.T) {
	parley, s := program(t), newShop(t)
	address, dir := freeAddress(t), t.TempDir()
	file := filepath.Join(dir, "parley.yaml")
	text := fmt.Sprintf("listen: %q\nstore: %q\ndev: true\nsecrets: [%q]\nservers: {shop: {url: %q, approve: always}}\ngateway: {}\n", address, "sqlite:"+filepath.Join(dir, "parley.db"), sealed, s.url)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	kill := killable(t, parley, file, address)
	environment := append(os.Environ(), "XDG_CONFIG_HOME="+dir, "HOME="+dir, "PARLEY_TOKEN=", "PARLEY_SERVER=http://"+address)
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), parley, args...)
		cmd.Env = environment
		return cmd
	}

	login := command("login", "--no-keychain", "--name", "the test")
	out, err := login.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := login.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	page := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "Open"))
	confirm(t, address, "alice", page)
	kill()
	kill = killable(t, parley, file, address)
	defer func() { kill() }()
	said := ""
	for lines.Scan() {
		said += lines.Text() + "\n"
	}
	if err := login.Wait(); err != nil || !strings.Contains(said, "Logged in at http://"+address+" as alice") {
		t.Fatalf("%v: %s", err, said)
	}

	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		asked, said, err := overStdio(t, era, "allow_once", command("mcp", "--url", "http://"+address+"/mcp"))
		if err != nil || len(asked) != 1 || !strings.Contains(said, "bought") {
			t.Errorf("mcp, %s: %q, %q, %v", era, asked, said, err)
		}
	}
	list, err := command("inbox", "--json").CombinedOutput()
	if err != nil || len(list) != 0 {
		t.Errorf("inbox: %v: %s", err, list)
	}
	// Killed once more: the token is of the store, and of no process.
	kill()
	kill = killable(t, parley, file, address)
	if out, err := command("inbox").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "Nothing waits for you.\n") {
		t.Errorf("inbox: %v: %s", err, out)
	}
	if out, err := command("logout").CombinedOutput(); err != nil {
		t.Errorf("logout: %v: %s", err, out)
	}
	if out, err := command("inbox").CombinedOutput(); err == nil || !strings.Contains(string(out), "run parley login --server http://"+address) {
		t.Errorf("after logout: %v: %s", err, out)
	}
	stored, err := os.ReadFile(filepath.Join(dir, "parley", "logins.json"))
	if err != nil || !json.Valid(stored) || regexp.MustCompile("parley_login_").Match(stored) {
		t.Errorf("%v: %s", err, stored)
	}
}
