package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/seal"
)

// secrets counts what is stored by the secret that opens it, and says which of them can
// go. With --reseal everything is sealed with the first one before. It fails where something
// is sealed with none of them. With --forget it only removes the note that one is in use.
// A store in which there is nothing of Parley is refused: it is not the one that was meant.
func secrets(ctx context.Context, args []string, out io.Writer) (err error) {
	flags, read := configFlags("secrets")
	reseal := flags.Bool("reseal", false, "seal everything that is stored with the first secret")
	forget := flags.String("forget", "", "do not wait for the secret with this `KEY` id any more: it is lost, or what it sealed is not wanted")
	cfg, err := read(args)
	if err != nil {
		return err
	}
	if len(cfg.Secrets) == 0 {
		return errors.New("the configuration has no secrets: there is nothing to change")
	}
	parsed, err := seal.ParseSecrets(cfg.Secrets)
	if err != nil {
		return err
	}
	keys, err := seal.New(parsed...)
	if err != nil {
		return err
	}
	if strings.HasPrefix(cfg.Store, "memory:") {
		return errors.New("store: memory: forgets everything when the server ends: restart it with the new secret alone")
	}
	store, err := backend.OpenKept(ctx, cfg.Store, nil)
	if err != nil {
		return cfg.Locate(fmt.Errorf("store: %w", err))
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if *forget != "" {
		if err := keys.Forget(ctx, store, *forget); errors.Is(err, parley.ErrNotFound) {
			return fmt.Errorf("key %.20q: no note says that it is in use", *forget)
		} else if err != nil {
			return err
		}
		fmt.Fprintf(out, "key %s is not waited for any more. What it sealed opens only with it\n", *forget)
		return nil
	}
	sealable, ok := store.(seal.Sealable)
	if !ok {
		return errors.New("store: it cannot be sealed anew")
	}
	look := keys.Survey
	if *reseal {
		look = keys.Reseal
	}
	found, err := look(ctx, sealable)
	if err != nil {
		return err
	}
	tellHoldings(out, found)
	if len(found.Foreign) > 0 {
		return &seal.MissingError{IDs: slices.Sorted(maps.Keys(found.Foreign))}
	}
	return nil
}

// tellHoldings prints a line for each secret. Key ids are no secrets.
func tellHoldings(out io.Writer, found seal.Holdings) {
	for i, one := range found.Secrets {
		what := ""
		for _, kind := range one.Kinds() {
			what += fmt.Sprintf(", %d %s", one.Records[kind], kind)
		}
		switch {
		case i == 0:
			fmt.Fprintf(out, "secrets[0], key %s, seals: %d in all: %d questions and answers%s\n", one.ID, one.All(), one.Questions, what)
		case one.All() > 0:
			fmt.Fprintf(out, "secrets[%d], key %s, is needed: %d in all: %d questions and answers%s\n", i, one.ID, one.All(), one.Questions, what)
		case one.Marked:
			fmt.Fprintf(out, "secrets[%d], key %s: nothing is sealed with it any more, but nodes are not ready without it until parley secrets --reseal was run. Keep it until then\n", i, one.ID)
		case one.Retired:
			fmt.Fprintf(out, "secrets[%d], key %s: nothing that is stored needs it. It can go when every node was restarted with secrets[0] in front, and what was sent out before has ended: links and requestState of open questions\n", i, one.ID)
		default:
			fmt.Fprintf(out, "secrets[%d], key %s: nothing is sealed with it yet. Keep it: once every node has it, put it in front\n", i, one.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found.Foreign)) {
		fmt.Fprintf(out, "WARNING: %d are sealed with key %s, which is none of secrets: nobody here can open them\n", found.Foreign[id], id)
	}
	if found.Damaged > 0 {
		fmt.Fprintf(out, "WARNING: %d do not open although their secret is known: they were changed or moved in the database\n", found.Damaged)
	}
	if len(found.Secrets) > 1 && found.Secrets[1].All() > 0 {
		fmt.Fprintln(out, "To seal everything with secrets[0]: parley secrets --reseal, once every node has it in front. Nodes may run meanwhile")
	}
}
