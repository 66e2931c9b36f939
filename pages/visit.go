package pages

import (
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/outbound"
)

// visitView is a question that sends the person to another page.
type visitView struct {
	Question questionView
	Address  addressView
	Here     bool // it is on this site
	Ours     bool // this program asks, and the page takes the answer
	Link     bool // going there is not the answer: that page settles the question
}

// addressView is a URL as a person must see it before they go there: all of it,
// and the part that says whose it is.
type addressView struct {
	URL           string
	Host          string // as it is dialled
	Unicode       string // the host in its own script, if that is another
	Domain        string // the part of the host that somebody registered
	Before, After string // the URL around the domain
}

// viewAddress takes a URL apart. It fails for those that hide where they lead.
func viewAddress(raw string) (addressView, error) {
	domain, err := outbound.LinkOf(raw)
	if err != nil {
		return addressView{}, err
	}
	v := addressView{URL: raw, Host: domain.Host, Domain: domain.Registrable}
	if domain.Unicode != domain.Host {
		v.Unicode = domain.Unicode
	}
	scheme, rest, _ := strings.Cut(raw, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		v.After = rest[end:]
	}
	host, port := domain.Host, ""
	if !strings.HasSuffix(host, domain.Registrable) {
		name, number, _ := net.SplitHostPort(host)
		host, port = name, ":"+number
	}
	v.Before = strings.ToLower(scheme) + "://" + strings.TrimSuffix(host, domain.Registrable)
	v.After = port + v.After
	return v, nil
}

func (p *Pages) showVisit(w http.ResponseWriter, r *http.Request, s session, q parley.Request) {
	v := visitView{Question: viewQuestion(q, s), Ours: p.asksToConnect(q), Link: !p.answeredByGoing(q)}
	var err error
	if v.Address, err = p.viewVisit(q); err != nil {
		p.failVisit(w, r, s, q, err)
		return
	}
	v.Here = p.isHere(v.Address)
	p.render(w, r, page{Heading: headingOf(q), who: &s, Watch: watch(q), Body: v})
}

// errLedHere is of a program's question that leads to a page of ours. None is asked
// any more; one that is stored is not followed, for people trust what they see here.
var errLedHere = errors.New("a program's question leads to this site")

// viewVisit is where a question leads, if somebody may be led there.
func (p *Pages) viewVisit(q parley.Request) (addressView, error) {
	to, err := viewAddress(q.URL)
	if err == nil && q.Trigger == parley.TriggerProgram && p.isHere(to) {
		return addressView{}, errLedHere
	}
	return to, err
}

// isHere reports whether an address is one of this site, however it is written.
func (p *Pages) isHere(to addressView) bool {
	return mcpclient.SameSite("https://"+to.Host, p.public.String())
}

// asksToConnect reports whether this program itself asks, for an account: its
// question leads to the page that is made for it, and nobody else opens one of this
// kind. What the labels of a question say does not count: others write them.
func (p *Pages) asksToConnect(q parley.Request) bool {
	return q.Trigger == parley.TriggerCredential && p.sameOrigin(q.URL) && strings.HasSuffix(q.URL, connectPath(q.ID))
}

// answeredByGoing reports whether following the link is the answer. Pages of
// this site, and those that say so, settle their question themselves.
func (p *Pages) answeredByGoing(q parley.Request) bool {
	return q.Labels[settledByLabel] != Via && !p.sameOrigin(q.URL)
}

// takeVisit sends the person where a question leads, which is the answer unless
// that page takes one itself.
func (p *Pages) takeVisit(w http.ResponseWriter, r *http.Request, s session, q parley.Request) {
	if _, err := p.viewVisit(q); err != nil {
		p.failVisit(w, r, s, q, err)
		return
	}
	if p.answeredByGoing(q) {
		if err := p.hub.Answer(r.Context(), s.principal(), q.ID, parley.Answer{Action: parley.Accept, Via: Via}); err != nil && !errors.Is(err, parley.ErrRepeated) {
			p.failAnswer(w, r, s, q, nil, err)
			return
		}
	}
	p.forward(w, r, s, q.URL)
}

// failVisit keeps the person from an address that misleads. They can still say
// no.
func (p *Pages) failVisit(w http.ResponseWriter, r *http.Request, s session, q parley.Request, err error) {
	p.opts.Logger.WarnContext(r.Context(), "question address not shown", "id", q.ID, "err", err)
	p.render(w, r, page{
		status: http.StatusUnprocessableEntity, Heading: "This link is not safe", who: &s,
		Body: failureView{
			Sentence: "The question leads to an address that hides where it goes, or to a page of this site that is not part of it, so it is not shown. Nothing was answered.",
			Decline:  answerPath(q.ID),
		},
	})
}

type forwardView struct {
	To   string
	Name string // of the place
}

// forward sends the person to another site after they sent a form. Browsers
// hold form-action against redirects too, also against those that the other
// site makes, so a page of ours stands in between.
func (p *Pages) forward(w http.ResponseWriter, r *http.Request, s session, to string) {
	address, err := viewAddress(to)
	if err != nil {
		p.fail(w, r, &refusal{
			status: http.StatusBadGateway, heading: "This link is not safe",
			sentence: "The next address hides where it goes, so you were not sent there. Tell the administrator.",
		})
		return
	}
	p.renderForward(w, r, &s, forwardView{To: to, Name: address.Domain})
}

func (p *Pages) renderForward(w http.ResponseWriter, r *http.Request, s *session, v forwardView) {
	w.Header().Set("Refresh", "0; url="+v.To)
	p.render(w, r, page{Heading: "One moment", who: s, Body: v})
}
