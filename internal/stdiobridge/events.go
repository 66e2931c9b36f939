package stdiobridge

import (
	"errors"
	"io"
	"time"

	"github.com/parley-hq/parley/internal/sse"
)

// errTooLarge: the server sent more than Options.MaxMessage at once.
var errTooLarge = errors.New("the answer is too large")

// position is how far a stream of events was read, and so where it can be taken
// up again.
type position struct {
	lastID string
	retry  time.Duration // as the server wishes; zero: as the client does
}

// readEvents calls take with the data of each event until take returns false or
// the stream ends, and keeps at up to date. It returns nil for an orderly end.
func readEvents(stream io.Reader, maxBytes int64, at *position, take func([]byte) bool) error {
	events := sse.NewEvents(stream, maxBytes)
	defer events.Free()
	for {
		data, err := events.Next()
		if events.Last != "" {
			at.lastID = events.Last
		}
		if events.Retry > 0 {
			at.retry = events.Retry
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil // an event without its end is not one: it comes again when the stream is taken up
		case errors.Is(err, sse.ErrTooLarge):
			return errTooLarge
		case err != nil:
			return err
		case !take(data):
			return nil
		}
	}
}
