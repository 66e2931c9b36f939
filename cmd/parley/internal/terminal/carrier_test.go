package terminal

import (
	"bytes"
	"strings"
	"testing"
)

func TestATokenIsSentOverHTTPSOnlyOrToThisMachine(t *testing.T) {
	for address, refused := range map[string]bool{
		"http://parley.example":           true,
		"http://parley.example:8420":      true,
		"http://10.0.0.7:8420":            true,
		"http://127.0.0.1.example":        true,
		"http://localhost.example":        true,
		"http://[2001:db8::1]:8420":       true,
		"http://[::ffff:192.0.2.1]:8420":  true,
		"http://0.0.0.0:8420":             true,
		"https://parley.example":          false,
		"http://127.0.0.1:8420":           false,
		"http://localhost:8420":           false,
		"http://[::1]:8420":               false,
		"HTTP://parley.example":           true,
		"http://LOCALHOST:8420":           false,
		"http://user:pw@parley.example/x": true,
	} {
		for _, args := range [][]string{{"--token", "secret-token"}, {"--user", "alice"}} {
			_, err := newService(address, args[1], true)
			if (err != nil) != refused {
				t.Errorf("%s: %v", address, err)
			}
			if !refused {
				continue
			}
			var out bytes.Buffer
			err = converse(t.Context(), append([]string{"--server", address}, args...), strings.NewReader(""), &screen{out: &out}, nil)
			if err == nil || !strings.Contains(err.Error(), "over https only, or to this machine: use https://") || strings.Contains(err.Error(), "secret-token") {
				t.Errorf("%s: %v\n%s", address, err, out.String())
			}
		}
	}
	// Where nobody says who they are there is nothing to lose.
	if _, err := newService("http://parley.example", "", false); err != nil {
		t.Error(err)
	}
}

func TestAnAddressThatIsNoneIsNamedWithWhereItStands(t *testing.T) {
	home(t)
	if _, err := newService("foo", "", false); err == nil || !strings.HasPrefix(err.Error(), `--server "foo" is not a URL`) {
		t.Error(err)
	}
	t.Setenv(serverVariable, "foo")
	if _, err := newService("foo", "", false); err == nil || !strings.HasPrefix(err.Error(), `PARLEY_SERVER "foo" is not a URL`) {
		t.Error(err)
	}
}
