package gateway

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"syscall"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/outbound"
)

// downReason is why a server cannot be spoken to, for those who look after it: what
// they can do something about, with no address but the one that they gave.
func downReason(err error, s Server) string {
	if len(s.Command) > 0 {
		return programReason(err)
	}
	host := "the server"
	if where, err := url.Parse(s.URL); err == nil && where.Host != "" {
		host = where.Host
	}
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return fmt.Sprintf("There is no host with the name of %s.", host)
	case errors.As(err, &name):
		return fmt.Sprintf("The address of %s cannot be looked up just now.", host)
	case errors.Is(err, outbound.ErrForbidden):
		return fmt.Sprintf("Requests to %s are not allowed here: see outbound in the configuration.", host)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("%s refuses connections: no server listens there.", host)
	case errors.As(err, &certificate):
		return fmt.Sprintf("The certificate of %s is not valid for it, or not known here.", host)
	case errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Sprintf("%s does not speak TLS: is its URL http, not https?", host)
	case timedOut(err):
		return fmt.Sprintf("%s does not answer in time.", host)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fmt.Sprintf("%s closes the connection before it has answered.", host)
	}
	return mcpcall.Reason(err, "The server")
}

func programReason(err error) string {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "The program of the server is not on this machine."
	case errors.Is(err, os.ErrPermission):
		return "The program of the server may not be run."
	case timedOut(err):
		return "The program of the server does not answer in time."
	}
	return mcpcall.Reason(err, "The server")
}

func timedOut(err error) bool {
	var waited net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &waited) && waited.Timeout()
}
