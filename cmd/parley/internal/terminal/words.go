package terminal

import "fmt"

// NothingElse refuses words that a command does not know: whoever wrote them meant
// something.
func NothingElse(command string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return fmt.Errorf("parley %s does not take %q; parley help shows what it takes", command, words[0])
}
