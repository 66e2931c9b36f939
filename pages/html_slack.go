package pages

import (
	"cmp"

	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/pages/markup"
)

func (v slackWishView) write(w *markup.Writer, around page) {
	w.Put(`<p>A Slack user asks to be linked to your account:</p>
<dl>
<div><dt>Workspace</dt><dd><bdi>{}</bdi> <span class="hint">({})</span></dd></div>
<div><dt>Calls themselves</dt><dd><bdi>{}</bdi> <span class="hint">({})</span></dd></div>
<div><dt>Asked at</dt><dd>`, v.Workspace, v.Team, v.Name, v.User)
	v.Asked.write(w)
	w.Put(`</dd></div>
<div><dt>They could</dt><dd>talk with agents as you, answer your questions and approve calls, in Slack</dd></div>
<div><dt>Until</dt><dd>you unlink it</dd></div>
<div><dt>Account</dt><dd><bdi>{}</bdi></dd></div>
</dl>
<p><strong>Did you not just write to the app in that workspace, under that name? Then refuse:</strong> whoever sent you this link would act as you.</p>
<form method="post" action="/slack/link">
<input type="hidden" name="token" value="{}">
<input type="hidden" name="as" value="{}">
<div class="buttons">
<button name="decision" value="deny">Refuse</button>
<button class="primary" name="decision" value="allow">This is me: link it</button>
</div>
</form>
<div class="buttons">`, around.Who, v.Token, v.As)
	writeSwitch(w, "/slack/link?token="+v.Token)
	w.Put(`</div>`)
}

func (v slackAccountsView) write(w *markup.Writer, around page) {
	w.If(v.Done != "", `<p class="outcome">{}</p>
`, v.Done)
	w.If(len(v.Accounts) == 0, `<p>No Slack account is linked to yours. Write to the app in Slack, and it gives you a link.</p>
`)
	for _, one := range v.Accounts {
		w.Put(`<form method="post" action="/slack/link">
<p>The user <bdi>{}</bdi> of the workspace <bdi>{}</bdi> <span class="hint">({} in {})</span> acts as you in Slack.</p>
<input type="hidden" name="account" value="{}">
<input type="hidden" name="as" value="{}">
<div class="buttons"><button name="decision" value="unlink">Unlink {}</button></div>
</form>
`, legible.Line(cmp.Or(one.Name, one.User)), legible.Line(one.Workspace), one.User, one.Team, one.Team+"/"+one.User, v.As, one.User)
	}
	writeWho(w, around)
	w.Put(`</p>`)
}

func (v slackDoneView) write(w *markup.Writer, _ page) {
	w.Put(`<p class="outcome">{}</p>
<p class="hint">You can close this window.</p>`, v.Sentence)
}
