package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Violation is something in a page that keeps people out.
type Violation struct {
	Rule   string `json:"id"`
	Help   string `json:"help"`
	Impact string `json:"impact"`
	Nodes  []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

func (v Violation) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s (%s): %s", v.Rule, v.Impact, v.Help)
	for _, node := range v.Nodes {
		fmt.Fprintf(&text, "\n\t%s\n\t\t%s", node.HTML, strings.ReplaceAll(node.Summary, "\n", "\n\t\t"))
	}
	return text.String()
}

// axeRun checks against WCAG 2.2 A and AA, and what the checker calls best practice, once nothing fades in any more: it
// has another contrast. A document does not name the animations of its shadow trees.
const axeRun = `(() => {
	const trees = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((e) => e.shadowRoot ? trees(e.shadowRoot) : [])];
	const fading = trees(document).flatMap((t) => t.getAnimations()).filter((a) => a.effect?.getComputedTiming().endTime !== Infinity);
	return Promise.allSettled(fading.map((a) => a.finished));
})().then(() => axe.run(document, {
	resultTypes: ['violations'],
	runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
})).then((result) => result.violations)`

// CheckAccessible fails the test if axe-core finds that the page keeps people out, as it looks at the moment: colours
// and widths are worth a check each.
func (w *Window) CheckAccessible() {
	w.t.Helper()
	for _, violation := range w.Violations() {
		w.t.Errorf("not accessible: %v", violation)
	}
}

// Violations returns what CheckAccessible complains about. Without the npm packages of interop/ the test is skipped; it
// fails if CI is set.
func (w *Window) Violations() []Violation {
	w.t.Helper()
	source, err := axeSource()
	if err != nil && os.Getenv("CI") == "" {
		w.t.Skip(err)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	violations, err := w.axe(source)
	if err != nil {
		w.fail("axe-core: %v", err)
	}
	return violations
}

func axeSource() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(root, "interop", "npm", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("the packages of interop/npm are missing or out of date: run `make install-npm`: %w", err)
	}
	return string(source), nil
}

// axe runs in a world of its own: it sees the page, and the page's scripts and policies do not see it.
func (w *Window) axe(source string) ([]Violation, error) {
	ctx, cancel := w.limit()
	defer cancel()
	tree, err := cdp.Call(ctx, w.tab, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	frame := page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.Frame.ID}
	world, err := cdp.Call(ctx, w.tab, page.CreateIsolatedWorld, frame)
	if err != nil {
		return nil, err
	}
	yes := true
	result, err := cdp.Call(ctx, w.tab, runtime.Evaluate, runtime.EvaluateParams{
		Expression: source + ";" + axeRun, ContextID: world.ExecutionContextID, ReturnByValue: &yes, AwaitPromise: &yes,
	})
	if err != nil {
		return nil, err
	}
	if result.ExceptionDetails != nil {
		return nil, &chromedp.ExceptionError{ExceptionDetails: result.ExceptionDetails}
	}
	var violations []Violation
	err = json.Unmarshal(result.Result.Value, &violations)
	return violations, err
}
