package browser

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
)

// problem is something that a page should not do.
type problem struct {
	kind string // console, exception, dialog, crash, request; or Chromium's own word: security, network, …
	text string
	url  string // what it is about
}

func (p problem) String() string {
	if p.url == "" {
		return p.kind + ": " + p.text
	}
	return fmt.Sprintf("%s: %s (%s)", p.kind, p.text, p.url)
}

// problems collects those of one person.
type problems struct {
	mu        sync.Mutex
	all       []problem
	documents map[string]bool // addresses that a window has shown
	expected  []string
}

func (p *problems) add(kind, text, url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, problem{kind, text, url})
}

// shown notes that a window shows a document.
func (p *problems) shown(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	url, _, _ = strings.Cut(url, "#")
	p.documents[url] = true
}

func (p *problems) expect(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, text)
}

// sorted returns what nobody expected, and which expectations were not met.
func (p *problems) sorted() (unexpected, missed []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	met := map[string]bool{}
	for _, problem := range p.all {
		text, known := problem.String(), p.harmless(problem)
		for _, expected := range p.expected {
			if strings.Contains(text, expected) {
				met[expected], known = true, true
			}
		}
		if !known {
			unexpected = append(unexpected, text)
		}
	}
	missed = slices.DeleteFunc(slices.Clone(p.expected), func(expected string) bool { return met[expected] })
	return unexpected, missed
}

// harmless is what every page does that refuses, or has no icon: Chromium asks for one unasked.
func (p *problems) harmless(problem problem) bool {
	return problem.kind == string(log.EntrySourceNetwork) &&
		(p.documents[problem.url] || strings.HasSuffix(problem.url, "/favicon.ico"))
}

// logged takes an entry of the browser's log: of what it could not load and what it had to block.
func (p *problems) logged(e log.EventEntryAdded) {
	if e.Entry.Level == log.EntryLevelError {
		p.add(string(e.Entry.Source), e.Entry.Text, e.Entry.URL)
	}
}

// called takes a call of the page's to its console.
func (p *problems) called(e runtime.EventConsoleAPICalled) {
	if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeAssert {
		return
	}
	var words []string
	for _, arg := range e.Args {
		if arg.Description != "" {
			words = append(words, arg.Description)
		} else {
			words = append(words, string(arg.Value))
		}
	}
	p.add("console", strings.Join(words, " "), "")
}

func (p *problems) thrown(e runtime.EventExceptionThrown) {
	text := e.ExceptionDetails.Text
	if e.ExceptionDetails.Exception != nil {
		text += " " + e.ExceptionDetails.Exception.Description
	}
	p.add("exception", text, e.ExceptionDetails.URL)
}
