package login

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parley-hq/parley"
)

// Wish is a program that asks to act as whoever allows it.
type Wish struct {
	Program   string        `json:"program"`             // what it calls itself: anything
	Address   string        `json:"address"`             // whence it asked, as this server saw it
	Scope     Scope         `json:"scope,omitempty"`     // what it asks for
	Challenge string        `json:"challenge,omitempty"` // S256 of a verifier that only it knows (RFC 7636); empty: it has none
	Created   time.Time     `json:"created"`             // set by Begin
	Lasts     time.Duration `json:"-"`                   // how long a yes would hold; set by Look
}

// Begun is what a program is given.
type Begun struct {
	DeviceCode string // that it keeps
	UserCode   string // that it shows, such as WDJB-MJHT
	Expires    time.Time
}

// The states of a wish.
const (
	waiting = "waiting"
	allowed = "allowed"
	refused = "refused"
	used    = "used"
)

// wished is a wish as it is stored, under the hash of its user code.
type wished struct {
	Wish
	Device string `json:"device"` // digest of the device code
	State  string `json:"state"`
	Tenant string `json:"tenant,omitempty"` // of who decided
	User   string `json:"user,omitempty"`
	Login  string `json:"login,omitempty"` // the key of what came of it
}

// The letters of user codes make no words, and none looks like another or like a
// digit (RFC 8628, section 6.1).
const (
	letters    = "BCDFGHJKLMNPQRSTVWXZ"
	codeLength = 8
	maxProgram = 100 // bytes
)

// Begin stores a wish. ErrWish says that it cannot be taken.
func (l *Logins) Begin(ctx context.Context, w Wish) (Begun, error) {
	w.Program = strings.TrimSpace(w.Program)
	switch {
	case w.Program == "" || len(w.Program) > maxProgram || !utf8.ValidString(w.Program):
		return Begun{}, fmt.Errorf("%w: a program names itself, with %d bytes at most", ErrWish, maxProgram)
	case w.Scope != Everything && w.Scope != OnlyMCP:
		return Begun{}, fmt.Errorf("%w: the scope is %q or none", ErrWish, OnlyMCP)
	case w.Challenge != "" && len(w.Challenge) != base64.RawURLEncoding.EncodedLen(sha256.Size):
		return Begun{}, fmt.Errorf("%w: the code challenge is no S256 of a verifier", ErrWish)
	}
	w.Created = in(0)
	const attempts = 5 // that two have the same code hardly happens once
	for range attempts {
		code, err := newCode()
		if err != nil {
			return Begun{}, err
		}
		b := Begun{DeviceCode: rand.Text() + "." + code, UserCode: Shown(code), Expires: in(CodeTTL)}
		data, err := json.Marshal(wished{Wish: w, Device: digest(b.DeviceCode), State: waiting})
		if err != nil {
			return Begun{}, err
		}
		_, err = l.records.Save(ctx, parley.Record{Address: wishAt(code), Data: data, Expires: b.Expires})
		if !errors.Is(err, parley.ErrExists) {
			return b, err
		}
	}
	return Begun{}, errors.New("login: no code is free")
}

func newCode() (string, error) {
	var code strings.Builder
	for range codeLength {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(letters))))
		if err != nil {
			return "", err
		}
		code.WriteByte(letters[i.Int64()])
	}
	return code.String(), nil
}

// readCode reads a code as people type it. It is empty for what is none.
func readCode(typed string) string {
	const long = 40
	if len(typed) > long {
		return ""
	}
	code := strings.NewReplacer("-", "", " ", "").Replace(strings.ToUpper(typed))
	if len(code) != codeLength || strings.Trim(code, letters) != "" {
		return ""
	}
	return code
}

func wishAt(code string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: wishKind, Key: digest(code)}
}

// find returns the wish with a code, and its record.
func (l *Logins) find(ctx context.Context, code string) (w wished, r parley.Record, err error) {
	if code == "" {
		return w, r, ErrUnknown
	}
	r, err = l.records.Load(ctx, wishAt(code))
	if lost(err) {
		return w, r, ErrUnknown
	}
	if err == nil {
		err = json.Unmarshal(r.Data, &w)
	}
	return w, r, err
}

// Look returns the wish with a code that a person typed, or followed. ErrUnknown, or
// ErrDecided where there is nothing to decide.
func (l *Logins) Look(ctx context.Context, typed string) (Wish, error) {
	w, _, err := l.find(ctx, readCode(typed))
	if err == nil && w.State != waiting {
		err = ErrDecided
	}
	w.Lasts = l.opts.TTL
	return w.Wish, err
}

// Decide allows or refuses the wish with a code, for who is signed in. Saying the same
// again changes nothing. ErrUnknown, or ErrDecided where it was decided otherwise or
// by somebody else.
func (l *Logins) Decide(ctx context.Context, typed string, by parley.Principal, allow bool) error {
	if !by.IsPerson() || by.Validate() != nil {
		return fmt.Errorf("%w: only a person decides", parley.ErrPrincipal)
	}
	state := refused
	if allow {
		state = allowed
	}
	code, told := readCode(typed), false
	for {
		w, r, err := l.find(ctx, code)
		switch {
		case err != nil:
			return err
		case w.State == state && w.Tenant == tenantOf(by) && w.User == by.User:
			return nil
		case w.State != waiting:
			return ErrDecided
		}
		w.State, w.Tenant, w.User = state, tenantOf(by), by.User
		if !allow && !told { // what is allowed is told of when the program fetches it
			if err := l.opts.Record.Record(ctx, Login{Tenant: w.Tenant, User: w.User}.deed("login.refused", "")); err != nil {
				return err
			}
			told = true
		}
		err = l.keep(ctx, r, w)
		if err == nil || !parley.Overtaken(err) {
			return err
		}
	}
}

// keep stores a wish in place of the record that was read. The program has some time
// to fetch what is decided.
func (l *Logins) keep(ctx context.Context, r parley.Record, w wished) error {
	var err error
	if r.Data, err = json.Marshal(w); err != nil {
		return err
	}
	if least := in(fetchTTL); r.Expires.Before(least) {
		r.Expires = least
	}
	_, err = l.records.Save(ctx, r)
	return err
}

// verifies reports whether a verifier is that of a challenge, where there is one.
func verifies(challenge, verifier string) bool {
	return challenge == "" || same(challenge, Challenge(verifier))
}

// Challenge is the S256 challenge of a verifier.
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Shown is a code as programs show it, however it was typed; what is none stays as it
// is.
func Shown(typed string) string {
	code := readCode(typed)
	if code == "" {
		return typed
	}
	return code[:codeLength/2] + "-" + code[codeLength/2:]
}
