package main

import (
	"archive/zip"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nonroot is the user of the program, by the number that others use for it too.
const nonroot = 65532

// baseFiles are what a program expects of a system: who it is, whom to trust, and what
// time it is elsewhere.
func baseFiles() ([]file, error) {
	zones, err := timeZones()
	if err != nil {
		return nil, err
	}
	return append([]file{
		{name: "etc/passwd", text: fmt.Appendf(nil, "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:%d:%[1]d:nonroot:/home/nonroot:/sbin/nologin\n", nonroot)},
		{name: "etc/group", text: fmt.Appendf(nil, "root:x:0:\nnonroot:x:%d:\n", nonroot)},
		{name: "etc/nsswitch.conf", text: []byte("hosts: files dns\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", text: authorities()},
		{name: "home/nonroot/", mode: 0o700, owner: nonroot},
		{name: "tmp/", mode: 0o1777},
	}, zones...), nil
}

// authorities are the certificates that Mozilla trusts without reservation: one that it
// trusts for some certificates only has no way to say so in a file.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // to memory
		}
	}
	return out.Bytes()
}

// timeZones are those that come with Go.
func timeZones() (all []file, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	for _, zone := range archive.File {
		if strings.HasSuffix(zone.Name, "/") {
			continue
		}
		r, err := zone.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, file{name: "usr/share/zoneinfo/" + zone.Name, text: text})
	}
	return all, nil
}
