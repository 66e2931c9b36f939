package terminal

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// ParseFlags reads the flags of a command. What is wrong with them is its error alone: the
// command's help is printed to who asks for it, with flag.ErrHelp.
func ParseFlags(flags *flag.FlagSet, args []string) error {
	out, help := flags.Output(), flags.Usage
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	err := flags.Parse(args)
	flags.SetOutput(out)
	flags.Usage = help
	if errors.Is(err, flag.ErrHelp) {
		help()
		return err
	}
	if err != nil {
		return fmt.Errorf("%w; %s --help shows what it takes", err, flags.Name())
	}
	return nil
}

// NothingElse refuses words that a command does not know: whoever wrote them meant
// something.
func NothingElse(command string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return fmt.Errorf("parley %s does not take %q; parley help shows what it takes", command, words[0])
}
