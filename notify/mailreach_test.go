package notify_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/receivers"
	"github.com/parley-hq/parley/notify"
)

// Who tries a mail server learns what a letter would, and sends none.
func TestAMailServerIsTriedWithoutALetter(t *testing.T) {
	office := receivers.NewPostOffice(t)
	plain := notify.SMTP{Host: "127.0.0.1", Port: office.Port, TLS: notify.NoTLS, From: "parley@example.com"}
	if err := plain.Reach(t.Context()); err != nil {
		t.Error(err)
	}
	encrypted := plain
	encrypted.TLS = notify.StartTLS
	if err := encrypted.Reach(t.Context()); err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("a server that does not encrypt: %v", err)
	}
	gone := plain
	gone.Port = 1
	if err := gone.Reach(t.Context()); err == nil {
		t.Error("nobody is there")
	}
	if len(office.Letters) > 0 {
		t.Error("a letter was sent")
	}
}
