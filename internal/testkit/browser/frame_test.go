package browser_test

import (
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestAFrameIsDrivenLikeAnyWindow(t *testing.T) {
	url := site(t, map[string]string{
		"/": `<p style="height:90px">Outside</p><button onclick="document.querySelector('iframe').remove()">Take it away</button>
			<iframe src="/middle" style="margin-left:70px;width:500px;height:300px"></iframe>`,
		"/middle": `<p>Between</p><iframe sandbox="allow-scripts" style="margin:30px" srcdoc="<label>Word <input id=w></label><button>Say it</button><p id=said></p><script>
			console.error('a slip'); document.querySelector('button').onclick = (e) => { said.textContent = w.value + ' ' + e.isTrusted; }</script>"></iframe>`,
	})
	p := browser.Start(t).Person(t)
	p.Open(url)
	frame := p.Frame("about:srcdoc")
	p.Expect("a slip") // in the frame
	frame.Fill("Word", "hello")
	frame.Click("Say it")
	frame.WaitFor("hello true")
	frame.Fill("Word", "bye")
	frame.Press("Tab", "Enter")
	frame.WaitFor("bye true")
	p.Click("Take it away")
	frame.WaitClosed()
}
