package server_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// The site's name, the person's and the ways on stand beside each other, and the chat's
// own bar takes no room of its own.
func TestChromiumTheHeaderOfTheChatReadsOnAPhone(t *testing.T) {
	chromium := browser.Start(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	for title, whole := range map[string]bool{"Parley": true, "Acme Operations": true, "The Very Long Name of Some Department": false} {
		base := started(t, fmt.Sprintf("title: %s\n", title))
		for _, user := range []string{"bea", "beatrice.montgomery@operations.acme.example"} {
			p := chromium.Person(t)
			p.Open(base + "/")
			p.Fill("user", user)
			p.Follow("Sign in")
			p.Fill("Write a message", "hello")
			p.Press("Enter")
			p.WaitFor("hello")
			for _, width := range []int{360, 390} {
				p.Emulate(browser.View{Width: width, Height: 740})
				p.Screenshot(fmt.Sprintf("%s, %s, %d", title, user, width))
				p.CheckAccessible()
				var got struct {
					Cut, Wide  bool
					Head, Main float64
				}
				p.Eval(`(() => {
					const name = document.querySelector("h1"), head = document.querySelector("parley-chat").shadowRoot.querySelector(".head button");
					return {Cut: name.scrollWidth > name.clientWidth, Wide: document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll("header a")].some((a) => a.getBoundingClientRect().right > innerWidth),
						Head: head.getBoundingClientRect().bottom, Main: document.querySelector("main").getBoundingClientRect().top};
				})()`, &got)
				if got.Cut == whole || got.Wide || got.Head > got.Main || got.Main > 80 {
					t.Errorf("%s, %s, %d: %+v", title, user, width, got)
				}
			}
		}
	}
}
