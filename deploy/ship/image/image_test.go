package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	ggcr "github.com/google/go-containerregistry/pkg/v1"
	ociLayout "github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/opencontainers/image-spec/schema"
	"github.com/opencontainers/image-spec/specs-go/v1"
)

// build builds a program as releases are.
func build(t *testing.T, dir, source, arch string, more ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", program}, more, []string{source})...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", source, err, out)
	}
	return program
}

// makeImage makes an image and returns where it is and its digest.
func makeImage(t *testing.T, as string, programs ...string) (where, digest string) {
	t.Helper()
	where = filepath.Join(t.TempDir(), as)
	var out strings.Builder
	if err := run(append([]string{"-o", where, "-version", "v1.2.3"}, programs...), &out); err != nil {
		t.Fatal(err)
	}
	return where, strings.TrimSpace(out.String())
}

// What is written is what the specification says, by its own schemas, and by a reader
// that others wrote; it goes to a registry and comes back from there, for each platform.
func TestTheImageIsOneOfTheSpecification(t *testing.T) {
	programs := []string{build(t, ".", "./testdata/witness", "arm64"), build(t, ".", "./testdata/witness", "amd64")}
	where, digest := makeImage(t, "image", programs...)
	check := func(kind schema.Validator, path string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(where, path))
		if err != nil {
			t.Fatal(err)
		}
		if err := kind.Validate(bytes.NewReader(text)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return text
	}
	blob := func(d v1.Descriptor) string { return "blobs/sha256/" + d.Digest.Encoded() }
	check(schema.ValidatorMediaTypeLayoutHeader, v1.ImageLayoutFile)
	var top, index v1.Index
	read(t, check(schema.ValidatorMediaTypeImageIndex, v1.ImageIndexFile), &top)
	if len(top.Manifests) != 1 || top.Manifests[0].Digest.String() != digest || top.Manifests[0].Annotations[v1.AnnotationRefName] != "v1.2.3" {
		t.Fatalf("index.json: %+v", top)
	}
	read(t, check(schema.ValidatorMediaTypeImageIndex, blob(top.Manifests[0])), &index)
	if len(index.Manifests) != 2 || index.Manifests[0].Platform.Architecture != "amd64" || index.Manifests[1].Platform.Architecture != "arm64" {
		t.Fatalf("the index: %+v", index)
	}
	for _, image := range index.Manifests {
		var manifest v1.Manifest
		var config v1.Image
		read(t, check(schema.ValidatorMediaTypeManifest, blob(image)), &manifest)
		read(t, check(schema.ValidatorMediaTypeImageConfig, blob(manifest.Config)), &config)
		if config.Config.User != "65532:65532" || config.Config.Labels[v1.AnnotationVersion] != "v1.2.3" || config.Config.StopSignal != "SIGTERM" {
			t.Errorf("its configuration: %+v", config.Config)
		}
	}
	travels(t, where)
}

// travels reads the layout with another reader, pushes it and pulls it.
func travels(t *testing.T, where string) {
	t.Helper()
	top, err := ociLayout.ImageIndexFromPath(where)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := top.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	index, err := top.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	there := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer there.Close()
	ref, err := name.ParseReference(strings.TrimPrefix(there.URL, "http://") + "/parley-hq/parley:v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.WriteIndex(ref, index); err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		image, err := remote.Image(ref, remote.WithPlatform(ggcr.Platform{OS: "linux", Architecture: arch}))
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Image(image); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}

// The same programs give the same digest, wherever and whenever; an archive has it too.
func TestTheImageCanBeMadeAgain(t *testing.T) {
	first, second := build(t, ".", "./testdata/witness", "amd64"), build(t, ".", "./testdata/witness", "amd64")
	_, one := makeImage(t, "image", first)
	where, two := makeImage(t, "image.tar", second)
	if one != two || !strings.HasPrefix(one, "sha256:") {
		t.Errorf("%s, and then %s", one, two)
	}
	image, err := tarball.ImageFromPath(where, nil) // as docker load reads it
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(image); err != nil {
		t.Error(err)
	}
	archive, err := os.Open(where)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	found := map[string]bool{}
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = true
	}
	if !found["index.json"] || !found["oci-layout"] || !found["blobs/sha256/"+strings.TrimPrefix(one, "sha256:")] {
		t.Errorf("the archive has %v", found)
	}
}

// A program that would not run in the image is refused.
func TestAProgramThatNeedsMoreIsRefused(t *testing.T) {
	for says, args := range map[string][]string{
		"no program for Linux": {"doc.go"},
		"name the programs":    nil,
		"already":              {build(t, ".", "./testdata/witness", "amd64"), build(t, ".", "./testdata/witness", "amd64")},
		"needs libraries":      {"/bin/ls"},
		"it is for EM_386":     {build(t, ".", "./testdata/witness", "386")},
	} {
		err := run(append([]string{"-o", filepath.Join(t.TempDir(), "image")}, args...), io.Discard)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// In the image a program finds whom to trust, the time elsewhere and who it is, and no
// shell; and Parley reads its configuration there.
func TestParleyRunsInTheImage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, for chroot")
	}
	witness := unpack(t, build(t, ".", "./testdata/witness", goarch(t)))
	said := inside(t, witness, "/parley")
	if strings.Contains(said, "false") || strings.Count(said, "true") != 7 {
		t.Errorf("the witness says\n%s", said)
	}
	root := unpack(t, build(t, "../../..", "./cmd/parley", goarch(t), "-buildvcs=false"))
	if err := os.MkdirAll(filepath.Join(root, "etc/parley"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "etc/parley/parley.yaml"), []byte("dev: true\nstore: 'memory:'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if said := inside(t, root, "/parley", "check", "-c", "/etc/parley/parley.yaml"); !strings.Contains(said, "listens on 127.0.0.1:8420") {
		t.Errorf("check says\n%s", said)
	}
}

func goarch(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOARCH").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// unpack unpacks the image of a program.
func unpack(t *testing.T, program string) string {
	t.Helper()
	where, _ := makeImage(t, "image", program)
	top, err := ociLayout.ImageIndexFromPath(where)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := top.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	index, err := top.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	images, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	image, err := index.Image(images.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	files := mutate.Extract(image)
	defer files.Close()
	cmd := exec.Command("tar", "-x", "--same-permissions", "--same-owner", "-C", root)
	cmd.Stdin = files
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return root
}

// inside runs a command in the image as its user.
func inside(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = "/home/nonroot", []string{"PATH=/", "HOME=/home/nonroot", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: nonroot, Gid: nonroot}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

func read(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
