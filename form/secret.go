package form

import (
	"strings"
	"unicode"
)

// secrets are names of what nobody should type into a form that a program reads.
var secrets = []string{
	"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "motdepasse", "contraseña", "contrasena",
	"apikey", "secretkey", "privatekey", "accesstoken", "clientsecret",
}

// Secret reports whether a field asks for a password or a key, as far as its name or its title says so. Forms have no
// place for those: who asks reads the answer, and so does whoever passes it on.
func (f Field) Secret() bool {
	if f.Kind != String {
		return false
	}
	for _, name := range []string{f.Name, f.Title} {
		plain := strings.Map(func(c rune) rune {
			if !unicode.IsLetter(c) {
				return -1
			}
			return unicode.ToLower(c)
		}, name)
		for _, secret := range secrets {
			if strings.Contains(plain, secret) {
				return true
			}
		}
	}
	return false
}
