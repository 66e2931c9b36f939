package mcpclient

import "encoding/json"

// modernMembers are those of a result by which one of 2026-07-28 is a question or
// a task.
var modernMembers = []string{"resultType", "inputRequests", "requestState"}

// plain is a response as its server can mean it: whatever one of an older era
// writes is its result, and no question and no task of an era that it does not
// speak.
func (x *Exchange) plain(m Message) Message {
	switch {
	case x.internal, x.conn.modern: // of a call of the connection's own nobody reads these; its era may be unknown yet
	case m.Rest != nil:
		m.Rest.older = true
	case m.Error == nil:
		m.Result = PlainResult(m.Result)
	}
	return m
}

// Older reports whether the result is that of a server before 2026-07-28: it is to
// be read as PlainResult has it.
func (r *Rest) Older() bool { return r.older }

// PlainResult is a result of a server before 2026-07-28 for whoever speaks that.
func PlainResult(result json.RawMessage) json.RawMessage {
	found := false
	visit(result, func(name, _ []byte) bool {
		for _, member := range modernMembers {
			found = found || equals(name, member)
		}
		return !found
	})
	if !found {
		return result
	}
	o := readObject(result)
	if o == nil {
		return result // whoever reads it refuses it
	}
	for _, member := range modernMembers {
		o.set(member, nil)
	}
	return o.json()
}

// metaTask says in a result of which task it is.
const metaTask = "io.modelcontextprotocol/related-task"

// unrelated is the result of a task without the server's id of it, which whoever
// made the call never heard.
func unrelated(result json.RawMessage) json.RawMessage {
	said, _ := Member(result, "_meta")
	if _, ok := Member(said, metaTask); !ok {
		return result
	}
	o, meta := readObject(result), readObject(said)
	if o == nil || meta == nil {
		return result
	}
	meta.set(metaTask, nil)
	if len(meta.values) == 0 {
		o.set("_meta", nil)
	} else {
		o.set("_meta", meta.json())
	}
	return o.json()
}
