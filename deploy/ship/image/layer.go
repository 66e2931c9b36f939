package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
)

// file is one of a layer; a name that ends in a slash is a directory.
type file struct {
	name  string
	text  []byte
	mode  int64 // default 0644, of directories 0755
	owner int
}

// layer packs files, with the directories above them, and returns them compressed with
// the digest of what they are uncompressed.
func layer(files []file, when time.Time) (packed []byte, id digest.Digest, err error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	made := map[string]bool{}
	for _, f := range files {
		if err := parents(w, made, f.name, when); err != nil {
			return nil, "", err
		}
		if err := put(w, f, when); err != nil {
			return nil, "", err
		}
		made[f.name] = true
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(plain.Bytes()); err != nil {
		return nil, "", err
	}
	if err := z.Close(); err != nil {
		return nil, "", err
	}
	return out.Bytes(), digest.NewDigestFromBytes(digest.SHA256, sum(plain.Bytes())), nil
}

func sum(data []byte) []byte {
	s := sha256.Sum256(data)
	return s[:]
}

// parents makes the directories above a name.
func parents(w *tar.Writer, made map[string]bool, name string, when time.Time) error {
	above := path.Dir(strings.TrimSuffix(name, "/")) + "/"
	if above == "./" || made[above] {
		return nil
	}
	if err := parents(w, made, above, when); err != nil {
		return err
	}
	made[above] = true
	return put(w, file{name: above}, when)
}

func put(w *tar.Writer, f file, when time.Time) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.text)), Mode: cmp.Or(f.mode, 0o644), Uid: f.owner, Gid: f.owner, ModTime: when, Format: tar.FormatPAX}
	if strings.HasSuffix(f.name, "/") {
		header.Typeflag, header.Mode = tar.TypeDir, cmp.Or(f.mode, 0o755)
	}
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	_, err := w.Write(f.text)
	return err
}
