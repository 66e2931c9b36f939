package pages

import (
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/pages/markup"
	"github.com/parley-hq/parley/vault"
)

func (v connectView) write(w *markup.Writer, _ page) {
	w.If(v.KeyError != "", `
<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>Please correct this</h2>
<ul><li><a href="#key">{}</a></li></ul>
</div>`, v.KeyError)
	w.If(v.Late, `
<p class="outcome">Nobody waits for this any more. You can still connect this account, and then send your message again.</p>`)
	w.Put(`
`)
	v.Question.write(w)
	w.Put(`
<dl>
<div><dt>Service</dt><dd dir="auto">{}</dd></div>`, legible.Line(v.Server))
	v.writePlaces(w)
	v.writePermissions(w)
	v.writePeople(w)
	w.Put(`
</dl>`)
	v.writeForm(w)
	v.writeWaiting(w)
}

// writePlaces shows where the person signs in and who gets the credential.
func (v connectView) writePlaces(w *markup.Writer) {
	w.If(v.Provider != "", `<div><dt>Provider</dt><dd dir="auto">{}</dd></div>`, legible.Line(v.Provider))
	if v.Address != nil {
		w.Put(`
<div><dt>Where you sign in</dt><dd class="host">`)
		v.Address.writeHost(w)
		w.Put(`</dd></div>`)
	}
	w.Put(`
<div><dt>The credential goes to</dt><dd class="host">`)
	if v.GoesTo != nil {
		v.GoesTo.writeHost(w)
	} else {
		w.Put(`A program that this site runs`)
	}
	w.Put(`</dd></div>`)
	if len(v.Others) > 0 {
		writeOthers(w, v.Others)
	}
	w.If(v.Source != "", `<div><dt>Kept by</dt><dd><bdi>{}</bdi></dd></div>`, v.Source)
}

func writeOthers(w *markup.Writer, others []otherView) {
	w.Put(`
<div><dt>It also goes to</dt><dd><ul class="scopes">`)
	for _, o := range others {
		w.Put(`<li><bdi>{}</bdi>: `, legible.Line(o.Title))
		if o.GoesTo != nil {
			o.GoesTo.writeHost(w)
		} else {
			w.Put(`a program that this site runs`)
		}
		w.Put(`</li>`)
	}
	who := "They wait"
	if len(others) == 1 {
		who = "It waits"
	}
	w.Put(`</ul>
<p class="hint">{} for the same account, and will not ask you again.</p></dd></div>`, who)
}

func (v connectView) writePermissions(w *markup.Writer) {
	if v.Provider == "" {
		return
	}
	w.Put(`
<div><dt>Permissions asked for</dt><dd>`)
	if len(v.Scopes) > 0 {
		writeCodes(w, v.Scopes)
	} else {
		w.Put(`What <bdi>{}</bdi> gives by default`, legible.Line(v.Provider))
	}
	w.Put(`</dd></div>`)
	if len(v.Params) > 0 {
		w.Put(`
<div><dt>Sent along</dt><dd>`)
		writeCodes(w, v.Params)
		w.Put(`</dd></div>`)
	}
}

func writeCodes(w *markup.Writer, codes []string) {
	w.Put(`<ul class="scopes">`)
	for _, code := range codes {
		w.Put(`<li><code>{}</code></li>`, code)
	}
	w.Put(`</ul>`)
}

// writePeople shows whose account it is, who will use it, and until when.
func (v connectView) writePeople(w *markup.Writer) {
	w.Put(`
<div><dt>Your account here</dt><dd><bdi>{}</bdi></dd></div>`, v.Question.Account)
	switch {
	case v.Everyone:
		w.Put(`
<div><dt>Who will use it</dt><dd>Everybody who works with this site, not you alone</dd></div>`)
	case v.Agent != "":
		w.Put(`
<div><dt>Who will use it</dt><dd>The agent <bdi>{}</bdi>, for everybody who works with it</dd></div>`, legible.Line(v.Agent))
	}
	if !v.Late {
		w.Put(`
<div><dt>Open until</dt><dd>`)
		v.Question.Expires.write(w)
		w.Put(`</dd></div>`)
	}
}

func (v connectView) writeForm(w *markup.Writer) {
	w.Put(`
<form method="post" action="{}" novalidate`, v.Action)
	w.If(v.Method == vault.BySource, ` target="_blank"`)
	w.If(v.Method == vault.BySource && !v.Late, ` data-waits`)
	w.If(v.Sign != nil, ` data-sign="/auth/connect/sign?elicitation_id={}"`, string(v.Question.ID))
	w.Put(`>`)
	v.Sign.write(w)
	for _, o := range v.Others {
		w.Put(`
<input type="hidden" name="also" value="{}">`, o.Value)
	}
	if v.Method == vault.ByKey && v.Sign.offers(optionView{}) {
		v.writeKey(w)
	}
	w.Put(`
<div class="buttons">`)
	if v.Sign.offers(optionView{}) {
		v.writeConnect(w)
	}
	w.If(!v.Late, `
<button form="decline" name="action" value="decline">Decline</button>`)
	w.Put(`
</div>
</form>`)
	w.If(!v.Late, `
<form id="decline" method="post" action="{}"></form>`, v.Action)
}

func (v connectView) writeConnect(w *markup.Writer) {
	w.Put(`
<button class="primary" name="action" value="connect"`)
	w.If(v.Sign != nil, ` data-signs`)
	w.Put(`>Connect`)
	if v.Address != nil {
		w.Put(` at {}`, v.Address.Domain)
	}
	w.Put(`</button>`)
}

func (v connectView) writeKey(w *markup.Writer) {
	wrong := v.KeyError != ""
	w.If(!wrong, `
<div class="field">`)
	w.If(wrong, `
<div class="field wrong">`)
	w.Put(`
<label for="key">Key or token for <bdi>{}</bdi> <span class="required">required</span></label>
<p class="hint" id="key-hint">It is encrypted before it is stored, and never shown again, not even to you.</p>`, legible.Line(v.Server))
	w.If(wrong, `
<p class="error" id="key-error"><span class="hidden">Error: </span>{}</p>`, v.KeyError)
	w.Put(`
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" aria-required="true"`)
	w.If(!wrong, ` aria-describedby="key-hint"`)
	w.If(wrong, ` aria-describedby="key-hint key-error" aria-invalid="true"`)
	w.Put(`>
</div>`)
}

// writeWaiting says what happens elsewhere.
func (v connectView) writeWaiting(w *markup.Writer) {
	id := string(v.Question.ID)
	switch {
	case v.Method == vault.BySource && v.Late:
		w.Put(`
<p><a href="/auth/connect?elicitation_id={}">Reload this page</a> when you have finished in the other window.</p>`, id)
	case v.Method == vault.BySource:
		w.Put(`
<p class="waiting" role="status" hidden>Waiting until you have finished in the other window…</p>
<noscript><p><a href="/auth/connect?elicitation_id={}">Reload this page</a> when you have finished in the other window.</p></noscript>`, id)
	case v.Method == vault.ByConsent:
		w.Put(`
<p class="hint">You sign in there, not here. <bdi>{}</bdi> then sends you back.</p>`, legible.Line(v.Provider))
	}
}
