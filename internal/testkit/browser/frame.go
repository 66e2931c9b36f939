package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// place is where a frame is: in an element of a window's page, which it fills.
type place struct {
	window *Window
	css    string
}

// Frame returns the page in the iframe that fits a CSS selector, or the one that fills that page as its only iframe. It must
// have a process of its own, as pages of other sites and sandboxed ones have. Frame waits for it. The page is looked at and used
// like a window; if the iframe gets another page, that is another frame.
func (w *Window) Frame(css string) *Window {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	for {
		if id, ok := w.frameTarget(ctx, css); ok {
			f := &Window{t: w.t, person: w.person, Patience: w.Patience, within: &place{w, css}}
			return w.person.look(f, w.ctx, chromedp.WithTargetID(id))
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			w.fail("no page came into %s", css)
		}
	}
}

// frameTarget finds what Chromium calls the page.
func (w *Window) frameTarget(ctx context.Context, css string) (found target.ID, ok bool) {
	element, err := cdp.Call(ctx, w.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.querySelector(" + quote(css) + ")"})
	if err != nil || element.ExceptionDetails != nil || element.Result.ObjectID == "" {
		return "", false
	}
	node, err := cdp.Call(ctx, w.tab, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: element.Result.ObjectID})
	if err != nil {
		return "", false
	}
	all, err := chromedp.CallBrowser(ctx, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return "", false
	}
	for _, i := range all.TargetInfos {
		outer, inner := string(i.TargetID) == string(node.Node.FrameID), i.ParentFrameID == node.Node.FrameID
		if i.Type == "iframe" && (inner || outer && found == "") {
			found = i.TargetID
		}
	}
	return found, found != ""
}

// click clicks what is at a point of the frame, with the mouse of the window.
func (p *place) click(what string, at answer) {
	p.window.t.Helper()
	ctx, cancel := p.window.limit()
	defer cancel()
	corner := p.window.wait(what+" in "+p.css, "page.frame", p.css, at.X, at.Y)
	if err := chromedp.Do(ctx, chromedp.MouseClickXY(corner.X+at.X, corner.Y+at.Y)); err != nil && p.window.open.Err() == nil {
		p.window.fail("click %s in %s: %v", what, p.css, err)
	}
}
