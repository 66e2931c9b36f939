package notify_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/receivers"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
)

// byMail says where a post office is.
func byMail(office *receivers.PostOffice) notify.SMTP {
	return notify.SMTP{Host: "127.0.0.1", Port: office.Port, TLS: notify.NoTLS, From: "Parley <parley@example.com>"}
}

// real is a site whose channels go over the network of this machine.
func realSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	s.opts.Outbound = &outbound.Options{Loopback: true}
	s.opts.Clients = outbound.NewClients(s.opts.Outbound)
	t.Cleanup(s.opts.Clients.CloseIdleConnections)
	s.opts.Webhooks, s.opts.Channels = nil, nil
	s.opts.Poll = 20 * time.Millisecond
	return s
}

func TestALetterHasALinkAndNothingOfTheQuestion(t *testing.T) {
	s := realSite(t)
	office := receivers.NewPostOffice(t)
	server := byMail(office)
	s.opts.Mail = &server
	s.opts.Channels = []notify.Choice{{Channel: notify.Email}}
	s.opts.People = []notify.Known{{User: "alice", Email: "alice@example.com"}}
	s.node(t)
	q := s.asks(t, func(r *parley.Request) { r.Labels = map[string]string{parley.LabelTitle: "The <Bank>"} })
	got := <-office.Letters
	if got.From != "parley@example.com" || len(got.To) != 1 || got.To[0] != "alice@example.com" {
		t.Errorf("from %s to %v", got.From, got.To)
	}
	parsed, err := mail.ReadMessage(strings.NewReader(string(got.Raw)))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	if err != nil || subject != "The <Bank>: A question waits for your answer" {
		t.Errorf("%q, %v", subject, err)
	}
	if id := parsed.Header.Get("Message-Id"); id != "<msg_"+string(q.ID)+"_opened@example.com>" {
		t.Error(id)
	}
	kind, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s, %v", kind, err)
	}
	parts := map[string]string{}
	for reader := multipart.NewReader(parsed.Body, params["boundary"]); ; {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		parts[kind] = string(text)
	}
	link := "https://parley.example/answer/" + string(q.ID)
	for kind, text := range parts {
		if !strings.Contains(text, link) || strings.Contains(text, "PIN") {
			t.Errorf("%s: %s", kind, text)
		}
	}
	if len(parts) != 2 || !strings.Contains(parts["text/html"], "The &lt;Bank&gt;") {
		t.Errorf("%q", parts)
	}
}

func TestNoHeaderCanBePutIntoALetter(t *testing.T) {
	for _, address := range []string{"a@b.c\r\nBcc: x@y.z", "a@b.c, x@y.z", "<a@b.c>", "Alice <a@b.c>", "a b@c.d", "a@b.c\n", "", "@", strings.Repeat("a", 300) + "@b.c"} {
		if err := notify.CheckEmail(address); !errors.Is(err, notify.ErrEmail) {
			t.Errorf("%q is taken", address)
		}
	}
	s := realSite(t)
	office := receivers.NewPostOffice(t)
	server := byMail(office)
	s.opts.Mail = &server
	s.opts.Channels = []notify.Choice{{Channel: notify.Email}}
	s.opts.People = []notify.Known{{User: "alice", Email: "alice@example.com"}}
	s.node(t)
	s.asks(t, func(r *parley.Request) {
		r.Trigger, r.Labels = parley.TriggerApproval, map[string]string{"tool": "x\nBcc: evil@example.com\n\nbody", parley.LabelAsker: "bob\tBcc: evil@example.com"}
	})
	got := <-office.Letters
	parsed, err := mail.ReadMessage(strings.NewReader(string(got.Raw)))
	if err != nil || parsed.Header.Get("Bcc") != "" || len(got.To) != 1 {
		t.Errorf("%s, %v", got.Raw, err)
	}
}

func TestAMailServerThatRefusesForNowIsTriedAgainAndOneThatHangsIsLeft(t *testing.T) {
	s := realSite(t)
	office := receivers.NewPostOffice(t)
	server := byMail(office)
	times := 0
	office.Refuse = func(string) error {
		if times++; times == 1 {
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "later"}
		}
		return nil
	}
	s.opts.Mail = &server
	s.opts.Channels = []notify.Choice{{Channel: notify.Email}}
	s.opts.People = []notify.Known{{User: "alice", Email: "alice@example.com"}}
	s.node(t)
	s.asks(t, nil)
	<-office.Letters

	mute, err := net.Listen("tcp", "127.0.0.1:0") // it accepts and says nothing
	if err != nil {
		t.Fatal(err)
	}
	hanging := realSite(t)
	server.Port = mute.Addr().(*net.TCPAddr).Port
	hanging.opts.Mail = &server
	hanging.opts.Channels, hanging.opts.People = s.opts.Channels, s.opts.People
	_, stop := hanging.node(t)
	hanging.asks(t, nil)
	conn, err := mute.Accept()
	if err != nil {
		t.Fatal(err)
	}
	stop() // returns although the mail server never says a word
	_ = conn.Close()
	_ = mute.Close()
}

func TestAWebhookIsSignedAsTheStandardSays(t *testing.T) {
	s := realSite(t)
	type call struct {
		header http.Header
		body   []byte
	}
	calls := make(chan call, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.Header, body}
	}))
	defer server.Close()
	secret := notify.NewWebhookSecret()
	s.opts.Webhooks = []notify.Webhook{{Name: "ops", URL: server.URL, Secret: parley.Secret(secret)}}
	s.opts.Channels = []notify.Choice{{Channel: notify.WebhookChannel("ops")}}
	o, _ := s.node(t)
	id := parley.NewID()
	if err := o.Expect(t.Context(), notify.Callback{Question: id, URL: server.URL + "/callback", Secret: secret}); err != nil {
		t.Fatal(err)
	}
	q := s.asks(t, func(r *parley.Request) { r.ID = id })
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range 3 {
		got := <-calls
		if i == 0 {
			s.answers(t, q)
		}
		if err := verifier.Verify(got.body, got.header); err != nil {
			t.Errorf("%v: %s", err, got.body)
		}
		var event struct {
			Type string
			Data struct{ ID parley.ID }
		}
		if err := json.Unmarshal(got.body, &event); err != nil || event.Data.ID != id {
			t.Errorf("%s, %v", got.body, err)
		}
		seen[event.Type] = true
		if event.Type == "question.settled" {
			continue // of the program's own
		}
		var whole struct{ Data map[string]any }
		if err := json.Unmarshal(got.body, &whole); err != nil {
			t.Fatal(err)
		}
		told := strings.Join(slices.Sorted(maps.Keys(whole.Data)), " ") // as docs/notifications.md shows it
		if told != "created_at expires_at from id tenant title to url" {
			t.Errorf("%s tells %s", event.Type, told)
		}
	}
	if !seen["question.opened"] || !seen["question.closed"] || !seen["question.settled"] {
		t.Errorf("told of %v", seen)
	}
}

func TestAPushServiceIsToldWhoSends(t *testing.T) {
	s := realSite(t)
	requests := make(chan *http.Request, 10)
	bodies := make(chan []byte, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- body
		requests <- r
		w.WriteHeader(http.StatusCreated)
	}))
	defer server.Close()
	s.opts.Channels = []notify.Choice{{Channel: notify.WebPush}}
	one, _ := s.node(t)
	two, _ := s.node(t)
	b := receivers.NewBrowser(t, server.URL+"/push/1")
	if _, err := one.Subscribe(t.Context(), alice, subscriptionOf(b)); err != nil {
		t.Fatal(err)
	}
	q := s.asks(t, nil)
	r := <-requests
	plain, err := b.Decrypt(<-bodies)
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Type, Tag, Title, Body, URL string }
	if err := json.Unmarshal(plain, &said); err != nil || said.Type != "question.opened" || said.Tag != string(q.ID) || said.URL != "https://parley.example/answer/"+string(q.ID) {
		t.Errorf("%s, %v", plain, err)
	}
	if r.Header.Get("Content-Encoding") != "aes128gcm" || r.Header.Get("TTL") == "" || r.Header.Get("Topic") != string(q.ID) {
		t.Errorf("%v", r.Header)
	}
	keyOne, err := one.PushKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if keyTwo, err := two.PushKey(t.Context()); err != nil || keyTwo != keyOne {
		t.Errorf("two nodes have two keys: %v", err)
	}
	verifyVAPID(t, r.Header.Get("Authorization"), keyOne, server.URL)
}

// verifyVAPID reads the header as RFC 8292 says.
func verifyVAPID(t *testing.T, header, key, audience string) {
	t.Helper()
	token, public, ok := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if !ok || public != key || len(parts) != 3 {
		t.Fatalf("%s", header)
	}
	raw := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	verifier, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw(key))
	if err != nil {
		t.Fatal(err)
	}
	digest, signature := sha256.Sum256([]byte(parts[0]+"."+parts[1])), raw(parts[2])
	if len(signature) != 64 || !ecdsa.Verify(verifier, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature does not hold")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(raw(parts[1]), &claims); err != nil || claims.Aud != audience || claims.Sub != "mailto:ops@parley.example" {
		t.Errorf("%+v, %v", claims, err)
	}
	if left := time.Until(time.Unix(claims.Exp, 0)); left < 0 || left > 24*time.Hour {
		t.Errorf("good for %v", left)
	}
}

// A name may lead to another address than it did when the browser subscribed.
func TestASubscriptionLeadsToNoPrivateAddress(t *testing.T) {
	s := newSite(t)
	s.opts.Clients = nil
	o, err := notify.New(s.hub, s.store, s.keys, &s.opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range []string{
		"http://push.example/1", "https://127.0.0.1/1", "https://10.0.0.1/1", "https://169.254.169.254/latest/meta-data", "https://[::1]/", "https://user@push.example/", "file:///etc/passwd", "",
	} {
		if _, err := o.Subscribe(t.Context(), alice, subscriptionOf(receivers.NewBrowser(t, endpoint))); err == nil {
			t.Errorf("%q is taken", endpoint)
		}
	}
	for name, change := range map[string]func(*notify.Subscription){
		"no key":    func(s *notify.Subscription) { s.P256DH = "" },
		"no point":  func(s *notify.Subscription) { s.P256DH = strings.Repeat("A", 87) },
		"no secret": func(s *notify.Subscription) { s.Auth = "AAAA" },
		"long":      func(s *notify.Subscription) { s.Endpoint += strings.Repeat("x", 2000) },
	} {
		sub := subscriptionOf(receivers.NewBrowser(t, "https://push.example/1"))
		change(&sub)
		if _, err := o.Subscribe(t.Context(), alice, sub); !errors.Is(err, notify.ErrSubscription) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// It passed when it was read, and the guard refuses it when it is dialled.
	guarded := newSite(t)
	guarded.opts.Channels = []notify.Choice{{Channel: notify.WebPush}}
	guarded.opts.Poll = 20 * time.Millisecond
	guarded.opts.Outbound = &outbound.Options{Loopback: true}
	guarded.opts.Clients = outbound.Choose(nil, outbound.Client(nil))
	p, _ := guarded.node(t)
	if _, err := p.Subscribe(t.Context(), alice, subscriptionOf(receivers.NewBrowser(t, "https://127.0.0.1:1/push"))); err != nil {
		t.Fatal(err)
	}
	guarded.asks(t, nil)
	waitFor(t, func() bool {
		all, err := guarded.store.Scan(context.Background(), parley.Address{Kind: "notify_notice"}, "", 0)
		return err == nil && len(all) == 1 && all[0].Version > 1 // recorded, and given up
	})
}

// waitFor asks until something is so, or the test's time is over.
func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	for !is() {
		if t.Context().Err() != nil {
			t.Fatal("it never was")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
