package receivers

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// PostOffice is an SMTP server.
type PostOffice struct {
	Port    int // of 127.0.0.1
	Letters chan Letter
	// Refuse says why nothing is taken for an address. Default: all is taken. It is
	// set before the first letter comes.
	Refuse func(to string) error
}

// Letter is what came.
type Letter struct {
	From string
	To   []string
	Raw  []byte
}

// NewPostOffice starts a post office that serves until the test ends.
func NewPostOffice(t testing.TB) *PostOffice {
	t.Helper()
	office := &PostOffice{Letters: make(chan Letter, 100)}
	server := smtp.NewServer(office)
	server.Domain = "localhost"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	office.Port = listener.Addr().(*net.TCPAddr).Port
	var done sync.WaitGroup
	done.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		done.Wait()
	})
	return office
}

// NewSession implements smtp.Backend.
func (p *PostOffice) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &session{office: p}, nil
}

type session struct {
	office *PostOffice
	letter Letter
}

func (s *session) Reset()        { s.letter = Letter{} }
func (s *session) Logout() error { return nil }
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.letter.From = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.office.Refuse != nil {
		if err := s.office.Refuse(to); err != nil {
			return err
		}
	}
	s.letter.To = append(s.letter.To, to)
	return nil
}

func (s *session) Data(r io.Reader) (err error) {
	s.letter.Raw, err = io.ReadAll(r)
	if err == nil {
		s.office.Letters <- s.letter
	}
	return err
}
