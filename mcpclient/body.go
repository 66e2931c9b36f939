package mcpclient

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/parley-hq/parley/tracing"
)

// What a request of 2026-07-28 says of itself in its _meta. Here it is this
// client's to set.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// The other keys of _meta: those too are this client's, and so is the progress.
const (
	metaClient   = "io.modelcontextprotocol/clientInfo"
	metaLogLevel = "io.modelcontextprotocol/logLevel"
	metaServer   = "io.modelcontextprotocol/serverInfo"
	metaProgress = "progressToken"
)

// The keys of _meta that say where a call belongs in a trace. They come from
// Request.Trace. What somebody else's trace carries besides, its baggage, is theirs: it
// is not passed on.
const (
	MetaTraceparent = "traceparent"
	MetaTracestate  = "tracestate"
	metaBaggage     = "baggage"
)

// requestBody splices a request: its params are copied, not decoded. The _meta
// of the caller's is kept but for what is this client's to say. meta are members
// of _meta.
func requestBody(id int64, method string, params, meta, progress json.RawMessage, trace tracing.Context) ([]byte, error) {
	b := make([]byte, 0, len(`{"jsonrpc":"2.0","id":,"method":"","params":{"_meta":{,"progressToken":},}}`)+20+len(method)+len(params)+len(meta)+len(progress))
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != 0 {
		b = append(b, `,"id":`...)
		b = strconv.AppendInt(b, id, 10)
	}
	b = append(b, `,"method":`...)
	b = appendText(b, method)
	theirs, others, ok := split(params)
	if !ok {
		return nil, fmt.Errorf("%w: params are an object", ErrProtocol)
	}
	b = append(b, `,"params":{`...)
	start := len(b)
	b = append(b, `"_meta":{`...)
	inner := len(b)
	b = append(b, meta...)
	if len(progress) > 0 {
		b = comma(b, inner)
		b = append(b, `"progressToken":`...)
		b = append(b, progress...)
	}
	b = appendTrace(b, inner, trace)
	b = appendMeta(b, inner, theirs)
	if len(b) == inner {
		b = b[:start] // no _meta at all
	} else {
		b = append(b, '}')
	}
	if others != nil {
		b = comma(b, start)
		b = append(b, others...)
	} else if theirs != nil {
		b = appendOthers(b, start, params)
	}
	return append(b, '}', '}'), nil
}

// split finds the _meta in params. If there is none, others are the members of
// params, without their braces; otherwise appendOthers picks them.
func split(params []byte) (theirs, others []byte, ok bool) {
	if i := space(params, 0); i == len(params) {
		return nil, nil, true
	}
	members := 0
	ok = visit(params, func(name, value []byte) bool {
		members++
		if equals(name, "_meta") {
			theirs = value
		}
		return true
	})
	if theirs == nil && members > 0 && ok {
		first, last := space(params, 0)+1, len(params)-1
		for params[last] != '}' {
			last--
		}
		others = params[first:last]
	}
	return theirs, others, ok
}

func appendOthers(b []byte, start int, params []byte) []byte {
	visit(params, func(name, value []byte) bool {
		if !equals(name, "_meta") {
			b = appendMember(b, start, name, value)
		}
		return true
	})
	return b
}

// appendTrace adds where the call belongs.
func appendTrace(b []byte, inner int, trace tracing.Context) []byte {
	if !trace.Valid() {
		return b
	}
	b = append(comma(b, inner), `"`+MetaTraceparent+`":`...)
	b = appendText(b, trace.Parent())
	if trace.State != "" {
		b = append(b, `,"`+MetaTracestate+`":`...)
		b = appendText(b, trace.State)
	}
	return b
}

// appendMeta adds what the caller's _meta has besides.
func appendMeta(b []byte, inner int, theirs []byte) []byte {
	visit(theirs, func(name, value []byte) bool {
		for _, ours := range [...]string{MetaVersion, MetaCapabilities, metaClient, metaLogLevel, metaProgress, MetaTraceparent, MetaTracestate, metaBaggage} {
			if equals(name, ours) {
				return true
			}
		}
		b = appendMember(b, inner, name, value)
		return true
	})
	return b
}

func appendMember(b []byte, start int, name, value []byte) []byte {
	b = append(comma(b, start), name...)
	b = append(b, ':')
	return append(b, value...)
}

// comma separates a member from the one before, if there is one since start.
func comma(b []byte, start int) []byte {
	if len(b) > start {
		b = append(b, ',')
	}
	return b
}

// appendText adds a JSON string.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always has a form in JSON
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// answerBody splices the answer to a request of the server's.
func answerBody(id, result json.RawMessage, fail *Error) ([]byte, error) {
	if fail != nil {
		quoted, err := json.Marshal(fail)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, quoted), nil
	}
	if len(result) == 0 {
		result = json.RawMessage(`{}`)
	}
	if i := skip(result, space(result, 0), 1); i < 0 || space(result, i) != len(result) {
		return nil, fmt.Errorf("%w: the result is no JSON", ErrProtocol)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result), nil
}

// modernMeta are the members of _meta that every request of 2026-07-28 has.
func modernMeta(version string, o Options) []byte {
	b := append([]byte(`"`+MetaVersion+`":`), appendText(nil, version)...)
	b = append(b, `,"`+MetaCapabilities+`":`...)
	b = append(b, withTasks(o)...)
	b = append(b, `,"`+metaClient+`":`...)
	return append(b, clientInfo(o)...)
}

func clientInfo(o Options) []byte {
	b := append([]byte(`{"name":`), appendText(nil, o.Name)...)
	b = append(b, `,"version":`...)
	return append(appendText(b, o.Version), '}')
}

// withTasks are what a server of 2026-07-28 is told that this client can do.
func withTasks(o Options) json.RawMessage {
	var all, extensions map[string]json.RawMessage
	if !o.Tasks || json.Unmarshal(o.Capabilities, &all) != nil {
		return o.Capabilities
	}
	if json.Unmarshal(all["extensions"], &extensions) != nil || extensions == nil {
		extensions = map[string]json.RawMessage{}
	}
	extensions[TasksExtension] = json.RawMessage("{}")
	all["extensions"], _ = json.Marshal(extensions) // both are JSON
	told, _ := json.Marshal(all)
	return told
}
