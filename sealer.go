package parley

// Binding is what sealed data belongs to. The key that opens it is derived
// from Tenant and Purpose; Owner and Key are authenticated with it, so that
// data moved to another row or another person does not open.
type Binding struct {
	Tenant  string
	Purpose string
	Owner   string
	Key     string
}

// Sealer encrypts what the hub stores. *seal.Keyring is one.
type Sealer interface {
	Seal(plain []byte, b Binding) ([]byte, error)
	Open(sealed []byte, b Binding) ([]byte, error)
}
