package a2a

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// maxContext is how many bytes the name of a context may have.
const maxContext = 100

// place is where a task is among the runs of a person.
type place struct {
	context string
	run     string
}

// taskID names a run of a context. It says all that is needed to find the run again, and
// nothing to anybody else: the person is not in it, so nobody reaches another's task by
// its id.
func (p place) taskID() a2a.TaskID {
	return a2a.TaskID(p.run + "." + base64.RawURLEncoding.EncodeToString([]byte(p.context)))
}

func (p place) info() a2a.TaskInfo {
	return a2a.TaskInfo{TaskID: p.taskID(), ContextID: p.context}
}

// parseTaskID reads an id; false: no task is called so.
func parseTaskID(id a2a.TaskID) (place, bool) {
	run, encoded, ok := strings.Cut(string(id), ".")
	context, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	p := place{context: string(context), run: run}
	return p, ok && err == nil && parley.ID(run).Valid() && checkContext(p.context) == nil
}

// checkContext refuses what cannot be the name of a context.
func checkContext(name string) error {
	if name == "" || len(name) > maxContext || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return invalid(fmt.Sprintf("a contextId has 1 to %d bytes and no control characters", maxContext))
	}
	return nil
}

// conversation is the one of a context. Those of a person's chats have other names: a
// token that is for an agent reaches none of them, and none of another agent's contexts.
func (o *offer) conversation(context string) string { return o.prefix() + context }

func (o *offer) prefix() string { return "a2a:" + o.name + ":" }

// placeOf is where the task of a run is.
func (o *offer) placeOf(ref agent.Ref) place {
	return place{context: strings.TrimPrefix(ref.Conversation, o.prefix()), run: ref.Run}
}

// fingerprint tells messages apart. A client that did not hear the answer sends its message
// again, and means the task that it started; one that counts its messages from 1 means
// another.
func fingerprint(m *a2a.Message) string {
	parts, err := json.Marshal(m.Parts)
	if err != nil {
		parts = nil
	}
	digest := sha256.New()
	for _, one := range []string{m.ID, m.ContextID, string(parts)} {
		fmt.Fprintf(digest, "%d:%s", len(one), one)
	}
	return hex.EncodeToString(digest.Sum(nil)[:16])
}

// messageName is a message's as its run keeps it, messageIDOf the client's own in it.
func messageName(m *a2a.Message) string { return m.ID + "#" + fingerprint(m) }

func messageIDOf(name string) string {
	if at := strings.LastIndexByte(name, '#'); at >= 0 {
		return name[:at]
	}
	return name
}

// began reports whether a message is the one that began a task, sent again to that task, whose
// context its client may not have known before.
func began(name string, m *a2a.Message) bool {
	first := *m
	first.ContextID = ""
	return name == messageName(m) || name == messageName(&first)
}

// freshContext is the context of a message that names none: the same for the same message
// of the same client, so that it does not start two tasks.
func freshContext(who parley.Principal, m *a2a.Message) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%d:%s%d:%s%s", len(who.Tenant), who.Tenant, len(who.Owner()), who.Owner(), messageName(m)))
	return hex.EncodeToString(digest[:16])
}
