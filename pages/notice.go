package pages

import (
	"errors"
	"net/http"
)

// Notice is a page that says one thing, for other handlers of the same host that
// have nothing else to show.
type Notice struct {
	Status   int
	Heading  string
	Sentence string
	Again    string // where to try again; empty: nowhere
}

// Show answers a request with a notice, as the site's own pages look.
func (p *Pages) Show(w http.ResponseWriter, r *http.Request, n Notice) {
	p.secure(w)
	p.fail(w, r, &refusal{status: n.Status, heading: n.Heading, sentence: n.Sentence, again: localPath(n.Again)})
}

// SignIn sends whoever asked for a page to sign in, where err says that they
// have to, and says what is wrong otherwise. err is Principal's.
func (p *Pages) SignIn(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, ErrNotSignedIn) {
		http.Redirect(w, r, loginFor(r), http.StatusSeeOther)
		return
	}
	p.secure(w)
	p.fail(w, r, err)
}
