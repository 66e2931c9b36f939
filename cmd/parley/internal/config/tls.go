package config

import (
	"crypto/tls"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"
)

// TLS is what the server shows of itself where no proxy does: files with PEM.
type TLS struct {
	Cert string `yaml:"cert"` // the certificate, with those that lead to its authority behind it
	Key  string `yaml:"key"`
}

// scheme is what the server speaks where it listens.
func (c *Config) scheme() string {
	if c.TLS != nil {
		return "https://"
	}
	return "http://"
}

// Load reads the certificate. Its errors name the file, and have nothing of the key.
func (t *TLS) Load() (*tls.Certificate, error) {
	cert, err := readPEM(t.Cert)
	if err != nil {
		return nil, fmt.Errorf("cert: %w", err)
	}
	key, err := readPEM(t.Key)
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("cert: %s and %s: %v", t.Cert, t.Key, err)
	}
	return &pair, nil
}

// InTime says whether a certificate of Load is valid at a time, as far as that goes.
func InTime(pair *tls.Certificate, at time.Time) error {
	switch leaf := pair.Leaf; {
	case at.After(leaf.NotAfter):
		return fmt.Errorf("it ended at %s", leaf.NotAfter.UTC().Format(time.RFC3339))
	case at.Before(leaf.NotBefore):
		return fmt.Errorf("it begins at %s", leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	return nil
}

// mostOfPEM is more than a chain of certificates has.
const mostOfPEM = 1 << 20

func readPEM(path string) ([]byte, error) {
	if strings.HasPrefix(path, filePrefix) {
		return nil, fmt.Errorf("it is the path of a file already: write it without %s", filePrefix)
	}
	data, _, err := readFile(path, mostOfPEM)
	return data, err
}

func (c *Config) tlsProblems(bad func(string, ...any)) {
	if c.TLS == nil {
		return
	}
	if c.TLS.Cert == "" || c.TLS.Key == "" {
		bad("tls: name both cert and key, which are files")
		return
	}
	if _, err := c.TLS.Load(); err != nil {
		bad("tls.%w", err)
	}
	if strings.HasPrefix(c.PublicURL, "http:") {
		bad("public_url: it is http, and with tls the server speaks https")
	}
	if strings.HasPrefix(c.Advertise, "http:") {
		bad("advertise: it is http, and with tls the server speaks https")
	}
}

func (c *Config) tlsWarnings(warn func(string, ...any)) {
	if c.TLS == nil {
		return
	}
	pair, err := c.TLS.Load()
	if err != nil {
		return // refused elsewhere
	}
	if about, err := os.Stat(c.TLS.Key); err == nil && about.Mode().Perm()&0o004 != 0 {
		warn("tls.key: everybody on this machine can read %s", c.TLS.Key)
	}
	if err := InTime(pair, time.Now()); err != nil {
		warn("tls.cert: %v; a renewed one is taken up without a restart", err)
	}
	if u, err := url.Parse(c.PublicURL); err == nil && pair.Leaf.VerifyHostname(u.Hostname()) != nil {
		warn("tls.cert: it is not for %s, the host of public_url", u.Hostname())
	}
}
