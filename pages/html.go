package pages

import (
	"strings"

	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/pages/markup"
)

// body is what a page has below its heading.
type body interface {
	write(w *markup.Writer, around page)
}

// html is the whole page.
func (v page) html() ([]byte, error) {
	var w markup.Writer
	w.Put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>`)
	w.If(v.Failed, `Error: `)
	w.Put(`{} – {}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{}">
<script src="{}" defer></script>
`, v.Heading, v.Site, v.Style, v.Script)
	w.If(v.Sign != "", `<script src="{}" defer></script>
`, v.Sign)
	w.If(v.Module != "", `<link rel="manifest" href="/inbox/manifest.webmanifest" crossorigin="use-credentials">
<link rel="apple-touch-icon" href="/inbox/icons/touch-180.png">
<script type="module" src="{}"></script>
`, v.Module)
	w.Put(`</head>
<body`)
	w.If(v.Module != "", ` class="wide"`)
	w.Put(`>
<header>
<a class="skip" href="#main">Skip to the content</a>
<p class="site">{}</p>`, v.Site)
	if v.Who != "" {
		w.Put(`
<nav class="places" aria-label="Your pages"><a href="/inbox">Inbox`)
		w.If(v.Waiting != "", ` <span class="count">{}</span><span class="hidden"> waiting for you</span>`, v.Waiting)
		w.Put(`</a>`)
		w.If(v.Passkeys, ` <a href="/inbox/passkeys">Passkeys</a>`)
		w.Put(`</nav>`)
	}
	w.If(v.Who != "", `
<form class="account" method="post" action="/logout">
<span class="who" title="{}"><span class="as">Signed in as </span><bdi>{}</bdi></span>
<button class="link">Sign out</button>
</form>`, v.Who, v.Who)
	w.Put(`
</header>
<main id="main" tabindex="-1"`)
	if v.Settled != nil {
		w.Put(` data-settled="{}" data-action="{}" data-origins="{}"`, string(v.Settled.ID), string(v.Settled.Action), v.Settled.Origins)
	}
	if v.Watch != nil {
		w.Put(` data-watch="{}" data-then="{}"`, v.Watch.Status, v.Watch.Then)
	}
	w.Put(`>
<h1>{}</h1>
`, v.Heading)
	v.Body.write(&w, v)
	w.Put(`
</main>
</body>
</html>
`)
	return w.Bytes()
}

func (q questionView) write(w *markup.Writer) {
	w.Put(`<section class="question" aria-label="The question">
<p class="from"><span class="label">Asked by</span> <strong dir="auto">{}</strong></p>`, q.Service)
	if q.Long != nil {
		w.Put(`
<p class="hint" id="long">This is a long {}: {}, all of them in the box below. Read it to its end before you allow it.`, q.Long.What, q.Long.Size)
		w.If(q.Long.Digest != "", ` Digest of the call: <code>{}</code>`, q.Long.Digest)
		w.Put(`</p>`)
	}
	if len(q.Exact) == 0 {
		w.Put(`
<p class="message" dir="auto">{}</p>`, q.Message)
	} else {
		q.writeExact(w)
	}
	w.Put(`
</section>
`)
}

// writeExact writes each line into a box of its own, which nothing is drawn outside of.
func (q questionView) writeExact(w *markup.Writer) {
	w.If(q.Long == nil, `
<p class="message exact" dir="ltr">`)
	w.If(q.Long != nil, `
<p class="message exact long" dir="ltr" tabindex="0" role="region" aria-label="The whole call" aria-describedby="long">`)
	w.Put(`<span class="line">`)
	for _, run := range q.Exact {
		for i, part := range strings.SplitAfter(run.Text, "\n") {
			w.If(i > 0, `</span><span class="line">`)
			writeRun(w, legible.Run{Kind: run.Kind, Text: part})
		}
	}
	w.Put(`</span></p>`)
}

func writeRun(w *markup.Writer, run legible.Run) {
	switch run.Kind {
	case legible.Phrase:
		w.Put(`<bdi dir="rtl">{}</bdi>`, run.Text)
	case legible.Number:
		w.Put(`<bdi dir="ltr">{}</bdi>`, run.Text)
	default:
		w.Put(`{}`, run.Text)
	}
}

func (q questionView) writeTerms(w *markup.Writer) {
	w.Put(`<p class="terms">You are answering as <strong><bdi>{}</bdi></strong>. The question is open until `, q.Account)
	q.Expires.write(w)
	w.Put(`.</p>
`)
}

func (t timeView) write(w *markup.Writer) {
	w.Put(`<time datetime="{}">{}</time>`, t.Machine, t.Text)
}

// write shows the whole address.
func (a addressView) write(w *markup.Writer) {
	w.Put(`<p class="address" dir="ltr">{}<strong>{}</strong>{}</p>`, a.Before, a.Domain, a.After)
	w.If(a.Unicode != "", `
<p class="hint">In its own script: <bdi>{}</bdi></p>`, a.Unicode)
	w.Put(`
`)
}

// writeHost shows where the address leads.
func (a addressView) writeHost(w *markup.Writer) {
	w.Put(`<strong>{}</strong>`, a.Domain)
	w.If(a.Host != a.Domain, ` <span class="hint">({})</span>`, a.Host)
	w.If(a.Unicode != "", ` <span class="hint">in its own script: <bdi>{}</bdi></span>`, a.Unicode)
}

// writeSwitch offers to come back with another account.
func writeSwitch(w *markup.Writer, next string) {
	w.Put(`<form method="post" action="/logout">
<input type="hidden" name="switch" value="1">
<input type="hidden" name="next" value="{}">
<button>Use another account</button>
</form>
`, next)
}

func writeAfterwards(w *markup.Writer) {
	w.Put(`<p class="afterwards">You can close this window and go back to where you came from.</p>
`)
}
