package browser

import (
	"cmp"
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// View is how a window looks to its page.
type View struct {
	Dark   bool // the person prefers dark colours
	Width  int  // in CSS pixels; zero means 1280. Below 600 it is a phone
	Height int  // zero means 800
}

// Emulate changes how the window looks to its page. It stays so.
func (w *Window) Emulate(v View) {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	if err := w.emulate(ctx, v); err != nil {
		w.fail("emulate %+v: %v", v, err)
	}
}

func (w *Window) emulate(ctx context.Context, v View) error {
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	width := cmp.Or(v.Width, 1280)
	_, err := cdp.Call(ctx, w.tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(width), Height: int64(cmp.Or(v.Height, 800)), DeviceScaleFactor: 1, Mobile: width < 600,
	})
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, w.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}, // pictures of rest
		},
	})
	return err
}

// Screenshot keeps a picture of the whole page, below what the window shows too, as
// artefacts/screens/<test>/<number>-<name>.png in the module's root, and returns the file. PARLEY_ARTEFACTS names another
// directory than artefacts.
func (w *Window) Screenshot(name string) string {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	file, err := w.picture(ctx, name)
	if err != nil {
		w.fail("screenshot %s: %v", name, err)
	}
	return file
}

func (w *Window) picture(ctx context.Context, name string) (string, error) {
	if w.within != nil {
		return w.within.window.picture(ctx, name)
	}
	yes := true
	shot, err := cdp.Call(ctx, w.tab, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &yes})
	if err != nil {
		return "", err
	}
	return w.person.album.keep(name, shot.Data)
}
