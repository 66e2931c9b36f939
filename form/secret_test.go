package form_test

import (
	"testing"

	"github.com/parley-hq/parley/form"
)

func TestAFieldForAPasswordIsKnownByItsName(t *testing.T) {
	for name, secret := range map[string]bool{
		"password": true, "Your Parley pass-word": true, "api_key": true, "accessToken": true, "Passwort": true, "PASSPHRASE": true,
		"pwd": true, "userPwd": true, "pin": true, "Your PIN": true, "otp": true, "OTP code": true, "secret": true, "token": true, "bot_token": true, "CVV": true,
		"One-time code": true, "seed phrase": true, "Pаssword": true, "рin": true, "p4ssw0rd": true, "P a s s w o r d": true, "pass\u200bword": true, "t\u200boken": true, "пароль": true, "密码": true,
		"TAN": true, "tan": true, "TAN code": true, "SMS-TAN": true, "mTAN": true, "pushtan": true, "2FA": true, "2fa_code": true, "Your 2FA": true, "MFA": true, "mfaCode": true, "O.T.P.": true,
		"one time code": true, "One-Time Code": true, "Two-factor code": true, "Sign-in code": true, "SMS code": true, "Security code": true,
		"standard": false, "tangent": false, "tandem": false, "Ms Tan": false, "tan boots": false, "MFA degree": false, "code": false, "country code": false, "Postal code": false, "Security code review": false, "design in code": false,
		"optional": false, "adopt": false, "A2Fab": false,
		"password_hint": false, "passwordHint": false, "Secret Santa": false, "shipping": false, "tokens": false, "opinion": false, "city": false, "pass": false, "key": false, "passenger": false, "word of the compass": false,
	} {
		if got := (form.Field{Name: name, Kind: form.String}).Secret(); got != secret {
			t.Errorf("name %q: %v", name, got)
		}
		if got := (form.Field{Name: "x", Title: name, Kind: form.String}).Secret(); got != secret {
			t.Errorf("title %q: %v", name, got)
		}
	}
	for description, secret := range map[string]bool{"Enter your password here": true, "Where you live": false, "A token of thanks": false,
		"The TAN from your bank": true, "What your OTP app shows": true, "Type the 2FA code": true, "The one-time code that we sent": true, "The sign in code": true,
		"Tan or brown": false, "The standard, or a tangent": false, "The code of your country, such as DE": false, "Your postal code": false, "An MFA or a PhD": false, "How you design in code": false} {
		if got := (form.Field{Name: "x", Description: description, Kind: form.String}).Secret(); got != secret {
			t.Errorf("description %q: %v", description, got)
		}
	}
	if (form.Field{Name: "password_hint", Description: "What reminds you of your password", Kind: form.String}).Secret() {
		t.Error("a hint is no password")
	}
	if (form.Field{Name: "passwordLength", Kind: form.Integer}).Secret() {
		t.Error("a number is no password")
	}
}
