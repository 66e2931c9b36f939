package config_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestTheLogIsAsTheConfigurationSays(t *testing.T) {
	for said, want := range map[string]string{
		"":                                  "level=INFO msg=opened user=alice\n",
		"log: {format: text, level: debug}": "level=DEBUG msg=looked\n" + "level=INFO msg=opened user=alice\n",
		"log: {format: json}":               `"level":"INFO","msg":"opened","user":"alice"}` + "\n",
		"log: {level: warn}":                "",
	} {
		c, err := config.Parse([]byte(contract+said+"\n"), env(nil))
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		var out bytes.Buffer
		logger := c.Log.Logger(&out)
		logger.Debug("looked")
		logger.Info("opened", "user", "alice")
		var got string
		for line := range strings.Lines(out.String()) {
			_, rest, ok := strings.Cut(line, " ")
			if !ok {
				_, rest, _ = strings.Cut(line, ",")
			}
			got += rest
		}
		if got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
	for said, want := range map[string]string{
		"{format: xml}": "log.format", "{level: loud}": "log.level", "{level: error, access: true}": "log.access", "{file: x}": "file",
	} {
		if _, err := config.Parse([]byte(contract+"log: "+said+"\n"), env(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", said, err)
		}
	}
}
