package browser_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestScreenshotsAreNumberedPicturesOfTheWholePage(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PARLEY_ARTEFACTS", dir)
	screens := filepath.Join(dir, "screens", t.Name())
	if err := os.MkdirAll(screens, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"07-of an earlier run.png", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(screens, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	url := site(t, map[string]string{"/": `<p>Top</p><p style="margin-top:2000px">Bottom</p>`})
	b := browser.Start(t)
	alice, bob := b.Person(t), b.Person(t)
	alice.Open(url)
	first := alice.Screenshot("before: all/of it")
	bob.Open(url)
	bob.Emulate(browser.View{Width: 390})
	second := bob.Screenshot("phone")
	if a, b := filepath.Base(first), filepath.Base(second); a != "01-before-all-of-it.png" || b != "02-phone.png" {
		t.Errorf("they are called %s and %s", a, b)
	}

	files, _ := filepath.Glob(filepath.Join(screens, "*"))
	want := []string{first, second, filepath.Join(screens, "notes.txt")}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
	for file, width := range map[string]int{first: 1280, second: 390} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if size := picture.Bounds().Size(); size.X != width || size.Y < 2000 {
			t.Errorf("%s is %v", file, size)
		}
	}
}

func TestScreenshotsAreKeptInTheModulesArtefacts(t *testing.T) {
	t.Setenv("PARLEY_ARTEFACTS", "")
	url := site(t, map[string]string{"/": "<p>Hello</p>"})
	p := browser.Start(t).Person(t)
	p.Open(url)
	want, err := filepath.Abs(filepath.Join("..", "..", "..", "artefacts", "screens", t.Name(), "01-hello.png"))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Screenshot("hello"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
