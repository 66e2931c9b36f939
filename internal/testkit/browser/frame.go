package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Frame waits for a frame in the window's page that Chromium runs in a process of its own, as it does with what a sandbox or
// another site shows, and whose address begins with prefix: about:srcdoc, say. Each call returns another one. It is used
// like a window; a person's mouse and keyboard reach it by way of the page around it, and it is closed when the page takes it away.
func (w *Window) Frame(prefix string) *Window {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	for {
		id, err := w.findFrame(ctx, prefix)
		if err != nil {
			w.fail("frame %s: %v", prefix, err)
		}
		if id != "" {
			frame := w.person.newWindow(w.t, w.ctx, w, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel())
			frame.Patience = w.Patience
			return frame
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			w.fail("there is no frame %s", prefix)
		}
	}
}

// findFrame returns a frame of the window's that it has not returned before; empty: there is none now.
func (w *Window) findFrame(ctx context.Context, prefix string) (target.ID, error) {
	all, err := chromedp.Targets(ctx)
	for _, i := range all {
		taken := slices.ContainsFunc(w.person.windows, func(known *Window) bool { return known.tab != nil && known.tab.TargetID == i.TargetID })
		if i.Type == "iframe" && i.ParentID == w.tab.TargetID && strings.HasPrefix(i.URL, prefix) && !taken {
			return i.TargetID, nil
		}
	}
	return "", err
}

// point is a place in a window, in CSS pixels.
type point struct{ x, y float64 }

// corner is where in the window a frame begins.
func (w *Window) corner(ctx context.Context, frame target.ID) (point, error) {
	owner, err := cdp.Call(ctx, w.tab, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: cdp.FrameID(frame)})
	if err != nil {
		return point{}, err
	}
	box, err := cdp.Call(ctx, w.tab, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID})
	if err != nil {
		return point{}, err
	}
	if box.Model == nil || len(box.Model.Content) < 2 {
		return point{}, fmt.Errorf("frame %s has no place", frame)
	}
	return point{box.Model.Content[0], box.Model.Content[1]}, nil
}

// around is the window that a person's mouse, keyboard and eyes are in.
func (w *Window) around() *Window {
	if w.within != nil {
		return w.within
	}
	return w
}

// mouseClick clicks at a place of this window or frame.
func (w *Window) mouseClick(ctx context.Context, at point) error {
	if w.within == nil {
		return chromedp.Do(ctx, chromedp.MouseClickXY(at.x, at.y))
	}
	outer, cancel := w.within.limit()
	defer cancel()
	corner, err := w.within.corner(outer, w.tab.TargetID)
	if err != nil {
		return err
	}
	return chromedp.Do(outer, chromedp.MouseClickXY(corner.x+at.x, corner.y+at.y))
}
