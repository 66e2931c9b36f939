package pages_test

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	chromium "github.com/parley-hq/parley/internal/testkit/browser"
)

// heaped is a text with 40 marks on each letter.
var heaped = strings.Repeat("a"+strings.Repeat("\u0301\u030a", 20), 3)

func TestChromiumDrawsNoMarkOfAnArgumentOverOtherLines(t *testing.T) {
	l := newLiveSite(t)
	q := l.askCall(`{"amount":95,"b":"` + heaped + `","to":"D̶E̶0̶0̶ ̶e̶v̶i̶l̶ DE99 ours","who":"Nguye\u0302\u0303n Thị Việt, שָּׁלוֹם, ที่นี่, हिन्दी ज़ों"}`)
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	alice.Open(l.url + path(q))
	alice.Eval(`(() => { document.querySelector(".message").classList.remove("long"); })()`, nil) // all of it, for the picture
	alice.Screenshot("marks")
	text := alice.Text(".message")
	for _, want := range []string{`D\u0336E\u03360\u0336`, "a\u0301\u030a\u0301\u030a" + `\u0301\u030a`, "Nguye\u0302\u0303n Thị Việt", "ที่นี่"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %+q: %+q", want, text)
		}
	}

	// Were they in a line as they are, they would still stay in it.
	raw, err := json.Marshal(heaped)
	if err != nil {
		t.Fatal(err)
	}
	var line struct{ Top, Bottom int }
	alice.Eval(`(() => {
		const line = [...document.querySelectorAll(".message .line")].find((e) => e.textContent.startsWith('  "to"'));
		line.id = "heaped";
		line.textContent = `+string(raw)+` + "\n";
		const box = line.getBoundingClientRect();
		return { Top: Math.floor((box.top + scrollY) * devicePixelRatio), Bottom: Math.ceil((box.bottom + scrollY) * devicePixelRatio) };
	})()`, &line)
	outside := func(name, style string) image.Image {
		alice.Eval(fmt.Sprintf(`(() => { document.querySelector("#heaped").style = %q; })()`, style), nil)
		return pixels(t, alice.Screenshot(name))
	}
	without := outside("marks-hidden", "visibility: hidden")
	if rows := differ(without, outside("marks-clipped", ""), line.Top, line.Bottom); rows > 0 {
		t.Errorf("marks are drawn in %d rows outside of their line", rows)
	}
	if rows := differ(without, outside("marks-free", "overflow: visible"), line.Top, line.Bottom); rows == 0 {
		t.Error("the measure finds nothing")
	}
}

func pixels(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// differ counts the rows in which two pictures are not the same, but for those from
// top to bottom.
func differ(a, b image.Image, top, bottom int) (rows int) {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		if y >= top && y < bottom {
			continue
		}
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				rows++
				break
			}
		}
	}
	return rows
}
