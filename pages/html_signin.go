package pages

import "github.com/parley-hq/parley/pages/markup"

func (v pickerView) write(w *markup.Writer, _ page) {
	w.Put(`<p>This is a development server: it believes whoever you say you are.</p>`)
	if len(v.Users) > 0 {
		v.writeUsers(w)
	}
	w.Put(`
<form method="post" action="/login" novalidate>
<input type="hidden" name="next" value="{}">`, v.Next)
	w.If(v.Error == "", `
<div class="field">`)
	w.If(v.Error != "", `
<div class="field wrong">`)
	label := "User"
	if len(v.Users) > 0 {
		label = "Somebody else"
	}
	w.Put(`
<label for="user">{}</label>`, label)
	w.If(v.Error != "", `
<p class="error" id="user-error"><span class="hidden">Error: </span>{}</p>`, v.Error)
	w.Put(`
<input id="user" name="user" type="text" autocomplete="username" autocapitalize="off" spellcheck="false"`)
	w.If(v.Error != "" || len(v.Users) == 0, ` autofocus`)
	w.If(v.Error != "", ` aria-invalid="true" aria-describedby="user-error"`)
	w.Put(`>
</div>
<div class="buttons"><button class="primary">Sign in</button></div>
</form>`)
}

func (v pickerView) writeUsers(w *markup.Writer) {
	w.Put(`
<form method="post" action="/login">
<input type="hidden" name="next" value="{}">
<fieldset class="decision">
<legend>Sign in as</legend>`, v.Next)
	for _, user := range v.Users {
		w.Put(`
<button class="choice" name="user" value="{}" dir="auto">{}</button>`, user, user)
	}
	w.Put(`
</fieldset>
</form>`)
}

// signedInView leads home, if there is one.
type signedInView struct{ Home Link }

func (v signedInView) write(w *markup.Writer, around page) {
	writeWho(w, around)
	w.If(v.Home.Path == "", ` Open a question from the link that you were given.`)
	w.Put(`</p>
<div class="buttons">`)
	w.If(v.Home.Path != "", `<a class="button primary" href="{}">{}</a>`, v.Home.Path, v.Home.Text)
	w.Put(`
<form method="post" action="/logout"><button>Sign out</button></form>
`)
	writeSwitch(w, "/login")
	w.Put(`
</div>`)
}

// signedOutView says that nobody is signed in.
type signedOutView struct{}

func (signedOutView) write(w *markup.Writer, _ page) {
	w.Put(`<p>Nobody is signed in in this browser.</p>
<p><a class="button primary" href="/login">Sign in</a></p>`)
}

// logoutView asks before it signs out.
type logoutView struct{}

func (logoutView) write(w *markup.Writer, around page) {
	writeWho(w, around)
	w.Put(`</p>
<form method="post" action="/logout">
<div class="buttons"><button class="primary">Sign out</button></div>
</form>`)
}

// writeWho begins a paragraph.
func writeWho(w *markup.Writer, around page) {
	w.Put(`<p>You are signed in as <strong><bdi>{}</bdi></strong>.`, around.Who)
}
