package pages

import "github.com/parley-hq/parley/pages/markup"

func (v outcomeView) write(w *markup.Writer, _ page) {
	w.Put(`<p class="outcome">{}</p>
`, v.Sentence)
	v.Question.write(w)
	w.Put(`
<dl>`)
	if v.At.Machine != "" {
		w.Put(`<div><dt>When</dt><dd>`)
		v.At.write(w)
		w.Put(`</dd></div>`)
	}
	w.If(v.Via != "", `<div><dt>Through</dt><dd><bdi>{}</bdi></dd></div>`, v.Via)
	w.Put(`
<div><dt>Account</dt><dd><bdi>{}</bdi></dd></div>
</dl>
`, v.Question.Account)
	if v.Back != nil {
		w.Put(`<div class="buttons"><a class="button primary" href="{}">Back to <bdi>{}</bdi></a></div>`, v.Back.To, v.Back.Name)
	} else {
		writeAfterwards(w)
	}
}

func (v queuedView) write(w *markup.Writer, _ page) {
	w.Put(`<p>An earlier question of the same conversation is still open. Answer that one first; then this one can be answered.</p>`)
	w.If(v.Earlier != "", `
<p><a class="button primary" href="{}">Go to the earlier question</a></p>`, v.Earlier)
	w.Put(`
`)
	v.Question.write(w)
	w.Put(`
<p><a href="/answer/{}">Try this one again</a></p>`, string(v.Question.ID))
}

func (v failureView) write(w *markup.Writer, around page) {
	w.Put(`<p class="outcome">{}</p>`, v.Sentence)
	if v.Again != "" || v.Decline != "" {
		w.Put(`
<div class="buttons">`)
		w.If(v.Again != "", `<a class="button primary" href="{}">{}</a>`, v.Again, v.AgainText)
		w.If(v.Decline != "", `<form method="post" action="{}"><button name="action" value="decline">Decline</button></form>`, v.Decline)
		w.Put(`
</div>`)
	}
	if v.Switch != "" {
		w.If(around.Who != "", `<p>You are signed in as <strong><bdi>{}</bdi></strong>.</p>`, around.Who)
		w.Put(`
`)
		writeSwitch(w, v.Switch)
	}
	if around.Settled != nil {
		writeAfterwards(w)
	}
}

func (v visitView) write(w *markup.Writer, _ page) {
	v.Question.write(w)
	switch {
	case v.Ours:
		w.Put(`
<p>The next page is part of this site. It takes your answer.</p>
`)
	case v.Here:
		w.Put(`
<p>This leads to a page of this site. Others ask you to go there. Check that you want to:</p>
`)
	default:
		w.Put(`
<p>This leads to another site. Check that you know it:</p>
`)
	}
	v.Address.write(w)
	w.Put(`
`)
	v.Question.writeTerms(w)
	w.Put(`
<form method="post" action="/answer/{}">
<div class="buttons">`, string(v.Question.ID))
	switch {
	case v.Link && v.Ours:
		w.Put(`
<a class="button primary" href="{}" rel="noreferrer">Continue</a>`, v.Address.URL)
	case v.Link:
		w.Put(`
<a class="button primary" href="{}" rel="noreferrer">Continue to {}</a>`, v.Address.URL, v.Address.Domain)
	default:
		w.Put(`
<button class="primary" name="action" value="accept">Continue to {}</button>`, v.Address.Domain)
	}
	w.Put(`
<button name="action" value="decline">Decline</button>
</div>
</form>`)
	writeNotNow(w)
}

func (v forwardView) write(w *markup.Writer, _ page) {
	w.Put(`<p>You are being taken to <strong>{}</strong>.</p>
<p><a href="{}" rel="noreferrer">Continue to {}</a> if nothing happens.</p>`, v.Name, v.To, v.Name)
}
