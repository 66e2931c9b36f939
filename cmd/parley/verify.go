package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/legible"
)

const verifyUsage = `Usage:

  parley verify FILE --key KEY [--checkpoint FILE] [--passkey FINGERPRINT]

FILE is a receipt, or an export of all decisions; - reads it from standard
input. KEY is the public key of the server that made it, or a file that has it:
what the server says at /.well-known/parley-audit-key. Nothing else is needed:
no server and no database.
`

// verify checks a receipt or an export, and says what it proves.
func verify(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Usage = func() {
		fmt.Fprint(out, verifyUsage)
		flags.PrintDefaults()
	}
	public := flags.String("key", "", "the public `key`, or a file that has it")
	kept := flags.String("checkpoint", "", "a `file` with a checkpoint of the same chain that you kept: an export must go on from it")
	signer := flags.String("passkey", "", "the `fingerprint` of a passkey: a receipt must be signed with it")
	var files []string
	for { // the file may stand in front of the flags
		if err := flags.Parse(args); err != nil {
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
	if data, err := readBounded(*public); err == nil {
		*public = string(data)
	}
	key, err := audit.ParseKey(*public)
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
	v := verification{key: key, known: known, passkey: *signer}
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
	key     audit.Key
	known   []audit.Checkpoint // of exports
	passkey string             // of receipts; empty: any, or none
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
		if with.passkey != "" {
			return errors.New("--passkey is for receipts, and this is none")
		}
		v, err := audit.VerifyExport(from, with.key, with.known...)
		if err != nil {
			return fmt.Errorf("not valid: %w", err)
		}
		printExport(out, v)
		return nil
	}
	if len(with.known) > 0 {
		return errors.New("--checkpoint is for exports, and this is none")
	}
	data, err := io.ReadAll(io.LimitReader(from, audit.MaxReceipt+1))
	if err != nil {
		return err
	}
	p, err := audit.Verify(data, with.key)
	if err == nil && with.passkey != "" && (p.Signer == nil || p.Signer.Fingerprint != with.passkey) {
		err = errors.New("it is not signed with the passkey " + with.passkey)
	}
	if err != nil {
		return fmt.Errorf("not valid: %w", err)
	}
	printReceipt(out, p)
	return nil
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

func printExport(out io.Writer, v audit.Verified) {
	what := fmt.Sprintf("the decisions %d to %d", v.Start, v.Checkpoint.Size-1)
	if v.Start == v.Checkpoint.Size {
		what = fmt.Sprintf("no decisions behind the first %d", v.Start)
	}
	fmt.Fprintf(out, "valid: %s of %s, with %d checkpoints; signed %s\n", what, legible.Line(v.Checkpoint.Origin), v.Checkpoints, v.Checkpoint.At.Format(time.RFC3339))
}

func printReceipt(out io.Writer, p audit.Proven) {
	row := func(name, format string, args ...any) {
		text := legible.Line(fmt.Sprintf(format, args...))
		if strings.TrimSpace(text) != "" {
			fmt.Fprintf(out, "%-10s %s\n", name, text)
		}
	}
	q := p.Question
	fmt.Fprintln(out, "valid")
	row("decision", "%s %s %s", q.Outcome, q.Decision, q.Reason)
	row("by", "%s", q.By)
	row("for", "%s", q.For)
	row("when", "%s", q.At.Format(time.RFC3339Nano))
	row("where", "%s", q.Via)
	row("asked by", "%s %s", q.Server, q.Tool)
	row("question", "%s", q.Question)
	row("arguments", "%s", q.Digest)
	for _, e := range p.Calls {
		row(strings.TrimPrefix(e.What, "call."), "%s %s %s %s", e.At.Format(time.RFC3339Nano), e.Outcome, e.Reason, e.Digest)
	}
	printSigner(row, p)
	row("signed", "%s, %d decisions, %s", p.Checkpoint.Origin, p.Checkpoint.Size, p.Checkpoint.At.Format(time.RFC3339))
	if p.Shown == nil {
		row("shown", "%s (the receipt has only this digest)", q.Shown)
		return
	}
	fmt.Fprintln(out, "shown")
	for line := range strings.Lines(p.Shown.Message) {
		fmt.Fprintln(out, "  | "+legible.Line(strings.TrimSuffix(line, "\n")))
	}
}

// printSigner says whose device signed the decision.
func printSigner(row func(name, format string, args ...any), p audit.Proven) {
	if p.Signer == nil {
		return
	}
	row("changed", "%s", p.Changes)
	row("passkey", "%s, on %s, for the rule %s", p.Signer.Fingerprint, p.Signer.Origin, p.Question.Signed.Rule)
	if p.Enrolled.What == "" {
		row("added", "the receipt does not say when: make sure that it is the person's")
		return
	}
	row("added", "%s by %s, decision %d", p.Enrolled.At.Format(time.RFC3339Nano), p.Enrolled.By, p.Enrolled.Index)
}
