package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "image:", err)
		}
		os.Exit(1)
	}
}

// run makes an image and prints its digest.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	where := flags.String("o", "dist/image", "the directory of the layout, or a file that ends in .tar")
	version := flags.String("version", "devel", "what the image is tagged with")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name the programs, such as dist/parley_linux_amd64")
	}
	base, err := baseFiles()
	if err != nil {
		return err
	}
	l := newLayout()
	for _, path := range flags.Args() {
		p, err := readProgram(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := l.add(p, base, *version); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	digest, err := l.finish(*version)
	if err != nil {
		return err
	}
	if err := l.write(*where, *version); err != nil {
		return err
	}
	fmt.Fprintln(out, digest)
	return nil
}
