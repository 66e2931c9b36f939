package stdiobridge

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
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
	r := bufio.NewReader(stream)
	var data []byte
	var name string
	filled := false
	for {
		line, err := readField(r, maxBytes-int64(len(data)))
		if errors.Is(err, io.EOF) {
			return nil // an event that does not end with a blank line is not one
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			if len(data) > 0 && (name == "" || name == "message") && !take(data) {
				return nil
			}
			data, name, filled = nil, "", false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if filled {
				data = append(data, '\n')
			}
			data, filled = append(data, value...), true
		case "event":
			name = string(value)
		case "id":
			if !bytes.ContainsRune(value, 0) {
				at.lastID = string(value)
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				at.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// readField returns the next line of a stream without its end.
func readField(r *bufio.Reader, maxBytes int64) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		// The name of the field and the line's end come on top of the message.
		if int64(len(line)) > maxBytes+64 {
			return nil, errTooLarge
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
