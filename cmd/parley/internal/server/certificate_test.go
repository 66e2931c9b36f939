package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// certified writes a certificate for a name, and its key, to the two files.
func certified(t *testing.T, name, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	return certifiedFrom(t, name, cert, key, serial, time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
}

func certifiedFrom(t *testing.T, name, cert, key string, serial int64, from, until time.Time) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: from, NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, made, made, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	written := func(path, kind string, der []byte) {
		whole := path + ".new" // renamed into its place, as programs do that renew certificates
		if err := os.WriteFile(whole, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(whole, path); err != nil {
			t.Fatal(err)
		}
	}
	written(cert, "CERTIFICATE", der)
	written(key, "PRIVATE KEY", secret)
	pool := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(leaf)
	return pool
}

func TestTheServerSpeaksTLSAndTakesUpRenewedCertificates(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool := certified(t, "parley.example", cert, key, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Parse([]byte("listen: "+listener.Addr().String()+"\npublic_url: https://parley.example\ntls: {cert: "+cert+", key: "+key+`}
store: "memory:"
secrets: ["of this test, and thirty-two bytes long"]
auth: {jwt: {issuer: https://app.example, audience: parley, hmac_key: "`+hmacKey+`"}}
`), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Advertise != "https://"+listener.Addr().String() {
		t.Errorf("other nodes are told %s", cfg.Advertise)
	}
	log := &logged{}
	servesUntilTheEnd(t, cfg, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil)), Listener: listener})

	// healthz asks over a connection of its own, and says which certificate was shown.
	healthz := func(pool *x509.CertPool, most uint16) (*http.Response, error) {
		carrier := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "parley.example", MaxVersion: most}, ForceAttemptHTTP2: true, DisableKeepAlives: true}
		defer carrier.CloseIdleConnections()
		answer, err := (&http.Client{Transport: carrier}).Get("https://" + listener.Addr().String() + "/healthz")
		if err == nil {
			answer.Body.Close()
		}
		return answer, err
	}
	answer, err := healthz(pool, 0)
	if err != nil {
		t.Fatal(err)
	}
	if answer.ProtoMajor != 2 || answer.Header.Get("Strict-Transport-Security") != "max-age=31536000" || answer.TLS.PeerCertificates[0].SerialNumber.Int64() != 1 {
		t.Errorf("%s %v, certificate %v", answer.Proto, answer.Header, answer.TLS.PeerCertificates[0].SerialNumber)
	}
	if _, err := healthz(pool, tls.VersionTLS11); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	if _, err := healthz(pool, tls.VersionTLS12); err != nil {
		t.Error(err)
	}

	if err := os.WriteFile(cert, []byte("half of a certifica"), 0o600); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(log.String(), "certificate not renewed") {
		if _, err := healthz(pool, 0); err != nil {
			t.Fatalf("with a certificate that is broken the former is shown: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	renewed := certified(t, "parley.example", cert, key, 2)
	for {
		answer, err := healthz(renewed, 0)
		if err == nil && answer.TLS.PeerCertificates[0].SerialNumber.Int64() == 2 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if strings.Contains(log.String(), "PRIVATE KEY") {
		t.Error("the key is told")
	}
}

// Who copies an old certificate over a valid one keeps nobody out.
func TestACertificateThatIsNotValidNowDoesNotReplaceOneThatIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		start := time.Now()
		in := func(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }
		certifiedFrom(t, "parley.example", cert, key, 1, in(-1), in(10))
		log := &logged{}
		get, err := server.Certificate(cert, key, slog.New(slog.NewTextHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		// then looks at an hour which certificate is shown, and what is said of that, once.
		then := func(what string, hour int, serial int64, says ...string) {
			t.Helper()
			time.Sleep(time.Until(in(hour).Add(10 * time.Second)))
			for range 3 {
				time.Sleep(2 * time.Second)
				shown, err := get(nil)
				if err != nil || shown.Leaf.SerialNumber.Int64() != serial {
					t.Fatalf("%s: %v, %v is shown", what, err, shown.Leaf.SerialNumber)
				}
			}
			lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")[told:]
			if log.String() == "" {
				lines = nil
			}
			if told += len(lines); len(lines) != len(says) {
				t.Fatalf("%s: %q", what, lines)
			}
			for i, want := range says {
				if !strings.Contains(lines[i], want) {
					t.Errorf("%s: %q is not in %s", what, want, lines[i])
				}
			}
		}
		then("nothing changed", 0, 1)
		certifiedFrom(t, "parley.example", cert, key, 2, in(-9), in(-5))
		then("one that has ended", 1, 1, `level=WARN msg="certificate not renewed" err="it ended at `)
		certifiedFrom(t, "parley.example", cert, key, 3, in(4), in(8))
		then("one that begins later", 2, 1, `level=WARN msg="certificate not renewed" err="it begins at `)
		then("it has begun", 5, 3, `level=INFO msg="certificate renewed"`)
		certifiedFrom(t, "parley.example", cert, key, 4, in(-9), in(-5))
		then("one that has ended", 6, 3, `level=WARN msg="certificate not renewed" err="it ended at `)
		then("the former has ended, too", 9, 4, `level=WARN msg="certificate renewed" err="it ended at `)
		certifiedFrom(t, "parley.example", cert, key, 5, in(-9), in(-4))
		then("neither is valid", 10, 5, `level=WARN msg="certificate renewed" err="it ended at `)
		certifiedFrom(t, "parley.example", cert, key, 6, in(0), in(20))
		then("a valid one", 11, 6, `level=INFO msg="certificate renewed"`)
	})
}

func TestACertificateThatCannotBeUsedIsRefusedAtTheStart(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certified(t, "parley.example", cert, key, 1)
	other, otherKey := filepath.Join(dir, "other.pem"), filepath.Join(dir, "otherkey.pem")
	certified(t, "parley.example", other, otherKey, 2)
	pipe, huge := filepath.Join(dir, "pipe"), filepath.Join(dir, "big")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(huge, make([]byte, 1<<20+1), 0o600)); err != nil {
		t.Fatal(err)
	}
	const rest = "secrets: [\"of this test, and thirty-two bytes long\"]\nauth: {jwt: {issuer: https://app.example, audience: parley, hmac_key: \"" + hmacKey + "\"}}\n"
	for text, want := range map[string]string{
		"tls: {cert: " + cert + "}\n":                                                      "tls: name both cert and key",
		"tls: {cert: " + cert + ", key: /dev/zero}\n":                                      "tls.key: /dev/zero is not a file",
		"tls: {cert: " + cert + ", key: " + pipe + "}\n":                                   "tls.key: " + pipe + " is not a file",
		"tls: {cert: " + huge + ", key: " + key + "}\n":                                    "tls.cert: " + huge + " has more than 1024 KiB",
		"tls: {cert: \"file:" + cert + "\", key: " + key + "}\n":                           "tls.cert: it is the path of a file already: write it without file:",
		"tls: {cert: /nowhere, key: " + key + "}\n":                                        "tls.cert: /nowhere cannot be read: no such file",
		"tls: {cert: " + cert + ", key: " + otherKey + "}\n":                               "private key does not match",
		"tls: {cert: " + cert + ", key: " + key + "}\npublic_url: http://127.0.0.1:8420\n": "public_url: it is http, and with tls the server speaks https",
		"tls: {cert: " + cert + ", key: " + key + "}\nadvertise: http://10.0.0.2:8420\n":   "advertise: it is http, and with tls the server speaks https",
	} {
		if _, err := config.Parse([]byte(rest+text), func(string) (string, bool) { return "", false }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	cfg, err := config.Parse([]byte(rest+"tls: {cert: "+cert+", key: "+key+"}\npublic_url: https://elsewhere.example\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(cfg.Warnings(), "\n"); !strings.Contains(all, "tls.cert: it is not for elsewhere.example") {
		t.Error(all)
	}
}
