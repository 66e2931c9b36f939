package form

import (
	"slices"
	"strings"
	"unicode"

	"github.com/parley-hq/parley/legible"
)

// What nobody should type into a form that a program reads, in three kinds: what says so
// wherever it stands, as one word or several; what does as a word; and what does as the
// last word, since a secret Santa and a token of thanks are something else.
var (
	secrets = []string{
		"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "motdepasse", "contraseña", "contrasena", "пароль", "密码", "密碼", "パスワード", "비밀번호",
		"apikey", "secretkey", "privatekey", "accesstoken", "clientsecret", "seedphrase", "recoveryphrase",
		"onetimecode", "onetimepass", "onetimepin", "verificationcode",
	}
	secretWords = []string{"pwd", "otp", "totp", "cvv", "cvc"}
	secretLast  = []string{"pin", "secret", "token"}
)

// disguised are the letters that stand for others in words that are to be read all the same.
var disguised = strings.NewReplacer("4", "a", "@", "a", "3", "e", "5", "s", "$", "s")

// Secret reports whether a field asks for a password, a key or a code, as far as its name, its title or its description
// says so, in letters that look so. Forms have no place for those: who asks reads the answer, and so does whoever passes
// it on. What is asked for besides a password, its hint, is none.
func (f Field) Secret() bool {
	if f.Kind != String {
		return false
	}
	hints := false
	for _, name := range []string{f.Name, f.Title} {
		all := words(name)
		if len(all) == 2 && legible.Alike(all[1], "hint") {
			hints = true
			continue
		}
		if saysSecret(name) || slices.ContainsFunc(all, func(w string) bool { return alikeAny(w, secretWords) }) ||
			len(all) > 0 && alikeAny(all[len(all)-1], secretLast) {
			return true
		}
	}
	return !hints && saysSecret(f.Description)
}

func saysSecret(text string) bool {
	shape := legible.Shape(disguised.Replace(text))
	return slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(shape, legible.Shape(secret)) })
}

func alikeAny(word string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return legible.Alike(word, name) })
}

// words are those of a name, also of one that is written asOneWord.
func words(name string) []string {
	var spaced strings.Builder
	before := rune(0)
	for _, c := range name {
		switch {
		case legible.Hidden(c):
			continue
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			spaced.WriteByte(' ')
		case unicode.IsUpper(c) && unicode.IsLower(before):
			spaced.WriteByte(' ')
			fallthrough
		default:
			spaced.WriteRune(c)
		}
		before = c
	}
	return strings.Fields(spaced.String())
}
