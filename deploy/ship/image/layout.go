package main

import (
	"archive/tar"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	specs "github.com/opencontainers/image-spec/specs-go"
	"github.com/opencontainers/image-spec/specs-go/v1"
)

// layout is an OCI image layout: the files of it, by name.
type layout struct {
	files  map[string][]byte
	images []v1.Descriptor
	newest time.Time
}

func newLayout() *layout { return &layout{files: map[string][]byte{}} }

// blob adds one, and says how it is named.
func (l *layout) blob(kind string, data []byte) v1.Descriptor {
	name := digest.NewDigestFromBytes(digest.SHA256, sum(data))
	d := v1.Descriptor{MediaType: kind, Digest: name, Size: int64(len(data))}
	l.files[pathOf(d)] = data
	return d
}

func (l *layout) document(kind string, value any) (v1.Descriptor, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return v1.Descriptor{}, err
	}
	return l.blob(kind, data), nil
}

// labels say what an image is.
func labels(revision, version string, created time.Time) map[string]string {
	all := map[string]string{
		v1.AnnotationTitle:         "Parley",
		v1.AnnotationDescription:   "Lets a program stop, ask a person, and go on where it stopped",
		v1.AnnotationSource:        "https://github.com/parley-hq/parley",
		v1.AnnotationDocumentation: "https://github.com/parley-hq/parley/blob/main/docs/deploy.md",
		v1.AnnotationLicenses:      "Apache-2.0",
		v1.AnnotationVersion:       version,
		v1.AnnotationCreated:       created.Format(time.RFC3339),
	}
	if revision != "" {
		all[v1.AnnotationRevision] = revision
	}
	return all
}

// add makes the image of a program.
func (l *layout) add(p program, base []file, version string) error {
	for _, other := range l.images {
		if other.Platform.Architecture == p.platform.Architecture {
			return fmt.Errorf("there is one for %s already", p.platform.Architecture)
		}
	}
	config := v1.Image{
		Created: &p.created, Platform: p.platform,
		Config: v1.ImageConfig{
			User: fmt.Sprintf("%d:%[1]d", nonroot), ExposedPorts: map[string]struct{}{"8420/tcp": {}},
			Env:        []string{"PATH=/", "HOME=/home/nonroot", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"},
			Entrypoint: []string{"/parley"}, Cmd: []string{"serve", "-c", "/etc/parley/parley.yaml"},
			WorkingDir: "/home/nonroot", StopSignal: "SIGTERM", Labels: labels(p.revision, version, p.created),
		},
		RootFS: v1.RootFS{Type: "layers"},
	}
	manifest := v1.Manifest{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: v1.MediaTypeImageManifest}
	for _, part := range []struct {
		files []file
		by    string
	}{{base, "certificate authorities, time zones, a user"}, {[]file{{name: "parley", text: p.bytes, mode: 0o755}}, "parley"}} {
		packed, id, err := layer(part.files, p.created)
		if err != nil {
			return err
		}
		config.RootFS.DiffIDs = append(config.RootFS.DiffIDs, id)
		config.History = append(config.History, v1.History{Created: &p.created, CreatedBy: part.by})
		manifest.Layers = append(manifest.Layers, l.blob(v1.MediaTypeImageLayerGzip, packed))
	}
	var err error
	if manifest.Config, err = l.document(v1.MediaTypeImageConfig, config); err != nil {
		return err
	}
	image, err := l.document(v1.MediaTypeImageManifest, manifest)
	if err != nil {
		return err
	}
	image.Platform = &p.platform
	l.images = append(l.images, image)
	if p.created.After(l.newest) {
		l.newest = p.created
	}
	return nil
}

// finish makes the index of all images, and returns its digest.
func (l *layout) finish(version string) (digest.Digest, error) {
	slices.SortFunc(l.images, func(a, b v1.Descriptor) int {
		return cmp.Compare(a.Platform.Architecture, b.Platform.Architecture)
	})
	versioned := specs.Versioned{SchemaVersion: 2}
	index, err := l.document(v1.MediaTypeImageIndex, v1.Index{
		Versioned: versioned, MediaType: v1.MediaTypeImageIndex, Manifests: l.images, Annotations: labels("", version, l.newest),
	})
	if err != nil {
		return "", err
	}
	index.Annotations = map[string]string{v1.AnnotationRefName: version}
	if l.files[v1.ImageIndexFile], err = json.Marshal(v1.Index{Versioned: versioned, MediaType: v1.MediaTypeImageIndex, Manifests: []v1.Descriptor{index}}); err != nil {
		return "", err
	}
	l.files[v1.ImageLayoutFile], err = json.Marshal(v1.ImageLayout{Version: v1.ImageLayoutVersion})
	return index.Digest, err
}

// write writes the layout: to a directory, or as an archive. A directory that is there
// is not written to: what is left of another image would be in it.
func (l *layout) write(where, version string) error {
	if strings.HasSuffix(where, ".tar") {
		if err := l.docker(version); err != nil {
			return err
		}
		return l.archive(where)
	}
	if err := os.MkdirAll(filepath.Dir(where), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(where, 0o755); err != nil {
		return err
	}
	for name, data := range l.files {
		path := filepath.Join(where, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// docker is what `docker load` looks for in an archive, which has one image.
func (l *layout) docker(version string) error {
	if len(l.images) != 1 {
		return nil
	}
	var manifest v1.Manifest
	if err := json.Unmarshal(l.files[pathOf(l.images[0])], &manifest); err != nil {
		return err
	}
	type image struct {
		Config           string
		RepoTags, Layers []string
	}
	one := image{Config: pathOf(manifest.Config), RepoTags: []string{"parley:" + version}}
	for _, part := range manifest.Layers {
		one.Layers = append(one.Layers, pathOf(part))
	}
	var err error
	l.files["manifest.json"], err = json.Marshal([]image{one})
	return err
}

func pathOf(d v1.Descriptor) string { return "blobs/sha256/" + d.Digest.Encoded() }

func (l *layout) archive(where string) (err error) {
	out, err := os.Create(where)
	if err != nil {
		return err
	}
	defer func() {
		if closed := out.Close(); err == nil {
			err = closed
		}
	}()
	w, made := tar.NewWriter(out), map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if err := parents(w, made, name, l.newest); err != nil {
			return err
		}
		if err := put(w, file{name: name, text: l.files[name]}, l.newest); err != nil {
			return err
		}
	}
	return w.Close()
}
