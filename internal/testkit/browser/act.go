package browser

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// Click clicks a link, button or label by its text, or any element by a selector, with the mouse: it must be visible,
// enabled, at rest, and not covered by anything. A text is the element's whole name or, if no name is that, a part of only one.
func (w *Window) Click(selectorOrText string) {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	at := w.wait(selectorOrText, "page.point", selectorOrText, selector.MatchString(selectorOrText))
	if err := w.mouseClick(ctx, point{at.X, at.Y}); err != nil && w.open.Err() == nil {
		w.fail("click %s: %v", selectorOrText, err)
	}
}

// Follow clicks like Click, and waits until the window shows another page.
func (w *Window) Follow(selectorOrText string) {
	w.t.Helper()
	before := w.wait("the page", "page.other", nil)
	w.Click(selectorOrText)
	w.wait("the page behind "+selectorOrText, "page.other", before.Origin)
}

// Fill puts a value into a field, which it finds by its label, its name attribute or a selector. It types where one can
// type, replacing what is there; a list's value is an option's text. Boxes to tick are clicked.
func (w *Window) Fill(selectorOrLabel, value string) {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	field := w.wait(selectorOrLabel, "page.fill", selectorOrLabel, value, selector.MatchString(selectorOrLabel))
	if !field.Typed {
		return
	}
	if _, err := cdp.Call(ctx, w.around().tab, input.InsertText, input.InsertTextParams{Text: value}); err != nil {
		w.fail("fill in %s: %v", selectorOrLabel, err)
	}
}

// keys are what a person presses besides characters, with the text that it produces, if any.
var keys = map[string]struct {
	code int64
	text string
}{
	"Tab": {9, ""}, "Enter": {13, "\r"}, "Escape": {27, ""}, "Space": {32, " "},
	"ArrowLeft": {37, ""}, "ArrowUp": {38, ""}, "ArrowRight": {39, ""}, "ArrowDown": {40, ""},
}

// Press presses keys one after another: Tab, Shift+Tab, Enter, Space, Escape, ArrowLeft, ArrowUp, ArrowRight, ArrowDown,
// or single characters.
func (w *Window) Press(names ...string) {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	down, up := input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp
	for _, name := range names {
		press := keyEvent(name)
		for _, press.Type = range []input.DispatchKeyEventType{down, up} {
			if _, err := cdp.Call(ctx, w.around().tab, input.DispatchKeyEvent, press); err != nil && w.open.Err() == nil {
				w.fail("press %s: %v", name, err)
			}
		}
	}
}

// keyEvent has the text within it: sent as an event of its own, it would go to whatever the key has moved the focus to.
func keyEvent(name string) input.DispatchKeyEventParams {
	const shift = 8
	var press input.DispatchKeyEventParams
	name, shifted := strings.CutPrefix(name, "Shift+")
	if shifted {
		press.Modifiers = shift
	}
	if key, ok := keys[name]; ok {
		press.Code, press.Key, press.Text, press.WindowsVirtualKeyCode = name, name, key.text, key.code
	} else {
		press.Key, press.Text, press.WindowsVirtualKeyCode = name, name, int64(strings.ToUpper(name)[0])
	}
	if name == "Space" {
		press.Key = " "
	}
	return press
}

// Focused returns the label or the text of the element that has the keyboard, and nothing if none has.
func (w *Window) Focused() string {
	w.t.Helper()
	return w.wait("the focus", "page.focused").Text
}
