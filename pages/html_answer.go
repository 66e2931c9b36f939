package pages

import (
	"slices"

	"github.com/parley-hq/parley/pages/markup"
)

func (v answerView) write(w *markup.Writer, _ page) {
	writeProblems(w, v.Problems)
	w.Put(`
`)
	v.Question.write(w)
	w.Put(`
<form class="answer" method="post" action="/answer/{}" novalidate`, string(v.Question.ID))
	w.If(v.Sign != nil, ` data-sign="/answer/{}/sign"`, string(v.Question.ID))
	w.Put(`>`)
	v.Sign.write(w)
	if v.Decision != nil {
		v.writeDecision(w)
	} else {
		v.writeForm(w)
	}
	w.Put(`
</form>`)
	w.If(v.Decline, `
<form id="decline" method="post" action="/answer/{}"></form>`, string(v.Question.ID))
	writeNotNow(w)
}

func writeNotNow(w *markup.Writer) {
	w.Put(`
<p class="hint">Not now? Just close this page. The question stays open until it expires.</p>`)
}

func (v answerView) writeForm(w *markup.Writer) {
	for _, f := range v.Fields {
		f.write(w)
	}
	w.Put(`
`)
	v.Question.writeTerms(w)
	if v.Tells {
		w.Put(`
<div class="buttons"><button name="action" value="decline">Take it back</button></div>`)
		return
	}
	w.Put(`
<div class="buttons">
<button class="primary" name="action" value="accept">{}</button>
<button name="action" value="decline">Decline</button>
</div>`, v.Send)
}

// writeDecision makes buttons of the options of the first field. The first button of
// the form does nothing: it is the one that Enter in a field would press.
func (v answerView) writeDecision(w *markup.Writer) {
	w.Put(`
<button disabled hidden></button>
<fieldset class="decision"`)
	v.Decision.writeDescribed(w)
	w.Put(`>
<legend dir="auto">{}</legend>
`, v.Decision.Label)
	v.Decision.writeAbout(w)
	w.Put(`
<input type="hidden" name="action" value="accept">`)
	for _, o := range v.Decision.Options {
		if (v.Change == nil || o != *v.Change) && v.Sign.offers(o) {
			v.writeChoice(w, o)
		}
	}
	w.Put(`
</fieldset>`)
	v.writeEdits(w)
	for _, f := range v.Says {
		f.write(w)
	}
	if len(v.Fields) > 0 {
		w.Put(`
<details class="narrow"><summary>Limits for a permission that stays</summary>`)
		for _, f := range v.Fields {
			f.write(w)
		}
		w.Put(`
</details>`)
	}
	w.Put(`
`)
	v.Question.writeTerms(w)
	w.If(v.Decline, `
<div class="buttons"><button form="decline" name="action" value="decline">Decline</button></div>`)
}

func (v answerView) writeChoice(w *markup.Writer, o optionView) {
	w.Put(`
<button class="choice" id="{}" name="{}" value="{}" dir="auto"`, o.ID, v.Decision.Name, o.Value)
	w.If(v.Sign.signs(o), ` data-signs`)
	w.Put(`>{}</button>`, o.Label)
}

// writeEdits writes the arguments of a call, to be changed, before the button that
// allows it with them.
func (v answerView) writeEdits(w *markup.Writer) {
	if v.Change == nil || !v.Sign.offers(*v.Change) {
		return
	}
	wrong := slices.ContainsFunc(v.Edits, func(f fieldView) bool { return f.Error != "" })
	w.Put(`
<details class="narrow"`)
	w.If(wrong, ` open`)
	w.Put(`><summary>Change the arguments</summary>
<p class="hint">The call is made with what stands here. What is not here stays as it is.</p>`)
	for _, f := range v.Edits {
		f.write(w)
	}
	v.writeChoice(w, *v.Change)
	w.Put(`
</details>`)
}

func writeProblems(w *markup.Writer, problems []problemView) {
	if len(problems) > 0 {
		w.Put(`
<div class="problems" id="problems" role="alert" tabindex="-1" autofocus>
<h2>Please correct this</h2>
<ul>`)
		for _, p := range problems {
			w.Put(`
<li>`)
			w.If(p.ID != "", `<a href="#{}">{}</a>`, p.ID, p.Message)
			w.If(p.ID == "", `{}`, p.Message)
			w.Put(`</li>`)
		}
		w.Put(`
</ul>
</div>
`)
	}
	w.Put(`
`)
}
