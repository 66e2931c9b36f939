package permit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
)

// Change is what whoever allowed a call has made of its arguments.
type Change struct {
	Args json.RawMessage // canonical: all of them. Give them to the Call as Changed
	Told string          // a sentence for the model: what was changed, and by whom
}

// edited is the call with other values for some of its arguments.
func (s subject) edited(changed object) (subject, error) {
	args := make(object, len(s.args))
	for i, m := range s.args {
		args[i] = m
		if v, ok := changed.Get(m.Name); ok {
			args[i].Value = v
		}
	}
	c := s.Call
	c.Args, c.Changed, c.Asked = appendCanonical(nil, args), nil, AskedNobody // nobody was asked about this one
	next, err := newSubject(c)
	if err == nil && next.size > maxArgsBytes/2 {
		err = fmt.Errorf("%w: %d bytes", ErrArguments, next.size)
	}
	return next, err
}

// Edited are the arguments that differ between Args and Changed, with the values that they
// have in Changed, as canonical JSON: what ChangesOf says of the question by which the call was
// allowed so. Nil where there is no difference. It returns ErrArguments.
func (c Call) Edited() ([]byte, error) {
	shown, err := members(c.Args)
	if err != nil || c.Changed == nil {
		return nil, err
	}
	sent, err := members(c.Changed)
	if err != nil {
		return nil, err
	}
	var differ object
	for _, m := range sent {
		if was, ok := shown.Get(m.Name); !ok || !bytes.Equal(appendCanonical(nil, was), appendCanonical(nil, m.Value)) {
			differ = append(differ, m)
		}
	}
	if len(differ) == 0 {
		return nil, nil
	}
	return appendCanonical(nil, differ), nil
}

// editsOf are the fields in which approvers can change a call: where the word of one
// decides, so that nobody allows what another has changed since.
func (r ruling) editsOf(s subject) []form.Field {
	if r.approvers == nil || r.approvers.Need != 1 || !offers(r.choices, Changed) {
		return nil
	}
	return s.editable()
}

// fieldsID stands for the fields of a form; it is empty where there are none.
func fieldsID(fields []form.Field) string {
	if len(fields) == 0 {
		return ""
	}
	schema, err := form.Of(fields, nil)
	if err != nil {
		return "" // nobody can be shown them
	}
	return hash(string(schema.JSON()))
}

// edit is what the approver changed whose word decided.
func (g *approval) edit() (by string, changed json.RawMessage) {
	if g.Approvers.Need != 1 {
		return "", nil
	}
	by = g.Asked.First()
	return by, g.Asked[by].Edit
}

// changed completes a finding that grants a call with other arguments: what it grants
// is the call with these, unless the rules want more of it than of the call as it was.
func (p *Permits) changed(ctx context.Context, s subject, r ruling, f finding) (finding, error) {
	if f.Status != Granted || f.grant == nil {
		return f, nil
	}
	who, next, ok, err := f.grant.changedFrom(s)
	if err != nil {
		return finding{}, err
	}
	if !ok {
		return f, nil
	}
	now, err := p.judge(ctx, r.base, next.Call)
	if err != nil {
		return finding{}, err
	}
	changes := difference(s.args, next.args)
	why := r.notBy(now)
	if why == allowed && r.need == byApprovers {
		no, err := p.table.refused(ctx, next)
		if err != nil {
			return finding{}, err
		}
		if no {
			why, now = thePersons, ruling{} // whatever the rules say
		}
	}
	if why != allowed {
		f.Status, f.grant = Denied, nil
		f.Reason = now.because(who + " changed the arguments, and " + why.toTheModel())
		if why == forOthers || why == forPerson || why == unsigned {
			f.Reason += " Make it anew with the changed arguments: " + changes + "."
		}
		return f, nil
	}
	f.digest = next.digest
	f.Changed = &Change{Args: appendCanonical(nil, next.args), Told: who + " changed the arguments before allowing this call: " + changes + "."}
	return f, nil
}

// changedFrom returns the call that an entry grants in the place of s, and who made
// that of it, if they did.
func (e *entry) changedFrom(s subject) (who string, next subject, ok bool, err error) {
	if e.Quorum != nil {
		by, edit := e.Quorum.edit()
		if len(edit) == 0 {
			return "", next, false, nil
		}
		v, err := parse(edit)
		changed, _ := v.(object)
		if err == nil {
			next, err = s.edited(changed)
		}
		return label(by, ""), next, true, err
	}
	if e.From == "" {
		return "", next, false, nil
	}
	c := s.Call
	c.Args, c.Changed = e.Args, nil
	if next, err = newSubject(c); err == nil && next.digest != e.Digest {
		err = fmt.Errorf("permission %s: %w", e.id, errDamaged)
	}
	return "The person", next, true, err
}

// bar is why a change of a call is not let through.
type bar int

const (
	allowed    bar = iota
	never          // what became of the call is refused
	forOthers      // it needs the word of approvers, others than had a say
	forPerson      // the person has to allow it, and approvers changed it
	thePersons     // the person has refused it
	asItIs         // by its rule calls are not changed
	unsigned       // what became of it is allowed with a passkey, and the call was not
)

// notBy says why a change from a call that r rules to one that now does is not let
// through, if so: who changed it had no say about that.
func (r ruling) notBy(now ruling) bar {
	switch {
	case now.need == forbidden:
		return never
	case now.need == byApprovers && !r.approvers.equal(now.approvers):
		return forOthers
	case now.need == byPerson && r.need == byApprovers:
		return forPerson
	case now.need != noApproval && !offers(now.choices, Changed):
		return asItIs
	case now.need != noApproval && now.sign != "" && r.sign == "":
		return unsigned
	}
	return allowed
}

// toTheModel continues a sentence that says that the arguments were changed.
func (b bar) toTheModel() string {
	return map[bar]string{
		never: "such a call is never allowed", forOthers: "such a call needs the word of others",
		forPerson: "it is for the person to allow such a call", thePersons: "the person has refused such a call", asItIs: "no call can be changed into such a one",
		unsigned: "such a call is allowed with a passkey",
	}[b]
}

// toThePerson is for whoever is about to change the call.
func (b bar) toThePerson() string {
	return map[bar]string{
		never: "With these arguments the call is refused", forOthers: "With these arguments the call needs the word of approvers",
		forPerson:  "With these arguments it is for the person whose call it is to allow the call",
		thePersons: "The person whose call it is has refused a call with these arguments",
		asItIs:     "No call can be changed into one with these arguments",
		unsigned:   "With these arguments the call is allowed with a passkey, on a question of its own",
	}[b]
}

// difference names what differs between the arguments of two calls, each value as JSON.
func difference(before, after object) string {
	var all []string
	for i, m := range after {
		was, is := appendScalar(nil, before[i].Value, legible.Hidden), appendScalar(nil, m.Value, legible.Hidden)
		if string(was) != string(is) {
			all = append(all, fmt.Sprintf("%s %s → %s", label(m.Name, ""), was, is))
		}
	}
	return strings.Join(all, "; ")
}
