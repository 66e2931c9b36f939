package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// told is what a client was told in the end.
type told struct {
	verdict  string // result, unknown, refused or stuck
	words    string
	attempts int
	anew     int    // attempts that began anew, as the client was told to
	invited  string // the words by which it was told to repeat what had been carried out
}

// Verdicts of clients.
const (
	gotResult  = "result"
	gotUnknown = "unknown"
	gotRefusal = "refused"
	gotNothing = "stuck"
)

// answer is what came back for one attempt: an error of the connection, or words.
type answer struct {
	err    error // nobody answered
	words  string
	failed bool
	unsent bool // the call was not made
	held   bool // the client has a requestState, by which the gateway knows the call
}

// client makes one call, again where that is what it was told to do.
type client interface {
	// attempt makes the call, or goes on with it, until it has an end.
	attempt(ctx context.Context) answer
	// anew forgets what was asked and answered.
	anew()
}

// settle makes a call until it has an end. A client whose connection breaks goes
// on with a call that asks, or that may be repeated: the gateway knows it. Any
// other call it leaves: whether it was made nobody can tell it.
func settle(ctx context.Context, c *call, cl client, l *ledger, limit time.Duration) (end told) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		last := attempt(ctx, c, cl, end.attempts)
		end.attempts++
		end.verdict, end.words = c.verdict(last), last.text()
		l.tell(c.key, "attempt %d of the client: %s %.300s", end.attempts, end.verdict, end.words)
		switch {
		case ctx.Err() != nil:
			end.verdict = gotNothing
			return end
		case end.verdict != "":
			return end
		case sameAgain(last.words): // what the client has of it may be good yet
		case last.err == nil: // it is told to begin anew
			if l.of(c.key).done > 0 && !c.again && !last.unsent {
				end.invited = last.words
			}
			cl.anew()
			end.anew++
		}
		select {
		case <-ctx.Done():
			end.verdict = gotNothing
			return end
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// verdict is what an answer means; empty: the call is made again.
func (c *call) verdict(a answer) string {
	switch {
	case a.unsent:
		return ""
	case a.err != nil && !c.asks && !c.again && !a.held:
		return gotUnknown
	case a.err != nil, a.failed && invites(a.words):
		return ""
	case !a.failed:
		return gotResult
	case unknown(a.words) && c.again:
		return "" // that it does no harm to repeat it the client knows
	case unknown(a.words):
		return gotUnknown
	}
	return gotRefusal
}

// unknown reports whether a client is told that nobody knows.
func unknown(words string) bool {
	return strings.Contains(words, "not known") || strings.Contains(words, "unknown whether")
}

// attempt makes one. A client that has no patience gives the first one up.
func attempt(ctx context.Context, c *call, cl client, n int) answer {
	if n == 0 && c.patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.patience)
		defer cancel()
	}
	return cl.attempt(ctx)
}

// invites reports whether a client is told to make the call again.
func invites(words string) bool {
	if unknown(words) {
		return false
	}
	for _, phrase := range []string{"just now", "try again", "in a moment", "may be called again", "make the call again", "Make the call again", "same call again", "same request again", "make the call anew without it"} {
		if strings.Contains(words, phrase) {
			return true
		}
	}
	return false
}

// sameAgain reports whether a client is told to send what it has sent once more.
func sameAgain(words string) bool { return strings.Contains(words, "send the same request again") }

func (a answer) text() string {
	if a.err != nil {
		return a.err.Error()
	}
	return a.words
}

// consent is what the person answers to whatever is asked. By the last question of
// a call it is allowed to be carried out, once.
func (l *ledger) consent(c *call, schema string) map[string]any {
	if strings.Contains(schema, `"decision"`) {
		l.tell(c.key, "the client allows it")
		l.count(c.key, 0, 1)
		if c.tool == "buy" { // it asks nothing itself
			l.consented(c.key)
		}
		return map[string]any{"decision": "allow_once"}
	}
	l.tell(c.key, "the client answers what the server asks")
	l.consented(c.key)
	return map[string]any{"size": "L"}
}

var errNoAnswer = errors.New("the client was not answered")

// token signs a person's token.
func token(person string) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(tokenKey)}, nil)
	if err != nil {
		return "", err
	}
	claims := map[string]any{"iss": issuer, "aud": audience, "sub": person, "exp": time.Now().Add(24 * time.Hour).Unix()}
	raw, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return raw, nil
}
