package mcptool

import "github.com/parley-hq/parley"

// owner is whose call a journal is of.
func (p *page) owner() parley.Principal {
	owner := parley.OwnerOf(p.record.Tenant, p.record.Owner)
	owner.Key = p.Program
	return owner
}

// isOf reports whether a journal that was found in who's tenant is of a call of
// theirs: of the same person, session or call, and of the same key.
func (p *page) isOf(who parley.Principal) bool {
	owner := p.owner()
	return owner.User == who.User && owner.Key == who.Key
}

// takenOn is who as the call that they want to go on with: a caller who is
// neither a person nor a session is whichever call they can name. Their tenant and
// their key stay what they are: whoever uses the result compares both.
func takenOn(who, call parley.Principal) parley.Principal {
	if who.User == "" && call.Kind == parley.KindCall {
		who.User, who.Kind = call.User, call.Kind
	}
	return who
}
