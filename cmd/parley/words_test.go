package main

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wrongs is what a command that cannot be carried out says.
func wrongs(t *testing.T, args ...string) string {
	t.Helper()
	err := run(t.Context(), args)
	if err == nil {
		t.Fatalf("parley %q was carried out", args)
	}
	return err.Error()
}

func TestWordsThatACommandDoesNotTakeAreAnError(t *testing.T) {
	for _, command := range []string{"demo", "serve", "check", "chat", "login", "logout", "ready", "version"} {
		if got, want := wrongs(t, command, "extra"), `parley `+command+` does not take "extra"; parley help shows what it takes`; got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestTheDemonstrationIsForThisMachineAlone(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:9499": "--addr 0.0.0.0:9499 can be reached from elsewhere, and the demonstration lets anybody in: use --addr 127.0.0.1:9499",
		"9499":         `--addr "9499" is not a host and a port, such as 127.0.0.1:8420`,
	} {
		if got := wrongs(t, "demo", "--addr", addr); got != want {
			t.Errorf("%s: %q", addr, got)
		}
	}
}

func TestAnAddressThatIsTakenIsSaidWithWhatNamesAnother(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := l.Addr().String()
	if got := wrongs(t, "demo", "--addr", at); got != at+" is taken: another program listens there. Stop it, or give another address with --addr" {
		t.Errorf("demo: %q", got)
	}
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte("listen: "+at+"\ndev: true\nstore: 'memory:'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := wrongs(t, "serve", "-c", file); !strings.HasSuffix(got, at+" is taken: another program listens there. Stop it, or write another address for listen in the configuration") {
		t.Errorf("serve: %q", got)
	}
	// Who checks a configuration does so beside the node that has the address.
	for _, online := range []string{"--online=false", "--online"} {
		if err := check(t.Context(), []string{"-c", file, online}, io.Discard); err != nil {
			t.Errorf("check %s: %v", online, err)
		}
	}
}
