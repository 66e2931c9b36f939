package parley_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

func TestASecretIsNeitherPrintedNorMarshalled(t *testing.T) {
	type holder struct {
		Name  string
		Token parley.Secret
	}
	one := holder{"mail", "s3cr3t"}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", one.Token, one, &one)
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("one", "token", one.Token, "holder", one)
	slog.New(slog.NewTextHandler(&out, nil)).Info("one", "token", one.Token, "holder", one)
	if strings.Contains(out.String(), "s3cr3t") || strings.Contains(out.String(), fmt.Sprintf("%x", "s3cr3t")) {
		t.Errorf("it was printed: %s", &out)
	}
	if data, err := json.Marshal(one); !errors.Is(err, parley.ErrSecret) {
		t.Errorf("as JSON: %s, %v", data, err)
	}
	if data, err := xml.Marshal(one); err == nil {
		t.Errorf("as XML: %s", data)
	}
	if one.Token.Reveal() != "s3cr3t" {
		t.Error("it was not revealed")
	}
}

func TestASecretIsReadAndAnEmptyOneIsNone(t *testing.T) {
	var one struct {
		Token parley.Secret `json:"token,omitempty"`
	}
	if data, err := json.Marshal(one); err != nil || string(data) != "{}" {
		t.Errorf("%s, %v", data, err)
	}
	if err := json.Unmarshal([]byte(`{"token":"s3cr3t"}`), &one); err != nil || one.Token.Reveal() != "s3cr3t" {
		t.Errorf("%v, %v", one, err)
	}
}
