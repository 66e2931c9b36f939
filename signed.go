package parley

// Signed is a WebAuthn assertion: that the person's own device approved something. It
// says what was signed only together with the question that it belongs to; package
// passkey checks it. Nothing in it is secret.
type Signed struct {
	Rule    string `json:"rule"`              // that wanted it
	Changes string `json:"changes,omitempty"` // the digest of the arguments that the person changed, if they did

	Credential        []byte `json:"credential"`         // the id of the passkey
	PublicKey         []byte `json:"public_key"`         // of the passkey, as COSE
	AuthenticatorData []byte `json:"authenticator_data"` // as the device signed it
	ClientData        []byte `json:"client_data"`        // JSON of the browser, whose digest the device signed
	Signature         []byte `json:"signature"`
}
