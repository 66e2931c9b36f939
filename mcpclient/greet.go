package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// discoverTime is how long a server over HTTP may think about server/discover
// before it is taken for one that does not know it.
const discoverTime = 10 * time.Second

func connectWeb(ctx context.Context, opts Options) (*Conn, error) {
	at, err := newEndpoint(opts.URL, opts.Client, opts.MaxMessage)
	if err != nil {
		return nil, err
	}
	c := newConn(ctx, opts)
	w := &web{conn: c, at: at}
	c.wire = w
	if err := w.greet(ctx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// greet finds the era of a server over HTTP.
func (w *web) greet(ctx context.Context) error {
	c := w.conn
	c.direct = true
	c.beModern()
	w.head.Store(&heading{version: []string{ModernVersion}, modern: true})
	short, cancel := context.WithTimeout(ctx, discoverTime)
	result, err := c.request(short, "server/discover", nil)
	cancel()
	if err == nil && c.takeModern(result) {
		return c.attune(ctx)
	}
	var refused *StatusError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, ErrUnreachable):
		return err
	case errors.As(err, &refused) && (refused.Code == http.StatusUnauthorized || refused.Code == http.StatusForbidden):
		return err
	}
	c.beLegacy()
	w.head.Store(&heading{})
	if result, err = c.request(ctx, "initialize", c.introduction()); err != nil {
		return err
	}
	if err := c.takeLegacy(result); err != nil {
		return err
	}
	w.head.Store(&heading{version: []string{c.version}, session: w.head.Load().session})
	if err := c.Notify(ctx, "notifications/initialized", nil); err != nil {
		return err
	}
	c.direct = false
	return w.hearken(ctx)
}

func (c *Conn) beModern() {
	c.modern, c.version, c.meta = true, ModernVersion, modernMeta(ModernVersion, c.opts)
}

func (c *Conn) beLegacy() { c.modern, c.version, c.meta = false, "", nil }

// takeModern takes the result of server/discover, if the server speaks our
// version.
func (c *Conn) takeModern(result json.RawMessage) bool {
	var h hello
	if json.Unmarshal(result, &h) != nil || !slices.Contains(h.SupportedVersions, ModernVersion) {
		return false
	}
	c.server = h.info()
	return true
}

// introduction are the params of initialize.
func (c *Conn) introduction() json.RawMessage {
	return fmt.Appendf(nil, `{"protocolVersion":"%s","capabilities":%s,"clientInfo":%s}`, legacyVersions[0], c.opts.Capabilities, clientInfo(c.opts))
}

// takeLegacy takes the result of initialize.
func (c *Conn) takeLegacy(result json.RawMessage) error {
	var h hello
	if err := json.Unmarshal(result, &h); err != nil {
		return fmt.Errorf("%w: the result of initialize is none", ErrProtocol)
	}
	if !Older(h.ProtocolVersion) {
		return fmt.Errorf("%w: the server speaks a version that this client does not", ErrProtocol)
	}
	c.version, c.server = h.ProtocolVersion, h.info()
	return nil
}

// greet finds the era of a program. A program that takes its time with
// server/discover may not know it, or be slow to start: it is initialized too,
// and what it answers first counts.
func (c *Conn) greet(ctx context.Context) error {
	c.beModern()
	probe, err := c.call(ctx, &Request{Method: "server/discover"}, true)
	if err != nil {
		return err
	}
	defer probe.drop()
	answers := make(chan error, 2)
	discovered := make(chan json.RawMessage, 1)
	c.spawn(func() {
		result, err := probe.await(ctx)
		if err == nil {
			discovered <- result
			return
		}
		answers <- err
	})
	timer := time.NewTimer(probeTime)
	defer timer.Stop()
	select {
	case result := <-discovered:
		if c.takeModern(result) {
			return c.attune(ctx)
		}
	case err := <-answers:
		var refused *Error
		if !errors.As(err, &refused) {
			return err
		}
	case <-timer.C:
		return c.either(ctx, discovered, answers)
	}
	return c.initialize(ctx)
}

// either initializes a program that still thinks about server/discover. One that
// has begun with 2026-07-28 refuses to be initialized: then it answers that.
func (c *Conn) either(ctx context.Context, discovered <-chan json.RawMessage, unknown <-chan error) error {
	short, cancel := context.WithCancel(ctx)
	defer cancel()
	c.beLegacy()
	x, err := c.call(short, &Request{Method: "initialize", Params: c.introduction()}, true)
	if err != nil {
		return err
	}
	defer x.drop()
	type answer struct {
		result json.RawMessage
		err    error
	}
	initialized := make(chan answer, 1)
	c.spawn(func() {
		result, err := x.await(short)
		initialized <- answer{result, err}
	})
	select {
	case a := <-initialized:
		var refused *Error
		if errors.As(a.err, &refused) {
			select {
			case result := <-discovered:
				if c.takeModern(result) {
					c.beModern()
					return c.attune(ctx)
				}
			case <-unknown:
			case <-ctx.Done():
			}
		}
		if a.err != nil {
			return a.err
		}
		return c.initialized(ctx, a.result)
	case result := <-discovered:
		if c.takeModern(result) {
			c.beModern()
			return c.attune(ctx)
		}
		a := <-initialized
		if a.err != nil {
			return a.err
		}
		return c.initialized(ctx, a.result)
	}
}

func (c *Conn) initialize(ctx context.Context) error {
	c.beLegacy()
	result, err := c.request(ctx, "initialize", c.introduction())
	if err != nil {
		return err
	}
	return c.initialized(ctx, result)
}

func (c *Conn) initialized(ctx context.Context, result json.RawMessage) error {
	if err := c.takeLegacy(result); err != nil {
		return err
	}
	return c.Notify(ctx, "notifications/initialized", nil)
}
