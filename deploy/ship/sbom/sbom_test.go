package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
)

// The document is CycloneDX, names what the program was built from, and is the same for
// the same program.
func TestADocumentNamesWhatAProgramWasBuiltFrom(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "image")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../image").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var texts [2][]byte
	for i := range texts {
		file := filepath.Join(dir, "image.cdx.json")
		if err := run([]string{"-o", file, program}); err != nil {
			t.Fatal(err)
		}
		var err error
		if texts[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("twice, it is not the same")
	}
	bom := new(cyclonedx.BOM)
	if err := cyclonedx.NewBOMDecoder(bytes.NewReader(texts[0]), cyclonedx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	if bom.SpecVersion != cyclonedx.SpecVersion1_6 || bom.Metadata.Component.Name != "github.com/parley-hq/parley/deploy/ship" {
		t.Errorf("%+v", bom)
	}
	found := map[string]string{}
	for _, c := range *bom.Components {
		found[c.Name] = c.Version
		if c.PackageURL != "pkg:golang/"+c.Name+"@"+c.Version {
			t.Errorf("%s is at %s", c.Name, c.PackageURL)
		}
	}
	if found["stdlib"] == "" || found["github.com/opencontainers/image-spec"] != "v1.1.1" || found["golang.org/x/crypto/x509roots/fallback"] == "" {
		t.Errorf("it names %v", found)
	}
	if err := run([]string{"-o", filepath.Join(dir, "none"), "main.go"}); err == nil {
		t.Error("a text has a document")
	}
}
