package server

import (
	"errors"

	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

// openPasskeys makes the passkeys of people, where browsers have any for this site: what
// needs one elsewhere is refused by the configuration.
func (s *Server) openPasskeys() (err error) {
	s.passkeys, err = passkey.New(seal.Records(s.store, s.keys, nil), &passkey.Options{
		PublicURL: s.cfg.PublicURL, Title: s.cfg.Title, Begin: s.Audit.Begin,
	})
	if errors.Is(err, passkey.ErrNoHost) {
		return nil
	}
	return err
}

// signatures are those of the passkeys. A tenant's rule may want them where there are none:
// then nobody allows such a call.
func (s *Server) signatures() permit.Signatures {
	if s.passkeys == nil {
		return nil
	}
	return s.passkeys
}
