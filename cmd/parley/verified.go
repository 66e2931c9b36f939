package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/legible"
)

// mostDoubts is how many of them are printed.
const mostDoubts = 20

// printExport says what an export was found to be; open is what it does not prove.
func printExport(out io.Writer, v audit.Verified, open []audit.Doubt) {
	what := fmt.Sprintf("the decisions %d to %d", v.Start, v.Checkpoint.Size-1)
	if v.Start == v.Checkpoint.Size {
		what = fmt.Sprintf("no decisions behind the first %d", v.Start)
	}
	word := "valid"
	if len(open) > 0 {
		word = "in order"
	}
	fmt.Fprintf(out, "%s: %s of %s, with %d checkpoints; signed %s\n", word, what, legible.Line(v.Checkpoint.Origin), v.Checkpoints, v.Checkpoint.At.Format(time.RFC3339))
	for i, d := range open {
		if i == mostDoubts {
			fmt.Fprintf(out, "not proven: %d more\n", len(open)-i)
			return
		}
		fmt.Fprintln(out, "not proven: "+legible.Line(d.String()))
	}
}

// printReceipt says what a receipt proves; open is what it does not.
func printReceipt(out io.Writer, p audit.Proven, open []audit.Doubt) {
	row := func(name, format string, args ...any) {
		text := legible.Line(fmt.Sprintf(format, args...))
		if strings.TrimSpace(text) != "" {
			fmt.Fprintf(out, "%-10s %s\n", name, text)
		}
	}
	q := p.Question
	if len(open) == 0 {
		fmt.Fprintln(out, "valid")
	}
	for _, d := range open {
		fmt.Fprintln(out, "not proven "+legible.Line(d.String()))
	}
	row("decision", "%s %s %s", q.Outcome, q.Decision, q.Reason)
	row("by", "%s", q.By)
	row("for", "%s", q.For)
	row("when", "%s", q.At.Format(time.RFC3339Nano))
	row("where", "%s", q.Via)
	row("asked by", "%s %s", q.Server, q.Tool)
	row("question", "%s", q.Question)
	row("arguments", "%s", q.Digest)
	printCalls(row, p)
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

// printCalls says what became of the decision, and what the receipt does not say about that.
func printCalls(row func(name, format string, args ...any), p audit.Proven) {
	until, sent, ended := p.Checkpoint.At.Format(time.RFC3339), 0, 0
	for _, e := range p.Calls {
		row(strings.TrimPrefix(e.What, "call."), "%s %s %s %s", e.At.Format(time.RFC3339Nano), e.Outcome, e.Reason, e.Digest)
		switch e.What {
		case "call.sent":
			sent++
			switch {
			case e.Was == "":
			case e.Changes != "":
				row("", "with the arguments that were shown, but for those that were changed")
			default:
				row("", "that this is the digest of the arguments as they were changed this receipt does not prove: compute it and compare")
			}
		case "call.ended":
			ended++
		}
	}
	if p.Question.Digest != "" {
		switch {
		case sent == 0 && p.Whole:
			row("sent", "not until %s; whether the call was made after that this receipt does not say", until)
		case sent == 0:
			row("sent", "whether the call was made this receipt does not say")
		case ended < sent && p.Whole:
			row("ended", "not known until %s; how the call ended after that this receipt does not say", until)
		case ended < sent:
			row("ended", "how the call ended this receipt does not say")
		}
	}
	switch {
	case !p.Whole:
		row("complete", "not proven: whether something was taken out of this receipt it does not say")
	case p.More:
		row("complete", "no: there are more calls like this one in the chain than a receipt has")
	default:
		row("complete", "it has all that the chain said of the question until %s", until)
	}
}

// printSigner says what was changed, and whose device signed the decision.
func printSigner(row func(name, format string, args ...any), p audit.Proven) {
	row("changed", "%s", p.Changes)
	if p.Signer == nil {
		return
	}
	row("passkey", "%s, on %s, for the rule %s", p.Signer.Fingerprint, p.Signer.Origin, p.Question.Signed.Rule)
	if p.Enrolled.What == "" {
		row("added", "the receipt does not say when")
		return
	}
	row("added", "%s by %s, decision %d", p.Enrolled.At.Format(time.RFC3339Nano), p.Enrolled.By, p.Enrolled.Index)
	row("removed", "whether it was removed before the decision this receipt does not say: an export does")
}
