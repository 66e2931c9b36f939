// Command sbom says which modules a program was built from, as a CycloneDX document. It
// reads the program itself, so it cannot be wrong about it; the same program gives the
// same document.
//
//	sbom -o parley.cdx.json dist/parley
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("sbom", flag.ContinueOnError)
	where := flags.String("o", "", "the document")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *where == "" || flags.NArg() != 1 {
		return errors.New("usage: sbom -o FILE PROGRAM")
	}
	program, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	text, err := describe(program)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	return os.WriteFile(*where, text, 0o644)
}

// The parts of a document that are used here, in the words of CycloneDX 1.6.
type (
	document struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Serial     string      `json:"serialNumber"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp,omitempty"`
		Component component `json:"component"`
	}
	component struct {
		Ref     string `json:"bom-ref"`
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		URL     string `json:"purl"`
		Hashes  []hash `json:"hashes,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
)

// describe is the document of a program.
func describe(program []byte) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(program)
	d := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []component{}}
	id := bytes.Clone(sum[:16]) // a UUID that the program decides
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	d.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	d.Metadata.Component = module("application", &info.Main)
	d.Metadata.Component.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	for _, set := range info.Settings {
		if set.Key == "vcs.time" {
			d.Metadata.Timestamp = set.Value
		}
	}
	d.Components = append(d.Components, module("library", &debug.Module{Path: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go")}))
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		d.Components = append(d.Components, module("library", dep))
	}
	return json.MarshalIndent(d, "", " ")
}

func module(kind string, m *debug.Module) component {
	version := strings.Trim(cmp.Or(m.Version, "devel"), "()")
	at := "pkg:golang/" + m.Path + "@" + url.PathEscape(version)
	return component{Ref: at, Type: kind, Name: m.Path, Version: version, URL: at}
}
