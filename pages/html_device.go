package pages

import "github.com/parley-hq/parley/pages/markup"

func (v codeView) write(w *markup.Writer, around page) {
	w.Put(`<p>A program that asks to act as you shows a code, such as BCDF-GHJK. Enter it only if you started that program yourself.</p>
<form method="get" action="/device">`)
	w.If(v.Error == "", `
<div class="field">`)
	w.If(v.Error != "", `
<div class="field wrong">`)
	w.Put(`
<label for="user_code">Code</label>`)
	w.If(v.Error != "", `
<p class="error" id="code-error"><span class="hidden">Error: </span>{}</p>`, v.Error)
	w.Put(`
<input id="user_code" name="user_code" type="text" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false" value="{}"`, v.Code)
	w.If(v.Error != "", ` aria-invalid="true" aria-describedby="code-error"`)
	w.Put(`>
</div>
<div class="buttons"><button class="primary">Continue</button></div>
</form>
`)
	writeWho(w, around)
	w.Put(`</p>`)
}

func (v wishView) write(w *markup.Writer, around page) {
	w.Put(`<p>Compare this code with the one that your program shows:</p>
<p class="code"><code>{}</code></p>
<p><strong>Did you not just start a program that shows this code? Then refuse:</strong> whoever sent you here would act as you.</p>
<dl>
<div><dt>It calls itself</dt><dd><bdi>{}</bdi></dd></div>`, v.Code, v.Program)
	w.If(v.Address != "" && v.Near, `
<div><dt>Asked from</dt><dd><bdi>{}</bdi>, the same address as this browser</dd></div>`, v.Address)
	w.If(v.Address != "" && !v.Near, `
<div><dt>Asked from</dt><dd><bdi>{}</bdi>, <strong>which is not the address of this browser</strong></dd></div>`, v.Address)
	w.Put(`
<div><dt>Asked at</dt><dd>`)
	v.Asked.write(w)
	w.Put(`</dd></div>
<div><dt>It could</dt><dd>`)
	w.If(v.OnlyMCP, `call the tools of the MCP gateway and agents as you; it answers no questions here`)
	w.If(!v.OnlyMCP, `do what you can do here: talk with agents, call tools, answer questions and approve calls`)
	w.Put(`</dd></div>
<div><dt>Until</dt><dd>`)
	v.Until.write(w)
	w.Put(`, or until you end it</dd></div>
<div><dt>Account</dt><dd><bdi>{}</bdi></dd></div>
</dl>
<form method="post" action="/device">
<input type="hidden" name="user_code" value="{}">
<input type="hidden" name="as" value="{}">
<div class="buttons">
<button name="decision" value="deny">Refuse</button>
<button class="primary" name="decision" value="allow">The codes are the same: allow</button>
</div>
</form>
<div class="buttons">`, around.Who, v.Code, v.As)
	writeSwitch(w, "/device?user_code="+v.Code)
	w.Put(`</div>`)
}

func (v decidedView) write(w *markup.Writer, _ page) {
	w.If(v.Allowed && v.Program != "", `<p class="outcome">“<bdi>{}</bdi>” may act as you now. Go back to it.</p>
`, v.Program)
	w.If(!v.Allowed, `<p class="outcome">The program was told that you refused.</p>
`)
	w.Put(`<p class="hint">You can close this window.</p>`)
}
