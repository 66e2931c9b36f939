package permit

import "github.com/parley-hq/parley"

// about is where a call comes from, as approvers are told: that of the first call
// for which they were asked.
type about struct {
	Agent        string `json:"agent,omitempty"`
	Conversation string `json:"conversation,omitempty"`
	Client       string `json:"client,omitempty"`
	Rule         string `json:"rule,omitempty"`
}

func aboutOf(s subject, r ruling) about {
	a := about{Agent: s.Agent, Client: s.Client, Rule: r.name}
	if s.Agent != "" { // elsewhere a session is a number that means nothing to people
		a.Conversation = s.Session
	}
	return a
}

// head is what approvers read before the call.
func (a about) head(asker string) string {
	head := "Asked by: " + label(asker, "") + "\n"
	if parley.OwnerOf("", asker).Anonymous() { // a person of that name would be in quotes
		head = "Asked by: somebody who is not signed in (" + label(asker, "") + ")\n"
	}
	for _, one := range []struct{ what, name string }{{"Agent", a.Agent}, {"Conversation", a.Conversation}} {
		if one.name != "" {
			head += one.what + ": " + label(one.name, "") + "\n"
		}
	}
	if a.Client != "" { // its own word
		head += "Client: " + quoted(a.Client) + "\n"
	}
	if a.Rule != "" {
		head += "Rule: " + label(a.Rule, "") + "\n"
	}
	return head
}
