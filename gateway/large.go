package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/tracing"
)

// smallPart is how large a part of a result is at most that is held in memory to be
// looked at, unless it has to be.
const smallPart = 64 << 10

// errNotAll is for a result that says only at its end that it is a question, a task, or
// what nobody knows.
var errNotAll = fmt.Errorf("%w: a large result is the result itself, no question and no task", mcpclient.ErrProtocol)

// errTwice is for a large result that means one thing to one reader and another to the
// next.
var errTwice = fmt.Errorf("%w: the result has a name twice", mcpclient.ErrProtocol)

// relayLarge writes what the server's large result holds, as it comes. When it
// breaks, the client's response does; where nothing of that was written yet, it returns
// why, and the client can be told.
func (g *Gateway) relayLarge(w http.ResponseWriter, r *http.Request, peer mcphttp.Peer, id json.RawMessage, f *request, rest *mcpclient.Rest, span *tracing.Live) error {
	defer f.Close()
	defer context.AfterFunc(r.Context(), f.Close)() // nobody takes the rest
	n := g.naming(r.Context(), f.Who, f.Target.Server)
	out := &late{ResponseWriter: w}
	err := writeLarge(out, id, rest, &passage{naming: n, modern: peer.Session == "", wraps: f.Target.Tool.Wraps, older: rest.Older()})
	switch {
	case err == nil:
		span.Set("outcome", "done")
		return nil
	case !out.begun:
		return fmt.Errorf("%w, %w", mcpclient.ErrUnderway, err)
	}
	span.Set("outcome", "failed")
	span.Fail("broken off")
	g.opts.Logger.WarnContext(r.Context(), "large result broken off", "server", f.Target.Server.Name, "err", err)
	panic(http.ErrAbortHandler)
}

// late is a response that has no header before its first bytes.
type late struct {
	http.ResponseWriter
	begun bool
}

// Write implements http.ResponseWriter.
func (l *late) Write(p []byte) (int, error) {
	if !l.begun {
		l.Header()["Content-Type"], l.begun = []string{"application/json"}, true
	}
	return l.ResponseWriter.Write(p)
}

// writeLarge writes a large result under the id of the client's request while it
// comes from the server. What is in it gets its name here, as in withLinks. When
// it breaks the client hears no more than that.
func writeLarge(w io.Writer, id json.RawMessage, from io.Reader, p *passage) error {
	p.in, p.out = bufio.NewReaderSize(from, smallPart), bufio.NewWriterSize(w, smallPart)
	fmt.Fprintf(p.out, `{"jsonrpc":"2.0","id":%s,"result":`, id)
	if err := p.result(); err != nil {
		return err
	}
	if _, err := p.in.ReadByte(); !errors.Is(err, io.EOF) { // only with its end it is known to be whole
		return cmpErr(err, mcpclient.ErrProtocol)
	}
	_ = p.out.WriteByte('}')
	return p.out.Flush()
}

func cmpErr(err, otherwise error) error {
	if err == nil {
		return otherwise
	}
	return err
}

// passage is a result, or a part of it, on its way to a client.
type passage struct {
	in     *bufio.Reader
	out    *bufio.Writer
	naming naming
	modern bool // the client is of 2026-07-28
	wraps  bool // the tool gives what older clients get under "result"
	older  bool // it is of a server before 2026-07-28
}

// passing passes a member's value on.
type passing func(*passage) error

// result passes the whole result on. To a client of 2026-07-28 it says that it is
// one, for a server that is older; for an older client what is no object becomes
// one, as in resultFor. No text is added to it there: it is large already.
func (p *passage) result() error {
	o := object{
		pass: map[string]passing{"content": (*passage).blocks}, long: (*passage).raw, names: new(mcpclient.Names),
		rename: func(raw json.RawMessage) json.RawMessage { return change(raw, members{"_meta": p.naming.apps.meta}) },
	}
	if !p.modern {
		o.pass["structuredContent"], o.leave = (*passage).structured, (*passage).nothing
	}
	rest, err := p.object(&o)
	if err != nil {
		return err
	}
	if p.older {
		rest = mcpclient.PlainResult(rest)
	}
	kind, said := mcpclient.Member(rest, "resultType")
	switch {
	case said && string(kind) != `"complete"`:
		return errNotAll
	case !said && p.modern:
		rest = append([]byte(`{"resultType":"complete",`), rest[1:]...)
		if bytes.HasSuffix(rest, []byte(",}")) {
			rest = append(rest[:len(rest)-2], '}')
		}
	}
	return p.finish(&o, rest)
}

// object is how the members of an object are passed on: those that pass names one
// after the other, as they come; the others after them, renamed together. A member
// that is long and not in pass is passed on by long, where that is set.
type object struct {
	pass   map[string]passing
	long   passing
	rename func(json.RawMessage) json.RawMessage
	leave  func(p *passage, name string) (bool, error) // reports whether it has read a member that is left out
	names  *mcpclient.Names                            // those that were met, of a result; nil: they do not matter
	begun  bool                                        // something of it was written
}

// object passes on what it does not hold, and returns an object of the rest.
func (p *passage) object(o *object) (json.RawMessage, error) {
	rest := []byte{'{'}
	if c, err := p.next(); err != nil || c != '{' {
		return nil, cmpErr(err, mcpclient.ErrProtocol)
	}
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return nil, err
		case c == '}':
			return append(rest, '}'), nil
		case c == ',':
			continue
		}
		_ = p.in.UnreadByte()
		quoted, whole, err := p.part(smallPart)
		if err != nil || !whole || quoted[0] != '"' {
			return nil, cmpErr(err, mcpclient.ErrProtocol)
		}
		if c, err = p.next(); err != nil || c != ':' {
			return nil, cmpErr(err, mcpclient.ErrProtocol)
		}
		if rest, err = p.member(o, quoted, rest); err != nil {
			return nil, err
		}
	}
}

// member passes one on, or adds it to the rest.
func (p *passage) member(o *object, quoted, rest []byte) ([]byte, error) {
	var name string
	if err := json.Unmarshal(quoted, &name); err != nil {
		return nil, fmt.Errorf("%w: %w", mcpclient.ErrProtocol, err)
	}
	if o.names != nil && o.names.Again(quoted) {
		return nil, errTwice
	}
	if o.leave != nil {
		if left, err := o.leave(p, name); left || err != nil {
			return rest, err
		}
	}
	pass := o.pass[name]
	if pass == nil {
		v := mcpclient.NewValue(p.in)
		small, whole, err := capture(v, smallPart)
		if err == nil && !whole && o.long != nil {
			pass = o.long
			p = p.within(small, v)
		} else if err == nil && !whole {
			var more []byte
			more, err = io.ReadAll(v)
			small = append(small, more...)
		}
		if err != nil {
			return nil, err
		}
		if pass == nil {
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			return append(append(append(rest, quoted...), ':'), small...), nil
		}
	}
	p.sign(o)
	_, _ = p.out.Write(quoted)
	_ = p.out.WriteByte(':')
	return rest, pass(p)
}

// sign writes what comes before a member.
func (p *passage) sign(o *object) {
	if o.begun {
		_ = p.out.WriteByte(',')
	} else {
		_ = p.out.WriteByte('{')
	}
	o.begun = true
}

// finish writes the rest of an object.
func (p *passage) finish(o *object, rest json.RawMessage) error {
	rest = bytes.TrimSpace(o.rename(rest))
	if inner := bytes.TrimSpace(rest[1 : len(rest)-1]); len(inner) > 0 {
		p.sign(o)
		_, _ = p.out.Write(inner)
	} else if !o.begun {
		_ = p.out.WriteByte('{')
	}
	return p.out.WriteByte('}')
}

// blocks passes a list of content on, block by block.
func (p *passage) blocks() error {
	if c, err := p.next(); err != nil || c != '[' {
		if err == nil {
			_ = p.in.UnreadByte()
			return p.raw()
		}
		return err
	}
	_ = p.out.WriteByte('[')
	for {
		c, err := p.next()
		if err != nil {
			return err
		}
		if c == ']' || c == ',' {
			_ = p.out.WriteByte(c)
			if c == ']' {
				return nil
			}
			continue
		}
		_ = p.in.UnreadByte()
		if err := p.block(p.naming.block, map[string]passing{"resource": (*passage).held}); err != nil {
			return err
		}
	}
}

// structured passes on what a tool gives as data to a client that knows objects
// alone.
func (p *passage) structured() error {
	c, err := p.peek()
	switch {
	case err != nil:
		return err
	case c == '{' && !p.wraps:
		return p.raw()
	}
	_, _ = p.out.WriteString(`{"result":`)
	if err := p.raw(); err != nil {
		return err
	}
	return p.out.WriteByte('}')
}

// nothing leaves out data that is none.
func (p *passage) nothing(name string) (bool, error) {
	if name != "structuredContent" || p.wraps {
		return false, nil
	}
	c, err := p.peek()
	if err != nil || c != 'n' {
		return false, err
	}
	_, _, err = p.part(smallPart)
	return true, err
}

// held passes on a resource that a block holds.
func (p *passage) held() error { return p.block(p.naming.held, nil) }

// block passes on a block or a resource: a small one renamed as it is; of another
// one what is long, which is its text or its data, comes first.
func (p *passage) block(rename func(json.RawMessage) json.RawMessage, nested map[string]passing) error {
	v := mcpclient.NewValue(p.in)
	small, whole, err := capture(v, smallPart)
	if err != nil {
		return err
	}
	if whole {
		_, err = p.out.Write(rename(small))
		return err
	}
	in := p.within(small, v)
	if c := bytes.TrimLeft(small, " \t\r\n"); len(c) == 0 || c[0] != '{' {
		return in.raw()
	}
	pass := map[string]passing{"text": (*passage).raw, "data": (*passage).raw, "blob": (*passage).raw}
	for name, one := range nested {
		pass[name] = one
	}
	o := object{pass: pass, rename: rename}
	rest, err := in.object(&o)
	if err != nil {
		return err
	}
	return in.finish(&o, rest)
}

// raw passes a value on as it is.
func (p *passage) raw() error {
	_, err := io.Copy(p.out, mcpclient.NewValue(p.in))
	return err
}

// within is the passage of a value of which a part was read.
func (p *passage) within(part []byte, rest io.Reader) *passage {
	return &passage{in: bufio.NewReaderSize(io.MultiReader(bytes.NewReader(part), rest), smallPart), out: p.out, naming: p.naming, modern: p.modern, wraps: p.wraps}
}

// part reads a value of at most so many bytes.
func (p *passage) part(most int) ([]byte, bool, error) {
	return capture(mcpclient.NewValue(p.in), most)
}

// capture reads a value, and reports whether that is all of it.
func capture(v io.Reader, most int) ([]byte, bool, error) {
	b, err := io.ReadAll(io.LimitReader(v, int64(most)))
	return b, len(b) < most, err
}

// peek is what next returns, which stays to be read.
func (p *passage) peek() (byte, error) {
	c, err := p.next()
	if err == nil {
		err = p.in.UnreadByte()
	}
	return c, err
}

// next is the next byte that is no space.
func (p *passage) next() (byte, error) {
	for {
		c, err := p.in.ReadByte()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c, nil
		}
	}
}
