package pages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/seal"
)

func Example() {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	keys, err := seal.New([]byte("a secret of 32 random bytes here"))
	if err != nil {
		fmt.Println(err)
		return
	}
	site, err := pages.New(hub, &pages.Options{
		PublicURL: "http://127.0.0.1:8420", Records: store, Keys: keys, SignIn: pages.Dev("alice", "bob"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	response := httptest.NewRecorder()
	site.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8420/answer/33k20edk0m262fnmdrqdk6cgh9rg9sf1", nil))
	fmt.Println(response.Code, response.Header().Get("Location"))
	// Output: 303 /login?next=%2Fanswer%2F33k20edk0m262fnmdrqdk6cgh9rg9sf1
}

// A host application answers for the person of its own session.
func ExampleSignAnswer() {
	opts := &pages.VerifierOptions{URL: "https://app.example/verify", Key: []byte("shared with the host application")}
	verify := func(w http.ResponseWriter, r *http.Request) {
		challenge, err := pages.VerifyChallenge(opts, "https://parley.example", r.URL.Query().Get("challenge"))
		if err != nil {
			http.Error(w, "This link is not valid.", http.StatusBadRequest)
			return
		}
		location, err := pages.SignAnswer(opts, challenge, pages.Identity{User: "alice"}) // of the session
		if err != nil {
			http.Error(w, "Try again in a minute.", http.StatusInternalServerError)
			return
		}
		http.Redirect(w, r, location, http.StatusSeeOther)
	}
	response := httptest.NewRecorder()
	verify(response, httptest.NewRequest(http.MethodGet, "/verify?challenge=forged", nil))
	fmt.Println(response.Code)
	// Output: 400
}
