package gateway_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// recordPythonVariable names a directory with programs that run servers of
// Python's SDK, one for each transcript; testdata/python/README.md says how.
// Without it the transcripts are the servers.
const recordPythonVariable = "PARLEY_RECORD_PYTHON"

// pythonServers are servers of Python's official SDK, by their transcripts.
func pythonServers(t *testing.T) []*parityServer {
	t.Helper()
	program := kit.Build(t, "./transcript")
	var all []*parityServer
	for _, s := range []struct {
		name, title, file string
		spec              kit.Fields
		both, http        bool
		explained         map[string]map[string]string
	}{
		{name: "pykitchen", title: "Python 1.29, stdio", file: "1.29.0-kitchen", spec: kitchenSpec(), explained: kitchenExplained(false)},
		{name: "pykitchenb", title: "Python 2.0, stdio", file: "2.0.0-kitchen", spec: kitchenSpec(), both: true, explained: kitchenExplained(true)},
		{name: "pyall", title: "Python 1.29, HTTP", file: "1.29.0-everything", spec: pythonEverythingSpec(), http: true, explained: pythonEverythingExplained(false)},
		{name: "pyallb", title: "Python 2.0, HTTP", file: "2.0.0-everything", spec: pythonEverythingSpec(), both: true, http: true, explained: pythonEverythingExplained(true)},
	} {
		one := &parityServer{matrixServer: &matrixServer{name: s.name, title: s.title, legacy: true, modern: s.both}, spec: s.spec, explained: s.explained}
		if s.http {
			one.url = playOverHTTP(t, program, s.file)
		} else {
			one.command = playOnStdio(t, program, s.file)
		}
		all = append(all, one)
	}
	return all
}

func pythonFile(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs("testdata/python/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func playOnStdio(t *testing.T, program, name string) []string {
	t.Helper()
	if real := os.Getenv(recordPythonVariable); real != "" {
		return []string{program, "-record", pythonFile(t, name), filepath.Join(real, name)}
	}
	return []string{program, "-stdio", pythonFile(t, name)}
}

func playOverHTTP(t *testing.T, program, name string) string {
	t.Helper()
	command := []string{program, pythonFile(t, name)}
	if real := os.Getenv(recordPythonVariable); real != "" {
		address := kit.FreeAddresses(t, 1)[0]
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		startProgram(t, syscall.SIGINT, nil, filepath.Join(real, name), port).Line(t, "INFO:     Uvicorn running on")
		command = []string{program, "-record", pythonFile(t, name), "http://" + address + "/mcp"}
	}
	said := startProgram(t, syscall.SIGTERM, nil, command...)
	return strings.TrimPrefix(said.Line(t, "listening on "), "listening on ") + "/mcp"
}

// kitchenSpec uses testdata/python/server.py.
func kitchenSpec() kit.Fields {
	return kit.Fields{
		"calls":    kit.Fields{"weather": kit.Fields{"city": "Rome"}, "sum_of": kit.Fields{"a": 1}, "plain": kit.Fields{"words": []string{"a", "b"}}, "stock": kit.Fields{"size": "l"}},
		"progress": []string{"slow"},
		"answers":  kit.Fields{"What would you like?": kit.Fields{"action": "accept", "content": kit.Fields{"drink": "tea", "cups": 2, "sugar": true, "milk": 2.5, "temperature": "cold"}}},
		"prompts":  kit.Fields{"plan": kit.Fields{"guests": "four"}},
		"reads":    []string{"kitchen://recipes/eggs", "kitchen://recipes/none", "kitchen://nowhere"},
		"completions": []kit.Fields{
			{"ref": kit.Fields{"type": "ref/prompt", "name": "plan"}, "argument": kit.Fields{"name": "dish", "value": "s"}},
			{"ref": kit.Fields{"type": "ref/resource", "uri": "kitchen://recipes/{name}"}, "argument": kit.Fields{"name": "name", "value": "st"}},
		},
		"logs": "chatty",
	}
}

// Why something differs.
const (
	noBackChannel = "the gateway speaks 2026-07-28 with it, in which `ctx.elicit` and `ctx.session` ask nobody: directly it is the same for a client of 2026-07-28"
	onlyModern    = "the server asks in this way only in 2026-07-28, which the gateway speaks with it"
	noSuchField   = "a field that may be null is in no form of the protocol: the client refuses it directly; the gateway asks for it as an optional one"
	noSampling    = "the client cannot be asked for it; the gateway says so in its own words"
)

func kitchenExplained(both bool) map[string]map[string]string {
	older := map[string]string{"notified of a log message": "the server has no `logging/setLevel`, and the gateway has; the `logger` names the server"}
	newer := map[string]string{}
	if both {
		older["call order"], older["call extras"], older["call pay"] = noBackChannel, noBackChannel, noBackChannel
	} else {
		older["call extras"], newer["call extras"] = noSuchField, noSuchField
	}
	return map[string]map[string]string{parityKinds[0].title: older, parityKinds[1].title: newer}
}

func pythonEverythingExplained(both bool) map[string]map[string]string {
	older, newer := map[string]string{"notified of a log message": "the `logger` names the server"}, map[string]string{}
	if !both {
		newer["call test_sampling"] = noSampling
		return map[string]map[string]string{parityKinds[0].title: older, parityKinds[1].title: newer}
	}
	for _, tool := range []string{"test_elicitation", "test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums", "test_sampling"} {
		older["call "+tool] = noBackChannel
	}
	for _, tool := range []string{"elicitation", "list_roots", "multi_round", "multiple_inputs", "request_state", "sampling", "tampered_state"} {
		older["call test_input_required_result_"+tool] = onlyModern
	}
	older["get test_input_required_result_prompt"] = onlyModern
	for _, tool := range []string{"list_roots", "multiple_inputs", "sampling"} {
		newer["call test_input_required_result_"+tool] = noSampling
	}
	return map[string]map[string]string{parityKinds[0].title: older, parityKinds[1].title: newer}
}

// pythonEverythingSpec uses the SDK's own everything-server.
func pythonEverythingSpec() kit.Fields {
	return kit.Fields{
		"calls": kit.Fields{
			"test_sampling": kit.Fields{"prompt": "rhyme"}, "test_elicitation": kit.Fields{"message": "Who are you?"},
		},
		// They want a header, a stream that breaks and an end of rounds, which transcripts have not.
		"skip":     []string{"test_x_mcp_header", "test_reconnection", "test_input_required_result_capabilities"},
		"progress": []string{"test_tool_with_progress"},
		"answers": kit.Fields{
			"Who are you?":                    kit.Fields{"action": "accept", "content": kit.Fields{"response": "Ann"}},
			"Please provide user information": kit.Fields{"action": "accept", "content": kit.Fields{"name": "Ann", "age": 31, "score": 1.5, "status": "inactive", "verified": false}},
			"What is your name?":              kit.Fields{"action": "accept", "content": kit.Fields{"name": "Ann"}},
			"Step 1: What is your name?":      kit.Fields{"action": "accept", "content": kit.Fields{"name": "Ann"}},
			"Step 2: What is your favorite":   kit.Fields{"action": "accept", "content": kit.Fields{"color": "red"}},
			"Please confirm":                  kit.Fields{"action": "accept", "content": kit.Fields{"ok": true}},
		},
		"prompts": kit.Fields{"test_prompt_with_arguments": kit.Fields{"arg1": "a", "arg2": "b"}, "test_prompt_with_embedded_resource": kit.Fields{"resourceUri": "test://x"}},
		"reads":   []string{"test://template/7/data", "test://none"},
		"completions": []kit.Fields{
			{"ref": kit.Fields{"type": "ref/prompt", "name": "test_prompt_with_arguments"}, "argument": kit.Fields{"name": "arg1", "value": "a"}},
		},
		"logs": "test_tool_with_logging",
	}
}
