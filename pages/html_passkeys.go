package pages

import "github.com/parley-hq/parley/pages/markup"

func (v passkeysView) write(w *markup.Writer, _ page) {
	w.Put(`<p>With a passkey you sign approvals that need it: a key that stays in your device, which asks for your finger, your face or your PIN.</p>`)
	w.If(v.Next != "", `
<p><a href="{}">Back to the question</a></p>`, v.Next)
	w.If(len(v.Keys) == 0, `
<p>You have none here.</p>`)
	for _, one := range v.Keys {
		v.writeKey(w, one)
	}
	if len(v.Keys) == 0 && !v.Fresh {
		w.Put(`
<p>To add one, prove that it is you: <a href="{}">sign in again</a>.</p>`, v.Again)
		w.If(v.Untold, untold)
		return
	}
	w.Put(`
<form class="passkey" data-begin="/inbox/passkeys/begin" data-add="/inbox/passkeys/add" data-then="{}">
<div class="field">
<label for="name">What do you call it?</label>
<input id="name" name="name" type="text" maxlength="60" autocomplete="off" placeholder="My phone">
</div>
<p class="error" id="sign-error" role="alert" hidden></p>`, v.then())
	w.If(len(v.Keys) > 0, `
<p class="hint">Your device asks twice: for a passkey that you have, and for the new one.</p>`)
	w.Put(`
<div class="buttons"><button class="primary">Add a passkey</button></div>
<noscript><p class="error">To add one, the page needs JavaScript.</p></noscript>
</form>`)
	w.If(len(v.Keys) > 0 && !v.Fresh, `
<p class="hint">To rename or remove one, or if you have lost them all, <a href="{}">sign in again</a>.</p>`, v.Again)
	w.If(len(v.Keys) > 0 && v.Untold, untold)
}

// untold is for people whose sign-in service leaves them asked again and again.
const untold = `
<p class="hint">If you have just done so: your sign-in service does not say when people prove who they are. Tell the administrator that it has to send auth_time.</p>`

// then is where the person goes who has added one.
func (v passkeysView) then() string {
	if v.Next != "" {
		return v.Next
	}
	return passkeysPath
}

func (v passkeysView) writeKey(w *markup.Writer, one passkeyView) {
	w.Put(`
<section class="question passkey-kept" aria-label="A passkey">
<p><strong dir="auto">{}</strong></p>
<dl>
<div><dt>Added</dt><dd>`, one.Name)
	one.Added.write(w)
	w.Put(`</dd></div>`)
	if one.Used != nil {
		w.Put(`
<div><dt>Last used</dt><dd>`)
		one.Used.write(w)
		w.Put(`</dd></div>`)
	}
	w.Put(`
<div><dt>Fingerprint</dt><dd><code>{}</code></dd></div>
</dl>`, one.Fingerprint)
	w.If(v.Fresh, `
<form method="post" action="/inbox/passkeys/rename"><input type="hidden" name="id" value="{}">
<div class="field"><label for="name-{}">What do you call it?</label>
<input id="name-{}" name="name" type="text" maxlength="60" required autocomplete="off" value="{}"></div>
<div class="buttons"><button>Rename</button></div></form>
<form method="post" action="/inbox/passkeys/remove"><input type="hidden" name="id" value="{}"><div class="buttons"><button>Remove</button></div></form>`,
		one.ID, one.ID, one.ID, one.Name, one.ID)
	w.Put(`
</section>`)
}
