package form_test

import (
	"testing"

	"github.com/parley-hq/parley/form"
)

func TestAFieldForAPasswordIsKnownByItsName(t *testing.T) {
	for name, secret := range map[string]bool{
		"password": true, "Your Parley pass-word": true, "api_key": true, "accessToken": true, "Passwort": true, "PASSPHRASE": true,
		"city": false, "pass": false, "token": false, "key": false, "passenger": false, "word of the compass": false,
	} {
		if got := (form.Field{Name: name, Kind: form.String}).Secret(); got != secret {
			t.Errorf("name %q: %v", name, got)
		}
		if got := (form.Field{Name: "x", Title: name, Kind: form.String}).Secret(); got != secret {
			t.Errorf("title %q: %v", name, got)
		}
	}
	if (form.Field{Name: "passwordLength", Kind: form.Integer}).Secret() {
		t.Error("a number is no password")
	}
}
