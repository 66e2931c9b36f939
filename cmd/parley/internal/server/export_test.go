package server

import (
	"context"
	"crypto/tls"
	"log/slog"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/gateway"
)

// Swept has the store forget what is too old at a time.
func (s *Server) Swept(ctx context.Context, at time.Time) error {
	return s.store.(parley.Sweeper).Sweep(ctx, at)
}

// Certificate is how a server takes the certificate of two files.
func Certificate(cert, key string, logger *slog.Logger) (func(*tls.ClientHelloInfo) (*tls.Certificate, error), error) {
	s := &Server{cfg: &config.Config{TLS: &config.TLS{Cert: cert, Key: key}}, opts: Options{Logger: logger}}
	speaks, err := s.openTLS()
	if err != nil {
		return nil, err
	}
	return speaks.GetCertificate, nil
}

// Behind are a tenant's servers as the gateway knows them.
func (s *Server) Behind(ctx context.Context, tenant string) ([]gateway.Server, error) {
	return s.behind.Servers(ctx, tenant)
}
