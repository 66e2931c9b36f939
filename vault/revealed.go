package vault

// What a tenant has stored of its own is sealed as a whole; only there are its
// secrets written. The fields outside hide those of the same name within.

// revealed is a provider as it is stored.
func (p Provider) revealed() any {
	return struct {
		Provider
		ClientSecret string `json:"client_secret,omitempty"`
	}{p, p.ClientSecret.Reveal()}
}

// revealedAuth is what Auth is as it is stored.
type revealedAuth struct {
	Auth
	Token        string `json:"token,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

// revealed is a server as it is stored.
func (s Server) revealed() any {
	return struct {
		Server
		Auth revealedAuth `json:"auth"`
	}{s, revealedAuth{s.Auth, s.Auth.Token.Reveal(), s.Auth.ClientSecret.Reveal()}}
}
