package newcomer_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// command is one of a shell block, and what the block says it prints.
type command struct {
	text  string
	wants []string
}

// commandsOf reads a block: lines after "$ " with their output, or a script.
func commandsOf(b block) (all []command) {
	if !strings.HasPrefix(b.text, "$ ") {
		return []command{{text: b.text}}
	}
	for line := range strings.Lines(b.text) {
		line = strings.TrimRight(line, "\n")
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, command{text: text})
		} else if strings.TrimSpace(line) != "" {
			all[len(all)-1].wants = append(all[len(all)-1].wants, line)
		}
	}
	return all
}

var (
	staysAtChat  = regexp.MustCompile(`\bparley (serve|demo)\b`)
	staysAtTools = regexp.MustCompile(`\bexamples/(delete-account|expense-approval|first-tool|transfer-funds|connect-url)\b`)
	speaksMCP    = regexp.MustCompile(` -stdio\b|\bparley mcp\b`)
	talks        = regexp.MustCompile(`\bparley chat\b`)
	follows      = regexp.MustCompile(`Open (http\S+)`)
)

// shell tries the commands of a block one after the other.
func (d *desk) shell(t *testing.T, b block, how string) {
	if how == "with the demo" {
		if d.demo == "" {
			d.begin(t, d.chat, "parley demo")
			d.demo = d.chat
		}
		how = ""
	}
	if how == withPostgres {
		how = "" // it is there since the page began
	}
	for _, c := range commandsOf(b) {
		c.text = d.here(c.text)
		switch bare, _, _ := strings.Cut(c.text, " #"); {
		case how == "that stays":
			p := d.begin(t, d.tools, strings.TrimSpace(bare))
			p.until(t, c.text, func() bool { return d.missing(p.out.String(), c.wants) == "" })
		case speaksMCP.MatchString(bare):
			d.lists(t, exec.CommandContext(t.Context(), "bash", "-c", bare))
		case staysAtChat.MatchString(bare) && !strings.Contains(bare, "--headless"):
			p := d.begin(t, d.chat, strings.TrimSuffix(strings.TrimSpace(bare), "&"))
			p.until(t, c.text, func() bool { return d.missing(p.out.String(), c.wants) == "" })
		case staysAtTools.MatchString(bare):
			p := d.begin(t, d.tools, strings.TrimSuffix(strings.TrimSpace(bare), "&"))
			p.until(t, c.text, func() bool { return d.missing(p.out.String(), c.wants) == "" })
		case talks.MatchString(bare):
			d.talk(t, bare)
		default:
			d.run(t, c, how)
		}
	}
}

// run runs a command to its end. Variables that it sets are there for the next.
func (d *desk) run(t *testing.T, c command, how string) {
	t.Helper()
	if strings.Contains(c.text, "examples/connect-account") {
		d.vacate(t, d.tools)
	}
	memory := filepath.Join(d.dir, "variables")
	// Programs see what a page exports, and nothing else of it.
	script := fmt.Sprintf("set -e\n%s\ntrap '{ declare -p | grep -v \"^declare -[a-zA-Z]*r\"; declare -f; } >%s' EXIT\n%s", d.remembered(), memory, c.text)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir, cmd.Env = d.dir, d.env(c.text)
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	met := make(chan error, 1)
	go func() { met <- meet(ctx, how, &out) }()
	err := cmd.Wait()
	cancel()
	if met := <-met; met != nil && err != nil {
		t.Errorf("who follows the link: %v", met)
	}
	d.said = out.String()
	if fails := how == "fails"; fails != (err != nil) {
		t.Fatalf("%s\n%v\n%s", c.text, err, d.said)
	}
	if missing := d.missing(d.said, c.wants); missing != "" {
		t.Errorf("%s\ndoes not print %q, but\n%s", c.text, missing, d.said)
	}
}

// missing is the first of the wanted lines that is not in a text, in order. An
// ellipsis stands for anything.
func (d *desk) missing(text string, wants []string) string {
	rest := strings.Split(text, "\n")
	for _, want := range wants {
		if strings.TrimSpace(want) == "…" {
			continue
		}
		pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(d.here(want))), "…", ".*") + "$")
		for len(rest) > 0 && !pattern.MatchString(strings.TrimSpace(rest[0])) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return want
		}
		rest = rest[1:]
	}
	return ""
}

// lists starts a program that speaks MCP on its standard input and output, and
// has its tools listed.
func (d *desk) lists(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var said output
	cmd.Dir, cmd.Stderr = d.dir, &said
	cmd.Env = append(d.env(strings.Join(cmd.Args, " ")), cmd.Env...)
	d.listsOver(t, &mcp.CommandTransport{Command: cmd}, fmt.Sprint(cmd.Args), &said)
}

func (d *desk) listsOver(t *testing.T, transport mcp.Transport, what string, said *output) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "newcomer", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, said.String())
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil || len(list.Tools) == 0 {
		t.Errorf("%s: no tools: %v\n%s", what, err, said.String())
	}
}

// talk says a word to an agent in the terminal, and is answered.
func (d *desk) talk(t *testing.T, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", text)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.env(text), strings.NewReader("Hello\n")
	out, err := cmd.CombinedOutput()
	if d.said = string(out); err != nil || !strings.Contains(d.said, "Hello") {
		t.Errorf("%s: %v\n%s", text, err, out)
	}
}
