package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
)

const verifyUsage = `Usage:

  parley verify FILE --key KEY [--checkpoint FILE] [--passkey FINGERPRINT]... [--origin URL]

FILE is a receipt, or an export of all decisions; - reads it from standard
input. KEY is the public key of the server that made it, or a file that has it:
what the server says at /.well-known/parley-audit-key. Nothing else is needed:
no server and no database.

What does not hold is refused. What holds and leaves open whose passkey signed a
decision is printed without the word valid, and fails too, unless --passkey says
that you know the passkey.
`

// verify checks a receipt or an export, and says what it proves.
func verify(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("parley verify", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Usage = func() {
		fmt.Fprint(out, verifyUsage)
		flags.PrintDefaults()
	}
	public := flags.String("key", "", "the public `key`, or a file that has it")
	kept := flags.String("checkpoint", "", "a `file` with a checkpoint of the same chain that you kept: an export must go on from it")
	var passkeys []string
	flags.Func("passkey", "the `fingerprint` of a passkey that you know to be the person's: a receipt must be signed with it, and no more is asked about it (may be given several times)",
		func(said string) error {
			passkeys = append(passkeys, said)
			return nil
		})
	origin := flags.String("origin", "", "the `URL` of the site where people sign, where it is another than the name of the key says")
	var files []string
	for { // the file may stand in front of the flags
		if err := terminal.ParseFlags(flags, args); err != nil {
			return err
		}
		if args = flags.Args(); len(args) == 0 {
			break
		}
		files, args = append(files, args[0]), args[1:]
	}
	if len(files) != 1 || *public == "" {
		return errors.New("verify needs one file and --key; parley verify --help says more")
	}
	key, err := readKey(*public)
	if err != nil {
		return err
	}
	var known []audit.Checkpoint
	if *kept != "" {
		data, err := readBounded(*kept)
		if err != nil {
			return err
		}
		c, err := audit.OpenCheckpoint(string(data), key)
		if err != nil {
			return fmt.Errorf("%s: %w", *kept, err)
		}
		known = append(known, c)
	}
	v := verification{key: key, known: known, passkeys: passkeys, origin: *origin}
	if files[0] == "-" {
		return v.verify(in, out)
	}
	file, err := os.Open(files[0])
	if err != nil {
		return err
	}
	defer file.Close()
	return v.verify(file, out)
}

// verification is what something is verified with.
type verification struct {
	key      audit.Key
	known    []audit.Checkpoint // of exports
	passkeys []string           // that are known to be people's; of receipts, empty: any, or none
	origin   string             // of the site; empty: as the key says
}

// settle leaves the doubts that nothing else is known about. A passkey is one person's.
func (with verification) settle(err error) error {
	var open *audit.Unproven
	if !errors.As(err, &open) {
		return err
	}
	var left []audit.Doubt
	whose := map[string]string{}
	for _, d := range open.Doubts {
		mark := d.Signer.Fingerprint
		switch known := slices.Contains(with.passkeys, mark); {
		case d.Site && with.origin == d.Signer.Origin:
		case d.Site || !known:
			left = append(left, d)
		case whose[mark] != "" && whose[mark] != d.By:
			return fmt.Errorf("with the passkey %s both %q and %q are said to have signed", mark, whose[mark], d.By)
		default:
			whose[mark] = d.By
		}
	}
	if len(left) == 0 {
		return nil
	}
	return &audit.Unproven{Doubts: left}
}

// verify finds out what it is, and checks it.
func (with verification) verify(from io.Reader, out io.Writer) error {
	start := make([]byte, len(audit.ExportMark))
	n, err := io.ReadFull(from, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	from = io.MultiReader(bytes.NewReader(start[:n]), from)
	if string(start) == audit.ExportMark {
		v, err := audit.VerifyExport(from, with.key, with.known...)
		err = with.settle(err)
		if open, ok := verdict(err); ok {
			printExport(out, v, open)
		}
		return said(err)
	}
	if len(with.known) > 0 {
		return errors.New("--checkpoint is for exports, and this is none")
	}
	data, err := io.ReadAll(io.LimitReader(from, audit.MaxReceipt+1))
	if err != nil {
		return err
	}
	p, err := audit.Verify(data, with.key)
	err = with.settle(err)
	open, ok := verdict(err)
	if ok && len(with.passkeys) > 0 && (p.Signer == nil || !slices.Contains(with.passkeys, p.Signer.Fingerprint)) {
		return errors.New("not valid: it is not signed with the passkey " + strings.Join(with.passkeys, " or "))
	}
	if ok {
		printReceipt(out, p, open)
	}
	return said(err)
}

// verdict says what is left open, and whether everything else holds.
func verdict(err error) (open []audit.Doubt, ok bool) {
	var unproven *audit.Unproven
	if errors.As(err, &unproven) {
		return unproven.Doubts, true
	}
	return nil, err == nil
}

// said is an error in the words of this command.
func said(err error) error {
	open, _ := verdict(err)
	switch {
	case err == nil:
		return nil
	case open == nil:
		return fmt.Errorf("not valid: %w", err)
	}
	return fmt.Errorf("not proven: %w", err)
}

// readKey reads a public key, or the file that has it.
func readKey(given string) (audit.Key, error) {
	data, unread := readBounded(given)
	if unread == nil {
		key, err := audit.ParseKey(string(data))
		if err != nil {
			return nil, fmt.Errorf("--key: the file %s: %w", given, err)
		}
		return key, nil
	}
	key, err := audit.ParseKey(given)
	switch {
	case err == nil:
		return key, nil
	case errors.Is(unread, fs.ErrNotExist):
		return nil, fmt.Errorf("--key: there is no file %.200q, and it is no public key itself: that has a name, an id and a key with + in between", given)
	}
	return nil, fmt.Errorf("--key: %w", unread)
}

// readBounded reads a small file.
func readBounded(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, 64<<10))
}
