package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func checked(t *testing.T, text string, args ...string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := check(t.Context(), append([]string{"-c", file}, args...), &out)
	return out.String(), err
}

func TestCheckSaysWhatAConfigurationMeansAndRefusesWhatServeRefuses(t *testing.T) {
	said, err := checked(t, "dev: true\nstore: \"memory:\"\nmodels: {m: {kind: demo}}\n")
	if err != nil || !strings.Contains(said, "keeps its data in memory:") || strings.Contains(said, "ok  ") {
		t.Errorf("%s %v", said, err)
	}
	if said, err := checked(t, "dev: true\nstore: \"sqlite:/nowhere/at/all/parley.db\"\n"); err == nil || said != "" || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("%s %v", said, err)
	}
}

func TestCheckOnlineHasALineForEachAndFailsIfOneDoes(t *testing.T) {
	said, err := checked(t, "dev: true\nstore: \"memory:\"\nmodels: {m: {kind: demo}}\n", "--online")
	if err != nil || !strings.Contains(said, "\nok      store: it is there\nok      models.m: it is part of this program\n") {
		t.Errorf("%s %v", said, err)
	}
	said, err = checked(t, "dev: true\nstore: \"redis://:hunter2@127.0.0.1:1\"\nservers: {gone: {url: \"http://127.0.0.1:1/mcp\"}}\n", "--online")
	if err == nil || err.Error() != "2 of 2 that were tried failed" || !strings.Contains(said, "\nFAILED  store: ") || !strings.Contains(said, "\nFAILED  servers.gone: ") || strings.Contains(said, "hunter2") {
		t.Errorf("%s %v", said, err)
	}
}
