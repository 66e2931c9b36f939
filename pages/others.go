package pages

import (
	"context"
	"strings"

	"github.com/parley-hq/parley/vault"
)

// alsoField is what the connect page's form says of the other servers that it named:
// what the person agrees to is what was in front of them.
const alsoField = "also"

// otherView is a server that uses the connection too, because it waits for the same account.
type otherView struct {
	Title  string
	GoesTo *addressView // nil: a program that this site runs
	Value  string       // in the form
}

// viewOthers leaves out what cannot be shown. Such a server asks for itself.
func (p *Pages) viewOthers(ctx context.Context, all []vault.Other) []otherView {
	var views []otherView
	for _, o := range all {
		v := otherView{Title: o.Title, Value: o.Server + " " + o.Origin}
		if o.URL != "" {
			address, err := viewAddress(o.URL)
			if err != nil {
				p.opts.Logger.WarnContext(ctx, "server not named on a connect page", "server", o.Server, "err", err)
				continue
			}
			v.GoesTo = &address
		}
		views = append(views, v)
	}
	return views
}

// shownOthers reads the form's word back. The vault takes those alone that do wait.
func shownOthers(values []string) []vault.Other {
	var shown []vault.Other
	for _, value := range values {
		server, origin, _ := strings.Cut(value, " ")
		shown = append(shown, vault.Other{Server: server, Origin: origin})
	}
	return shown
}
