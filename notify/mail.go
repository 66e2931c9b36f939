package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"html"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/netip"
	"net/smtp"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// SMTP is a mail server of the operator's.
type SMTP struct {
	Host     string
	Port     int           // default 587, with TLS "tls" 465, with "none" 25
	TLS      string        // starttls (default): refused without; tls: from the start; none
	User     string        // empty: no authentication
	Password parley.Secret // of User
	From     string        // such as: Parley <parley@example.com>

	Config *tls.Config // default: the system's authorities
}

// The ways to encrypt a connection to a mail server.
const (
	StartTLS = "starttls"
	FullTLS  = "tls"
	NoTLS    = "none"
)

const maxAddress = 254 // RFC 5321, section 4.5.3.1.3, with its brackets

// ErrEmail says that a text is no address.
var ErrEmail = errors.New("not an e-mail address")

// CheckEmail returns ErrEmail for what is not one plain address.
func CheckEmail(address string) error {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address || len(address) > maxAddress || strings.ContainsAny(address, "\r\n\x00 ") {
		return fmt.Errorf("%w: %.100q", ErrEmail, address)
	}
	return nil
}

// Validate says what is wrong with s: its error begins with the key.
func (s SMTP) Validate() error {
	switch {
	case s.Host == "":
		return errors.New("host: which mail server?")
	case strings.ContainsAny(s.Host, "@/: ") && !isAddress(s.Host):
		return errors.New("host: it is the server's name alone, such as mail.example.com; its port, a user and a password have keys of their own")
	case s.TLS != "" && s.TLS != StartTLS && s.TLS != FullTLS && s.TLS != NoTLS:
		return fmt.Errorf("tls: %q; use starttls, tls or none", s.TLS)
	case s.Port < 0 || s.Port > 65535:
		return fmt.Errorf("port: %d; a port is a number from 1 to 65535, such as 587", s.Port)
	case s.TLS == NoTLS && s.User != "":
		return errors.New("user: a password is not sent without encryption: use starttls or tls")
	}
	if _, err := mail.ParseAddress(s.From); err != nil {
		return fmt.Errorf("from: %.100q is no address such as Parley <parley@example.com>", s.From)
	}
	return nil
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// mailChannel sends letters. A letter cannot be taken back.
type mailChannel struct {
	SMTP
}

const closing = "An answer to this letter reaches nobody. Where the question has been answered meanwhile, the page says so: a letter cannot be taken back."

// plainText is the letter for readers without HTML.
func plainText(m message, until string) string {
	return fmt.Sprintf("%s: %s\n\nAnswer here, after signing in as %s:\n%s\n%s\n%s\n", m.From, m.Title, line(m.To), m.URL, until, closing)
}

// richText is the same as HTML. Every value is escaped.
func richText(m message, until string) string {
	e := html.EscapeString
	return `<!doctype html><html lang="en"><body style="font: 16px/1.5 system-ui, sans-serif">` +
		"<p><strong>" + e(m.From) + "</strong>: " + e(m.Title) + "</p>" +
		`<p><a href="` + e(m.URL) + `">Answer</a>, after signing in as ` + e(line(m.To)) + ".</p>" +
		"<p>" + e(until) + "</p><p><small>" + e(closing) + "</small></p></body></html>\n"
}

// letter makes the message. Its Message-ID is the same for every attempt, so that a
// mail server or a reader can tell a repetition. No value can begin a header of its
// own: each is encoded, or was checked.
func letter(m message, from *mail.Address, to string, now time.Time) ([]byte, error) {
	until := ""
	if !m.Expires.IsZero() {
		until = m.Expires.UTC().Format("It is open until 2 January 2006, 15:04 UTC.")
	}
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for _, part := range []struct{ kind, text string }{
		{"text/plain; charset=utf-8", plainText(m, until)}, {"text/html; charset=utf-8", richText(m, until)},
	} {
		w, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {part.kind}, "Content-Transfer-Encoding": {"quoted-printable"}})
		if err != nil {
			return nil, err
		}
		quoted := quotedprintable.NewWriter(w)
		if _, err := quoted.Write([]byte(part.text)); err != nil {
			return nil, err
		}
		if err := quoted.Close(); err != nil {
			return nil, err
		}
	}
	if err := parts.Close(); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	var out bytes.Buffer
	for _, h := range [][2]string{
		{"From", from.String()}, {"To", (&mail.Address{Address: to}).String()}, {"Subject", mime.QEncoding.Encode("utf-8", line(m.From+": "+m.Title))},
		{"Date", now.Format(time.RFC1123Z)}, {"Message-ID", "<" + m.ID + "@" + domain + ">"},
		{"Auto-Submitted", "auto-generated"}, // RFC 3834: no machine answers it
		{"MIME-Version", "1.0"}, {"Content-Type", "multipart/alternative; boundary=" + parts.Boundary()},
	} {
		fmt.Fprintf(&out, "%s: %s\r\n", h[0], h[1])
	}
	out.WriteString("\r\n")
	out.Write(body.Bytes())
	return out.Bytes(), nil
}

func (c *mailChannel) tls() *tls.Config {
	config := &tls.Config{}
	if c.Config != nil {
		config = c.Config.Clone()
	}
	config.ServerName, config.MinVersion = c.Host, tls.VersionTLS12
	return config
}

// dial connects. The connection ends with ctx, whatever the server is doing.
func (c *mailChannel) dial(ctx context.Context) (net.Conn, error) {
	port := cmp.Or(c.Port, map[string]int{FullTLS: 465, NoTLS: 25}[c.TLS], 587)
	address := net.JoinHostPort(c.Host, strconv.Itoa(port))
	if c.TLS == FullTLS {
		return (&tls.Dialer{Config: c.tls()}).DialContext(ctx, "tcp", address)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}

// send hands a letter to the mail server. Once that has taken it, it is sent,
// however the conversation ends.
func (c *mailChannel) send(ctx context.Context, m message, to string) error {
	if err := CheckEmail(to); err != nil {
		return Final(err)
	}
	from, err := mail.ParseAddress(c.From)
	if err != nil {
		return Final(err)
	}
	text, err := letter(m, from, to, time.Now())
	if err != nil {
		return Final(err)
	}
	conn, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	err = c.hand(conn, from.Address, to, text)
	var said *textproto.Error
	if errors.As(err, &said) && said.Code >= 500 && said.Code != 530 && said.Code != 535 { // those are ours to mend: credentials
		return Final(err)
	}
	return err
}

// Reach finds out whether the mail server would take a letter: it is connected to,
// encrypted, and told who sends, and then left. No letter is begun.
func (s SMTP) Reach(ctx context.Context) error {
	c := &mailChannel{s}
	conn, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	client, err := c.greet(conn)
	if err != nil {
		return err
	}
	_ = client.Quit() // politely
	return nil
}

// greet is everything before a letter.
func (c *mailChannel) greet(conn net.Conn) (*smtp.Client, error) {
	client, err := smtp.NewClient(conn, c.Host)
	if err != nil {
		return nil, err
	}
	if c.TLS == "" || c.TLS == StartTLS {
		if err := client.StartTLS(c.tls()); err != nil {
			return nil, fmt.Errorf("STARTTLS: %v", err) // the operator's to mend, so not final
		}
	}
	if c.User != "" {
		if err := client.Auth(smtp.PlainAuth("", c.User, c.Password.Reveal(), c.Host)); err != nil {
			return nil, err
		}
	}
	return client, nil
}

// hand says what SMTP wants to hear.
func (c *mailChannel) hand(conn net.Conn, from, to string, text []byte) error {
	client, err := c.greet(conn)
	if err != nil {
		return err
	}
	if err := client.Mail(from); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = client.Quit() // politely
	return nil
}
