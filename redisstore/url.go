package redisstore

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/userinfo"
)

// parameters are those of a URL that are known. client_cache, max_retries and protocol say
// what other clients have and this one has not: whatever they are set to, they change nothing.
var parameters = []string{"addr", "client_cache", "client_name", "db", "dial_timeout", "master_set", "max_retries", "protocol", "skip_verify", "write_timeout"}

const (
	dialTimeout = 5 * time.Second

	// writeTimeout bounds a command without an answer; an idle connection is
	// asked every second and given up after as long.
	writeTimeout = 5 * time.Second
)

// errURL repeats nothing of the URL, and so nothing of the password.
var errURL = errors.New("redisstore: the URL cannot be read: write redis://user:password@host:6379/0, " +
	"or rediss:// with TLS, with special characters of the password percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #")

func parseURL(text string, cluster bool) (server, error) {
	u, err := url.Parse(text)
	if err != nil || userinfo.Spills(text, userinfo.Last) || !slices.Contains([]string{"redis", "rediss", "valkey", "valkeys", "unix"}, u.Scheme) {
		return server{}, errURL
	}
	if err := checkParts(u); err != nil {
		return server{}, err
	}
	s := server{network: "tcp", user: u.User.Username(), cluster: cluster}
	s.password, _ = u.User.Password()
	if err := s.place(u); err != nil {
		return server{}, err
	}
	return s, s.set(u.Query())
}

// checkParts refuses what of a URL would be passed over without a word: whoever wrote it
// believes that it does something.
func checkParts(u *url.URL) error {
	if u.Opaque != "" {
		return errors.New("redisstore: the URL names no server: write redis://user:password@host:6379/0")
	}
	if u.Fragment != "" {
		return errors.New("redisstore: the URL goes on behind a #, where nothing is read: leave that out, or write %23 for a # of the password")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("redisstore: what follows ? in the URL cannot be read: write NAME=VALUE, with & between two and other characters percent-encoded")
	}
	var unknown []string
	for name := range query {
		if !slices.Contains(parameters, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("redisstore: %.40q: there is no such parameter of a URL; there are %s, and in parley's configuration space",
		slices.Min(unknown), strings.Join(parameters, ", "))
}

// place reads where the server is, and which of its databases is meant.
func (s *server) place(u *url.URL) error {
	if u.Scheme == "unix" {
		s.network, s.addresses = "unix", []string{strings.TrimSpace(u.Path)}
		return nil
	}
	host, address := hostPort(u.Host, "localhost")
	s.addresses = []string{address}
	for _, more := range u.Query()["addr"] {
		if strings.ContainsAny(more, "@/") { // errors name it
			return errors.New("redisstore: addr of the URL is more than a host and a port: write addr=host:6379; user and password are those before the URL's own host")
		}
		_, address := hostPort(more, host)
		s.addresses = append(s.addresses, address)
	}
	if u.Scheme == "rediss" || u.Scheme == "valkeys" {
		s.tls = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}
	}
	if u.Path == "" || u.Path == "/" {
		return nil
	}
	db, err := strconv.Atoi(u.Path[1:])
	if err != nil {
		return errURL
	}
	s.db = db
	return nil
}

// hostPort completes an address.
func hostPort(text, otherwise string) (host, address string) {
	host, port, err := net.SplitHostPort(text)
	if err != nil { // there is no port
		host, port = strings.Trim(text, "[]"), ""
	}
	host = cmp.Or(host, otherwise)
	return host, net.JoinHostPort(host, cmp.Or(port, "6379"))
}

// set takes the parameters of the URL.
func (s *server) set(query url.Values) (err error) {
	s.name, s.masterSet = query.Get("client_name"), query.Get("master_set")
	if query.Has("db") {
		if s.db, err = strconv.Atoi(query.Get("db")); err != nil {
			return errors.New("redisstore: db of the URL is no number: write db=0")
		}
	}
	if s.dialTimeout, err = duration(query, "dial_timeout", dialTimeout); err != nil {
		return err
	}
	if s.dialTimeout < 0 {
		return errors.New("redisstore: dial_timeout of the URL is over before it begins: write dial_timeout=5s")
	}
	if s.timeout, err = duration(query, "write_timeout", writeTimeout); err != nil {
		return err
	}
	if skip := query.Get("skip_verify"); s.tls != nil && query.Has("skip_verify") {
		if s.tls.InsecureSkipVerify, err = strconv.ParseBool(cmp.Or(skip, "true")); err != nil {
			return errors.New("redisstore: skip_verify of the URL is neither true nor false")
		}
	}
	return nil
}

func duration(query url.Values, name string, otherwise time.Duration) (time.Duration, error) {
	if !query.Has(name) {
		return otherwise, nil
	}
	d, err := time.ParseDuration(query.Get(name))
	if err != nil {
		return 0, fmt.Errorf("redisstore: %s of the URL is no time: write %[1]s=5s", name)
	}
	return cmp.Or(d, otherwise), nil
}
