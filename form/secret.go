package form

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/parley-hq/parley/legible"
)

// What nobody should type into a form that a program reads, in four kinds: what says so
// wherever it stands, within others too; what does as a word or several; what does as the
// last words, since a secret Santa and a token of thanks are something else; and what does
// as all there is, since Ms Tan and a degree of fine arts are.
var (
	secrets = []string{
		"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "motdepasse", "contraseña", "contrasena", "пароль", "密码", "密碼", "パスワード", "비밀번호",
		"apikey", "secretkey", "privatekey", "accesstoken", "clientsecret", "seedphrase", "recoveryphrase",
		"onetimecode", "onetimepass", "onetimepin", "verificationcode",
	}
	secretWords = []string{
		"pwd", "otp", "totp", "hotp", "2fa", "mtan", "smstan", "pushtan", "phototan", "chiptan", "cvv", "cvc",
		"mfacode", "twofactorcode", "2factorcode", "authenticationcode", "authenticatorcode", "logincode", "signincode", "smscode", "backupcode", "recoverycode", "einmalcode",
	}
	secretLast  = []string{"pin", "secret", "token", "securitycode"}
	secretAlone = []string{"tan", "mfa"}
)

// mostWords is how many words of a text are one of the secretWords: sign in code.
const mostWords = 3

// wordShapes are those of the secretWords: a text has many words to compare with them.
var wordShapes = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, word := range secretWords {
		for _, shape := range legible.Shapes(word) {
			all[shape] = true
		}
	}
	return all
})

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
		if saysSecret(name) || endsSecret(all) || alikeAny(strings.Join(all, ""), secretAlone) {
			return true
		}
	}
	return !hints && saysSecret(f.Description)
}

func saysSecret(text string) bool {
	shape := legible.Shape(disguised.Replace(text))
	if slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(shape, legible.Shape(secret)) }) {
		return true
	}
	all := words(text)
	for from := range all {
		for to := from + 1; to <= min(from+mostWords, len(all)); to++ {
			one := strings.Join(all[from:to], "")
			if one == "TAN" || slices.ContainsFunc(legible.Shapes(one), func(shape string) bool { return wordShapes()[shape] }) {
				return true
			}
		}
	}
	return false
}

func endsSecret(words []string) bool {
	for from := max(0, len(words)-mostWords); from < len(words); from++ {
		if alikeAny(strings.Join(words[from:], ""), secretLast) {
			return true
		}
	}
	return false
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
