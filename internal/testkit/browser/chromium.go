package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/chromedp/chromedp"
)

// chromium is the process, and the tab it starts with, which nobody uses.
type chromium struct {
	ctx    context.Context // chromedp's handle of that tab, nobody's request
	cancel func()
	guard  *guard
}

// startChromium starts a process with an empty profile. ctx bounds the start, not the process's life.
func startChromium(ctx context.Context) (*chromium, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "parley-chromium-")
	if err != nil {
		return nil, err
	}
	g, err := newGuard(dir)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	allocator, cancelAllocator := chromedp.NewExecAllocator(life, flags(path, dir)...)
	quiet := func(string, ...any) {} // chromedp tells of events it does not know
	tab, cancelTab := chromedp.NewContext(allocator, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	c := &chromium{ctx: tab, guard: g, cancel: func() { cancelTab(); cancelAllocator(); end() }}

	stop := context.AfterFunc(ctx, end)
	err = chromedp.Do(tab)
	if !stop() {
		err = ctx.Err()
	}
	if err != nil {
		c.close()
		return nil, err
	}
	g.watch(chromedp.FromContext(tab).Browser.Process().Pid)
	return c, nil
}

// ended reports whether the process is gone, by a crash or by close.
func (c *chromium) ended() bool { return c.ctx.Err() != nil }

// close ends the process and removes its profile.
func (c *chromium) close() {
	c.cancel()
	c.guard.close()
}

func findChromium() (string, error) {
	// The first is the same engine without the windows, tabs and menus of a desktop, which nobody sees here, and takes half the processor time.
	names := []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if path := os.Getenv("PARLEY_TEST_CHROMIUM"); path != "" {
		names = []string{path}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", names[0], ErrNotInstalled)
}

// flags starts path with dir as its home.
func flags(path, dir string) []chromedp.ExecAllocatorOption {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.UserDataDir(dir),
		chromedp.Env("HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir),
		chromedp.ModifyCmdFunc(ownGroup),
		chromedp.Headless,
		chromedp.NoSandbox, // it does not work for root, nor in most containers, and the pages are our own
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("password-store", "basic"),
		// The first would ask Google about every form. The others drop clicks into frames that moved just now, which people do not make so soon.
		chromedp.Flag("enable-features", "IsolateSandboxedIframes"), // as on a desktop
		chromedp.Flag("disable-features", "AutofillServerCommunication,DiscardInputEventsToRecentlyMovedFrames,kDiscardInputEventsToRecentlyMovedFrames"),
		// For what Chromium asks for on nobody's behalf: a Person has a proxy.
		chromedp.Flag("host-resolver-rules",
			"MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]"),
	}
	for _, name := range []string{
		"disable-background-networking", "disable-background-timer-throttling", "disable-backgrounding-occluded-windows",
		"disable-breakpad", "disable-client-side-phishing-detection", "disable-component-update", "disable-default-apps",
		"disable-dev-shm-usage", "disable-extensions", "disable-gpu", "disable-hang-monitor", "disable-quic",
		"disable-renderer-backgrounding", "disable-sync", "metrics-recording-only", "site-per-process",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	if len(dir) < 56 { // there goes a socket, the name of which has at most 104 bytes
		options = append(options, chromedp.Env("TMPDIR="+dir))
	}
	return options
}
