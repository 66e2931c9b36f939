package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// How much a list may have, of a server that goes on without end.
const (
	maxPages = 1000
	maxItems = 100_000
	maxLists = 4 // times Options.MaxMessage: the bytes of all pages
)

// ErrNoList says that the result of a list method has no list. It is ErrProtocol.
var ErrNoList = fmt.Errorf("%w: no list", ErrProtocol)

// List returns all items of a list, over all its pages: method is tools/list or
// another, member the name of the items in its result. The items share memory
// with each other: a copy of one that is kept saves the page that it came on.
func (c *Conn) List(ctx context.Context, method, member string) ([]json.RawMessage, error) {
	items, _, err := c.ListFresh(ctx, method, member)
	return items, err
}

// ListFresh is List with how long the server says that the list stays as it is:
// the shortest of the pages' ttlMs. Negative: it does not say.
func (c *Conn) ListFresh(ctx context.Context, method, member string) ([]json.RawMessage, time.Duration, error) {
	var all []json.RawMessage
	fresh, cursor, size := time.Duration(-1), json.RawMessage(nil), int64(0)
	for range maxPages {
		var params json.RawMessage
		if cursor != nil {
			params = fmt.Appendf(nil, `{"cursor":%s}`, cursor)
		}
		result, err := c.request(ctx, method, params)
		if err != nil {
			return nil, 0, err
		}
		if size += int64(len(result)); size > maxLists*c.opts.MaxMessage {
			return nil, 0, fmt.Errorf("%w: all pages of %s together", ErrTooLarge, method)
		}
		list, _ := Member(result, member)
		if !elements(list, func(item []byte) bool {
			all = append(all, item)
			return len(all) <= maxItems
		}) {
			return nil, 0, fmt.Errorf("%w: the result of %s", ErrNoList, method)
		}
		if len(all) > maxItems {
			return nil, 0, fmt.Errorf("%w: %s has more than %d items", ErrTooLarge, method, maxItems)
		}
		if ms, ok := Member(result, "ttlMs"); ok {
			if n, err := strconv.ParseInt(string(ms), 10, 32); err == nil && n >= 0 && (fresh < 0 || time.Duration(n)*time.Millisecond < fresh) {
				fresh = time.Duration(n) * time.Millisecond
			}
		}
		next, ok := Member(result, "nextCursor")
		if !ok || next[0] != '"' || len(next) == 2 {
			return all, fresh, nil
		}
		if string(next) == string(cursor) {
			return nil, 0, fmt.Errorf("%w: %s leads to the same page again", ErrProtocol, method)
		}
		cursor = next
	}
	return nil, 0, fmt.Errorf("%w: %s has more than %d pages", ErrTooLarge, method, maxPages)
}
