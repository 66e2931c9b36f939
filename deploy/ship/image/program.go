package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/opencontainers/image-spec/specs-go/v1"
)

// program is what an image runs.
type program struct {
	bytes    []byte
	platform v1.Platform
	revision string
	created  time.Time // of the commit; where it is not known, 1970
}

// readProgram reads a program, which needs nothing but a Linux.
func readProgram(path string) (p program, err error) {
	if p.bytes, err = os.ReadFile(path); err != nil {
		return p, err
	}
	file, err := elf.NewFile(bytes.NewReader(p.bytes))
	if err != nil {
		return p, fmt.Errorf("it is no program for Linux: %w", err)
	}
	switch file.Machine {
	case elf.EM_X86_64:
		p.platform = v1.Platform{OS: "linux", Architecture: "amd64"}
	case elf.EM_AARCH64:
		p.platform = v1.Platform{OS: "linux", Architecture: "arm64", Variant: "v8"}
	default:
		return p, fmt.Errorf("it is for %s: images are for amd64 and arm64", file.Machine)
	}
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			return p, errors.New("it needs libraries: build it with CGO_ENABLED=0")
		}
	}
	info, err := buildinfo.Read(bytes.NewReader(p.bytes))
	if err != nil {
		return p, err
	}
	p.created = time.Unix(0, 0).UTC()
	for _, set := range info.Settings {
		switch set.Key {
		case "vcs.revision":
			p.revision = set.Value
		case "vcs.time":
			if p.created, err = time.Parse(time.RFC3339, set.Value); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}
