package demoprovider

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const keptVisits = 1_000

// visit is a browser in which somebody signed in.
type visit struct {
	user  string
	since time.Time
}

// visits remembers who signed in where, by a cookie.
type visits struct {
	cookie http.Cookie // without value

	mu   sync.Mutex
	kept *shelf[visit]
}

// newVisits names the cookie after the issuer: browsers do not tell ports
// apart, and a demo has several servers on one address.
func newVisits(issuer, path string, secure bool) *visits {
	sum := sha256.Sum256([]byte(issuer))
	return &visits{
		kept: newShelf[visit](keptVisits),
		cookie: http.Cookie{
			Name: "demo_provider_" + hex.EncodeToString(sum[:4]), Path: path + "/",
			HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
		},
	}
}

// of returns the visit that a request belongs to, or nil.
func (v *visits) of(r *http.Request) *visit {
	c, err := r.Cookie(v.cookie.Name)
	if err != nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if at, ok := v.kept.get(c.Value); ok {
		return &at
	}
	return nil
}

// begin signs a user in, under an id that nobody can have known before.
func (v *visits) begin(w http.ResponseWriter, r *http.Request, user string) {
	v.forget(r)
	c := v.cookie
	c.Value = rand.Text()
	v.mu.Lock()
	v.kept.put(c.Value, visit{user: user, since: time.Now()})
	v.mu.Unlock()
	http.SetCookie(w, &c)
}

// end signs out.
func (v *visits) end(w http.ResponseWriter, r *http.Request) {
	v.forget(r)
	c := v.cookie
	c.MaxAge = -1
	http.SetCookie(w, &c)
}

func (v *visits) forget(r *http.Request) {
	if c, err := r.Cookie(v.cookie.Name); err == nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.kept.drop(c.Value)
	}
}

// userName says whether a name can be a user: 1 to 64 letters, digits and a few
// signs.
func userName(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' && r != '-' && r != '@' {
			return false
		}
		n++
	}
	return n > 0 && n <= 64 && utf8.ValidString(s)
}

// displayName writes a user name as a person's: Alice for alice.
func displayName(user string) string {
	first, size := utf8.DecodeRuneInString(user)
	return string(unicode.ToUpper(first)) + user[size:]
}
