package strictjson_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/parley-hq/parley/strictjson"
)

var seeds = []string{
	`{"b":1,"a":[1,2,{"c":null}]}`, `{"a":1,"a":2}`, `{"amount":1,"Amount":1000000}`, `{"a":1,"\u0041":2}`, `{"k":1,"\u212a":2}`,
	`"\ud83d\ude00"`, `"\ud800"`, `"\\ud800"`, "\"\xff\"", `1e400`, `-0`, `-0.0`, `9007199254740993`, `1E+2`, `{"\u0061":"\u2028\u202e"}`,
	`[[[[]]]]`, ` {} `, `{"":{"":{}}}`, `"\ufffd"`, "{\"\ufb33\":1,\"😀\":2}", `{"__proto__":{"a":1},"constructor":2}`, `{"10":1,"9":2,"a":3}`,
	"\ufeff{}", `{} {}`, `{"a":1,}`, `[1e-400]`, `{"toString":true,"length":false}`, "\"\u007f\u0080\"", `"\u0000"`, "\t\r\n 1 ",
	`{"x":"<&>","y":"\/"}`, `0.1000000000000000055511151231257827`, `{"straße":1,"strasse":2}`,
}

func addSeeds(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
}

// FuzzAgainstEncodingJSON: what is read is what Go's decoder reads, and the
// canonical form means the same and is its own.
func FuzzAgainstEncodingJSON(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, ok := read(t, raw)
		if !ok {
			return
		}
		want := dump(nil, decoded(t, raw), false)
		if got := dump(nil, decoded(t, canonical), false); !bytes.Equal(got, want) {
			t.Fatalf("%q is %s to encoding/json, and its canonical form %q is %s", raw, want, canonical, got)
		}
		again, err := strictjson.Canonical(canonical, depth)
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("the canonical form %q has another one: %q, %v", canonical, again, err)
		}
		// A struct takes members whatever their letter case.
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil {
			for name := range members {
				for other := range members {
					if name != other && strings.EqualFold(name, other) {
						t.Fatalf("%q has %q and %q, which a struct takes for one", raw, name, other)
					}
				}
			}
		}
	})
}

// FuzzCanonicalAgainstRead: the form that is written while the text is read is that of
// the values, what one refuses the other refuses in the same words, and the parts of an
// object are its members.
func FuzzCanonicalAgainstRead(f *testing.F) {
	addSeeds(f)
	f.Add([]byte(`{"z":{"b":[{"y":1,"x":"\u0041"}],"a":{}},"\u0079":[],"x":"\ud83d\ude00"}`))
	f.Add([]byte(`[{"b":[1e400]}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, unread := strictjson.Read(raw, depth)
		canonical, err := strictjson.Canonical(raw, depth)
		parts, apart := strictjson.Parts(raw, depth)
		if unread != nil {
			if err == nil || apart == nil || err.Error() != unread.Error() || apart.Error() != unread.Error() || canonical != nil || parts != nil {
				t.Fatalf("%q is refused: %v, and by others: %v, %v", raw, unread, err, apart)
			}
			return
		}
		o, _ := v.(strictjson.Object)
		if err != nil || apart != nil || len(parts) != len(o) {
			t.Fatalf("%q: %v, %v, %d parts of %d", raw, err, apart, len(parts), len(o))
		}
		for i, part := range parts {
			if want := strictjson.Append(nil, strictjson.Sorted(o[i].Value), nil); part.Name != o[i].Name || !bytes.Equal(part.Value, want) {
				t.Fatalf("%q: the part %q is %q, want %q", raw, part.Name, part.Value, want)
			}
		}
		if want := strictjson.Append(nil, strictjson.Sorted(v), nil); !bytes.Equal(canonical, want) {
			t.Fatalf("%q: %q, want %q", raw, canonical, want)
		}
	})
}

// FuzzAgainstTheFirstWins: a reader that takes the first of several members, and
// asks for it without regard to letter case, reads the same.
func FuzzAgainstTheFirstWins(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, ok := read(t, raw)
		if !ok {
			return
		}
		want := dump(nil, decoded(t, canonical), false)
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if got := dump(nil, firstWins(t, dec), false); !bytes.Equal(got, want) {
			t.Fatalf("%q: %s to who takes the first, shown is %s", raw, got, want)
		}
	})
}

// FuzzAgainstNode: JavaScript reads the same, with numbers as doubles.
func FuzzAgainstNode(f *testing.F) {
	node := startNode(f)
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, ok := read(t, raw)
		if !ok {
			return
		}
		want := string(dump(nil, decoded(t, canonical), true))
		for _, text := range [][]byte{raw, canonical} {
			if got := node.reads(t, text); got != want {
				t.Fatalf("%q is %s to Node, shown is %s", text, got, want)
			}
		}
	})
}

func read(t *testing.T, raw []byte) (canonical []byte, ok bool) {
	t.Helper()
	canonical, err := strictjson.Canonical(raw, depth)
	if err != nil && canonical != nil {
		t.Fatalf("%q beside %v", canonical, err)
	}
	return canonical, err == nil
}

func decoded(t *testing.T, raw []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}

// firstWins reads a value; of members with the same name, in whatever letters,
// the first counts.
func firstWins(t *testing.T, dec *json.Decoder) any {
	tok, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch tok {
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, firstWins(t, dec))
		}
		_, _ = dec.Token()
		return list
	case json.Delim('{'):
		members := map[string]any{}
		for dec.More() {
			name, _ := dec.Token()
			v := firstWins(t, dec)
			taken := false
			for other := range members {
				taken = taken || strings.EqualFold(other, name.(string))
			}
			if !taken {
				members[name.(string)] = v
			}
		}
		_, _ = dec.Token()
		return members
	}
	return tok
}

// dump writes what a reader read, members sorted by UTF-16. Doubles are written by
// their bits.
func dump(b []byte, v any, doubles bool) []byte {
	switch v := v.(type) {
	case []any:
		b = append(b, '[')
		for _, e := range v {
			b = append(dump(b, e, doubles), ',')
		}
		return append(b, ']')
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		b = append(b, '{')
		for _, name := range names {
			b = append(dump(append(hexText(b, name), ':'), v[name], doubles), ',')
		}
		return append(b, '}')
	case string:
		return hexText(b, v)
	case json.Number:
		if !doubles {
			return append(b, v...)
		}
		n, _ := v.Float64()
		return fmt.Appendf(b, "n%x", binary.BigEndian.AppendUint64(nil, math.Float64bits(n)))
	}
	return fmt.Append(b, v)
}

func hexText(b []byte, s string) []byte {
	return append(append(b, 's'), hex.EncodeToString([]byte(s))...)
}

// node is a process that says what JSON.parse reads.
type node struct {
	mu  sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

const nodeProgram = `
const hex = (s) => "s" + Buffer.from(s, "utf8").toString("hex");
const dump = (v) => {
  if (Array.isArray(v)) return "[" + v.map((e) => dump(e) + ",").join("") + "]";
  if (v === null) return "<nil>";
  if (typeof v === "object") return "{" + Object.keys(v).sort((a, b) => (a < b ? -1 : 1)).map((k) => hex(k) + ":" + dump(v[k]) + ",").join("") + "}";
  if (typeof v === "string") return hex(v);
  if (typeof v === "number") { const b = Buffer.alloc(8); b.writeDoubleBE(v); return "n" + b.toString("hex"); }
  return String(v);
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let said;
  try { said = dump(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(line, "base64")))); } catch (e) { said = "error: " + String(e).replace(/\s+/g, " "); }
  process.stdout.write(said + "\n");
});`

func startNode(f *testing.F) *node {
	path, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("PARLEY_REQUIRE_SERVERS") != "" {
			f.Fatal("node is needed: ", err)
		}
		f.Skip("node is not installed")
	}
	cmd := exec.Command(path, "-e", nodeProgram)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		f.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		f.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &node{in: in, out: bufio.NewReader(out)}
}

func (n *node) reads(t *testing.T, raw []byte) string {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, err := fmt.Fprintln(n.in, base64.StdEncoding.EncodeToString(raw)); err != nil {
		t.Fatal(err)
	}
	line, err := n.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}
